#!/usr/bin/env python3
"""Writes frames.json: an implementation of docs/protocol/frames.md that shares nothing with those in Swift and JavaScript.

Run it after a change of the protocol: python3 Vectors/wire/make.py
"""

import base64
import json
import pathlib
import struct

EXACT = 2**53 - 1
WHOLE = 2**64 - 1


def u8(n):
    return struct.pack(">B", n)


def u16(n):
    return struct.pack(">H", n)


def u32(n):
    return struct.pack(">I", n)


def u64(n):
    return struct.pack(">Q", int(n))


def raw(identifier):
    return base64.urlsafe_b64decode(identifier + "==")


def text(identifier):
    assert len(identifier) == 16
    return base64.urlsafe_b64encode(identifier).rstrip(b"=").decode()


def prefixed(hexadecimal):
    content = bytes.fromhex(hexadecimal)
    return u32(len(content)) + content


def identifiers(names):
    return u8(len(names)) + b"".join(map(raw, names))


def flags(first, second):
    return u8((1 if first else 0) | (2 if second else 0))


BODIES = {
    "hello": (0x01, lambda f: u8(f["version"]) + flags(f["create"], f.get("pass") is not None) + raw(f["participant"]) + raw(f["participantSecret"]) + bytes.fromhex(f["relayToken"])
              + u64(f["incarnation"]) + u16(len(f["sessions"])) + b"".join(raw(s["session"]) + u64(s["sequence"]) for s in f["sessions"])
              + bytes.fromhex(f.get("pass") or "")),
    "enter": (0x02, lambda f: raw(f["session"])),
    "exit": (0x03, lambda f: raw(f["session"])),
    "end": (0x04, lambda f: raw(f["session"])),
    "record": (0x05, lambda f: raw(f["session"]) + u64(f["counter"]) + identifiers(f["recipients"]) + prefixed(f["sealed"])),
    "sample": (0x06, lambda f: raw(f["session"]) + identifiers(f["recipients"]) + prefixed(f["sealed"])),
    "put": (0x07, lambda f: raw(f["session"]) + raw(f["entry"]) + flags(f["isPresenceBound"], f["isBodyComplete"]) + u64(f["bodyLength"]) + prefixed(f["sealed"])),
    "remove": (0x08, lambda f: raw(f["session"]) + raw(f["entry"])),
    "acknowledge": (0x09, lambda f: raw(f["session"]) + u64(f["sequence"])),
    "leave": (0x0A, lambda f: b""),
    "setDoor": (0x0B, lambda f: u8(f["mode"]) + u64(f["closesAt"]) + bytes.fromhex(f["passDigest"]) + prefixed(f["sealed"])),
    "knock": (0x0C, lambda f: prefixed(f["sealed"])),
    "admit": (0x0D, lambda f: raw(f["participant"]) + u8(1 if f["admits"] else 0)),
    "ping": (0x10, lambda f: u64(f["token"])),
    "pong": (0x11, lambda f: u64(f["token"])),
    "welcome": (0x21, lambda f: u8(f["version"]) + flags(f["resumed"], f["created"]) + u64(f["incarnation"]) + u16(f["heartbeatSeconds"]) + u16(f["silenceSeconds"])
                + u32(f["resumeWindowSeconds"]) + u32(f["graceSeconds"]) + u64(f["conversationQuotaBytes"])),
    "position": (0x22, lambda f: raw(f["session"]) + u64(f["sequence"]) + u16(len(f["participants"]))
                 + b"".join(raw(p["participant"]) + u8(p["presence"]) for p in f["participants"])),
    "complete": (0x23, lambda f: raw(f["session"]) + u64(f["sequence"])),
    "entered": (0x24, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["participant"])),
    "exited": (0x25, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["participant"]) + u8(f["reason"])),
    "ended": (0x26, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["participant"]) + u8(f["reason"])),
    "ordered": (0x27, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["sender"]) + u64(f["counter"]) + identifiers(f["recipients"]) + prefixed(f["sealed"])),
    "skipped": (0x28, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["sender"]) + u64(f["counter"])),
    "sampled": (0x29, lambda f: raw(f["session"]) + raw(f["sender"]) + identifiers(f["recipients"]) + prefixed(f["sealed"])),
    "entry": (0x2A, lambda f: raw(f["session"]) + u64(f["sequence"]) + u64(f["version"]) + raw(f["putter"]) + raw(f["entry"])
              + flags(f["isPresenceBound"], f["isBodyComplete"]) + u64(f["bodyLength"]) + prefixed(f["sealed"])),
    "removed": (0x2B, lambda f: raw(f["session"]) + u64(f["sequence"]) + raw(f["remover"]) + raw(f["entry"]) + u8(f["reason"])),
    "stable": (0x2C, lambda f: raw(f["session"]) + u64(f["sequence"])),
    "refused": (0x2D, lambda f: u8(f["frameType"]) + raw(f["session"]) + raw(f["subject"]) + u64(f["counter"]) + u16(f["code"]) + u64(f["limit"]) + u64(f["value"])),
    "waiting": (0x2E, lambda f: u16(f["seconds"])),
    "presence": (0xA0, lambda f: raw(f["participant"]) + u8(f["presence"])),
    "door": (0xA1, lambda f: u8(f["mode"]) + u64(f["closesAt"]) + prefixed(f["sealed"])),
    "knocking": (0xA2, lambda f: raw(f["participant"]) + prefixed(f["sealed"])),
    "knocked": (0xA3, lambda f: raw(f["participant"]) + u8(f["reason"])),
}


