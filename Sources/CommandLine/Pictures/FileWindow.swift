// Looks at bytes here and there in a file without reading it whole.

import Glibc

final class FileWindow {
    let sizeBytes: Int
    private let descriptor: Int32
    /// Holds what is around the last place that was looked at.
    private var buffer: (start: Int, bytes: [UInt8]) = (0, [])
    private static let bufferSizeBytes = 65_536

    /// `nil` for what cannot be opened or is no regular file.
    init?(path: String) {
        // Not to wait for the writer of a pipe that only looks like a file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        sizeBytes = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Fewer bytes than asked for at the end of the file.
    func read(_ at: Int, _ count: Int) -> [UInt8] {
        guard at >= 0, count > 0, at < sizeBytes else { return [] }
        if count > Self.bufferSizeBytes { return load(at, min(count, sizeBytes - at)) }
        if at < buffer.start || at + count > buffer.start + buffer.bytes.count { buffer = (at, load(at, min(Self.bufferSizeBytes, sizeBytes - at))) }
        let start = at - buffer.start
        return Array(buffer.bytes[min(start, buffer.bytes.count)..<min(start + count, buffer.bytes.count)])
    }

    /// `nil` when not all of it is there.
    func view(_ at: Int, _ count: Int) -> ByteView? {
        let bytes = read(at, count)
        return bytes.count == count ? ByteView(bytes) : nil
    }

    func name(_ at: Int) -> String { String(decoding: read(at, 4), as: UTF8.self) }

    private func load(_ at: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(at + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}

/// Numbers among bytes; beyond the end there are zeros.
struct ByteView {
    let bytes: [UInt8]
    var isLittle = false

    init(_ bytes: [UInt8], isLittle: Bool = false) {
        self.bytes = bytes
        self.isLittle = isLittle
    }

    func u8(_ at: Int) -> Int { bytes.indices.contains(at) ? Int(bytes[at]) : 0 }
    func u16(_ at: Int) -> Int { isLittle ? u8(at) | u8(at + 1) << 8 : u8(at) << 8 | u8(at + 1) }
    func u32(_ at: Int) -> Int { isLittle ? u16(at) | u16(at + 2) << 16 : u16(at) << 16 | u16(at + 2) }
    func u64(_ at: Int) -> Int? { u32(at) < 0x8000_0000 ? u32(at) << 32 | u32(at + 4) : nil }
}
