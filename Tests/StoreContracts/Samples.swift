// Names and bytes for the contracts.

import Relay
import Wire

func conversation(_ number: UInt64) -> ConversationID { ConversationID(Bytes16(high: 0xc0, low: number)) }
func session(_ number: UInt64) -> SessionID { SessionID(Bytes16(high: 0x50, low: number)) }
func entry(_ number: UInt64) -> EntryID { EntryID(Bytes16(high: 0xe0, low: number)) }
func participant(_ number: UInt64) -> ParticipantID { ParticipantID(Bytes16(high: 0xa0, low: number)) }
let digest = [UInt8](0..<32)

func stored(_ number: UInt64, in session: SessionID, sealed: [UInt8] = [1, 2, 3], body: Int = 0) -> StoredEntry {
    StoredEntry(session: session, entry: entry(number), putter: participant(number), bodyLengthBytes: body, sealed: sealed)
}

func attachment(_ number: UInt64, session number2: UInt64 = 1, conversation number3: UInt64 = 1) -> AttachmentName {
    AttachmentName(conversation: conversation(number3), session: session(number2), entry: entry(number))
}

func bytes(_ count: Int, seed: Int = 1) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) } }
