"""Input that no browser sends, thrown at a relay that people are using: only the connection that did it closes."""

import json
import os
import socket
import struct
import threading

import pytest

from support.raw import PING, TEXT, ZERO, RawSocket, frames, fresh, hello, http
from support.relay import ROOT, Relay

TOKEN = bytes(range(32))


@pytest.fixture(scope="module")
def quiet():
    """One relay for the whole file, without a line for each of the many requests."""
    with Relay(quiet=None) as started:
        yield started


@pytest.fixture
def room(quiet):
    """A conversation with one participant in it who must not notice anything; its name."""
    name = fresh()
    witness = RawSocket(quiet.port, name)
    witness.say(hello(TOKEN, create=True))
    witness.types("complete")
    yield name
    # The witness still has its connection, and the relay still answers it.
    witness.say({"type": "ping", "token": "77"})
    assert frames.BODIES["pong"][0] in witness.types("pong")
    witness.close()
    assert quiet.is_running and quiet.get("/healthz")[0] == 200


def member(quiet, room):
    one = RawSocket(quiet.port, room)
    one.say(hello(TOKEN))
    one.types("complete")
    return one


# To a relay these are types that it does not know, and skips by their length, whatever is in them.
SKIPPED = {name for name, (number, _) in frames.BODIES.items() if number >= 0x80}


def is_refused(case):
    name, _, fault = case["name"].partition(": ")
    return name not in SKIPPED or fault.startswith(("the message", "its length"))


BROKEN = [case for case in json.loads((ROOT / "Vectors/wire/frames.json").read_text())["broken"] if is_refused(case)]


def test_every_broken_message_of_the_vectors_closes_its_own_connection_with_its_number(quiet, room):
    for case in BROKEN:
        # Whoever is closed so keeps its place for a while: a conversation for each.
        one = RawSocket(quiet.port, fresh())
        one.say(hello(TOKEN, create=True))
        one.types("complete")
        one.send(bytes.fromhex(case["hex"]))
        assert one.ending() == case["close"], case["name"]
        one.close()


@pytest.mark.parametrize(("assault", "endings"), [
    (lambda one: one.send(b"hello", opcode=TEXT), {4100}),
    (lambda one: one.send(b"", opcode=TEXT), {4100}),
    (lambda one: one.send(b"\x10" + bytes(12), reserved=4), {1002, 1006}),
    (lambda one: one.send(b"\x10" + bytes(12), reserved=2), {1002, 1006}),
    (lambda one: one.send(b"\x10" + bytes(12), reserved=1), {1002, 1006}),
    (lambda one: one.send(b"", opcode=0x3), {1002, 1006}),
    (lambda one: one.send(b"", opcode=0xB), {1002, 1006}),
    (lambda one: one.send(b"", opcode=0x0), {1002, 1006}),
    (lambda one: one.send(b"x", opcode=PING, is_final=False), {1002, 1006}),
    (lambda one: one.send(bytes(126), opcode=PING), {1002, 1006}),
    (lambda one: one.send_raw(struct.pack(">BBQ", 0x82, 0x80 | 127, 2**63) + bytes(4)), {1002, 1006, 1009, 4100, 4108}),
    (lambda one: one.send_raw(struct.pack(">BBQ", 0x82, 0x80 | 127, 2**63 - 1) + bytes(4) + bytes(600_000)), {1002, 1006, 1009, 4100, 4108}),
    (lambda one: one.send_raw(struct.pack(">BBQ", 0x82, 0x80 | 127, 2**40) + bytes(4) + bytes(600_000)), {1002, 1006, 1009, 4100, 4108}),
    (lambda one: one.send(bytes([0x10]) + struct.pack(">I", 8) + bytes(600_000)), {1006, 1009, 4100, 4108}),
    (lambda one: one.send(bytes([0x05]) + struct.pack(">I", 2**32 - 1)), {4100, 4108}),
    (lambda one: one.send(b""), {4100}),
    (lambda one: one.send(bytes([0x7F]) + bytes(4)), {4107}),
    (lambda one: one.say(hello(TOKEN)), {4100}),
    (lambda one: one.say({"type": "welcome", **{k: v for k, v in frames.BY_TYPE["welcome"].items() if k != "type"}}), {4100, 4107}),
], ids=["text", "empty text", "reserved bit 1", "reserved bit 2", "reserved bit 3", "reserved opcode 3", "reserved opcode 11", "a continuation of nothing", "a ping in pieces", "a ping of 126 bytes",
        "a length of 2^63", "a length of 2^63 - 1", "a length of 2^40", "a message of 600,000 bytes", "a frame of 4 GB", "an empty message", "an unknown type", "a second hello", "a frame of the relay's own"])
def test_a_message_that_is_none_closes_only_the_connection_it_came_on(quiet, room, assault, endings):
    one, other = member(quiet, room), member(quiet, room)
    assault(one)
    assert one.ending() in endings
    other.say({"type": "ping", "token": "5"})
    other.types("pong")
    other.close()
    one.close()


def test_before_hello_nothing_else_is_listened_to(quiet, room):
    for frame in frames.ORDINARY:
        if frame["type"] in {"hello", *SKIPPED}:
            continue
        one = RawSocket(quiet.port, room)
        one.say(frame)
        assert one.ending() in (4100, 4107), frame["type"]
        one.close()


