// Why a connection ends, as a number whose hundreds tell a client what to do next (docs/protocol/README.md, "Closing").

public enum CloseReason: UInt16, Sendable, CaseIterable {
    case left = 4000
    case conversationEnded = 4001

    case malformed = 4100
    case unsupportedVersion = 4101
    case notInvited = 4103
    case unknownConversation = 4104
    case conversationFull = 4105
    case replaced = 4106
    case unknownFrame = 4107
    case frameTooLarge = 4108
    case locked = 4109
    case flooding = 4110
    case invitationEnded = 4111
    case declined = 4112
    case notAnswered = 4113
    case tooManyWaiting = 4114

    case shuttingDown = 4200
    case tooSlow = 4201
    case silent = 4202
    case overloaded = 4203

    case cannotResume = 4300

    /// What a client does after this close.
    public enum Consequence: Sendable { case over, refused, resume, comeBackAsNew }

    public var consequence: Consequence {
        switch rawValue {
        case 4000..<4100: .over
        case 4100..<4200: .refused
        case 4300..<4400: .comeBackAsNew
        default: .resume
        }
    }
}
