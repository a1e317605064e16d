// Items out and back: which representation is taken, by whom it is seen, and what becomes of files.

import Combine
import Foundation
import Testing

@testable import CoreTransferable

private struct Note: Transferable, Codable, Equatable {
    var text: String
    var isSecret = false

    static let type = UTType(exportedAs: "org.hearth.test.note", conformingTo: .json)

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: type).exportingCondition { !$0.isSecret }.suggestedFileName { "\($0.text).note" }
        ProxyRepresentation(exporting: \.text, importing: { Note(text: $0) })
        DataRepresentation(exportedContentType: .png) { _ in Data([1]) }.visibility(.ownProcess)
    }
}

private struct Picture: Transferable {
    let file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .jpeg) {
            SentTransferredFile($0.file)
        } importing: { received in
            let kept = received.file.deletingLastPathComponent().appendingPathComponent("kept-\(UUID().uuidString)")
            try FileManager.default.moveItem(at: received.file, to: kept)
            let stable = FileManager.default.temporaryDirectory.appendingPathComponent(kept.lastPathComponent)
            try FileManager.default.moveItem(at: kept, to: stable)
            return Picture(file: stable)
        }
    }
}

private struct InPlace: Transferable {
    let file: URL
    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(exportedContentType: .movie) { SentTransferredFile($0.file, allowAccessingOriginalFile: true) }
    }
}

private struct Wrapped: Transferable {
    let note: Note
    static var transferRepresentation: some TransferRepresentation { Composed() }

    struct Composed: TransferRepresentation {
        typealias Item = Wrapped
        var body: some TransferRepresentation<Wrapped> {
            ProxyRepresentation(exporting: \.note, importing: { Wrapped(note: $0) })
        }
    }
}

private struct ImportOnly: Transferable {
    static var transferRepresentation: some TransferRepresentation { DataRepresentation(importedContentType: .gif) { _ in ImportOnly() } }
}

@Suite struct TransferableTests {
    @Test func `the first representation is preferred and comes back equal`() async throws {
        let note = Note(text: "hello")
        let item = try await note.exportedItem()
        #expect(item.contentType == Note.type)
        #expect(item.suggestedFileName == "hello.note")
        guard case .data(let data) = item.body else { throw TransferError.malformed(contentType: "") }
        #expect(try await Note(importing: data, contentType: item.contentType) == note)
    }

    @Test func `a condition that fails leads to the next representation`() async throws {
        let note = Note(text: "hidden", isSecret: true)
        let item = try await note.exportedItem()
        #expect(item.contentType == .utf8PlainText)
        #expect(note.exportedContentTypes() == [.utf8PlainText])
        #expect(try await note.exported(as: nil) == Data("hidden".utf8))
    }

    @Test func `visibility keeps a representation from others`() async throws {
        #expect(Note.exportedContentTypes() == [Note.type, .utf8PlainText])
        #expect(Note.exportedContentTypes(visibility: .ownProcess) == [Note.type, .utf8PlainText, .png])
        await #expect(throws: TransferError.notExportable(item: "Note", contentType: "public.png")) { try await Note(text: "x").exportedItem(as: .png) }
        #expect(try await Note(text: "x").exported(as: .image) == Data([1]))
    }

    @Test func `import goes by the type, then by what it conforms to`() async throws {
        #expect(Note.importedContentTypes() == [Note.type, .utf8PlainText, .utf16PlainText, .text])
        #expect(try await Note(importing: Data("plain".utf8), contentType: .utf8PlainText) == Note(text: "plain"))
        #expect(try await Note(importing: Data("<p>".utf8), contentType: .html) == Note(text: "<p>"))
        await #expect(throws: TransferError.notImportable(item: "Note", contentType: "public.jpeg")) { try await Note(importing: Data(), contentType: .jpeg) }
    }

