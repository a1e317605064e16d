// Photos between people who have nothing but the program, over a real relay.

import Foundation
import Glibc
import Testing

@testable import CommandLine

extension ProcessTests {
    @Suite struct PhotoTests {
        @Test func `a photo that one adds is listed by another and saved byte for byte, by a latecomer too`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let (ana, ben) = (gathering.person("Ana"), gathering.person("Ben"))
            let original = jpeg(1, sizeBytes: 2_500_000)
            let path = try gathering.folder.write(original, "beach.jpg")
            let added = try ana.events("photos", "add", "--keep-metadata", path, link: link)
            #expect(added.map { $0["event"] as? String } == ["added", "done"])
            #expect(added[1]["graceSeconds"] as? Int == 600)
            #expect(try keeper.next("photo")["name"] as? String == "beach.jpg")
            // Ana has left; Ben comes only now.
            let listed = try ben.events("photos", "list", link: link)
            #expect(listed.count == 1)
            #expect(listed[0]["name"] as? String == "beach.jpg")
            #expect(listed[0]["owner"] as? String == "Ana")
            #expect(listed[0]["takenAt"] as? String == "2026-07-11T18:05:09+02:00")
            #expect(listed[0]["bytes"] as? Int == 2_500_000)
            #expect(listed[0]["isComplete"] as? Bool == true)
            let target = try TemporaryFolder()
            #expect(try ben.run("photos", "save", "--into", target.path, link: link).exit == 0)
            #expect(target.names == ["beach.jpg"])
            #expect(target.read("beach.jpg") == original)
            keeper.interrupt()
            #expect(keeper.end() == 0)
        }

