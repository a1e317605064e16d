"""Others' message latency beside strangers who misbehave: quiet first, then each attack, in one run, so that only the ratio counts.

python3 Benchmarks/abuse.py [--messages N]. HEARTH_EXECUTABLE names another relay than the built one. Ends non-zero when a median is beyond twice the quiet one
(and beyond what a busy machine adds to any figure), or when memory or descriptors do not come back.
"""

import argparse
import contextlib
import itertools
import pathlib
import resource
import shutil
import socket
import statistics
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/browser"))

from support.raw import RawSocket, frames, fresh, hello  # noqa: E402
from support.relay import Relay  # noqa: E402

IDLE_CONNECTIONS = 5_000
REFUSED_JOINS = 10_000
RATIO_LIMIT = 2.0
# Below this a difference is the machine's, not the relay's.
NOISE_MILLISECONDS = 1.0
TOKEN = bytes(32)


class Pair:
    """Two people in a conversation of their own; what is timed is the way of one's message to the other."""

    def __init__(self, port):
        conversation = fresh()
        self.sender = self._enter(port, conversation, True)
        self.listener = self._enter(port, conversation, False)
        self.counter = 0
        self.sequence = 2

    def _enter(self, port, conversation, create):
        line = RawSocket(port, conversation)
        line.say(hello(TOKEN, create=create))
        line.types(until="complete")
        return line

    def send(self):
        started = time.perf_counter()
        self.sender.say({"type": "record", "session": frames.ZERO, "counter": str(self.counter), "recipients": [], "sealed": "00" * 200})
        self.listener.types(until="ordered")
        elapsed = time.perf_counter() - started
        self.counter += 1
        self.sequence += 1
        self.sender.types(until="ordered")
        if self.counter % 32 == 0:
            for line in (self.sender, self.listener):
                line.say({"type": "acknowledge", "session": frames.ZERO, "sequence": str(self.sequence)})
        return elapsed * 1_000


def measure(port, messages):
    pair = Pair(port)
    with contextlib.closing(pair.sender), contextlib.closing(pair.listener):
        for _ in range(20):
            pair.send()
        times = []
        for _ in range(messages):
            times.append(pair.send())
            time.sleep(0.004)
    return times


class Attack(threading.Thread):
    """Runs `body` until stopped."""

    def __init__(self, body):
        super().__init__(daemon=True)
        self.body = body
        self.is_over = threading.Event()
        self.has_begun = threading.Event()

    def run(self):
        with contextlib.suppress(OSError):
            self.body(self)

    def __enter__(self):
        self.start()
        self.has_begun.wait(30)
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join(30)


def flood(port):
    """A participant sends as much as it is let, over and over, and comes back under new names."""

    def body(attack):
        record = bytes.fromhex("00" * 16)
        while not attack.is_over.is_set():
            with contextlib.suppress(OSError), contextlib.closing(RawSocket(port, fresh())) as line:
                line.say(hello(TOKEN, create=True))
                line.types(until="complete")
                attack.has_begun.set()
                line.connection.settimeout(1)
                for counter in itertools.count():
                    if attack.is_over.is_set():
                        break
                    body_bytes = record + counter.to_bytes(8, "big") + b"\0" + (200).to_bytes(4, "big") + bytes(200)
                    line.send((b"\x05" + len(body_bytes).to_bytes(4, "big") + body_bytes))
                    # At the permitted rate: what is beyond would only be closed.
                    if counter % 10 == 9:
                        time.sleep(0.0105)
                        line.connection.setblocking(False)
                        with contextlib.suppress(BlockingIOError):
                            while line.connection.recv(1 << 20):
                                pass
                        line.connection.settimeout(1)
                        line.say({"type": "acknowledge", "session": frames.ZERO, "sequence": str(counter + 2)})

    return Attack(body)


