"""Throws spoiled WebSocket bytes and requests at the relay itself, while somebody well-behaved talks through it and must not notice.

python3 Fuzzing/sockets.py --seconds N [--seed N] [--artifacts DIRECTORY]. HEARTH_EXECUTABLE names another relay than the built one.
"""

import argparse
import contextlib
import json
import pathlib
import random
import shutil
import socket
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/browser"))

from support.raw import PING, RawSocket, frames, fresh, hello  # noqa: E402
from support.relay import Relay  # noqa: E402

PONG = 0xA
EDGES = [0, 1, 0x7E, 0x7F, 0x80, 0xFE, 0xFF]
ANSWER_SECONDS = 10
ATTACKER_SECONDS = 0.05


class Spoiler:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.corpus = [bytes.fromhex(case["hex"]) for kind, cases in json.loads((ROOT / "Vectors/wire/frames.json").read_text()).items() if kind != "about" for case in cases]

    def spoil(self, content):
        content = bytearray(content)
        for _ in range(self.random.randint(0, 4)):
            place = self.random.randrange(len(content) + 1)
            kind = self.random.randrange(5)
            if kind == 0 and content:
                content[place % len(content)] = self.random.choice(EDGES)
            elif kind == 1 and content:
                content[place % len(content)] ^= 1 << self.random.randrange(8)
            elif kind == 2:
                del content[place:place + self.random.randrange(16)]
            elif kind == 3:
                content[place:place] = self.random.randbytes(self.random.randrange(16))
            else:
                content[place:place] = self.random.choice(self.corpus)[:200]
        return bytes(content)

    def web_socket_frame(self, payload):
        """One frame with a head that is right most of the time."""
        choose = self.random.random
        opcode = 2 if choose() < 0.8 else self.random.randrange(16)
        first = (0x80 if choose() < 0.9 else 0) | (self.random.randrange(8) << 4 if choose() < 0.05 else 0) | opcode
        size = len(payload) if choose() < 0.95 else self.random.choice([0, 125, 126, 127, 65_535, 65_536, 1 << 31, 1 << 62, 1 << 63])
        masked = 0x80 if choose() < 0.95 else 0
        if size < 126 and choose() < 0.95:
            head = bytes([first, masked | size])
        elif size < 65_536 and choose() < 0.95:
            head = bytes([first, masked | 126]) + size.to_bytes(2, "big")
        else:
            head = bytes([first, masked | 127]) + size.to_bytes(8, "big")
        key = self.random.randbytes(4)
        body = bytes(byte ^ key[index & 3] for index, byte in enumerate(payload)) if masked else payload
        return head + (key if masked else b"") + body


class PoliteSocket(RawSocket):
    """Answers WebSocket's own pings, as every browser does."""

    def hear(self):
        while True:
            opcode, payload = super().hear()
            if opcode != PING:
                return opcode, payload
            self.send(payload, opcode=PONG)


class Bystander:
    """Says one thing after the other and hears each of them come back in its place."""

    def __init__(self, port):
        token = bytes(range(32))
        self.conversation = fresh()
        self.line = PoliteSocket(port, self.conversation)
        self.line.say(hello(token, create=True))
        self.line.types(until="complete")
        self.count = 0

    def talk(self):
        self.line.say({"type": "record", "session": frames.ZERO, "counter": str(self.count), "recipients": [], "sealed": "0102"})
        self.line.types(until="ordered")
        self.line.say({"type": "acknowledge", "session": frames.ZERO, "sequence": str(self.count + 1)})
        self.count += 1


def attack_socket(port, spoiler, bystander):
    """A participant that is let in, to the bystander's or to its own conversation, and then talks nonsense."""
    conversation = fresh()
    with contextlib.closing(RawSocket(port, conversation)) as line:
        token = bytes(32)
        greeting = frames.encoded(hello(token, create=True))
        if spoiler.random.random() < 0.8:
            line.send(greeting)
            line.types(until="complete")
        else:
            line.send_raw(spoiler.web_socket_frame(spoiler.spoil(greeting)))
        for _ in range(spoiler.random.randint(1, 12)):
            payload = b"".join(spoiler.spoil(spoiler.random.choice(spoiler.corpus)) for _ in range(spoiler.random.randint(1, 3)))
            sent = spoiler.web_socket_frame(payload)
            line.send_raw(sent if spoiler.random.random() < 0.9 else spoiler.spoil(sent))
        line.connection.settimeout(ATTACKER_SECONDS)
        line.ending()


def attack_request(port, spoiler, bystander):
    name = bystander.conversation
    part = f"/v1/conversations/{name}/sessions/{name}/attachments/{name}/parts/0"
    request = spoiler.random.choice([
        f"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", f"PUT {part} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nAuthorization: Bearer {'A' * 43}\r\n\r\nhello",
        f"GET {part} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {'A' * 43}\r\n\r\n", f"DELETE {part[:-8]} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        f"GET /v1/conversations/{name} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n"
        "Sec-WebSocket-Protocol: hearth.v1\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\n\r\n",
    ]).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=ATTACKER_SECONDS) as connection:
        connection.sendall(spoiler.spoil(request * spoiler.random.randint(1, 3)))
        while connection.recv(65_536):
            pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    parser.add_argument("--artifacts", default="artifacts/fuzzing")
    options = parser.parse_args()
    spoiler = Spoiler(options.seed)
    relay = Relay(host="127.0.0.1", quiet=None).start()
    count = 0
    try:
        bystander = Bystander(relay.port)
        bystander.line.connection.settimeout(ANSWER_SECONDS)
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            attack = attack_socket if spoiler.random.random() < 0.6 else attack_request
            with contextlib.suppress(ConnectionError, TimeoutError, AssertionError):
                attack(relay.port, spoiler, bystander)
            count += 1
            # Often, for who says nothing for half a minute is closed.
            bystander.talk()
        bystander.talk()
        assert relay.is_running
    except (OSError, AssertionError) as failure:
        state = "still runs" if relay.is_running else f"ended with {relay.process.poll()}"
        print(f"sockets: FOUND something after {count} attacks (seed {options.seed}): {failure!r}; the relay {state}", *relay.log[-30:], sep="\n")
        return 1
    finally:
        if relay.is_running:
            relay.kill()
        shutil.rmtree(relay.data, ignore_errors=True)
    print(f"sockets: {count} attacks in {options.seconds:g} s, nothing found (seed {options.seed})")
    return 0


sys.exit(main())
