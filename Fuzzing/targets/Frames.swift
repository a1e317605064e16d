// Frames as a stranger sends them: what is read is written back as the same frames, and nothing that cannot be read traps.

import Wire

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    readAll(bytes)
    readInPlace(bytes)
    names(String(decoding: bytes, as: UTF8.self))
    return 0
}

private func readAll(_ bytes: UnsafeRawBufferPointer) {
    guard let frames = try? Frame.decode(message: bytes) else { return }
    let written = Frame.encode(frames)
    guard !frames.isEmpty else { return precondition(written.isEmpty) }
    precondition((try? Frame.decode(message: written)) == frames, "what was read is not what is written")
    precondition(written.count <= bytes.count, "writing adds bytes that were not there")
}

/// The two frequent frames have readers of their own, which must find the same.
private func readInPlace(_ bytes: UnsafeRawBufferPointer) {
    guard var reader = try? FrameReader(bytes) else { return }
    while let raw = try? reader.next() {
        let frame = try? Frame(raw)
        switch raw.type {
        case .record:
            let record = try? RecordInPlace(body: raw.body)
            precondition((record == nil) == (frame == nil))
            guard let record else { continue }
            let copy = Frame.record(session: record.session, counter: record.counter, recipients: Array(record.recipients), sealed: Array(record.sealed))
            precondition(copy == frame)
        case .sample:
            let sample = try? SampleInPlace(body: raw.body)
            precondition((sample == nil) == (frame == nil))
            guard let sample else { continue }
            precondition(Frame.sample(session: sample.session, recipients: Array(sample.recipients), sealed: Array(sample.sealed)) == frame)
        default: continue
        }
    }
}

private func names(_ text: String) {
    if let id = EntryID(base64URL: text) { precondition(id.base64URL == text, "two texts for one name") }
}
