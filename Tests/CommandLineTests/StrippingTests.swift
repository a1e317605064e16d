// What is left of a photo's file when what a camera wrote beside the picture is taken out.

import Foundation
import Testing

@testable import CommandLine

@Suite struct StrippingTests {
    private func left(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> (picture: PictureFile, bytes: [UInt8]) {
        let picture = try PictureFile(path: folder.write(bytes, "photo"), keepsMetadata: false)
        let source = try picture.source()
        var result = [UInt8](repeating: 0, count: source.sizeBytes)
        // In steps that meet the seams anywhere.
        for step in stride(from: 0, to: result.count, by: 7) {
            try result.withUnsafeMutableBytes { try source.read(at: step, into: UnsafeMutableRawBufferPointer(rebasing: $0[step..<min(step + 7, $0.count)])) }
        }
        return (picture, result)
    }

    private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xff, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xff)] + body }

    @Test func `place, device and date go out of a JPEG, and the picture stays byte for byte`() throws {
        let folder = try TemporaryFolder()
        let original = jpeg(1, hasLocation: true)
        let (picture, bytes) = try left(original, folder)
        let length = Int(original[4]) << 8 | Int(original[5])
        #expect(bytes == [0xff, 0xd8] + original[(4 + length)...])
        #expect(picture.metadata == .takenOut && !picture.hasLocation && picture.takenAt == "2026-07-11T18:05:09+02:00")
        #expect(picture.sizeBytes == bytes.count && picture.fileSizeBytes == original.count)
        #expect(picture.digest == FileDigest.sha256(try folder.write(bytes, "left")))
    }

    @Test(arguments: 2...8 as ClosedRange<UInt8>)
    func `which way is up stays, alone`(orientation: UInt8) throws {
        let folder = try TemporaryFolder()
        let (_, bytes) = try left(jpeg(1, orientation: orientation, hasLocation: true), folder)
        let again = try PictureFile(path: folder.write(bytes, "again"), keepsMetadata: true)
        #expect(again.takenAt == nil && !again.hasLocation)
        #expect((again.width, again.height) == (orientation >= 5 ? (480, 640) : (640, 480)))
        // Taking out twice is taking out once.
        #expect(try left(bytes, folder).bytes == bytes)
        #expect(try left(bytes, folder).picture.metadata == .clean)
    }

    @Test func `comments, previews, editors' notes and what stands behind the end go; the colour profile and Adobe's note stay`() throws {
        let folder = try TemporaryFolder()
        let original = jpeg(3)
        let length = Int(original[4]) << 8 | Int(original[5])
        let picture = Array(original[(4 + length)...])
        let profile = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7])
        let adobe = segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let jfif = segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 72, 0, 72, 1, 1, 9, 9, 9])
        let bare = segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 72, 0, 72, 0, 0])
        let noise = segment(0xfe, Array("by Ana".utf8)) + segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)) + segment(0xed, Array("Photoshop".utf8)) + segment(0xe2, Array("MPF\0".utf8))
        let (_, bytes) = try left([0xff, 0xd8] + jfif + noise + profile + adobe + picture + [0xff, 0xd8, 0xff, 1, 2, 3], folder)
        #expect(bytes == [0xff, 0xd8] + bare + profile + adobe + picture)
    }

    @Test func `of a PNG the chunks that are the picture stay, and its EXIF says which way is up`() throws {
        let folder = try TemporaryFolder()
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(body.count)] + Array(name.utf8) + body + [1, 2, 3, 4] }
        let head = Array(png[..<33])
        let end = Array(png[33...])
        let turned: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        let (picture, bytes) = try left(head + chunk("tEXt", [65]) + chunk("gAMA", [0, 0, 1, 0]) + chunk("eXIf", turned + [9]) + chunk("tIME", [1]) + chunk("xyZa", [2]) + end + [7], folder)
        let alone: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        // The checksum was made by another program.
        #expect(bytes == head + chunk("gAMA", [0, 0, 1, 0]) + [0, 0, 0, 26] + Array("eXIf".utf8) + alone + [0xd6, 0x67, 0x4b, 0x69] + end)
        #expect(picture.metadata == .takenOut)
    }

    @Test func `of a WebP flags and length follow what is taken out`() throws {
        let folder = try TemporaryFolder()
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + [UInt8(body.count), 0, 0, 0] + body + (body.count % 2 == 1 ? [0] : []) }
        func file(_ flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
            let body = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0, 9, 0, 0, 4, 0, 0]) + chunks
            return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
        }
        let image = chunk("VP8L", [0x2f, 9, 0, 1, 0])
        let (picture, bytes) = try left(file(0x2c, image + chunk("EXIF", Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 1]) + chunk("XMP ", [60])) + [5], folder)
        #expect(bytes == file(0x20, image) && picture.metadata == .takenOut)
    }

    @Test func `what is asked to stay, what has nothing in it, and what cannot be understood goes byte for byte`() throws {
        let folder = try TemporaryFolder()
        let whole = jpeg(1, hasLocation: true)
        let kept = try PictureFile(path: folder.write(whole, "kept"), keepsMetadata: true)
        #expect(kept.sizeBytes == whole.count && kept.hasLocation && kept.digest == FileDigest.sha256(kept.path))
        #expect(try left(png, folder).picture.metadata == .clean)
        let animation = try left(gif(frames: 2), folder)
        #expect(animation.bytes == gif(frames: 2) && animation.picture.metadata == .stays)
        var damaged = whole
        damaged.replaceSubrange((damaged.count - 200)..<(damaged.count - 196), with: [0xff, 0xc9, 0xff, 0xf0])
        let untouched = try left(damaged, folder)
        #expect(untouched.bytes == damaged && untouched.picture.metadata == .stays && untouched.picture.hasLocation)
    }

    @Test func `files cut off or spoiled anywhere never trap and never grow`() throws {
        let folder = try TemporaryFolder()
        let whole = jpeg(1, sizeBytes: 400, orientation: 6, hasLocation: true)
        for index in 0..<whole.count {
            var spoiled = whole
            spoiled[index] ^= 0xff
            for bytes in [Array(whole[...index]), spoiled] {
                guard let picture = try? PictureFile(path: folder.write(bytes, "x"), keepsMetadata: false) else { continue }
                #expect(picture.sizeBytes <= bytes.count + 4)
            }
        }
    }
}