def framed(number, body):
    return u8(number) + u32(len(body)) + body


def parts(frame):
    number, write = BODIES[frame["type"]]
    return number, write(frame)


def encoded(*frames):
    return b"".join(framed(*parts(frame)) for frame in frames)


def name(seed):
    """16 bytes that differ everywhere, so that a swapped field is seen."""
    return text(bytes((seed * 16 + i) & 0xFF for i in range(16)))


ZERO = text(bytes(16))
ONES = text(b"\xff" * 16)
SESSION, PARTICIPANT, ENTRY, OTHER, SECRET = (name(n) for n in range(1, 6))
TOKEN = bytes(range(0x60, 0x80)).hex()
PASS = bytes(range(0x80, 0xA0)).hex()
SEALED = "00ff10ef20df"
MANY = [text(u64(0xABCDEF0000000000 + n) + u64(n * 7919)) for n in range(100)]

ORDINARY = [
    {"type": "hello", "version": 1, "create": True, "participant": PARTICIPANT, "participantSecret": SECRET, "relayToken": TOKEN, "incarnation": "72623859790382856",
     "sessions": [{"session": ZERO, "sequence": "258"}, {"session": SESSION, "sequence": "66051"}], "pass": None},
    {"type": "enter", "session": SESSION},
    {"type": "exit", "session": SESSION},
    {"type": "end", "session": SESSION},
    {"type": "record", "session": SESSION, "counter": "4294967295", "recipients": [PARTICIPANT, OTHER], "sealed": SEALED},
    {"type": "sample", "session": SESSION, "recipients": [OTHER], "sealed": SEALED},
    {"type": "put", "session": SESSION, "entry": ENTRY, "isPresenceBound": True, "isBodyComplete": False, "bodyLength": "0", "sealed": SEALED},
    {"type": "remove", "session": SESSION, "entry": ENTRY},
    {"type": "acknowledge", "session": SESSION, "sequence": "1108152157446"},
    {"type": "leave"},
    {"type": "setDoor", "mode": 2, "closesAt": "1798761600", "passDigest": PASS, "sealed": SEALED},
    {"type": "knock", "sealed": SEALED},
    {"type": "admit", "participant": PARTICIPANT, "admits": True},
    {"type": "ping", "token": "72623859790382856"},
    {"type": "pong", "token": "578437695752307201"},
    {"type": "welcome", "version": 1, "resumed": True, "created": False, "incarnation": "72623859790382856", "heartbeatSeconds": 10, "silenceSeconds": 30,
     "resumeWindowSeconds": 120, "graceSeconds": 600, "conversationQuotaBytes": "5000000000"},
    {"type": "position", "session": SESSION, "sequence": "66051", "participants": [{"participant": PARTICIPANT, "presence": 1}, {"participant": OTHER, "presence": 0}]},
    {"type": "complete", "session": SESSION, "sequence": "66051"},
    {"type": "entered", "session": SESSION, "sequence": "66051", "participant": PARTICIPANT},
    {"type": "exited", "session": SESSION, "sequence": "66051", "participant": PARTICIPANT, "reason": 2},
    {"type": "ended", "session": SESSION, "sequence": "66051", "participant": PARTICIPANT, "reason": 1},
    {"type": "ordered", "session": SESSION, "sequence": "66051", "sender": OTHER, "counter": "258", "recipients": [PARTICIPANT], "sealed": SEALED},
    {"type": "skipped", "session": SESSION, "sequence": "66051", "sender": OTHER, "counter": "258"},
    {"type": "sampled", "session": SESSION, "sender": OTHER, "recipients": [PARTICIPANT], "sealed": SEALED},
    {"type": "entry", "session": SESSION, "sequence": "66051", "version": "1108152157446", "putter": OTHER, "entry": ENTRY, "isPresenceBound": False, "isBodyComplete": True,
     "bodyLength": "100025996", "sealed": SEALED},
    {"type": "removed", "session": SESSION, "sequence": "66051", "remover": OTHER, "entry": ENTRY, "reason": 1},
    {"type": "stable", "session": SESSION, "sequence": "66051"},
    {"type": "refused", "frameType": 7, "session": SESSION, "subject": ENTRY, "counter": "258", "code": 2, "limit": "5000000000", "value": "5000000001"},
    {"type": "waiting", "seconds": 258},
    {"type": "presence", "participant": PARTICIPANT, "presence": 1},
    {"type": "door", "mode": 1, "closesAt": "1798761600", "sealed": SEALED},
    {"type": "knocking", "participant": PARTICIPANT, "sealed": SEALED},
    {"type": "knocked", "participant": PARTICIPANT, "reason": 2},
]
assert {frame["type"] for frame in ORDINARY} == set(BODIES)
BY_TYPE = {frame["type"]: frame for frame in ORDINARY}


