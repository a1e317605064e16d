// How an invitation is found in text that went through clipboards, mail programs and people.

import Wire

enum InvitationText {
    private static let textSizeLimit = 16_384
    private static let idLength = 22
    private static let secretLength = 43

    static func parse(_ text: String) throws(InvitationError) -> Invitation {
        let plain = withoutPercents(withoutPercents(String(text.prefix(textSizeLimit))))
        let link = #/(https?:\/\/[^\s\/?#@\\<>"']+)\/c(?:\/([A-Za-z0-9_\-]*)\/?)?(?:#(\S*))?/#.ignoresCase()
        guard let match = try? link.firstMatch(in: plain)?.output else {
            let hostOnly = #/\s*https?:\/\/[^\s\/?#@]*\/?\s*/#.ignoresCase()
            throw (try? hostOnly.wholeMatch(in: plain)) != nil ? .incomplete : .damaged
        }
        let (id, fragment) = (match.2 ?? "", match.3 ?? "")
        guard id.count >= idLength else { throw fragment.isEmpty ? .incomplete : .damaged }
        let secret = try secret(in: fragment)
        guard let origin = origin(String(match.1)), let conversation = ConversationID(base64URL: id), let bytes = Base64URL.decode(secret) else { throw .damaged }
        return Invitation(origin: origin, conversation: conversation, secret: SecretBytes(bytes))
    }

    /// The 43 characters of the secret behind `#1.`.
    private static func secret(in fragment: Substring) throws(InvitationError) -> Substring {
        let digits = fragment.prefix { $0.isASCII && $0.isNumber }
        let behind = fragment.dropFirst(digits.count)
        let secret = behind.first == "." ? behind.dropFirst().prefix { Base64URL.decodes($0) } : nil
        if !digits.isEmpty, secret != nil, digits != "\(Invitation.version)" { throw .unsupported(version: Int(digits) ?? .max) }
        if fragment.isEmpty || (secret == nil && fragment == digits) { throw .incomplete }
        guard let secret, !digits.isEmpty else { throw .damaged }
        guard secret.count >= secretLength else { throw .incomplete }
        guard secret.count == secretLength else { throw .damaged }
        return secret
    }

    /// Scheme, host and port in the form in which browsers write them; `nil` for what is no http or https address.
    static func origin(_ text: String) -> String? {
        guard let match = try? #/(https?):\/\/([^\s\/?#@\\<>"':\[\]]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?(?:[\/?#].*)?/#.ignoresCase().wholeMatch(in: text)?.output else { return nil }
        let scheme = match.1.lowercased()
        guard let port = match.3 else { return "\(scheme)://\(match.2.lowercased())" }
        guard let number = UInt16(port) else { return nil }
        let isDefault = number == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(match.2.lowercased())\(isDefault ? "" : ":\(number)")"
    }

    /// A link needs no percent-encoding, so whatever is encoded was encoded on its way, by some mail programs twice.
    private static func withoutPercents(_ text: String) -> String {
        text.replacing(#/%([2-7][0-9A-Fa-f])/#) { match in
            UInt8(match.1, radix: 16).map { String(UnicodeScalar($0)) } ?? ""
        }
    }
}

extension Base64URL {
    /// Whether the character is of the alphabet.
    static func decodes(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }
}
