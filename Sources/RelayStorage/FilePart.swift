// A part as a file: on its way in, and whole.

import CLinux
import Dispatch
import Glibc
import Relay
import Synchronization

final class FilePartUpload: PartUpload {
    private enum State { case open, published, abandoned }

    private let descriptor: Int32
    private let path: String
    private let finalPath: String
    private let lengthBytes: Int
    private let writeback: DispatchQueue
    private let state = Mutex((state: State.open, written: 0))

    /// Takes over `descriptor`, open for reading and writing at `path`.
    /// - Parameter writeback: may wait for the disk when nobody else does.
    init(descriptor: Int32, path: String, finalPath: String, lengthBytes: Int, writeback: DispatchQueue) {
        self.descriptor = descriptor
        self.path = path
        self.finalPath = finalPath
        self.lengthBytes = lengthBytes
        self.writeback = writeback
    }

    deinit {
        abandon()
        close(descriptor)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        var remaining = bytes
        var offset = state.withLock { $0.written }
        guard offset + bytes.count <= lengthBytes else { throw .failed("\(offset + bytes.count) bytes for a part of \(lengthBytes)") }
        while let base = remaining.baseAddress, !remaining.isEmpty {
            let count = pwrite(descriptor, base, remaining.count, off_t(offset))
            if count < 0 {
                if errno == EINTR { continue }
                throw storeError("write \(path)")
            }
            offset += count
            remaining = UnsafeRawBufferPointer(rebasing: remaining.dropFirst(count))
        }
        state.withLock { $0.written = offset }
    }

    func publish() throws(StoreError) {
        let (state, written) = state.withLock { $0 }
        guard state == .open else { throw .failed("publish \(finalPath): it was abandoned") }
        guard written == lengthBytes else { throw .failed("publish \(finalPath): \(written) of \(lengthBytes) bytes") }
        // The directory is gone when the attachment was erased meanwhile: then this fails, as it must.
        guard rename(path, finalPath) == 0 else { throw storeError("publish \(finalPath)") }
        self.state.withLock { $0.state = .published }
        // The disk begins now, while other parts still travel, so that `sync` finds little left to wait for. What this does not bring about, `sync` does.
        writeback.async { [self] in clinux_start_writeback(descriptor) }
    }

    func abandon() {
        let wasOpen = state.withLock { state in
            guard state.state == .open else { return false }
            state.state = .abandoned
            return true
        }
        if wasOpen { unlink(path) }
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let available = state.withLock { $0.written } - offset
        guard available > 0 else { return 0 }
        return readFile(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(available)))
    }
}

final class FilePartReader: PartReader {
    private let descriptor: Int32
    let lengthBytes: Int

    /// `nil` when there is no such file.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            close(descriptor)
            return nil
        }
        lengthBytes = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { readFile(descriptor, at: offset, into: buffer) }
}

/// As many bytes as the file gives at once; 0 at its end or on failure.
private func readFile(_ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    while true {
        let count = pread(descriptor, base, buffer.count, off_t(offset))
        if count >= 0 { return count }
        if errno != EINTR { return 0 }
    }
}