def variant(kind, **changes):
    assert set(changes) <= set(BY_TYPE[kind])
    return {**BY_TYPE[kind], **changes}


EXTREMES = [
    ("hello of a first time: no flag, no incarnation, no session", variant("hello", create=False, incarnation="0", sessions=[])),
    ("hello with the greatest incarnation and places, 17 sessions", variant("hello", create=False, incarnation=str(WHOLE),
                                                                              sessions=[{"session": MANY[n], "sequence": str(EXACT - n)} for n in range(17)])),
    ("hello of all bits", variant("hello", participant=ONES, participantSecret=ONES, relayToken="ff" * 32, incarnation=str(WHOLE), sessions=[{"session": ONES, "sequence": str(EXACT)}])),
    ("hello of no bits", variant("hello", create=False, participant=ZERO, participantSecret=ZERO, relayToken="00" * 32, incarnation="0", sessions=[{"session": ZERO, "sequence": "0"}])),
    ("hello with a pass", variant("hello", **{"pass": PASS})),
    ("hello with a pass and no session, a second time", variant("hello", create=False, incarnation="0", sessions=[], **{"pass": "ff" * 32})),
    ("enter of the own session", variant("enter", session=ZERO)),
    ("record for everyone, of nothing, first counter", variant("record", counter="0", recipients=[], sealed="")),
    ("record for 100 recipients with the greatest counter", variant("record", counter=str(EXACT), recipients=MANY)),
    ("record of 300 bytes", variant("record", recipients=[], sealed=bytes(n & 0xFF for n in range(300)).hex())),
    ("record of 70,000 bytes", variant("record", recipients=[], sealed=bytes((n * n) & 0xFF for n in range(70_000)).hex())),
    ("sample for everyone, of nothing", variant("sample", recipients=[], sealed="")),
    ("sample for 100 recipients", variant("sample", recipients=MANY)),
    ("put with the greatest body length and no flag", variant("put", isPresenceBound=False, bodyLength=str(EXACT))),
    ("put with the body complete", variant("put", isPresenceBound=False, isBodyComplete=True, bodyLength="1048576")),
    ("put with both flags and nothing sealed", variant("put", isBodyComplete=True, sealed="")),
    ("acknowledge of nothing", variant("acknowledge", sequence="0")),
    ("acknowledge of the greatest place", variant("acknowledge", sequence=str(EXACT))),
    ("ping with token 0", variant("ping", token="0")),
    ("ping with the greatest token", variant("ping", token=str(WHOLE))),
    ("pong with a token of 54 bits", variant("pong", token=str(EXACT + 2))),
    ("welcome of all bits", variant("welcome", resumed=True, created=True, incarnation=str(WHOLE), heartbeatSeconds=65535, silenceSeconds=65535, resumeWindowSeconds=2**32 - 1,
                                    graceSeconds=2**32 - 1, conversationQuotaBytes=str(EXACT))),
    ("welcome of no bits", variant("welcome", resumed=False, created=False, incarnation="0", heartbeatSeconds=0, silenceSeconds=0, resumeWindowSeconds=0, graceSeconds=0,
                                   conversationQuotaBytes="0")),
    ("welcome to a conversation just created", variant("welcome", resumed=False, created=True)),
    ("position with nobody", variant("position", sequence="0", participants=[])),
    ("position with 100 participants", variant("position", sequence=str(EXACT), participants=[{"participant": p, "presence": n % 2} for n, p in enumerate(MANY)])),
    ("exited for reason 0", variant("exited", reason=0)),
    ("ended by the relay", variant("ended", participant=ZERO, reason=1)),
    ("ordered for everyone, of nothing, at the greatest place", variant("ordered", sequence=str(EXACT), counter=str(EXACT), recipients=[], sealed="")),
    ("ordered for 100 recipients", variant("ordered", recipients=MANY)),
    ("sampled for everyone, of nothing", variant("sampled", recipients=[], sealed="")),
    ("entry without a place, as the ledger is given", variant("entry", sequence="0", isBodyComplete=False, bodyLength="0")),
    ("entry of all bits", variant("entry", sequence=str(EXACT), version=str(EXACT), putter=ONES, entry=ONES, isPresenceBound=True, isBodyComplete=True, bodyLength=str(EXACT), sealed="ff")),
    ("removed for reason 2", variant("removed", reason=2)),
    ("refused of all bits", variant("refused", frameType=255, session=ONES, subject=ONES, counter=str(EXACT), code=65535, limit=str(EXACT), value=str(EXACT))),
    ("refused of no bits", variant("refused", frameType=0, session=ZERO, subject=ZERO, counter="0", code=0, limit="0", value="0")),
    ("setDoor to open, for good, of nothing sealed", variant("setDoor", mode=0, closesAt="0", passDigest="00" * 32, sealed="")),
    ("setDoor of all bits", variant("setDoor", mode=255, closesAt=str(EXACT), passDigest="ff" * 32)),
    ("knock of nothing", variant("knock", sealed="")),
    ("admit that declines", variant("admit", admits=False)),
    ("waiting of no bits", variant("waiting", seconds=0)),
    ("waiting of all bits", variant("waiting", seconds=65535)),
    ("door that is open for good", variant("door", mode=0, closesAt="0", sealed="")),
    ("door of all bits", variant("door", mode=255, closesAt=str(EXACT))),
    ("knocking of nothing", variant("knocking", sealed="")),
    ("knocked for reason 0", variant("knocked", reason=0)),
    ("presence away", variant("presence", presence=0)),
]

