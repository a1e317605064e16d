// `hearth serve`: opens the data directory, starts the relay, says where it is, waits for the signal to stop.

import Dispatch
import Glibc
import Relay
import RelayServer
import RelayStorage

enum Serve {
    static func run(_ options: ServeOptions) throws(Program.Complaint) {
        var options = options
        let signals = StopSignals()  // before any thread, so that every thread leaves them alone
        let data = try DataDirectory(options.dataDirectory ?? DataDirectory.standard)
        if options.wantsSelfSigned { options.server.tls = try SelfSignedCertificate.keep(in: data.path + "/tls") }
        options.server.connectionCountLimit = Descriptors.makeRoom(forConnections: options.server.connectionCountLimit)
        let site = try WebDirectory.load(options.webDirectory)
        let ledger: SQLiteLedgerStore
        let bodies: FileAttachmentStore
        do throws(StoreError) {
            ledger = try SQLiteLedgerStore(path: data.path + "/ledger.sqlite")
            bodies = try FileAttachmentStore(directory: data.path + "/bodies")
        } catch { throw complaint(error, data.path) }

        let log = Log.standardError()
        let server = RelayServer(settings: options.server, relay: options.relay, ledger: ledger, attachments: bodies, site: site, log: log)
        let started = waitFor { () async -> Result<Int, RelayServer.Failure> in
            do throws(RelayServer.Failure) { return .success(try await server.start()) } catch { return .failure(error) }
        }
        switch started {
        case .success(let port): Greeting.say(options, port: port)
        case .failure(let failure): throw complaint(failure, options, data.path)
        }

        let memory = SpareMemory()
        signals.wait()
        Program.complain("hearth: stopping; a second signal stops at once")
        signals.exitOnTheNext()
        waitFor { await server.stop() }
        ledger.close()
        log.flush()
        withExtendedLifetime(memory) {}
    }

    /// Blocks the calling thread until `body` is done.
    @discardableResult
    private static func waitFor<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let (box, done) = (Box<Value>(), DispatchSemaphore(value: 0))
        Task.detached {
            box.value = await body()
            done.signal()
        }
        done.wait()
        return box.value!
    }

    private static func complaint(_ error: StoreError, _ path: String) -> Program.Complaint {
        switch error {
        case .full: .init(exit: .cannotWrite, text: "The disk of \(path) is full. Make room, or give another directory with --data.")
        case .failed(let reason): .init(exit: .cannotWrite, text: "The data directory \(path) cannot be used: \(reason).")
        }
    }

    private static func complaint(_ failure: RelayServer.Failure, _ options: ServeOptions, _ path: String) -> Program.Complaint {
        switch failure {
        case .portInUse(let port):
            .init(exit: .unavailable, text: "Port \(port) is in use, perhaps by another relay. Give another one with --port, or --port 0 for any free one.")
        case .notPermitted(let port):
            .init(exit: .unavailable, text: "Port \(port) needs special rights. Give one above 1023 with --port, or put a proxy in front.")
        case .addressNotAvailable(let reason): .init(exit: .unavailable, text: "Cannot listen on \(reason). --host takes an address of this machine, such as 127.0.0.1.")
        case .certificateUnreadable(let file): .init(exit: .configuration, text: "The certificate \(file) cannot be read: it must be a PEM file that this user may read.")
        case .keyUnreadable(let file): .init(exit: .configuration, text: "The key \(file) cannot be read: it must be a PEM file without a password that this user may read.")
        case .keyDoesNotMatch(let certificate, let key): .init(exit: .configuration, text: "The key \(key) does not belong to the certificate \(certificate).")
        case .storage(let error): complaint(error, path)
        case .network(let reason): .init(exit: .failed, text: reason)
        }
    }
}

/// Carries one value from a task to the thread that waits for it.
private final class Box<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