        @Test func `two photos of one name are two files, nothing is overwritten, and saving again changes nothing`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let (one, two, mine) = (jpeg(1), jpeg(2), Array("mine".utf8))
            let (first, second, target) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
            #expect(try gathering.person("Ana").run("photos", "add", "--keep-metadata", first.write(one, "IMG_0001.jpg"), link: link).exit == 0)
            #expect(try gathering.person("Ben").run("photos", "add", "--keep-metadata", second.write(two, "IMG_0001.jpg"), link: link).exit == 0)
            _ = try target.write(mine, "IMG_0001.jpg")
            let cleo = gathering.person("Cleo")
            let saved = try cleo.events("photos", "save", "--into", target.path, link: link)
            #expect(target.names == ["IMG_0001 (2).jpg", "IMG_0001 (3).jpg", "IMG_0001.jpg"])
            #expect(target.read("IMG_0001.jpg") == mine)
            #expect(Set([target.read("IMG_0001 (2).jpg"), target.read("IMG_0001 (3).jpg")]) == [one, two])
            #expect(saved.last?["saved"] as? Int == 2)
            let again = try cleo.events("photos", "save", "--into", target.path, link: link)
            #expect(again.last?["saved"] as? Int == 0)
            #expect(again.last?["known"] as? Int == 2)
            #expect(target.names.count == 3)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `hostile names stay inside the folder, command no terminal, and are kept in what is listed`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let source = try TemporaryFolder()
            let names = ["e\u{1b}[2J\u{7}\r.jpg", "a|b:c?.jpg", "U\u{308}bung.jpg", "Übung.jpg", "CON.jpg", String(repeating: "x", count: 251) + ".jpg"]
            for (number, name) in names.enumerated() { _ = try source.write(jpeg(UInt8(number)), name) }
            let ana = gathering.person("Ana")
            let added = try ana.run("photos", "add", "--keep-metadata", source.path, link: link)
            #expect(added.exit == 0)
            let list = try ana.run("photos", "list", link: link)
            for line in added.lines + list.lines { #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9b }, "\(line)") }
            let listed = try ana.events("photos", "list", link: link)
            #expect(Set(listed.compactMap { ($0["name"] as? String).map { Array($0.unicodeScalars) } }) == Set(names.map { Array($0.unicodeScalars) }))
            let (parent, outside) = (try TemporaryFolder(), "kept".utf8.map { $0 })
            _ = try parent.write(outside, "victim.jpg")
            let inside = "\(parent.path)/F"
            try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
            // A link in the way leads out of the folder and is not followed.
            symlink("\(parent.path)/victim.jpg", "\(inside)/_CON.jpg")
            #expect(try ana.run("photos", "save", "--into", inside, link: link).exit == 0)
            let saved = try FileManager.default.contentsOfDirectory(atPath: inside)
            #expect(saved.count == names.count + 1)
            #expect(saved.contains("e_[2J__.jpg") && saved.contains("a_b_c_.jpg") && saved.contains("_CON (2).jpg"), "\(saved)")
            #expect(parent.names == ["F", "victim.jpg"] && parent.read("victim.jpg") == outside)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `what is refused keeps nothing else away, is told, and ends with 81`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let source = try TemporaryFolder()
            let (good, text) = (try source.write(jpeg(1), "good.jpg"), try source.write(Array("hello".utf8), "text.png"))
            let done = try gathering.person("Ana").run("photos", "add", "--keep-metadata", text, good, link: link)
            #expect(done.exit == 81)
            #expect(done.errors.contains("no picture"))
            #expect(done.lines.contains { $0.hasPrefix("added") })
            // In a folder it is only passed over.
            let folder = try gathering.person("Ana").events("photos", "add", "--keep-metadata", source.path, link: link)
            #expect(folder.last?["known"] as? Int == 1)
            #expect(folder.last?["passedOver"] as? Int == 1)
            #expect(try gathering.person("Ana").run("photos", "add", "--keep-metadata", "\(source.path)/none.jpg", link: link).exit == 66)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `a photo of 101 MB is refused with limit and size, and nothing of it is shared`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let source = try TemporaryFolder()
            let path = try source.write(jpeg(1), "huge.jpg")
            #expect(truncate(path, 101_000_000) == 0)
            let done = try gathering.person("Ana").run("photos", "add", "--keep-metadata", path, link: link)
            #expect(done.exit == 81)
            #expect(done.errors.contains("101 MB") && done.errors.contains("100 MB"), "\(done.errors)")
            #expect(try gathering.person("Ben").events("photos", "list", link: link).isEmpty)
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `a photo is removed by its name or its ID, for everyone`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let source = try TemporaryFolder()
            let ana = gathering.person("Ana")
            for (number, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() { _ = try source.write(jpeg(UInt8(number)), name) }
            #expect(try ana.run("photos", "add", "--keep-metadata", source.path, link: link).exit == 0)
            let ben = gathering.person("Ben")
            let listed = try ben.events("photos", "list", link: link)
            let id = try #require(listed.first { $0["name"] as? String == "b.jpg" }?["id"] as? String)
            #expect(try ben.run("photos", "remove", "a.jpg", String(id.prefix(8)), link: link).exit == 0)
            #expect(try ana.events("photos", "list", link: link).map { $0["name"] as? String } == ["c.jpg"])
            #expect(try ben.run("photos", "remove", "a.jpg", link: link).exit == 67)
            for _ in 0..<2 { _ = try keeper.next("removed") }
            keeper.interrupt()
            _ = keeper.end()
        }

        @Test func `a followed folder shares what is moved or written into it, and a following save has it`() throws {
            let gathering = try Gathering()
            let (keeper, link) = try invited(gathering)
            let (source, target) = (try TemporaryFolder(), try TemporaryFolder())
            _ = try source.write(jpeg(1), "first.jpg")
            let adding = try gathering.person("Ana").start("photos", "add", "--keep-metadata", "--follow", source.path, "--json", link: link)
            _ = try adding.next("following")
            let saving = try gathering.person("Ben").start("photos", "save", "--follow", "--into", target.path, "--json", link: link)
            #expect(try saving.next("saved")["name"] as? String == "first.jpg")
            let second = jpeg(2, sizeBytes: 300_000)
            let file = try #require(fopen("\(source.path)/second.jpg", "w"))
            fwrite(second, 1, 100_000, file)
            fflush(file)
            _ = try source.write(jpeg(3), "third.jpg")
            // The third is whole and goes; the second is still being written and waits.
            #expect(try saving.next("saved")["name"] as? String == "third.jpg")
            fwrite(Array(second[100_000...]), 1, 200_000, file)
            fclose(file)
            #expect(try saving.next("saved")["name"] as? String == "second.jpg")
            #expect(target.read("second.jpg") == second)
            for process in [adding, saving, keeper] {
                process.interrupt()
                #expect(process.end() == 0)
            }
            #expect(target.names == ["first.jpg", "second.jpg", "third.jpg"])
        }

        @Test func `a quota ends with 80 and names the limit`() throws {
            let gathering = try Gathering(["--conversation-quota-megabytes", "1"])
            let (keeper, link) = try invited(gathering)
            let path = try gathering.folder.write(jpeg(1, sizeBytes: 1_200_000), "large.jpg")
            let done = try gathering.person("Ana").run("photos", "add", "--keep-metadata", path, link: link)
            #expect(done.exit == 80)
            #expect(done.errors.contains("limit"))
            keeper.interrupt()
            _ = keeper.end()
        }
    }
}