def deaf(port):
    """Somebody floods a conversation in which another reads nothing."""

    def body(attack):
        while not attack.is_over.is_set():
            conversation = fresh()
            with contextlib.suppress(OSError), contextlib.closing(RawSocket(port, conversation)) as talker, contextlib.closing(RawSocket(port, conversation)) as listener:
                for line, create in ((talker, True), (listener, False)):
                    line.say(hello(TOKEN, create=create))
                    line.types(until="complete")
                attack.has_begun.set()
                payload = "00" * 100_000
                for counter in range(60):
                    if attack.is_over.is_set():
                        break
                    talker.say({"type": "record", "session": frames.ZERO, "counter": str(counter), "recipients": [], "sealed": payload})
                    talker.types(until="ordered")
                    time.sleep(0.05)

    return Attack(body)


def idle(port):
    """Thousands of connections on which nothing is said."""

    def body(attack):
        with contextlib.ExitStack() as stack:
            for number in range(IDLE_CONNECTIONS):
                stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", port))))
                if number + 1 == IDLE_CONNECTIONS:
                    attack.has_begun.set()
            attack.is_over.wait()

    return Attack(body)


def slow_heads(port):
    """Hundreds of requests that come a byte at a time."""

    def body(attack):
        lines = []
        request = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: " + b"a" * 1_000
        for place in itertools.count():
            if attack.is_over.is_set():
                break
            while len(lines) < 300:
                lines.append((socket.create_connection(("127.0.0.1", port)), place))
            attack.has_begun.set()
            for line, start in list(lines):
                try:
                    line.send(request[(place - start) % len(request):][:1])
                except OSError:
                    line.close()
                    lines.remove((line, start))
            time.sleep(0.05)
        for line, _ in lines:
            line.close()

    return Attack(body)


def refused(port):
    """Joins with a wrong token, one after the other."""

    def body(attack):
        for number in range(REFUSED_JOINS):
            if attack.is_over.is_set():
                break
            with contextlib.suppress(OSError), contextlib.closing(RawSocket(port, fresh())) as line:
                line.say(hello(TOKEN))
                line.ending()
            attack.has_begun.set()
            # The attacker must not take the core on which the others are measured.
            time.sleep(0.002)

    return Attack(body)


ATTACKS = {"a participant floods": flood, "a participant reads nothing": deaf, f"{IDLE_CONNECTIONS} silent connections": idle, "300 slow heads": slow_heads, "refused joins": refused}


def settled(relay, before):
    """Waits until descriptors are back; returns them and the memory."""
    for _ in range(600):
        if relay.descriptors() <= before[0] + 4:
            break
        time.sleep(0.05)
    return relay.descriptors(), relay.resident_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=500)
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    relay = Relay(host="127.0.0.1", quiet=None, max_connections=8_000).start()
    failures = []
    try:
        measure(relay.port, 50)
        before = (relay.descriptors(), relay.resident_bytes())
        print(f"{'':28} {'median':>9} {'99 %':>9} {'ratio':>6}   (ms from one participant to another; quiet is measured before each)")
        for name, attack in ATTACKS.items():
            quiet = measure(relay.port, options.messages)
            with attack(relay.port):
                beside = measure(relay.port, options.messages)
            medians = [statistics.median(times) for times in (quiet, beside)]
            ratio = medians[1] / medians[0]
            for label, times, mark in (("quiet", quiet, ""), (name, beside, f"{ratio:6.2f}")):
                print(f"{label:28} {statistics.median(times):9.3f} {statistics.quantiles(times, n=100)[98]:9.3f} {mark}", flush=True)
            if ratio > RATIO_LIMIT and medians[1] - medians[0] > NOISE_MILLISECONDS:
                failures.append(f"{name}: {ratio:.2f} times the quiet latency")
        after = settled(relay, before)
        print(f"descriptors {before[0]} → {after[0]}, resident {before[1] >> 20} → {after[1] >> 20} MiB")
        if after[0] > before[0] + 4 or after[1] > before[1] + (64 << 20):
            failures.append("not everything was given back")
    finally:
        relay.kill()
        shutil.rmtree(relay.data, ignore_errors=True)
    print("\n".join(failures) or "abuse: within limits")
    return 1 if failures else 0


sys.exit(main())