# Where a body's last field is variable, bytes behind it are still ignored: the frame's length says where it ends.
UNKNOWN = framed(0x80, b"") + framed(0xFF, b"what a later version says")


def good_cases():
    for frame in ORDINARY:
        yield {"name": frame["type"], "isCanonical": True}, encoded(frame), [frame]
    for title, frame in EXTREMES:
        yield {"name": title, "isCanonical": True}, encoded(frame), [frame]
    yield {"name": "every type in one message", "isCanonical": True}, encoded(*ORDINARY), ORDINARY
    thousand = [variant("acknowledge", sequence=str(n)) for n in range(1000)]
    yield {"name": "1,000 frames in one message", "isCanonical": True}, encoded(*thousand), thousand
    for frame in ORDINARY:
        number, body = parts(frame)
        yield {"name": f"{frame['type']} with bytes behind its fields", "isCanonical": False}, framed(number, body + b"\x00later"), [frame]
    yield {"name": "an unknown type from 0x80 on, alone", "isCanonical": False}, framed(0xFE, b"abc"), []
    yield {"name": "unknown types around a known frame", "isCanonical": False}, UNKNOWN + encoded(BY_TYPE["ping"]) + UNKNOWN, [BY_TYPE["ping"]]
    for kind, offset in (("hello", 1), ("put", 32), ("welcome", 1), ("entry", 64)):
        number, body = parts(BY_TYPE[kind])
        changed = bytearray(body)
        changed[offset] |= 0xFC
        yield {"name": f"{kind} with flag bits that are not listed", "isCanonical": False}, framed(number, bytes(changed)), [BY_TYPE[kind]]


