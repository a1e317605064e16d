// Invitations as people paste them.

import Testing
import Wire

@testable import Sealing

struct InvitationTests {
    static let link = "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"

    @Test func `a new invitation is found again in its link`() throws {
        let invitation = try Invitation(relay: "https://Relay.Example:443/some/path")
        #expect(invitation.origin == "https://relay.example")
        #expect(try Invitation(invitation.link) == invitation)
        #expect(try Invitation(relay: "http://127.0.0.1:8080").origin == "http://127.0.0.1:8080")
        #expect(try Invitation(relay: "http://[::1]:80").origin == "http://[::1]")
        #expect(throws: InvitationError.damaged) { try Invitation(relay: "ftp://relay.example") }
        #expect(!"\(invitation) \(invitation.secret)".contains(Base64URL.encode(invitation.secret.revealed())))
    }

    @Test(arguments: [
        "\(link)", "  \(link)\n", "<\(link)>", "(see \(link)).", "\"\(link)\"", "Come: \(link), please", "\(link)!",
        "https%3A%2F%2Frelay.example%2Fc%2FAAECAwQFBgcICQoLDA0ODw%231.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
        "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw%25231.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
        "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw/#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
        "HTTPS://RELAY.EXAMPLE/c/AAECAwQFBgcICQoLDA0ODw#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
    ])
    func `what surrounds a link does no harm`(_ text: String) throws {
        #expect(try Invitation(text).link == Self.link)
    }

    @Test(arguments: [
        "https://relay.example", "https://relay.example/c/", "https://relay.example/c/AAECAwQFBgcICQ", "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw",
        "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#", "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#1", "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#1.",
        "\(link.dropLast(1))",
    ])
    func `a link that ends too early is called incomplete`(_ text: String) {
        #expect(throws: InvitationError.incomplete) { try Invitation(text) }
    }

    @Test(arguments: [
        "", "hello", "https://relay.example/x/AAECAwQFBgcICQoLDA0ODw", "\(link)A", "https://relay.example/c/AAECAwQFBgcICQoLDA0ODx#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
        "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9", "https://relay.example/c/AAECAw#1.ICEiIyQlJicoKSorLC0u",
        "https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#x.ICEi", "https://relay.example:99999/c/AAECAwQFBgcICQoLDA0ODw#1.ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
    ])
    func `a link in which something was changed is called damaged`(_ text: String) {
        #expect(throws: InvitationError.damaged) { try Invitation(text) }
    }

    @Test func `a link of a later version is called unsupported`() {
        #expect(throws: InvitationError.unsupported(version: 2)) { try Invitation("https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#2.abc") }
        #expect(throws: InvitationError.unsupported(version: .max)) { try Invitation("https://relay.example/c/AAECAwQFBgcICQoLDA0ODw#99999999999999999999999.abc") }
    }

    @Test func `the session code is twenty digits in four groups`() throws {
        let code = try EpochKeys(Invitation(Self.link)).sessionCode
        #expect(code.wholeMatch(of: #/\d{5} \d{5} \d{5} \d{5}/#) != nil)
    }
}