@pytest.mark.parametrize("request_bytes", [
    b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /gallery/../../Package.swift HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET //etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /index.html%00.js HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /gallery/main.js%00.css HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /index.html\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /gallery/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /.git/config HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /tests/frames.test.js HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/sessions/..%2f..%2f/attachments/AAAAAAAAAAAAAAAAAAAAAA/parts/0 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/sessions/AAAAAAAAAAAAAAAAAAAAAA/attachments/AAAAAAAAAAAAAAAAAAAAAA/parts/-1 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/sessions/AAAAAAAAAAAAAAAAAAAAAA/attachments/AAAAAAAAAAAAAAAAAAAAAA/parts/99999999999999999999 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"PUT /index.html HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\nabc",
    b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999999\r\n\r\nabc",
    b"CONNECT example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64) + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(2_000)) + b"\r\n",
], ids=lambda request: repr(request[:60]))
def test_a_request_for_what_is_none_of_ours_gets_nothing(quiet, room, request_bytes):
    answer = http(quiet.port, request_bytes.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
    assert answer is not None, "it is neither answered nor closed"
    status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None
    assert status is None or 400 <= status < 600, answer[:200]
    for secret in (b"root:", b"PackageDescription", b"[core]", b"node:test"):
        assert secret not in answer


def test_half_a_head_silence_and_a_slow_head_are_cut_off(quiet, room):
    halves = []
    for half in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ", b"PUT /v1/conversations/AAAAAAAAAAAAAAAAAAAAAA/sessions/A"):
        one = socket.create_connection(("127.0.0.1", quiet.port), timeout=60)
        one.sendall(half)
        halves.append(one)
    unspoken = RawSocket(quiet.port, room, seconds=60)
    stop = threading.Event()

    def drip():
        with socket.create_connection(("127.0.0.1", quiet.port), timeout=60) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            try:
                while not stop.wait(1):
                    slow.sendall(b"a")
                dripping.append("still open")
            except OSError:
                dripping.append("cut off")

    dripping = []
    dripper = threading.Thread(target=drip)
    dripper.start()
    for one in halves:
        # Whatever is answered, the end comes.
        while one.recv(4096):
            pass
        one.close()
    assert unspoken.ending() in (4100, 4202), "a connection that never says hello"
    dripper.join(timeout=40)
    stop.set()
    dripper.join(timeout=5)
    assert dripping == ["cut off"]


def test_ten_thousand_refused_joins_leave_nothing_behind(quiet, room):
    def refuse(count):
        for number in range(count):
            one = RawSocket(quiet.port, room)
            one.say(hello(os.urandom(32), create=number % 2 == 0))
            assert one.ending() == 4103
            one.close()

    def refuse_in_parallel(total, width=4):
        threads = [threading.Thread(target=refuse, args=(total // width,)) for _ in range(width)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    refuse_in_parallel(1_000)
    quiet.comes_to("all are gone", lambda: quiet.metrics()["hearth_connections"] <= 2)
    before = (quiet.resident_bytes(), quiet.descriptors(), quiet.metrics())
    refuse_in_parallel(10_000)
    quiet.comes_to("all are gone", lambda: quiet.metrics()["hearth_connections"] <= 2)
    after = (quiet.resident_bytes(), quiet.descriptors(), quiet.metrics())
    closed = 'hearth_closed_total{code="4103"}'
    assert after[2][closed] - before[2][closed] == 10_000
    assert after[0] - before[0] < 4_000_000, f"memory grew by {after[0] - before[0]} bytes"
    assert after[1] <= before[1] + 1
    assert (after[2]["hearth_participants"], after[2]["hearth_conversations"]) == (before[2]["hearth_participants"], before[2]["hearth_conversations"])


def test_a_participant_that_reads_nothing_is_closed_and_the_others_go_on(quiet):
    name, senders = fresh(), []
    for number in range(3):
        one = RawSocket(quiet.port, name)
        one.say(hello(TOKEN, create=number == 0))
        one.types("complete")
        senders.append(one)
    deaf = RawSocket(quiet.port, name)
    # Its system's own buffer is small, so that what it does not read waits at the relay.
    deaf.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.say(hello(TOKEN))
    quiet.comes_to("it is in", lambda: quiet.metrics()["hearth_participants"] >= 4)
    # Too slow to be written to, or so far behind that the log is cut: whichever limit it reaches first.
    closed = lambda: sum(quiet.metrics().get(f'hearth_closed_total{{code="{code}"}}', 0) for code in (4201, 4300))
    before, resident = closed(), quiet.resident_bytes()
    sealed = os.urandom(300_000).hex()
    # Within what one participant may send at once; each waits for everything that all have sent.
    for counter in range(40):
        for one in senders:
            one.say({"type": "record", "session": ZERO, "counter": str(counter), "recipients": [], "sealed": sealed})
        for one in senders:
            heard = 0
            while heard < len(senders):
                heard += one.types("ordered").count(frames.BODIES["ordered"][0])
            # Four have come before the first record.
            one.say({"type": "acknowledge", "session": ZERO, "sequence": str(4 + len(senders) * (counter + 1))})
    quiet.comes_to("the one that reads nothing is closed, and nobody else", lambda: closed() == before + 1)
    assert quiet.resident_bytes() - resident < 64_000_000
    for one in (*senders, deaf):
        one.close()
