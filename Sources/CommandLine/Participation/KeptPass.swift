// What lets this person back in past a conversation's door, kept beside the link: each command is a participant of its own, and to the relay a newcomer.

import Foundation
import Glibc
import Sealing
import Wire

extension CurrentConversation {
    private var passFile: String { "\(directory)/pass" }

    /// `nil`: none of this conversation.
    func pass(of conversation: ConversationID) -> [UInt8]? {
        guard let text = try? String(contentsOfFile: passFile, encoding: .utf8) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == conversation.base64URL, let pass = Data(base64Encoded: String(words[1])), pass.count == Hello.passSizeBytes else { return nil }
        return [UInt8](pass)
    }

    /// Where it cannot be written a locked conversation lets the next command in only when it is asked to; nothing else is worse.
    func keep(pass: [UInt8], of conversation: ConversationID) {
        guard (try? DataDirectory.make(directory)) != nil else { return }
        let partial = "\(passFile)-\(getpid())"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array("\(conversation.base64URL) \(Data(pass).base64EncodedString())\n".utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWritten || rename(partial, passFile) != 0 { unlink(partial) }
    }

    func forgetPass() { unlink(passFile) }
}
