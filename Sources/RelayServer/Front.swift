// The relay as its connections see it: decides what a request gets, and knows everything that is under way.

import Relay
import Wire

/// On the loop's thread only, except where it says otherwise.
final class Front: @unchecked Sendable {
    let settings: ServerSettings
    let loop: LoopExecutor
    let hub: RelayHub
    let attachments: any AttachmentStore
    let site: Site?
    let origins: OriginPolicy
    let log: Log
    private var storeTrouble = StoreTrouble()
    private var oversize = RareLine()
    let disk = DiskThreads(count: 4)
    let coming = ComingParts()
    var figures = ServerFigures()
    var census: ConnectionCensus
    private var requests: AddressAllowances
    private var joins: AddressAllowances
    private(set) var isDraining = false
    /// False until the hub knows what was kept from before.
    var isAdmitting = true
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var lastHubTickNanoseconds: UInt64 = 0

    init(settings: ServerSettings, loop: LoopExecutor, hub: RelayHub, attachments: any AttachmentStore, site: Site?, log: Log) {
        self.settings = settings
        self.loop = loop
        self.hub = hub
        self.attachments = attachments
        self.site = site
        self.log = log
        origins = OriginPolicy(allowed: settings.allowedOrigins)
        census = ConnectionCensus(limit: settings.connectionCountLimit, limitPerAddress: settings.connectionCountLimitPerAddress)
        requests = AddressAllowances(settings.requestRatePerAddress)
        joins = AddressAllowances(settings.joinRatePerAddress)
    }

    // MARK: Requests

    /// Starts the exchange for a request. It is kept until `finished`.
    func open(_ head: RequestHead, from address: String, on port: any ExchangePort) throws(RequestGate.Refusal) -> Exchange {
        let request = try RequestGate.admit(head)
        try spend(\.requests, address, "requests")
        let route = Route(path: head.path)
        let exchange = makeExchange(head, route, request, port)
        exchanges[ObjectIdentifier(exchange)] = exchange
        exchange.begin()
        return exchange
    }

    /// The exchange is over, answered or not.
    func finished(_ exchange: Exchange) {
        guard exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        exchange.ended()
        count(method: exchange.head.method, route: exchange.route, status: exchange.status, bytes: exchange.sentBodyBytes, since: exchange.startedNanoseconds)
    }

    func count(method: RequestHead.Method, route: Route, status: Int, bytes: Int, since startedNanoseconds: UInt64) {
        let key = ServerFigures.Key(method: method.rawValue, route: route.pattern, status: status)
        figures.answers[key, default: 0] += 1
        guard settings.logsAccess else { return }
        let milliseconds = (monotonicNanoseconds() - startedNanoseconds) / 1_000_000
        log("\(method.rawValue) \(route.pattern) \(status == 0 ? "broken off" : String(status)) \(bytes) B \(milliseconds) ms")
    }

    /// Whether a WebSocket may be opened, and to what.
    func admitSocket(_ head: RequestHead, from address: String, offersProtocol: Bool) throws(RequestGate.Refusal) -> ConversationID {
        let request = try RequestGate.admit(head)
        try spend(\.joins, address, "joins")
        guard head.method == .get, case .conversation(let conversation) = Route(path: head.path), !head.hasQuery else {
            throw RequestGate.Refusal(status: 404, message: "WebSockets are at /v1/conversations/ and the conversation's name")
        }
        guard offersProtocol else { throw RequestGate.Refusal(status: 400, message: "the sub-protocol hearth.v1 is needed") }
        guard origins.permits(head.origin.value, host: request.host) else {
            throw RequestGate.Refusal(status: 403, message: "pages of this origin may not use this relay; its operator can allow them")
        }
        return conversation
    }

    private func spend(_ kind: ReferenceWritableKeyPath<Front, AddressAllowances>, _ address: String, _ what: String) throws(RequestGate.Refusal) {
        guard settings.limitsOwnAddresses || !ConnectionCensus.isOwn(address) else { return }
        guard !self[keyPath: kind].spend(address, nowNanoseconds: monotonicNanoseconds()) else { return }
        let limit = self[keyPath: kind].rate.perSecond
        throw RequestGate.Refusal(status: 429, message: "too many \(what) from one address in a second; ask again", limit: limit)
    }

    // MARK: The loop

    /// A few times a second.
    func tick() {
        let now = monotonicNanoseconds()
        for exchange in exchanges.values where exchange.deadlineNanoseconds <= now {
            // Once: what follows sets a new deadline or ends it.
            exchange.deadlineNanoseconds = .max
            exchange.deadlinePassed()
        }
        if now - lastHubTickNanoseconds >= 1_000_000_000 {
            lastHubTickNanoseconds = now
            requests.forgetFull(nowNanoseconds: now)
            joins.forgetFull(nowNanoseconds: now)
            hub.assumeIsolated { hub in hub.tick(nowNanoseconds: now, wallSeconds: wallClockSeconds()) }
        }
    }

    func endTurn() { hub.assumeIsolated { hub in hub.endTurn() } }

    /// Before anything is erased: whoever reads or stores something of it is cut off.
    func cut(_ erasure: RelayErasure) {
        for exchange in exchanges.values where exchange.concerns(erasure) { exchange.cutForErasure() }
    }

    /// Stops taking anything new.
    func drain() {
        isDraining = true
        hub.assumeIsolated { hub in hub.drain() }
        for exchange in exchanges.values { exchange.drain() }
    }

    /// Nobody is connected and no request is under way. Connections that wait for their next request do not count.
    var isQuiet: Bool { exchanges.isEmpty && hub.assumeIsolated { $0.figures.connections } == 0 }
    var exchangeCount: Int { exchanges.count }

    /// The disk did not take what it was asked to keep or to erase.
    func storeFailed(_ error: StoreError) {
        if let line = storeTrouble.line(for: error, nowNanoseconds: monotonicNanoseconds()) { log(line) }
    }

    /// A message of a WebSocket that is larger than it may be; `sizeBytes` counts what has come and what is announced of it.
    func refusedMessage(sizeBytes: Int, limitBytes: Int) {
        let line = oversize.line(nowNanoseconds: monotonicNanoseconds()) { "a message of \(sizeBytes) bytes or more is over the limit of \(limitBytes); its connection is closed with 4108" }
        if let line { log(line) }
    }

    /// `reason` for the log, with the attachment's names taken out. From any thread.
    nonisolated func withoutNames(_ reason: String, _ attachment: AttachmentName) -> String {
        var text = reason
        for name in [attachment.conversation.base64URL, attachment.session.base64URL, attachment.entry.base64URL] {
            text = text.split(separator: name, omittingEmptySubsequences: false).joined(separator: "…")
        }
        return text
    }
}
