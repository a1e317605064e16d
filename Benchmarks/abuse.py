"""Others' message latency beside strangers who misbehave: quiet first, then each attack, in one run, so that only the ratio counts.

python3 Benchmarks/abuse.py [--messages N] [--attacks NAME …]. HEARTH_EXECUTABLE names another relay than the built one. Each attack is measured until it has done
what it means to do, and the relay's own figures have to show it. Ends non-zero when a median is beyond twice the quiet one in each of three tries, when an attack did not
come off, or when the relay does not give back what attacks have taken: within a minute after each round its memory has to be nearly what it was before.
"""

import argparse
import contextlib
import hashlib
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/browser"))

import attacks  # noqa: E402
from support.raw import RawSocket, frames, fresh, hello  # noqa: E402
from support.relay import Relay  # noqa: E402

RATIO_LIMIT = 2.0
TRIES = 3
ATTACK_SECONDS = 180
KNOCKS_AT_ONCE, KNOCK_BURST = 32, 128
GROWTH_LIMIT_BYTES = 16 << 20
MEMORY_SECONDS = 75
DESCRIPTOR_LIMIT = 4

# By each attack: what it is called, and which figure of the relay has to have grown by how much.
ATTACKS = {
    "flood": ("a participant floods as it may", 'hearth_records_total', 5_000),
    "overflow": ("a participant floods beyond that", 'hearth_closed_total{code="4110"}', 20),
    "deaf": ("a participant reads nothing", 'hearth_closed_total{code="4201"}', 1),
    "idle": (f"{attacks.IDLE_CONNECTIONS:,} silent connections", "hearth_connections", attacks.IDLE_CONNECTIONS),
    "slow_heads": (f"{attacks.SLOW_HEADS} slow heads", "hearth_connections", attacks.SLOW_HEADS),
    "refused": (f"{attacks.REFUSED_JOINS:,} refused joins", 'hearth_closed_total{code="4103"}', attacks.REFUSED_JOINS),
    "knocking": (f"{attacks.KNOCKS:,} knocks at once, and more", 'hearth_closed_total{code="4114"}', attacks.KNOCKS * 3 // 2),
}


class Pair:
    """Two people in a conversation of their own, at whose door people have to knock; what is timed is the way of one's message to the other."""

    def __init__(self, port):
        self.conversation = fresh()
        self.sender = self._enter(port, True)
        self.sender.say({"type": "setDoor", "mode": 1, "closesAt": "0", "passDigest": hashlib.sha256(attacks.TOKEN).hexdigest(), "sealed": "00"})
        self.sender.types(until="door")
        self.listener = self._enter(port, False)
        self.counter = 0
        self.sequence = 2
        self.knocks_heard = 0

    def _enter(self, port, create):
        line = RawSocket(port, self.conversation)
        line.say({**hello(attacks.TOKEN, create=create), "pass": attacks.TOKEN.hex()})
        line.types(until="complete")
        return line

    def close(self):
        for line in (self.listener, self.sender):
            with contextlib.suppress(OSError), contextlib.closing(line):
                line.say({"type": "leave"})
                line.ending()

    def send(self):
        started = time.perf_counter()
        self.sender.say({"type": "record", "session": frames.ZERO, "counter": str(self.counter), "recipients": [], "sealed": "00" * 200})
        heard = self.listener.types(until="ordered")
        elapsed = time.perf_counter() - started
        self.knocks_heard += heard.count(frames.BODIES["knocking"][0])
        self.counter += 1
        self.sequence += 1
        self.sender.types(until="ordered")
        if self.counter % 32 == 0:
            for line in (self.sender, self.listener):
                line.say({"type": "acknowledge", "session": frames.ZERO, "sequence": str(self.sequence)})
        return elapsed * 1_000

    def measure(self, count, is_enough=lambda: True):
        """So many messages, and on until it is enough."""
        times = []
        while len(times) < count or not is_enough():
            times.append(self.send())
            time.sleep(0.004)
        return times


class Running:
    """An attack in its process."""

    def __init__(self, name, port, conversation):
        self.name = name
        self.process = subprocess.Popen([sys.executable, ROOT / "Benchmarks/attacks.py", name, str(port), conversation], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.words = set()
        self.has_news = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.words.add(line.strip())
            self.has_news.set()
        self.has_news.set()

    def has_said(self, word):
        return word in self.words

    def __enter__(self):
        while not self.has_said("begun"):
            assert self.has_news.wait(ATTACK_SECONDS) and self.process.poll() is None, f"{self.name} did not begin"
            self.has_news.clear()
        self.deadline = time.monotonic() + ATTACK_SECONDS
        return self

    def is_done(self):
        assert time.monotonic() < self.deadline, f"{self.name} was not done within {ATTACK_SECONDS} s"
        assert self.process.poll() is None, f"{self.name} ended by itself"
        return self.has_said("done")

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert status == 0, f"{self.name} ended with {status}"


def try_once(relay, name, messages):
    """Latencies in quiet and beside the attack, and what is to be said against the attack or the relay."""
    called, figure, least = ATTACKS[name]
    with contextlib.closing(Pair(relay.port)) as pair:
        pair.measure(20)
        quiet = pair.measure(messages)
        before = relay.metrics()
        started = time.monotonic()
        with Running(name, relay.port, pair.conversation) as attack:
            standing = relay.metrics()
            beside = pair.measure(messages, attack.is_done)
            after = relay.metrics()
        seconds = time.monotonic() - started
        faults = []
        grown = (standing if figure == "hearth_connections" else after).get(figure, 0) - before.get(figure, 0)
        if grown < least:
            faults.append(f"{called}: {figure} grew by {grown:,.0f} instead of {least:,}")
        if name == "knocking":
            if standing["hearth_waiting"] > KNOCKS_AT_ONCE:
                faults.append(f"{called}: {standing['hearth_waiting']:.0f} wait at the door instead of {KNOCKS_AT_ONCE}")
            if not KNOCKS_AT_ONCE <= pair.knocks_heard <= KNOCK_BURST + seconds + 1:
                faults.append(f"{called}: members heard of {pair.knocks_heard} knocks in {seconds:.0f} s")
    return quiet, beside, faults


def attempt(relay, name, messages):
    """Up to three tries; prints each. What is to be said against the last of them."""
    called = ATTACKS[name][0]
    for _ in range(TRIES):
        quiet, beside, faults = try_once(relay, name, messages)
        ratio = statistics.median(beside) / statistics.median(quiet)
        for label, times, mark in (("quiet", quiet, ""), (called, beside, f"{ratio:6.2f}")):
            print(f"{label:32} {statistics.median(times):9.3f} {statistics.quantiles(times, n=100)[98]:9.3f} {mark}", flush=True)
        if faults or ratio <= RATIO_LIMIT:
            return faults
    return [f"{called}: {ratio:.2f} times the quiet latency, in the last of {TRIES} tries"]


def settled(relay, most=None):
    """What is left once everybody's time is over: descriptors, memory at first, and memory once it is no more than `most`, or a minute has passed."""
    relay.forgets_everything()
    relay.comes_to("the connections are gone", lambda: relay.metrics()["hearth_connections"] <= 1)
    held = relay.resident_bytes()
    deadline = time.monotonic() + MEMORY_SECONDS
    while most is not None and relay.resident_bytes() > most and time.monotonic() < deadline:
        time.sleep(1)
    return relay.descriptors(), held, relay.resident_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--attacks", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    relay = Relay(host="127.0.0.1", quiet=None, max_connections=8_000, grace_seconds=0, resume_window_seconds=0).start()
    failures = []
    try:
        with contextlib.closing(Pair(relay.port)) as pair:
            pair.measure(50)
        left = [settled(relay)]
        most = left[0][2] + GROWTH_LIMIT_BYTES
        print(f"{'':32} {'median':>9} {'99 %':>9} {'ratio':>6}   (ms from one participant to another; quiet is measured before each)")
        for name in options.attacks:
            failures += attempt(relay, name, options.messages)
        left.append(settled(relay, most))
        for name in options.attacks:
            failures += try_once(relay, name, 50)[2]
        left.append(settled(relay, most))
        print(f"{'':32} {'descriptors':>12} {'resident':>9} {'and later':>9}   (MiB)")
        for when, (descriptors, held, resident) in zip(("before", "after a round", "after another"), left):
            print(f"{when:32} {descriptors:12} {held >> 20:9} {resident >> 20:9}")
        if left[2][0] > left[0][0] + DESCRIPTOR_LIMIT:
            failures.append("not all descriptors were given back")
        for _, _, resident in left[1:]:
            if resident > most:
                failures.append(f"{(resident - left[0][2]) >> 20} MiB did not come back within {MEMORY_SECONDS} s")
    except AssertionError as error:
        failures.append(str(error))
    finally:
        relay.kill()
        shutil.rmtree(relay.data, ignore_errors=True)
    print("\n".join(failures) or "abuse: within limits")
    return 1 if failures else 0


sys.exit(main())
