// Who else may come in: what members say about it, and who waits to be let in.

import Sealing
import Wire

extension Conversation {
    /// The answer came, and a member has to let us in.
    public var isWaiting: Bool { state.link.phase == .knocking }

    /// `nil`: nobody has ever set it, so that everyone with the invitation may come in, for good.
    public var door: KnownDoor? { state.door.known }

    /// Lets this person back in past the door, as a new participant. To be kept as secret as the invitation.
    public var pass: [UInt8]? { state.door.pass }

    /// Who knocks, in order of coming.
    public var knocks: [Knock] { state.door.knocks }

    /// Says who else may come in, and from when on nobody (seconds since 1970 by the relay's clock; 0: never). Returns once it stands; the last to say so has the say.
    public func setDoor(_ mode: DoorMode, closesAtSeconds: UInt64 = 0) async throws(ConversationError) {
        let sealed: [UInt8]
        let pass: [UInt8]
        do throws(SealingError) {
            pass = if let kept = state.door.passToKeep { kept } else { try randomBytes(count: Hello.passSizeBytes) }
            let place = EntryPlace(session: .own, entry: EntryID(.zero))
            sealed = try seals.seal(.door(EntryBody.SealedDoor(mode: mode, closesAtSeconds: closesAtSeconds, pass: pass)), at: place)
        } catch { throw ConversationError(error, tooLarge: .entryTooLarge) }
        guard let digest = try? pass.withUnsafeBytes(sha256) else { throw ConversationError(.cryptoFailed) }
        let door = Door(mode: mode, closesAtSeconds: closesAtSeconds, sealed: sealed)
        switch await settlement(of: { state.setDoor(door, passDigest: digest, token: $0) }) {
        case .done: return
        case .refused(let refusal): throw ConversationError(refusal)
        case .abandoned: throw ConversationError(end ?? .ended)
        }
    }

    /// Lets in who knocks, or turns them away; nothing happens when they knock no more.
    public func answer(_ knock: Knock, admits: Bool) { perform(state.answer(knock.participant, admits: admits)) }
}
