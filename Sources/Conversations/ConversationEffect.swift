// What the rules ask the shell to do, and what they tell it has happened.

import Sealing
import Wire

enum ConversationEffect: Sendable {
    /// Open a connection.
    case open
    /// Drop the one there is.
    case drop
    /// Ping: if nothing is heard the connection is dead.
    case check
    case send(Frame)
    /// Seal a position record and hand it over.
    case sealPosition(SessionID)
    /// Answers what was asked for under that token.
    case settle(Token, Settlement)
    case linkChanged
    case welcomed
    case participantsChanged
    case announcementsChanged
    /// The door, or who knocks.
    case doorChanged
    case session(SessionID, SessionEvent)
    /// The last of all.
    case closed(ConversationEnd)
}

enum Settlement: Equatable, Sendable {
    case done
    case refused(Refusal)
    /// The session or the conversation is over.
    case abandoned
}

/// What happens in a session.
public enum SessionEvent: Equatable, Sendable {
    /// In, for the first time since `enter`.
    case joined
    case participantsChanged
    /// The entries, or how complete they are.
    case ledgerChanged
    case received(FrameContent, from: ParticipantID, isReliable: Bool)
    /// This participant has seen another log than we have: the relay shows people different things. Told once for each participant and `enter`.
    case diverged(from: ParticipantID)
    /// Told once for each `enter`; nothing but `ledgerChanged` may follow until it is entered again.
    case over(SessionEnd)
}

public enum SessionEnd: Equatable, Sendable {
    case left
    case ended
    /// The relay did not let us in.
    case refused(Refusal.Code)
    /// A record of somebody is missing: what follows could not be trusted to be whole.
    case gap
    /// A record does not open or is not signed by its sender.
    case tampered
}

/// Why a conversation is over for this participant.
public enum ConversationEnd: Equatable, Sendable {
    case left
    case ended
    case unsupportedVersion
    case notInvited
    case unknownConversation
    case full
    /// Who is in it lets nobody else in.
    case locked
    /// The invitation had an end, and it is past.
    case invitationEnded
    /// Somebody in it did not want to let us in.
    case declined
    /// We knocked, and nobody answered.
    case notAnswered
    /// So many wait at the door that no more can.
    case tooManyWaiting
    case replaced
    case flooding
    case tooLarge
    /// Away for too long: come back as a new participant.
    case cannotResume
    case unreachable
    /// What was said could not be read, by us or by the relay.
    case malformed

    init(_ reason: CloseReason, wasAdmitted: Bool) {
        switch reason {
        case .left: self = .left
        case .conversationEnded: self = .ended
        // A conversation that was known and is no longer has ended.
        case .unknownConversation: self = wasAdmitted ? .ended : .unknownConversation
        case .unsupportedVersion: self = .unsupportedVersion
        case .notInvited: self = .notInvited
        case .conversationFull: self = .full
        case .locked: self = .locked
        case .invitationEnded: self = .invitationEnded
        case .declined: self = .declined
        case .notAnswered: self = .notAnswered
        case .tooManyWaiting: self = .tooManyWaiting
        case .replaced: self = .replaced
        case .flooding: self = .flooding
        case .frameTooLarge: self = .tooLarge
        case .cannotResume: self = .cannotResume
        case .malformed, .unknownFrame: self = .malformed
        case .shuttingDown, .tooSlow, .silent, .overloaded: self = .unreachable
        }
    }
}
