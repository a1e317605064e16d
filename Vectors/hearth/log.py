#!/usr/bin/env python3
"""Writes log.json: an implementation of "The log" in docs/protocol/sealing.md that shares nothing with those in Swift and JavaScript.

Run it after a change of the protocol: python3 Vectors/hearth/log.py (it needs the package cryptography).
"""

import base64
import hashlib
import hmac
import json
import pathlib
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def u8(n):
    return struct.pack(">B", n)


def u16(n):
    return struct.pack(">H", n)


def u32(n):
    return struct.pack(">I", n)


def u64(n):
    return struct.pack(">Q", n)


def vec(content):
    size = len(content)
    head = u8(size) if size < 1 << 6 else u16(size | 1 << 14) if size < 1 << 14 else u32(size | 1 << 31)
    return head + content


def text(identifier):
    return base64.urlsafe_b64encode(identifier).rstrip(b"=").decode()


def counting(size, start):
    return bytes((start + i) & 0xFF for i in range(size))


def labelled(label, content):
    return vec(b"Hearth1 " + label.encode()) + vec(content)


def ref_hash(label, content):
    return hashlib.sha256(labelled(label, content)).digest()


def extract(salt, secret):
    return hmac.digest(salt, secret, "sha256")


def expand(secret, info, size):
    # One block is enough: nothing here is longer than 32 bytes.
    return hmac.digest(secret, info + b"\x01", "sha256")[:size]


def expand_with_label(secret, label, context, size):
    return expand(secret, u16(size) + vec(b"Hearth1 " + label.encode()) + vec(context), size)


def frame(number, body):
    return (u8(number) + u32(len(body)) + body).hex()


CONVERSATION, SESSION = counting(16, 0x10), counting(16, 0x30)
ANA, BEN, ENTRY = counting(16, 0x50), counting(16, 0x70), counting(16, 0x90)
SEALED = counting(70, 0xB0)
INCARNATION = 0xF123456789ABCDEF


def ids(*participants):
    return u8(len(participants)) + b"".join(participants)


def entry_frame(sequence, version, sealed, flags=2, length=100):
    return frame(0x2A, SESSION + u64(sequence) + u64(version) + BEN + ENTRY + u8(flags) + u64(length) + u32(len(sealed)) + sealed)


def entry_link(sequence, version, sealed, flags=2, length=100):
    return u8(0x2A) + u64(sequence) + u64(version) + BEN + ENTRY + u8(flags) + u64(length) + hashlib.sha256(sealed).digest()


def record_link(sequence, sender, counter, is_for_some=False):
    return u8(0x28 if is_for_some else 0x27) + u64(sequence) + sender + u64(counter)


def links():
    """What, the frame as the relay sends it, its link; and what the record held, where it opens as another's than the relay says."""
    place, far = 66_051, 2**53 - 1
    yield "a coming", frame(0x24, SESSION + u64(place) + ANA), u8(0x24) + u64(place) + ANA, None
    yield "a going", frame(0x25, SESSION + u64(place) + ANA + u8(2)), u8(0x25) + u64(place) + ANA, None
    yield "an end, for a reason of a later version", frame(0x26, SESSION + u64(far) + ANA + u8(77)), u8(0x26) + u64(far) + ANA, None
    yield "a record", frame(0x27, SESSION + u64(place) + BEN + u64(258) + ids() + u32(5) + bytes(5)), record_link(place, BEN, 258), None
    yield "a record for some", frame(0x27, SESSION + u64(place) + BEN + u64(258) + ids(ANA, BEN) + u32(5) + bytes(5)), record_link(place, BEN, 258, True), None
    yield "the same record, skipped", frame(0x28, SESSION + u64(place) + BEN + u64(258)), record_link(place, BEN, 258, True), None
    yield ("a record that is passed off as another's", frame(0x27, SESSION + u64(place) + BEN + u64(258) + ids() + u32(5) + bytes(5)), record_link(place, ANA, 3),
           {"sender": text(ANA), "counter": 3})
    yield "an entry", entry_frame(place, 1_108_152_157_446, SEALED), entry_link(place, 1_108_152_157_446, SEALED), None
    changed = SEALED[:35] + u8(SEALED[35] ^ 1) + SEALED[36:]
    yield "the same entry with a byte changed in the middle", entry_frame(place, 1_108_152_157_446, changed), entry_link(place, 1_108_152_157_446, changed), None
    yield "an entry that is bound, of no body, with flags of a later version", entry_frame(1, 2, SEALED, 0xFD, 0), entry_link(1, 2, SEALED, 1, 0), None
    yield "an entry of nothing", entry_frame(1, 2, b""), entry_link(1, 2, b""), None
    yield "a removal", frame(0x2B, SESSION + u64(place) + ANA + ENTRY + u8(1)), u8(0x2B) + u64(place) + ANA + ENTRY, None


def stretch(begin, end, content, incarnation=INCARNATION, session=SESSION):
    return u64(incarnation) + u64(begin) + u64(end) + ref_hash("log", session + u64(incarnation) + u64(begin) + u64(end) + content)


BEGIN, LINK_COUNT = 10, 12


def link(place):
    """The log of the story: everything in turn."""
    kinds = [record_link(place, BEN, place), entry_link(place, 7 * place, SEALED), u8(0x2B) + u64(place) + ANA + ENTRY, u8(0x24) + u64(place) + BEN]
    return kinds[place % 4]


def seen(begin, end):
    return b"".join(link(place) for place in range(begin + 1, end + 1))