# Offset in the body of each u64 that is a place, a count or a length (not a token or an incarnation).
COUNTS = [
    ("hello", 76, "sequence of the first session", 16),
    ("record", 16, "counter", 0),
    ("put", 33, "body length", 0),
    ("acknowledge", 16, "sequence", 0),
    ("welcome", 22, "quota", 0),
    ("position", 16, "sequence", 0),
    ("complete", 16, "sequence", 0),
    ("entered", 16, "sequence", 0),
    ("exited", 16, "sequence", 0),
    ("ended", 16, "sequence", 0),
    ("ordered", 16, "sequence", 0),
    ("ordered", 40, "counter", 0),
    ("skipped", 16, "sequence", 0),
    ("skipped", 40, "counter", 0),
    ("entry", 16, "sequence", 0),
    ("entry", 24, "version", 0),
    ("entry", 65, "body length", 0),
    ("removed", 16, "sequence", 0),
    ("stable", 16, "sequence", 0),
    ("refused", 33, "counter", 0),
    ("refused", 43, "limit", 0),
    ("refused", 51, "value", 0),
    ("setDoor", 1, "end", 0),
    ("door", 1, "end", 0),
]

# Offset in the body of each count or length of something that follows.
LENGTHS = [
    ("hello", 74, 2, "sessions"),
    ("record", 24, 1, "recipients"),
    ("record", 24 + 1 + 32, 4, "sealed bytes"),
    ("sample", 16, 1, "recipients"),
    ("sample", 16 + 1 + 16, 4, "sealed bytes"),
    ("put", 41, 4, "sealed bytes"),
    ("position", 24, 2, "participants"),
    ("ordered", 48, 1, "recipients"),
    ("ordered", 48 + 1 + 16, 4, "sealed bytes"),
    ("sampled", 32, 1, "recipients"),
    ("sampled", 32 + 1 + 16, 4, "sealed bytes"),
    ("entry", 73, 4, "sealed bytes"),
    ("setDoor", 41, 4, "sealed bytes"),
    ("knock", 0, 4, "sealed bytes"),
    ("door", 9, 4, "sealed bytes"),
    ("knocking", 16, 4, "sealed bytes"),
]