    @Test func `bytes that are not what they say are an error`() async {
        await #expect(throws: DecodingError.self) { try await Note(importing: Data("{".utf8), contentType: Note.type) }
        await #expect(throws: TransferError.malformed(contentType: "public.utf8-plain-text")) { try await String(importing: Data([0xFF, 0xFE, 0x80]), contentType: .utf8PlainText) }
        await #expect(throws: TransferError.malformed(contentType: "public.url")) { try await URL(importing: Data("no url".utf8), contentType: .url) }
    }

    @Test func `data takes everything, text takes text, addresses keep their form`() async throws {
        #expect(try await Data(importing: Data([7]), contentType: .jpeg) == Data([7]))
        #expect(try await Data(importing: Data([7]), contentType: UTType(importedAs: "org.hearth.test.unknown")) == Data([7]))
        #expect(try await Data([1, 2]).exported(as: nil) == Data([1, 2]))
        let url = try #require(URL(string: "https://example.org/a?b=c#d"))
        #expect(try await URL(importing: try await url.exported(as: .url), contentType: .url) == url)
        let text = AttributedString("rich")
        #expect(try await AttributedString(importing: try await text.exported(as: nil), contentType: nil) == text)
        #expect(try await text.exported(as: .utf8PlainText) == Data("rich".utf8))
    }

    @Test func `a file that must not be opened in place is copied and the copy goes when it is discarded`() async throws {
        let original = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data([1, 2, 3]).write(to: original)
        defer { try? FileManager.default.removeItem(at: original) }
        let item = try await Picture(file: original).exportedItem()
        guard case .file(let copy) = item.body else { throw TransferError.malformed(contentType: "") }
        #expect(copy != original)
        #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
        #expect(item.suggestedFileName == original.lastPathComponent)
        item.discard()
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(FileManager.default.fileExists(atPath: original.path))
        guard case .file(original) = try await InPlace(file: original).exportedItem().body else {
            Issue.record("a file that may be read where it is was copied")
            return
        }
    }

    @Test func `a file representation imports from bytes by a file of its own`() async throws {
        let picture = try await Picture(importing: Data([9]), contentType: .jpeg)
        #expect(try Data(contentsOf: picture.file) == Data([9]))
        try FileManager.default.removeItem(at: picture.file)
    }

    @Test func `a file is written under a free name and lives as long as it is used`() async throws {
        let (first, second) = try await Note(text: "../a/b").withExportedFile(contentType: nil) { file in
            (file, try await Note(text: "b").export(to: file.deletingLastPathComponent(), contentType: nil))
        }
        #expect(first.lastPathComponent == "b.note")
        #expect(second.lastPathComponent == "b 2.note")
        #expect(!FileManager.default.fileExists(atPath: first.path))
    }

    @Test func `a representation that an app composes is taken apart`() async throws {
        let wrapped = Wrapped(note: Note(text: "in"))
        #expect(Wrapped.exportedContentTypes() == [Note.type, .utf8PlainText])
        #expect(try await Wrapped(importing: try await wrapped.exported(as: nil), contentType: Note.type).note == wrapped.note)
        let secret = Wrapped(note: Note(text: "s", isSecret: true))
        #expect(try await secret.exportedItem().contentType == .utf8PlainText)
    }

    @Test func `what cannot be exported says so`() async {
        await #expect(throws: TransferError.notExportable(item: "ImportOnly", contentType: nil)) { try await ImportOnly().exportedItem() }
        #expect(TransferError.notExportable(item: "ImportOnly", contentType: "public.png").localizedDescription.contains("public.png"))
    }

    @Test func `a missing file is an error and leaves nothing behind`() async throws {
        await #expect(throws: (any Error).self) { try await Picture(file: URL(fileURLWithPath: "/nowhere/x.jpg")).exportedItem() }
        await #expect(throws: (any Error).self) { try await Data(importing: URL(fileURLWithPath: "/nowhere/x.jpg"), contentType: nil) }
    }
}
