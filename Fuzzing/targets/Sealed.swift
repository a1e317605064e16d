// Sealed bytes as a hostile relay, or somebody in the conversation, makes them: nothing forged opens, nothing opened is read wrongly, nothing traps.

import Wire

@testable import Sealing

private let identity = try! Identity(conversation: conversation, key: SigningKey(seed: SecretBytes([UInt8](repeating: 7, count: 32))))
private let conversation = ConversationID(Bytes16(high: 1, low: 2))
private let session = SessionID(Bytes16(high: 3, low: 4))
private let attachment = EntryID(Bytes16(high: 5, low: 6))
private let keys = try! EpochKeys(conversation: conversation, linkSecret: SecretBytes([UInt8](repeating: 9, count: 32)))
private let record = try! FrameSealer(keys: keys, identity: identity, session: session, frameClass: .record).sealMessage(identifier: "m", json: Array("[1]".utf8)).sealed
nonisolated(unsafe) private let opener = try! FrameOpener(keys: keys, session: session, frameClass: .record, sender: identity.participant, publicKey: identity.publicKey)
private let place = EntryPlace(session: .own, entry: EntryID(identity.participant.bytes))
private let entry = try! keys.seal(.introduction(name: "Ana"), by: identity, at: place, random: [UInt8](repeating: 1, count: 16))
private let plain = [UInt8](repeating: 0x61, count: 70_000)
private let manifest = try! Manifest(keyingMaterial: [UInt8](repeating: 2, count: 16), salt: [UInt8](repeating: 3, count: 16), plainSizeBytes: plain.count, metadata: [])
private let body: [UInt8] = try! BodySealer(manifest, attachment: attachment).withPart(0, read: readPlain, Array.init)

private func readPlain(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) {
    plain[offset...].withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(buffer.count))) }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let kind = UnsafeRawBufferPointer(start: start, count: count).first else { return 0 }
    let input = Array(UnsafeRawBufferPointer(start: start, count: count).dropFirst())
    switch kind % 10 {
    case 0: header(input)
    case 1: vectors(input)
    case 2: entryBody(input)
    case 3: frameContent(input)
    case 4: open(record: input)
    case 5: open(entry: input)
    case 6: open(body: input)
    case 7: invitation(String(decoding: input, as: UTF8.self))
    case 8: tamper(input)
    default: stretch(input)
    }
    return 0
}

private func header(_ input: [UInt8]) {
    guard let (header, size) = try? input.withUnsafeBytes({ try SFrameHeader.decode($0) }) else { return }
    precondition(header.encoded == Array(input.prefix(size)), "two forms of one header")
    precondition(size <= SFrameHeader.sizeLimitBytes)
}

private func vectors(_ input: [UInt8]) {
    var reader = FieldReader(input)
    while !reader.rest.isEmpty {
        let before = reader.rest
        guard let vector = try? reader.vector() else { return }
        var written: [UInt8] = []
        written.appendVector(vector)
        precondition(written == Array(before.prefix(written.count)), "two forms of one length")
    }
}

private func entryBody(_ input: [UInt8]) {
    guard let kind = input.first, let body = try? EntryBody(kind: kind % 5, input.dropFirst()) else { return }
    if case .unknown = body { return }
    let again = try? EntryBody(kind: body.kind, body.encoded[...])
    precondition(again == body, "an entry's body is not what was written")
    if case .attachment(let manifest) = body {
        precondition(manifest.layout.bodySizeBytes <= Limits.bodySizeLimitBytes)
        _ = try? BodyOpener(manifest, attachment: attachment, bodySizeBytes: manifest.layout.bodySizeBytes)
    }
}

private func frameContent(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    _ = try? FrameContent(kind: kind % 4, payload: input.dropFirst())
}

/// What a member says of the log stands in front of what it says else.
private func stretch(_ input: [UInt8]) {
    var reader = FieldReader(input)
    guard let stretch = try? LogStretch(&reader) else { return }
    precondition(stretch.encoded == Array(input.prefix(stretch.encoded.count)), "two forms of one stretch")
    precondition(reader.rest.count == input.count - stretch.encoded.count)
}

private func open(record input: [UInt8]) {
    _ = try? claimedSender(of: input)
    if (try? opener.open(input)) != nil { precondition(input == record, "a forged record opens") }
}

private func open(entry input: [UInt8]) {
    if (try? keys.openEntry(input, at: place)) != nil { precondition(input == entry, "a forged entry opens") }
}

/// The first bytes say in which pieces the rest comes.
private func open(body input: [UInt8]) {
    guard let size = input.first, let opener = try? BodyOpener(manifest, attachment: attachment, bodySizeBytes: body.count) else { return }
    var changed = body
    let patch = input.dropFirst(3)
    let position = input.count > 3 ? (Int(input[1]) << 8 | Int(input[2])) * 2 % changed.count : 0
    for (offset, byte) in patch.enumerated() where position + offset < changed.count { changed[position + offset] ^= byte }
    var opened: [UInt8] = []
    let pieceSize = 1 + Int(size) * 257
    do {
        var rest = changed[...]
        while !rest.isEmpty {
            try rest.prefix(pieceSize).withUnsafeBytes { try opener.take($0) { opened.append(contentsOf: $0) } }
            rest = rest.dropFirst(pieceSize)
        }
        try opener.finish()
        precondition(changed == body && opened == plain, "a changed body opens")
    } catch {
        precondition(changed != body, "an unchanged body does not open")
        precondition(opened.count <= plain.count && opened.elementsEqual(plain.prefix(opened.count)), "forged bytes were handed out")
    }
}

private func invitation(_ text: String) {
    guard let invitation = try? Invitation(text) else { return }
    precondition((try? Invitation(invitation.link)) == invitation, "an invitation's own link is not understood")
    precondition(!invitation.description.contains(invitation.conversation.base64URL))
}

/// Each input changes some byte of what is true: position, then what to change it by.
private func tamper(_ input: [UInt8]) {
    guard input.count >= 3, input[2] != 0 else { return }
    let position = Int(input[0]) << 8 | Int(input[1])
    func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[position % bytes.count] ^= input[2]
        return bytes
    }
    precondition((try? opener.open(changed(record))) == nil, "a changed record opens")
    precondition((try? keys.openEntry(changed(entry), at: place)) == nil, "a changed entry opens")
}
