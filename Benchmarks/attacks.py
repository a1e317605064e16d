"""Strangers who misbehave, each as a process of its own: what one sends is not held up by what another measures.

python3 Benchmarks/attacks.py NAME PORT CONVERSATION. Says `begun` once it has hold of the relay and `done` once it has done as much as it means to,
goes on until standard input ends, and ends non-zero with a traceback when it cannot go on.
"""

import contextlib
import os
import pathlib
import resource
import socket
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/browser"))

from support.raw import RawSocket, frames, fresh, hello  # noqa: E402

IDLE_CONNECTIONS = 5_000
SLOW_HEADS = 300
REFUSED_JOINS = 10_000
KNOCKS = 1_000
TOKEN = bytes(32)
WRONG_TOKEN = bytes([1]) * 32
# Who holds a conversation back or is too late is closed; so are they who send on then.
CLOSED = (ConnectionResetError, BrokenPipeError)


class Attack:
    """What is given to each: where the relay is, and how to say how far it has come."""

    def __init__(self, port, conversation):
        self.port = port
        self.conversation = conversation
        self.is_over = threading.Event()
        self.told = set()

    def tell(self, word):
        if word not in self.told:
            self.told.add(word)
            print(word, flush=True)

    def enter(self, conversation, create):
        line = RawSocket(self.port, conversation)
        line.say(hello(TOKEN, create=create))
        line.types(until="complete")
        return line


def record(counter, size=200):
    """As bytes at once: what an attack spends on writing frames it does not spend on the relay."""
    body = bytes(16) + counter.to_bytes(8, "big") + b"\0" + size.to_bytes(4, "big") + bytes(size)
    return b"\x05" + len(body).to_bytes(4, "big") + body


def swallow(line):
    line.connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while line.connection.recv(1 << 20):
            pass
    line.connection.settimeout(20)


def flood(attack):
    """A participant sends at the rate that it is let, and hears and acknowledges everything."""
    with contextlib.closing(attack.enter(fresh(), True)) as line:
        attack.tell("begun")
        counter = 0
        while not attack.is_over.is_set():
            line.send(b"".join(record(counter + place) for place in range(10)))
            counter += 10
            time.sleep(0.0105)
            swallow(line)
            line.say({"type": "acknowledge", "session": frames.ZERO, "sequence": str(counter + 1)})
            if counter >= 5_000:
                attack.tell("done")


def overflow(attack):
    """A participant sends as much as goes in, is closed for it, and comes again."""
    piece = b"".join(record(place, 100) for place in range(100))
    for count in range(sys.maxsize):
        if attack.is_over.is_set():
            return
        with contextlib.closing(attack.enter(fresh(), True)) as line, contextlib.suppress(*CLOSED):
            attack.tell("begun")
            while not attack.is_over.is_set():
                line.send(piece)
        if count >= 20:
            attack.tell("done")


def deaf(attack):
    """Somebody fills a conversation in which another reads nothing, until that one is closed for it; then the next."""
    while not attack.is_over.is_set():
        conversation = fresh()
        with contextlib.closing(attack.enter(conversation, True)) as talker, contextlib.closing(attack.enter(conversation, False)) as listener:
            listener.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            attack.tell("begun")
            # Less than the burst of one participant, more than the outbox of another and what the kernel holds.
            for counter in range(150):
                if attack.is_over.is_set():
                    return
                talker.send(record(counter, 100_000))
                talker.types(until="ordered")
                time.sleep(0.01)
        attack.tell("done")


def idle(attack):
    """Thousands of connections on which nothing is said."""
    with contextlib.ExitStack() as stack:
        for _ in range(IDLE_CONNECTIONS):
            stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", attack.port), timeout=20)))
        attack.tell("begun")
        attack.is_over.wait(3)
        attack.tell("done")
        attack.is_over.wait()


def slow_heads(attack):
    """Hundreds of requests that come a byte at a time; whoever is cut comes again."""
    request = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: " + b"a" * 3_000
    lines = {}
    cut = 0
    try:
        while not attack.is_over.is_set():
            while len(lines) < SLOW_HEADS:
                lines[socket.create_connection(("127.0.0.1", attack.port), timeout=20)] = 0
            attack.tell("begun")
            for line, place in list(lines.items()):
                try:
                    line.send(request[place:place + 1])
                    lines[line] = place + 1
                except OSError:
                    line.close()
                    del lines[line]
                    cut += 1
            if cut >= SLOW_HEADS:
                attack.tell("done")
            time.sleep(0.05)
    finally:
        for line in lines:
            line.close()


def refused(attack):
    """Joins with a wrong token, one after the other, to the conversation that is measured."""
    for count in range(1, sys.maxsize):
        if attack.is_over.is_set():
            return
        with contextlib.closing(RawSocket(attack.port, attack.conversation)) as line:
            line.say(hello(WRONG_TOKEN))
            line.ending()
        attack.tell("begun")
        if count >= REFUSED_JOINS:
            attack.tell("done")


def knock(attack):
    line = RawSocket(attack.port, attack.conversation)
    line.say(hello(TOKEN))
    with contextlib.suppress(*CLOSED):
        line.say({"type": "knock", "sealed": "00" * 1_024})
    return line


def knocking(attack):
    """A thousand stand at the door of the conversation that is measured, then a thousand come, knock and go, over and over."""
    with contextlib.ExitStack() as stack:
        for _ in range(KNOCKS):
            stack.enter_context(contextlib.closing(knock(attack)))
        attack.tell("begun")
        attack.is_over.wait(1)
    for count in range(1, sys.maxsize):
        if attack.is_over.is_set():
            return
        with contextlib.closing(knock(attack)) as line, contextlib.suppress(*CLOSED):
            line.hear()
        if count >= KNOCKS:
            attack.tell("done")


ATTACKS = {function.__name__: function for function in (flood, overflow, deaf, idle, slow_heads, refused, knocking)}


def main():
    name, port, conversation = sys.argv[1:]
    # In truth it sits on another machine.
    os.nice(10)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    attack = Attack(int(port), conversation)

    def listen():
        sys.stdin.read()
        attack.is_over.set()

    threading.Thread(target=listen, daemon=True).start()
    ATTACKS[name](attack)


if __name__ == "__main__":
    main()
