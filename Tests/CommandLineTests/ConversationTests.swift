// Inviting, joining, staying, speaking, leaving and failing, each in processes of its own over a real relay.

import Foundation
import Glibc
import Testing

@testable import CommandLine

extension ProcessTests {
    @Suite struct ConversationTests {
        @Test func `who invites has a current conversation that only this user can read, and sees who comes and goes`() throws {
            let gathering = try Gathering()
            let ana = gathering.person("Ana")
            let keeper = try ana.start("invite", "--json")
            let link = try #require(try keeper.next("invitation")["link"] as? String)
            let file = "\(ana.state)/hearth/conversation"
            #expect(try String(contentsOfFile: file, encoding: .utf8) == link + "\n")
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let ben = gathering.person("Ben\u{1b}[2J")
            let staying = try ben.start("join", link, "--json")
            #expect(try staying.next("joined")["participants"] as? [String] == ["Ana"])
            #expect(try keeper.next("came")["name"] as? String == "Ben\u{1b}[2J")
            staying.interrupt()
            #expect(staying.end() == 0)
            #expect(try keeper.next("left")["name"] as? String == "Ben\u{1b}[2J")
            // Without a link later commands find the current conversation.
            let shown = try ana.events("status", "--show-link")
            #expect(shown.first?["link"] as? String == link)
            #expect(shown.first?["participants"] as? [[String: Any]] != nil)
            #expect(shown.first?["process"] as? Int == Int(keeper.identifier))
            #expect(try ana.run("leave").exit == 0)
            #expect(keeper.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try ana.run("leave").exit == 78)
        }

        @Test func `in the background a process stays until one leaves`() throws {
            let gathering = try Gathering()
            let ana = gathering.person("Ana")
            let events = try ana.events("invite", "--background")
            #expect(events.map { $0["event"] as? String } == ["invitation", "background"])
            let process = try #require(events[1]["process"] as? Int)
            let link = try #require(events[0]["link"] as? String)
            let ben = gathering.person("Ben")
            let seen = try ben.events("status", link: link)
            #expect((seen[0]["participants"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["Ana"])
            #expect(try ana.events("leave").first?["process"] as? Int == process)
            #expect(try (ben.events("status", link: link)[0]["participants"] as? [Any])?.isEmpty == true)
        }

        @Test func `a message reaches who is listening, as text, from the environment's words or from standard input`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let listener = try gathering.person("Ben").start("receive", "--json", "--count", "4", link: link)
            _ = try listener.next("listening")
            let ana = gathering.person("Ana")
            #expect(try ana.run("send", "--wait", "Dinner \"is\" ready \u{1b}", link: link).exit == 0)
            let first = try listener.next("message")
            #expect(first["value"] as? String == "Dinner \"is\" ready \u{1b}" && first["from"] as? String == "Ana" && first["identifier"] as? String == "String")
            let typed = try ana.start("send", "-", "--lines", link: link)
            try typed.type("one\ntwo\n")
            #expect(typed.end() == 0)
            for text in ["one", "two"] { #expect(try listener.next("message")["value"] as? String == text) }
            #expect(try ana.run("send", #"{"x":1}"#, "--raw", "--identifier", "Point", link: link).exit == 0)
            let last = try listener.next("message")
            #expect((last["value"] as? [String: Int]) == ["x": 1] && last["identifier"] as? String == "Point")
            #expect(listener.end() == 0)
            #expect(try ana.run("send", "nobody", link: link).errors.contains("Nobody is listening"))
            #expect(try ana.run("send", "not json", "--raw", link: link).exit == 64)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `whoever ends the activity ends it for everyone`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let path = try gathering.folder.write(jpeg(1), "a.jpg")
            let ana = gathering.person("Ana")
            #expect(try ana.run("photos", "add", "--keep-metadata", path, link: link).exit == 0)
            #expect(try ana.run("end", link: link).exit == 0)
            #expect(try ana.events("photos", "list", link: link).isEmpty)
            #expect(try ana.run("end", link: link).exit == 67)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `each way to fail has an exit code of its own`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let ana = gathering.person("Ana")
            let secret = try #require(link.split(separator: "#1.").last)
            let other = link.replacing(secret, with: (secret.first == "A" ? "B" : "A") + secret.dropFirst())
            let id = try #require(link.firstMatch(of: /\/c\/([^#]+)#/)?.1)
            let unknown = link.replacing("/c/\(id)", with: "/c/" + (id.first == "A" ? "B" : "A") + id.dropFirst())
            let cases: [(String, Int32)] = [(other, 77), (unknown, 68), (String(link.dropLast(5)), 65), ("https://example.org/", 65), ("hello", 65)]
            for (wrong, exit) in cases {
                let done = try ana.run("photos", "list", link: wrong)
                #expect(done.exit == exit, "\(wrong): \(done.errors)")
                #expect(done.lines.isEmpty && done.errors.hasPrefix("hearth: "))
            }
            #expect(try ana.run("photos", "list").exit == 78)
            #expect(try ana.run("photos", "lst").exit == 64)
            let failed = try ana.run("photos", "list", "--json", link: other)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(failed.lines[0].utf8)) as? [String: Any])
            #expect(object["event"] as? String == "failed" && object["exit"] as? Int == 77 && object["reason"] as? String == "notInvited")
            keeper.interrupt()
            _ = keeper.end()
            gathering.stopRelay()
            let alone = try ana.run("photos", "list", link: link)
            #expect(alone.exit == 69)
            #expect(alone.errors.contains("hearth check"))
        }

        @Test func `check goes the way step by step and says what is wrong`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let ana = gathering.person("Ana")
            let good = try ana.events("check", link)
            #expect(good.map { $0["step"] as? String } == ["link", "relay", "WebSocket", "uploads", "invitation"])
            #expect(good.allSatisfy { $0["isGood"] as? Bool == true })
            #expect(try ana.events("check", gathering.origin).count == 3)
            let wrong = try ana.run("check", gathering.origin.replacing("http:", with: "https:"))
            #expect(wrong.exit == 78)
            #expect(wrong.lines.contains { $0.contains("http://") })
            keeper.interrupt()
            _ = keeper.end()
            gathering.stopRelay()
            let gone = try ana.run("check", gathering.origin)
            #expect(gone.exit == 69)
            #expect(gone.lines.contains { $0.hasPrefix("✗ relay") && $0.contains("nothing listens") })
        }
    }
}
