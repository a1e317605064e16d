// Where an attachment's bytes come from: memory or a file, read where and when a part needs them.

import Glibc

/// May be used from any thread.
public protocol AttachmentSource: Sendable {
    var sizeBytes: Int { get }
    /// Fills all of `buffer` from the offset on.
    /// - Throws: `source-changed` when the bytes are no longer there, `file-failed`.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ConversationError)
}

public struct MemorySource: AttachmentSource {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var sizeBytes: Int { bytes.count }

    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + buffer.count])) }
    }
}

/// A file, kept open as long as the source. What is written to it meanwhile is noticed when it changes what has been sent already.
public final class FileSource: AttachmentSource {
    public let sizeBytes: Int
    private let descriptor: Int32

    /// - Throws: `file-failed` for what cannot be opened or is no regular file.
    public init(path: String) throws(ConversationError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConversationError(.fileFailed) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ConversationError(.fileFailed)
        }
        self.descriptor = descriptor
        sizeBytes = Int(status.st_size)
    }

    deinit { close(descriptor) }

    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ConversationError) {
        var filled = 0
        while filled < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ConversationError(.fileFailed) }
            guard count > 0 else { throw ConversationError(.sourceChanged) }
            filled += count
        }
    }
}
