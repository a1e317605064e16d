// One name in a ledger: what is stored under it, and what is on its way to the store, in order.

import Wire

struct EntrySlot {
    /// What the relay's memory keeps of one form of an entry.
    struct Form: Equatable {
        var putter: ParticipantID
        var isPresenceBound: Bool
        var isBodyComplete: Bool
        var bodyLengthBytes: Int
        var sealedSizeBytes: Int

        /// Its body is still to come, from its putter.
        var isUnfinished: Bool { bodyLengthBytes > 0 && !isBodyComplete }
        /// It goes when its putter leaves: nobody else keeps it up, or can finish its body.
        var goesWithPutter: Bool { isPresenceBound || isUnfinished }
    }

    enum Change: Equatable {
        case put(Form)
        case remove
    }

    private(set) var stored: Form?
    private(set) var version: UInt64 = 0
    private(set) var pending: [Change] = []
    var held = PartSet()

    init() {}

    init(stored head: StoredEntryHead, held: PartSet) {
        stored = Form(head)
        version = head.version
        self.held = held
    }

    /// What will be here once the store has answered everything.
    var coming: Form? {
        switch pending.last {
        case .put(let form): form
        case .remove: nil
        case nil: stored
        }
    }

    var isOnItsWayOut: Bool { pending.contains(.remove) }
    var isVacant: Bool { stored == nil && pending.isEmpty }

    /// What it takes of the quotas: while one form replaces another, the larger one.
    var chargeBytes: Int {
        var total = 0
        var current = stored.map { ($0.bodyLengthBytes, $0.sealedSizeBytes) }
        for change in pending {
            switch change {
            case .put(let form): current = (max(form.bodyLengthBytes, current?.0 ?? 0), max(form.sealedSizeBytes, current?.1 ?? 0))
            case .remove:
                total += (current?.0 ?? 0) + (current?.1 ?? 0)
                current = nil
            }
        }
        return total + (current?.0 ?? 0) + (current?.1 ?? 0)
    }

    mutating func begin(_ change: Change) { pending.append(change) }

    /// The store has done the first change that was pending.
    mutating func finish(version newVersion: UInt64) {
        guard !pending.isEmpty else { return }
        switch pending.removeFirst() {
        case .put(let form):
            stored = form
            version = newVersion
        case .remove:
            stored = nil
            version = 0
            held = PartSet()
        }
    }

    /// The store could not do the first change that was pending.
    mutating func giveUp() {
        if !pending.isEmpty { pending.removeFirst() }
    }
}

extension EntrySlot.Form {
    init(_ head: StoredEntryHead) {
        self.init(
            putter: head.putter, isPresenceBound: head.isPresenceBound, isBodyComplete: head.isBodyComplete, bodyLengthBytes: head.bodyLengthBytes,
            sealedSizeBytes: head.sealedSizeBytes)
    }
}
