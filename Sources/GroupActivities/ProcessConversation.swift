// The conversation of a program that was simply started: the one it was invited to by its environment, or the person's current one.

import Conversations
import Foundation
import Sealing

extension ConversationProvider {
    /// The process's own device. Its conversation is that of `HEARTH_INVITATION`, else the one in the file of `currentConversationFile`; its name
    /// is `HEARTH_NAME`, else the user's. Looked up when something first needs it.
    public static let process: ConversationProvider = {
        let environment = ProcessInfo.processInfo.environment
        let policy = environment["HEARTH_ACTIVATION"].flatMap(ActivationPolicy.init(rawValue:)) ?? .prefer
        return ConversationProvider(activationPolicy: policy, presenter: TerminalPresenter(), clock: SystemClock(), onNotice: { _ in }, onWork: {}, source: join)
    }()

    /// Where the link of the person's current conversation is kept, readable by that person alone.
    public static var currentConversationFile: URL {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].map { URL(filePath: $0) } ?? URL(filePath: NSHomeDirectory()).appending(path: ".local/state")
        return state.appending(path: "hearth/conversation")
    }

    /// The link of the conversation that a program should be in, from its environment or the file; `nil`: none.
    static func currentLink(environment: [String: String], file: URL) -> String? {
        if let link = environment["HEARTH_INVITATION"], !link.isEmpty { return link }
        return (try? String(contentsOf: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Sendable private static func join(_ provider: ConversationProvider) async {
        guard simulationCount.withLock({ $0 == 0 }) else { return provider.notices.tell(.detachedFromParticipant) }
        let environment = ProcessInfo.processInfo.environment
        guard let link = currentLink(environment: environment, file: currentConversationFile), !link.isEmpty else { return }
        do {
            let invitation = try Invitation(link)
            let user = NSUserName()
            try await join(invitation, name: environment["HEARTH_NAME"] ?? (user.isEmpty ? "Somebody" : user), provider)
        } catch {
            HearthLog.general.error("the conversation could not be joined: \(String(describing: error), privacy: .public)")
        }
    }

    /// Comes back as a new participant for as long as the relay says that the old one was away for too long.
    private static func join(_ invitation: Invitation, name: String, _ provider: ConversationProvider) async throws {
        guard let transport = RelayTransports.make(to: invitation) else { throw HearthError(.noConversation) }
        let conversation = try Conversation(invitation: invitation, name: name, mayCreate: true, transport: transport)
        let updates = await conversation.updates()
        await provider.use(conversation)
        Task {
            for await update in updates {
                guard case .closed(.cannotResume) = update else { continue }
                try await join(invitation, name: name, provider)
            }
        }
        try await conversation.introduced()
    }
}