def claims():
    """What a record at place 23 says, and what is to be thought of it by who came in at place 10 and saw the log of the story."""
    last = BEGIN + LINK_COUNT
    swapped = seen(10, 14) + link(16)[:1] + u64(15) + link(16)[9:] + link(15)[:1] + u64(16) + link(15)[9:] + seen(16, 20)
    yield "all of it", stretch(BEGIN, last, seen(BEGIN, last)), "same"
    yield "a part of it", stretch(13, 17, seen(13, 17)), "same"
    yield "nothing new", stretch(last, last, b""), "same"
    yield "nothing, at the place of coming", stretch(BEGIN, BEGIN, b""), "same"
    yield "two places in another order", stretch(10, 20, swapped), "different"
    yield "one place left out", stretch(10, 20, seen(10, 14) + seen(15, 20)), "different"
    yield "one place more than there is", stretch(10, last + 1, seen(10, last + 1)), "different"
    yield "backwards", stretch(20, 15, b""), "different"
    yield "more than one record may speak of", stretch(0, 2**53 - 1, b""), "different"
    yield "that of another session", stretch(13, 17, seen(13, 17), session=ENTRY), "different"
    yield "from before the coming on", stretch(BEGIN - 1, last, seen(BEGIN - 1, last)), "unknown"
    yield "from before the coming on, and false", stretch(BEGIN - 1, last, b""), "unknown"
    yield "all from before the coming", stretch(3, BEGIN - 1, seen(3, BEGIN - 1)), "elsewhere"
    yield "another incarnation", stretch(13, 17, seen(13, 17), incarnation=5), "elsewhere"
    yield "no place in the session", bytes(56), "elsewhere"


def padme(size):
    exponent = size.bit_length() - 1
    mask = (1 << (exponent - exponent.bit_length())) - 1
    return (size + mask) & ~mask


class Sender:
    """Everything that follows from a link and a seed, by RFC 5869, RFC 8032 and RFC 9605 alone."""

    def __init__(self, secret, seed):
        self.key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.name = ref_hash("participant", CONVERSATION + public)[:16]
        self.public = public
        psk = expand_with_label(extract(CONVERSATION, secret), "psk", b"", 32)
        epoch = expand_with_label(psk, "epoch", CONVERSATION + u64(0), 32)
        base = expand_with_label(epoch, "sframe", SESSION, 16)
        self.kid = int.from_bytes(self.name[:8], "big") & (1 << 62) - 1
        sframe = extract(b"", base)
        self.aes = expand(sframe, b"SFrame 1.0 Secret key " + u64(self.kid) + u16(4), 16)
        self.salt = expand(sframe, b"SFrame 1.0 Secret salt " + u64(self.kid) + u16(4), 12)

    def header(self, counter):
        kid = self.kid.to_bytes((self.kid.bit_length() + 7) // 8, "big")
        assert self.kid > 7 and counter < 8
        return u8(8 << 4 | (len(kid) - 1) << 4 | counter) + kid

    def seal(self, counter, recipients, said, kind, payload):
        metadata = CONVERSATION + SESSION + u64(0) + u8(0) + vec(b"".join(sorted(recipients)))
        rest = said + u8(kind) + vec(payload)
        rest += bytes(padme(64 + len(rest)) - 64 - len(rest))
        signature = self.key.sign(labelled("record", metadata + self.header(counter) + rest))
        nonce = (int.from_bytes(self.salt, "big") ^ counter).to_bytes(12, "big")
        plaintext = signature + rest
        return plaintext, self.header(counter) + AESGCM(self.aes).encrypt(nonce, plaintext, self.header(counter) + metadata)


def records(sender):
    whole = stretch(BEGIN, BEGIN + LINK_COUNT, seen(BEGIN, BEGIN + LINK_COUNT))
    message = vec(b"Stroke") + b'{"x":1}'
    contents = [
        ("a position record", [], whole, 3, b""),
        ("a message behind the same stretch", [], whole, 1, message),
        ("bytes for two, of a sender that has no place yet", [BEN, ANA], bytes(56), 2, vec(b"") + counting(40, 1)),
        ("a position record of a later version, with something more in it", [], whole, 3, counting(9, 5)),
    ]
    for counter, (what, recipients, said, kind, payload) in enumerate(contents):
        plaintext, sealed = sender.seal(counter, recipients, said, kind, payload)
        yield {"what": what, "recipients": [text(each) for each in recipients], "counter": counter, "stretch": said.hex(), "kind": kind, "payload": payload.hex(),
               "plaintext": plaintext.hex(), "sealed": sealed.hex()}


def main():
    secret = counting(32, 0x44)
    sender = Sender(secret, counting(32, 0x88))
    document = {
        "about": "Links, stretches and records of docs/protocol/sealing.md. Written by Vectors/hearth/log.py; bytes are hex, names are base64url, numbers that may pass 2^53 are text.",
        "link": f"https://hearth.example/c/{text(CONVERSATION)}#1.{text(secret)}",
        "session": text(SESSION),
        "sender": {"participantId": text(sender.name), "publicKey": sender.public.hex()},
        "links": [{"what": what, "frame": sent, "opened": opened, "link": content.hex()} for what, sent, content, opened in links()],
        "story": {"incarnation": str(INCARNATION), "begin": BEGIN, "links": [link(BEGIN + number).hex() for number in range(1, LINK_COUNT + 1)]},
        "claims": [{"what": what, "stretch": said.hex(), "verdict": verdict} for what, said, verdict in claims()],
        "records": list(records(sender)),
    }
    target = pathlib.Path(__file__).with_name("log.json")
    target.write_text(json.dumps(document, indent=1) + "\n")
    print(f"Written: {target}")


if __name__ == "__main__":
    main()