def broken_cases():
    ping = encoded(BY_TYPE["ping"])
    yield "an empty message", 4100, b""
    for frame in ORDINARY:
        message = encoded(frame)
        number, body = parts(frame)
        kind = frame["type"]
        yield f"{kind}: the message ends before the last byte", 4100, message[:-1]
        yield f"{kind}: its length is one more than the message has", 4100, u8(number) + u32(len(body) + 1) + body
        yield f"{kind}: its length is 4,294,967,295", 4100, u8(number) + u32(2**32 - 1) + body
        if body:
            yield f"{kind}: its body is one byte short", 4100, framed(number, body[:-1])
            yield f"{kind}: its body is empty", 4100, framed(number, b"")
            yield f"{kind}: its body is one byte", 4100, framed(number, body[:1])
            yield f"{kind}: its body is cut in the middle", 4100, framed(number, body[:len(body) // 2])
            yield f"{kind}: its body is one byte short and another frame follows", 4100, framed(number, body[:-1]) + ping
    for count in range(1, 5):
        yield f"{count} bytes of a frame's head, alone", 4100, ping[:count]
        yield f"a whole frame, then {count} bytes of a head", 4100, ping + ping[:count]
    for kind, offset, what, extra in COUNTS:
        number, body = parts(BY_TYPE[kind])
        offset += extra
        for value, said in ((EXACT + 1, "2^53"), (2**63, "2^63"), (WHOLE, "2^64 - 1")):
            yield f"{kind}: {what} is {said}", 4100, framed(number, body[:offset] + u64(value) + body[offset + 8:])
    for kind, offset, width, what in LENGTHS:
        number, body = parts(BY_TYPE[kind])
        now = int.from_bytes(body[offset:offset + width], "big")
        for value, said in ((now + 1, "one more than there are"), (256**width - 1, "as many as can be said")):
            yield f"{kind}: {what}: {said}", 4100, framed(number, body[:offset] + value.to_bytes(width, "big") + body[offset + width:])
    for kind, offset, width, what in LENGTHS:
        if width != 4:
            continue
        number, body = parts(BY_TYPE[kind])
        yield f"{kind}: {what}: 2^31", 4100, framed(number, body[:offset] + u32(2**31) + body[offset + 4:])
        yield f"{kind}: {what} reach into the next frame", 4100, framed(number, body[:offset] + u32(len(SEALED) // 2 + len(ping)) + body[offset + 4:]) + ping
    number, body = parts(variant("hello", **{"pass": PASS}))
    yield "hello: its pass is one byte short", 4100, framed(number, body[:-1])
    yield "hello: its pass is announced and missing", 4100, framed(number, body[:-32])
    for kind in ("record", "sample", "ordered", "sampled"):
        for count in (101, 255):
            recipients = [text(u64(n) + u64(n * n)) for n in range(count)]
            yield f"{kind}: {count} recipients", 4100, encoded({**BY_TYPE[kind], "recipients": recipients})
    for number in (0x00, 0x0E, 0x0F, 0x12, 0x20, 0x2F, 0x7F):
        yield f"unknown type 0x{number:02x}, of nothing", 4107, framed(number, b"")
        yield f"unknown type 0x{number:02x} behind a known frame", 4107, ping + framed(number, b"abc")
    yield "unknown type 0xfe, cut short", 4100, framed(0xFE, b"abc")[:-1]
    yield "unknown type 0xfe whose length is 4,294,967,295", 4100, u8(0xFE) + u32(2**32 - 1)
    yield "unknown type 0xfe, then a known frame cut short", 4100, UNKNOWN + ping[:-1]


def main():
    good = [{**head, "hex": message.hex(), "frames": frames} for head, message, frames in good_cases()]
    broken = [{"name": title, "hex": message.hex(), "close": close} for title, close, message in broken_cases()]
    for cases in (good, broken):
        assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    assert len(broken) > len(good)
    about = ("Binary messages and the frames in them (docs/protocol/frames.md). Written by make.py. Identifiers are base64url, u64 decimal strings, byte fields hexadecimal. "
             "isCanonical: writing the frames gives back exactly these bytes. close: the reason with which a relay closes.")
    lines = lambda cases: ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    path = pathlib.Path(__file__).parent / "frames.json"
    path.write_text(f'{{"about":{json.dumps(about)},\n"good":[\n{lines(good)}\n],\n"broken":[\n{lines(broken)}\n]}}\n')
    print(f"{len(good)} good, {len(broken)} broken")


if __name__ == "__main__":
    main()
