// `hearth receive`: prints messages as they come.

import Conversations
import Foundation
import Sealing
import Wire

enum ReceiveMessages {
    static func run(_ circle: Circle, _ kind: MessageKind, count: Int?) async throws(Program.Complaint) {
        var participation = try await circle.enter(try circle.invitation())
        var left = count ?? .max
        while true {
            do throws(Program.Complaint) {
                try await listen(participation, kind, &left)
                return await participation.leave()
            } catch {
                if circle.interruption.isInterrupted, count == nil { return await participation.leave() }
                guard error.exit == .tryAgain else { throw error }
                participation = try await circle.comeBack(participation.conversation.invitation)
            }
        }
    }

    private static func listen(_ participation: Participation, _ kind: MessageKind, _ left: inout Int) async throws(Program.Complaint) {
        let conversation = participation.conversation
        // Before entering, so that nothing is missed between.
        let updates = await conversation.updates()
        guard let session = try await participation.session(of: kind.activity, announcing: SendMessage.announcement(kind.activity)) else { throw await participation.over() }
        participation.report.result("Listening.", "listening", [("activity", .string(kind.activity))])
        for await update in updates {
            if case .session(session, .over(let end)) = update {
                guard end == .ended else { throw Program.Complaint(exit: .tampered, text: "A message is missing or does not open: what follows could not be trusted to be whole.") }
                throw Program.Complaint(exit: .ended, text: "Somebody has ended the activity.")
            }
            guard case .session(session, .received(let content, let sender, let isReliable)) = update else { continue }
            let name = await conversation.name(of: sender) ?? ""
            guard say(content, from: name, isReliable: isReliable, kind, participation.report) else { continue }
            left -= 1
            if left == 0 { return }
        }
        throw await participation.over()
    }

    /// Whether it was of the kind that is listened for.
    private static func say(_ content: FrameContent, from name: String, isReliable: Bool, _ kind: MessageKind, _ report: Report) -> Bool {
        let shown: String
        var fields: [(String, JSONLine)] = [("from", .string(name))]
        switch content {
        case .message(let identifier, let json):
            guard kind.identifier == nil || kind.identifier == identifier else { return false }
            let text = String(decoding: json, as: UTF8.self)
            let value = try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
            shown = (value as? String) ?? "\(identifier) \(text)"
            fields += [("identifier", .string(identifier)), ("value", value == nil ? .string(text) : .raw(text))]
        case .data(let bytes):
            guard kind.identifier == nil || kind.identifier == "Data" else { return false }
            shown = "\(bytes.count) bytes"
            fields += [("identifier", "Data"), ("base64", .string(Data(bytes).base64EncodedString()))]
        case .position, .unknown: return false
        }
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map { ShownText.line(String($0)) }
        report.result("\(ShownText.line(name)): \(lines.joined(separator: "\n    "))", "message", fields + [("isReliable", .bool(isReliable))])
        return true
    }
}
