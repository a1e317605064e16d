// Participants and a relay on this machine's own network: plain, and under TLS with a certificate that has to be the right one.

import Conversations
import Foundation
import Relay
import RelayServer
import RelayStorage
import Sealing
import Synchronization
import Testing
import Transports
import Wire

@Suite(.serialized, .timeLimit(.minutes(1)))
struct NetworkTests {
    func participant(_ name: String, _ invitation: Invitation, authority: String? = nil, origin: String? = nil, attempts: Int = 4) async throws -> Conversation {
        var options = WebSocketTransport.Options()
        options.certificateAuthorityPath = authority
        let transport = try #require(WebSocketTransport(origin: origin ?? invitation.origin, options: options))
        var environment = ConversationEnvironment()
        environment.reconnection.shortestPause = .milliseconds(5)
        environment.reconnection.longestPause = .milliseconds(20)
        environment.reconnection.firstAttemptCountLimit = attempts
        let conversation = try Conversation(invitation: invitation, name: name, mayCreate: true, transport: transport, environment: environment)
        await conversation.start()
        return conversation
    }

    /// Waits until the claim is true; it is looked at again after everything that happens.
    func until(_ conversation: Conversation, _ claim: (Conversation) async -> Bool) async {
        let updates = await conversation.updates()
        if await claim(conversation) { return }
        for await _ in updates where await claim(conversation) { return }
    }

    @Test(arguments: [false, true])
    func `two participants meet, speak, share an attachment and leave`(_ isSecure: Bool) async throws {
        let relay = try await NetworkRelay(isSecure: isSecure)
        let invitation = try Invitation(relay: relay.origin)
        let ana = try await participant("Ana", invitation, authority: relay.authority)
        try await ana.introduced()
        let ben = try await participant("Ben", invitation, authority: relay.authority)
        try await ben.introduced()
        let session = try await ana.announce(.init(activityIdentifier: "org.example.Drawing", activity: [], metadata: []))
        for person in [ana, ben] {
            await until(person) { await $0.activities.contains { $0.session == session } }
            await person.enter(session)
            await until(person) { await $0.session(session)?.isInSync ?? false }
        }
        let heard = await ben.updates()
        for size in [0, 100, 200_000, Limits.messageSizeLimitBytes] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try await ana.send(.data(bytes[...]), in: session)
            for await case .session(session, .received(.data(let received), let sender, _)) in heard {
                #expect(Array(received) == bytes && sender == ana.localParticipant)
                break
            }
        }
        let original = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8 &+ $0) }
        let sending = try await ana.add(MemorySource(original), metadata: [], in: session)
        await until(ben) { await !($0.session(session)?.entries.isEmpty ?? true) }
        // Begins while the upload runs.
        let sink = MemorySink()
        try await ben.load(sending.entry, in: session, into: sink)
        try await sending.upload.value
        #expect(sink.bytes == original)
        try await ben.remove(sending.entry, in: session)
        let gone = await #expect(throws: ConversationError.self) { try await ben.load(sending.entry, in: session, into: MemorySink()) }
        #expect(gone?.code == .removed)
        await ben.leave()
        await until(ana) { await $0.participants.count == 1 }
        #expect(await ben.end == .left)
        await ana.leave()
        await relay.stop()
    }

    @Test func `a relay that dies and comes back on its port finds its participants again`() async throws {
        let relay = try await NetworkRelay(isSecure: false)
        let invitation = try Invitation(relay: relay.origin)
        let ana = try await participant("Ana", invitation)
        try await ana.introduced()
        let session = try await ana.announce(.init(activityIdentifier: "a", activity: [], metadata: []))
        await until(ana) { await !$0.activities.isEmpty }
        await ana.enter(session)
        await until(ana) { await $0.session(session)?.isInSync ?? false }
        try await ana.send(.data([1]), in: session)
        let again = try await relay.restarted()
        try await ana.send(.data([2]), in: session)
        #expect(await ana.isConnected)
        #expect(await ana.end == nil)
        await ana.leave()
        await again.stop()
    }

    @Test func `people of one process who connect over TLS at the same moment all get in at the first attempt`() async throws {
        let relay = try await NetworkRelay(isSecure: true)
        let invitation = try Invitation(relay: relay.origin)
        let people = try await withThrowingTaskGroup(of: Conversation.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let person = try await participant("Person \(number)", invitation, authority: relay.authority, attempts: 1)
                    try await person.introduced()
                    return person
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(people.count == 24)
        for person in people { await person.leave() }
        await relay.stop()
    }

    @Test func `a certificate of an unknown authority, or of another host, is refused`() async throws {
        let relay = try await NetworkRelay(isSecure: true)
        let invitation = try Invitation(relay: relay.origin)
        let other = try NetworkRelay.makeCertificate(name: "localhost")
        for (authority, origin) in [(nil, relay.origin), (other.certificate, relay.origin), (relay.authority, relay.origin.replacing("localhost", with: "127.0.0.1"))] {
            let stranger = try await participant("Eve", invitation, authority: authority, origin: origin, attempts: 1)
            let error = await #expect(throws: ConversationError.self) { try await stranger.introduced() }
            #expect(error?.code == .relayUnreachable, "\(origin)")
            let transport = try #require(WebSocketTransport(origin: origin, options: .init(authority)))
            let address = AttachmentAddress(conversation: invitation.conversation, session: .own, entry: EntryID(.zero))
            await #expect(throws: PartFailure.unreachable) { try await transport.standing(of: address, relayToken: [1]) }
        }
        await relay.stop()
    }

    @Test func `a part of a relay that does not know us, or of nobody, fails for what it is`() async throws {
        let relay = try await NetworkRelay(isSecure: false)
        let address = AttachmentAddress(conversation: ConversationID(.zero), session: .own, entry: EntryID(.zero))
        let transport = try #require(WebSocketTransport(origin: relay.origin))
        await #expect(throws: PartFailure.gone) { try await transport.standing(of: address, relayToken: Array(repeating: 1, count: 32)) }
        await relay.stop()
        await #expect(throws: PartFailure.unreachable) { try await transport.standing(of: address, relayToken: [1]) }
    }
}

