// A followed folder, look by look.

import Foundation
import Glibc
import Testing

@testable import CommandLine

@Suite struct FolderWatchTests {
    func file(_ path: String, _ size: Int, _ time: Int = 1) -> SeenFile { SeenFile(path: path, sizeBytes: size, modifiedNanoseconds: time) }

    @Test func `a file is ready once it has rested for a look and nobody writes it`() {
        var watch = FolderWatch(known: [file("old", 5)])
        #expect(watch.look([file("old", 5), file("new", 3)], writers: { _ in .none }).isEmpty)
        #expect(watch.look([file("old", 5), file("new", 3)], writers: { _ in .none }) == ["new"])
        #expect(watch.look([file("old", 5), file("new", 3)], writers: { _ in .none }).isEmpty)
    }

    @Test func `a file that grows, or is open for writing, waits`() {
        var watch = FolderWatch(known: [])
        for size in 1...5 { #expect(watch.look([file("new", size)], writers: { _ in .none }).isEmpty) }
        for _ in 1...20 { #expect(watch.look([file("new", 5)], writers: { _ in .some }).isEmpty) }
        #expect(watch.look([file("new", 5)], writers: { _ in .none }) == ["new"])
    }

    @Test func `where writers cannot be known a file has to rest for longer`() {
        var watch = FolderWatch(known: [])
        var looks = 0
        while watch.look([file("new", 5)], writers: { _ in .unknown }).isEmpty { looks += 1 }
        #expect(looks == FolderWatch.restLookCount)
    }

    @Test func `an empty file is not yet one, and a changed one is new`() {
        var watch = FolderWatch(known: [file("a", 5, 1)])
        for _ in 1...3 { #expect(watch.look([file("empty", 0)], writers: { _ in .none }).isEmpty) }
        #expect(watch.look([file("a", 5, 2)], writers: { _ in .none }).isEmpty)
        #expect(watch.look([file("a", 5, 2)], writers: { _ in .none }) == ["a"])
    }

    @Test func `the system tells whether somebody has a file open for writing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        let during = FolderWatch.writers(of: path)
        close(descriptor)
        let after = FolderWatch.writers(of: path)
        #expect((during, after) == (.some, .none) || (during, after) == (.unknown, .unknown))
    }
}
