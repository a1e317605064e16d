// Where a loaded attachment's bytes go, record by record. Nothing is to be seen of them before all of them are vouched for.

import Glibc
import Synchronization

/// Used by one load, one call at a time.
public protocol AttachmentSink: Sendable {
    /// Appends.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ConversationError)
    /// Everything came and is what its maker sealed.
    func finish() throws(ConversationError)
    /// Forgets what was written.
    func abandon()
}

public final class MemorySink: AttachmentSink {
    private let written: Mutex<[UInt8]>
    private let whole = Mutex<[UInt8]?>(nil)

    /// - Parameter expectedSizeBytes: room that is made at once.
    public init(expectedSizeBytes: Int = 0) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expectedSizeBytes)
        written = Mutex(bytes)
    }

    /// `nil` before the end.
    public var bytes: [UInt8]? { whole.withLock(\.self) }

    public func write(_ bytes: UnsafeRawBufferPointer) { written.withLock { $0.append(contentsOf: bytes) } }

    public func finish() {
        let bytes = written.withLock { written in
            defer { written = [] }
            return written
        }
        whole.withLock { $0 = bytes }
    }

    public func abandon() { written.withLock { $0 = [] } }
}

/// Writes beside its path and takes the name only at the end, so that nobody sees half a file.
public final class FileSink: AttachmentSink {
    private let path: String
    private let partial: String
    private let descriptor: Mutex<Int32>

    /// - Throws: `file-failed`, also when a file of that name exists already.
    public init(path: String) throws(ConversationError) {
        self.path = path
        var template = Array("\(path).partial-XXXXXX".utf8CString)
        let descriptor = access(path, F_OK) == 0 ? -1 : mkstemp(&template)
        guard descriptor >= 0 else { throw ConversationError(.fileFailed) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        partial = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.descriptor = Mutex(descriptor)
    }

    deinit { abandon() }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(ConversationError) {
        let isWritten = descriptor.withLock { descriptor in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
        guard isWritten else { throw ConversationError(.fileFailed) }
    }

    public func finish() throws(ConversationError) {
        let isDone = descriptor.withLock { descriptor in
            guard descriptor >= 0, fchmod(descriptor, 0o644) == 0 else { return false }
            let isClosed = close(descriptor) == 0
            descriptor = -1
            // `link` and not `rename`: a file that has come to be there meanwhile is not overwritten.
            guard isClosed, link(partial, path) == 0 else {
                unlink(partial)
                return false
            }
            unlink(partial)
            return true
        }
        guard isDone else { throw ConversationError(.fileFailed) }
    }

    public func abandon() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            close(descriptor)
            unlink(partial)
            descriptor = -1
        }
    }
}
