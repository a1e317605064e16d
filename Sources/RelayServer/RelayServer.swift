// The relay on the network: what a program starts, asks for its port, and stops.

import Glibc
import Relay
import Wire

/// One relay that listens on one port. Start it once, stop it once.
public final class RelayServer: Sendable {
    public enum Failure: Error, Equatable {
        case portInUse(Int)
        case notPermitted(Int)
        case addressNotAvailable(String)
        case certificateUnreadable(String)
        case keyUnreadable(String)
        case keyDoesNotMatch(certificate: String, key: String)
        case storage(StoreError)
        case network(String)
    }

    private let settings: ServerSettings
    private let loop: LwsLoop
    private let front: Front
    private let hub: RelayHub

    /// - Parameters:
    ///   - site: the web client; without one only the protocol is served.
    public init(
        settings: ServerSettings, relay: RelaySettings, ledger: any LedgerStore, attachments: any AttachmentStore, site: Site?, log: Log
    ) {
        self.settings = settings
        let executor = LoopExecutor()
        loop = LwsLoop(executor: executor)
        hub = RelayHub(
            executor: executor, ledger: ledger, attachments: attachments, settings: relay, headroomBytes: LwsHeadroom.bytes,
            incarnation: UInt64.random(in: 1...UInt64.max), wallSeconds: wallClockSeconds())
        front = Front(settings: settings, loop: executor, hub: hub, attachments: attachments, site: site, log: log)
    }

    /// Listens, and returns the port. What was kept from before is taken up first: nobody is let in to a relay that does not yet know it.
    public func start() async throws(Failure) -> Int {
        if let tls = settings.tls { try checkTLS(tls) }
        let code = ListeningSocket.tryToListen(host: settings.host, port: settings.port)
        switch code {
        case 0: break
        case EADDRINUSE: throw .portInUse(settings.port)
        case EACCES, EPERM: throw .notPermitted(settings.port)
        default: throw .addressNotAvailable("\(settings.host ?? "every address"): \(String(cString: strerror(code)))")
        }
        front.isAdmitting = false
        let port: Int
        do throws(LwsContext.Failure) {
            port = try await loop.start(settings: settings, front: front)
        } catch {
            throw .network("the network library could not be set up (HEARTH_LWS_LOG=1 shows what it says)")
        }
        do throws(StoreError) {
            await hub.onErase { [front] erasure in front.cut(erasure) }
            await hub.onStoreFailure { [front] error in front.storeFailed(error) }
            try await hub.load()
        } catch {
            await loop.stop()
            throw .storage(error)
        }
        loop.executor.perform { [front] in front.isAdmitting = true }
        return port
    }

    /// Tells everybody to come back later, lets parts that are under way come to their end for a few seconds, then closes.
    public func stop() async {
        await onLoop { $0.drain() }
        for _ in 0..<(settings.drainTimeLimitSeconds * 20) {
            if await onLoop({ $0.isQuiet }) { break }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
        // The hub and the front know each other; one of them has to let go.
        await hub.onErase { _ in }
        await hub.onStoreFailure { _ in }
        await loop.stop()
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (Front) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            loop.executor.perform { [front] in continuation.resume(returning: body(front)) }
        }
    }

    private func checkTLS(_ tls: ServerSettings.TLS) throws(Failure) {
        switch TLSFiles.check(certificate: tls.certificatePath, key: tls.keyPath) {
        case .fits: return
        case .certificateUnreadable: throw .certificateUnreadable(tls.certificatePath)
        case .keyUnreadable: throw .keyUnreadable(tls.keyPath)
        case .keyDoesNotMatch: throw .keyDoesNotMatch(certificate: tls.certificatePath, key: tls.keyPath)
        }
    }
}