extension WebSocketTransport.Options {
    init(_ authority: String?) {
        self.init()
        certificateAuthorityPath = authority
    }
}

/// A relay on a free port of this machine, its disk in a folder of its own.
final class NetworkRelay: Sendable {
    let origin: String
    let authority: String?
    private let server: RelayServer
    private let ledger: SQLiteLedgerStore
    private let directory: String
    private let port: Int
    private let tls: ServerSettings.TLS?

    convenience init(isSecure: Bool) async throws {
        let directory = NSTemporaryDirectory() + "hearth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let pair = isSecure ? try Self.makeCertificate(name: "localhost") : nil
        try await self.init(directory: directory, port: 0, tls: pair.map { .init(certificatePath: $0.certificate, keyPath: $0.key, isSelfSigned: true) })
    }

    private init(directory: String, port: Int, tls: ServerSettings.TLS?) async throws {
        var settings = ServerSettings()
        settings.host = "127.0.0.1"
        settings.port = port
        settings.tls = tls
        settings.drainTimeLimitSeconds = 1
        settings.logsAccess = false
        self.directory = directory
        self.tls = tls
        ledger = try SQLiteLedgerStore(path: directory + "/ledger.sqlite")
        server = RelayServer(
            settings: settings, relay: RelaySettings(), ledger: ledger, attachments: try FileAttachmentStore(directory: directory + "/bodies"), site: nil, log: .silent)
        self.port = try await server.start()
        origin = tls == nil ? "http://127.0.0.1:\(self.port)" : "https://localhost:\(self.port)"
        authority = tls?.certificatePath
    }

    func stop() async {
        await server.stop()
        ledger.close()
    }

    /// Another over the same disk and on the same port.
    func restarted() async throws -> NetworkRelay {
        await stop()
        return try await NetworkRelay(directory: directory, port: port, tls: tls)
    }

    static func makeCertificate(name: String) throws -> (certificate: String, key: String) {
        let directory = NSTemporaryDirectory() + "hearth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout", key, "-out",
            certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return (certificate, key)
    }
}
