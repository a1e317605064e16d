// What a file is by its content, and what its entry says of it.

import Foundation
import Testing

@testable import CommandLine

@Suite struct PictureTests {
    @Test func `a picture is read from its content and not from its name`() throws {
        let folder = try TemporaryFolder()
        let photo = try PictureFile(path: folder.write(jpeg(1, orientation: 6), "claims.heic"), keepsMetadata: true)
        #expect(photo.format == .jpeg)
        #expect((photo.width, photo.height) == (480, 640))
        #expect(photo.takenAt == "2026-07-11T18:05:09+02:00")
        #expect(!photo.hasLocation && !photo.isAnimated)
        #expect(try PictureFile(path: folder.write(jpeg(1, hasLocation: true), "b.jpg"), keepsMetadata: true).hasLocation)
        let drawing = try PictureFile(path: folder.write(png, "c.jpg"), keepsMetadata: true)
        #expect((drawing.format, drawing.width, drawing.height) == (.png, 256, 9))
        #expect(try !PictureFile(path: folder.write(gif(frames: 1), "d.gif"), keepsMetadata: true).isAnimated)
        #expect(try PictureFile(path: folder.write(gif(frames: 2), "e.gif"), keepsMetadata: true).isAnimated)
    }

    @Test func `what is no picture, empty, cut off or a folder is refused for what it is`() throws {
        let folder = try TemporaryFolder()
        func refusal(_ bytes: [UInt8], _ name: String) throws -> PictureFile.Refusal? {
            let path = try folder.write(bytes, name)
            return #expect(throws: PictureFile.Refusal.self) { try PictureFile(path: path, keepsMetadata: true) }
        }
        #expect(try refusal(Array("not a picture".utf8), "a.png") == .noPicture)
        #expect(try refusal([], "b.jpg") == .empty)
        #expect(try refusal(Array(jpeg(1).prefix(60)), "c.jpg") == .damaged)
        #expect(try refusal(Array(png.prefix(14)), "d.png") == .damaged)
        #expect(#expect(throws: PictureFile.Refusal.self) { try PictureFile(path: folder.path, keepsMetadata: true) } == .unreadable)
    }

    @Test func `headers cut off anywhere never trap`() throws {
        let folder = try TemporaryFolder()
        let boxes: [UInt8] =
            [0, 0, 0, 20] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1".utf8) + [0, 0, 0, 40] + Array("meta".utf8) + [0, 0, 0, 0, 0, 0, 0, 28] + Array("iprp".utf8) + [0, 0, 0, 20]
            + Array("ipcoispe".utf8)
        let noise = [UInt8](repeating: 0xff, count: 40)
        for whole in [jpeg(1, hasLocation: true), png, gif(frames: 2), boxes, Array("RIFF....WEBPVP8X".utf8) + noise, Array("II*\0".utf8) + noise] {
            for length in 0...min(whole.count, 200) {
                let path = try folder.write(Array(whole.prefix(length)), "cut")
                _ = try? PictureFile(path: path, keepsMetadata: true)
            }
        }
    }

    @Test func `an entry says what the gallery reads`() throws {
        let folder = try TemporaryFolder()
        let picture = try PictureFile(path: folder.write(jpeg(1), "beach \u{1b}.jpg"), keepsMetadata: true)
        let text = PhotoSharing.metadata(picture, preview: [1, 2, 3], owner: "Ana", caption: "Sun", addedAtMilliseconds: 5, name: "abc").text
        let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(read["version"] as? Int == 1)
        #expect(read["name"] as? String == "beach \u{1b}.jpg")
        #expect(read["type"] as? String == "image/jpeg")
        #expect(read["size"] as? Int == 2_000)
        #expect(read["takenAt"] as? String == "2026-07-11T18:05:09+02:00")
        #expect(read["owner"] as? String == "Ana")
        #expect(read["caption"] as? String == "Sun")
        #expect(read["thumbnail"] as? String == "AQID")
        #expect((read["digest"] as? String)?.count == 64)
        #expect(Set(read.keys) == ["version", "photo", "name", "type", "size", "width", "height", "takenAt", "addedAt", "owner", "animated", "digest", "caption", "thumbnail"])
    }

    @Test func `a decoder is told which format it is and gets the file by its input, not by its name`() {
        #expect(Preview.command(.imageMagick("convert"), .heic, edge: 480, quality: 75).contains("heic:-[0]"))
        #expect(Preview.command(.vips, .jpeg, edge: 480, quality: 75).starts(with: ["vipsthumbnail", "stdin"]))
    }

    @Test func `a program that does not end is killed`() throws {
        let result = try #require(Subprocess.run(["sleep", "1000"], inputPath: "/dev/null", timeLimitSeconds: 0))
        #expect(result.status != 0)
    }
}
