// Types of data: names, tags, what conforms to what.

import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct UTTypeTests {
    @Test func `types conform to themselves and to all above them`() {
        #expect(UTType.jpeg.conforms(to: .jpeg))
        #expect(UTType.jpeg.conforms(to: .image))
        #expect(UTType.jpeg.conforms(to: .data))
        #expect(UTType.jpeg.conforms(to: .item))
        #expect(UTType.heic.conforms(to: .image))
        #expect(UTType.rawImage.isSupertype(of: .dng))
        #expect(!UTType.image.conforms(to: .jpeg))
        #expect(!UTType.jpeg.isSubtype(of: .jpeg))
        #expect(UTType.utf8PlainText.conforms(to: .text))
        #expect(UTType.mpeg4Movie.conforms(to: .movie))
    }

    @Test(arguments: [
        ("jpg", UTType.jpeg, "image/jpeg"), ("JPEG", .jpeg, "image/jpeg"), ("png", .png, "image/png"), ("heic", .heic, "image/heic"), ("pdf", .pdf, "application/pdf"),
        ("mov", .quickTimeMovie, "video/quicktime"), ("json", .json, "application/json"), ("webp", .webP, "image/webp"), ("gif", .gif, "image/gif"),
    ])
    func `extensions and media types lead to the type and back`(name: String, type: UTType, media: String) {
        #expect(UTType(filenameExtension: name) == type)
        #expect(UTType(mimeType: media + "; charset=x") == type)
        #expect(type.preferredMIMEType == media)
    }

    @Test func `an unknown extension makes a dynamic type that remembers it and survives its identifier`() throws {
        let type = try #require(UTType(filenameExtension: "hearthdrawing", conformingTo: .image))
        #expect(type.isDynamic && !type.isDeclared)
        let again = try #require(UTType(type.identifier))
        #expect(again.preferredFilenameExtension == "hearthdrawing")
        #expect(again.conforms(to: .image))
        #expect(UTType(filenameExtension: "zzz")?.identifier.hasPrefix("dyn.ah62d4rv4ge8") == true)
    }

    @Test func `a known extension under a supertype that it does not have is dynamic`() {
        #expect(UTType(filenameExtension: "jpg", conformingTo: .audio)?.isDynamic == true)
    }

    @Test func `a program's own type is declared by using it`() {
        #expect(UTType("org.hearth.test.sketch") == nil)
        let sketch = UTType(exportedAs: "org.hearth.test.sketch", conformingTo: .json)
        #expect(sketch.conforms(to: .text))
        #expect(UTType("org.hearth.test.sketch") == sketch)
        #expect(UTType(importedAs: "org.hearth.test.other").conforms(to: .data))
    }

    @Test func `a circle of conformances ends`() {
        let a = UTType(exportedAs: "org.hearth.test.a")
        let b = UTType(exportedAs: "org.hearth.test.b", conformingTo: a)
        _ = UTType(exportedAs: "org.hearth.test.a", conformingTo: b)
        #expect(a.conforms(to: b))
        #expect(b.conforms(to: a))
    }

    @Test func `types are written as their identifiers and read back, also unknown ones`() throws {
        let types = [UTType.jpeg, UTType(importedAs: "org.hearth.test.coded")]
        let data = try JSONEncoder().encode(types)
        #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg","org.hearth.test.coded"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([UTType].self, from: Data(#"[""]"#.utf8)) }
    }

    @Test(arguments: ["", "dyn.a", "dyn.ajjj", "dyn.ah62d4rv4ge8!", String(repeating: "x", count: 5_000)])
    func `an identifier that is none gives nothing`(identifier: String) {
        #expect(UTType(identifier) == nil)
        #expect(UTType(filenameExtension: String(repeating: "x", count: 5_000)) == nil)
    }

    @Test func `a path gets the preferred extension once`() {
        #expect(URL(fileURLWithPath: "/a/b").appendingPathExtension(for: .jpeg).lastPathComponent == "b.jpeg")
        #expect(URL(fileURLWithPath: "/a/b.jpg").appendingPathExtension(for: .jpeg).lastPathComponent == "b.jpg")
    }
}
