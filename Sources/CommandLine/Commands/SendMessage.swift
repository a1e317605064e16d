// `hearth send`: says something to whoever is listening in an activity.

import Conversations
import Foundation
import Sealing
import Wire

enum SendMessage {
    static func run(_ circle: Circle, _ order: SendOrder) async throws(Program.Complaint) {
        let whole = order.isByLine ? nil : try content(order.text == "-" ? standardInput() : Array(order.text.utf8), order)
        let participation = try await circle.enter(try circle.invitation())
        guard let session = try await participation.session(of: order.kind.activity, announcing: announcement(order.kind.activity)) else { throw await participation.over() }
        let conversation = participation.conversation
        if order.waits { try await participation.until { await $0.session(session)?.participants.count ?? 0 > 1 } }
        func send(_ content: FrameContent) async throws(Program.Complaint) {
            try await participation.doing { () async throws(ConversationError) in try await conversation.send(content, in: session) }
            let listeners = (await conversation.session(session)?.participants.count ?? 1) - 1
            if listeners == 0 { circle.report.remark("Nobody is listening: the message is gone. `hearth receive` listens; --wait waits for somebody.") }
            if circle.report.isJSON { circle.report.result("", "sent", [("listeners", .int(listeners))]) }
        }
        if let whole { try await send(whole) } else { while let line = readLine() { try await send(try content(Array(line.utf8), order)) } }
        await participation.leave()
    }

    static func content(_ bytes: [UInt8], _ order: SendOrder) throws(Program.Complaint) -> FrameContent {
        guard bytes.count <= Limits.messageSizeLimitBytes else {
            throw Program.Complaint(
                exit: .refusedFile, text: "The message has \(Amounts.bytes(bytes.count)); \(Amounts.bytes(Limits.messageSizeLimitBytes)) is the limit. Larger things are photos.")
        }
        let identifier = order.kind.identifier ?? "String"
        switch order.form {
        case .data: return .data(bytes[...])
        case .json:
            guard (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil else { throw Program.Complaint(exit: .usage, text: "--raw needs JSON, and that is none.") }
            return .message(identifier: identifier, json: bytes[...])
        case .string:
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Program.Complaint(exit: .usage, text: "That is no text in UTF-8. --data sends bytes.") }
            let trimmed = order.text == "-" && text.hasSuffix("\n") ? String(text.dropLast()) : text
            return .message(identifier: identifier, json: Array(JSONLine.string(trimmed).text.utf8)[...])
        }
    }

    static func announcement(_ identifier: String) -> EntryBody.Announcement {
        EntryBody.Announcement(activityIdentifier: identifier, activity: Array("{}".utf8), metadata: Array(#"{"title":"Messages","type":"generic"}"#.utf8))
    }

    /// One byte more than a message may have, so that a larger one is told.
    private static func standardInput() -> [UInt8] { [UInt8]((try? FileHandle.standardInput.read(upToCount: Limits.messageSizeLimitBytes + 1)) ?? Data()) }
}
