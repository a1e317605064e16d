"""Times photos on their way through the relay, beside nginx with the same bytes in the same run, and writes the table to Benchmarks/latest.md."""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import platform
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/browser"))

from support.relay import Relay  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
MARK = 1.3


@dataclasses.dataclass
class Load:
    name: str
    count: int
    size: int


LOADS = [Load("1 photo of 3 MB", 1, 3_000_000), Load("30 photos of 3 MB", 30, 3_000_000), Load("1 of 100 MB", 1, 100_000_000)]


def cpu_seconds(pid):
    """User and system time of a process, its threads included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Participant:
    """A node process that Benchmarks/participant.mjs runs in."""

    def __init__(self):
        node = shutil.which("node", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        self.process = subprocess.Popen([node, "--no-warnings", "--experimental-websocket", ROOT / "Benchmarks/participant.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @property
    def pid(self):
        return self.process.pid

    def tell(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def hear(self, did):
        line = self.process.stdout.readline()
        report = json.loads(line) if line else {"failed": "the process ended"}
        if report.get("did") != did:
            raise SystemExit(f"a participant was to {did}, and said {line}")
        return report

    def ask(self, **order):
        self.tell(**order)
        return self.hear(order["do"])

    def close(self):
        self.tell(do="leave")
        self.hear("leave")
        self.process.wait(timeout=10)


@dataclasses.dataclass
class Result:
    wall: float
    cpu: dict
    upload: float = 1.0


def through_hearth(relay, load, files, digests, receivers):
    """From the sender's `add` until every receiver holds every byte, opened and checked."""
    sender = Participant()
    link = sender.ask(do="create", relay=relay.url.rstrip("/"))["link"]
    sender.ask(do="enter")
    others = [Participant() for _ in range(receivers)]
    for number, other in enumerate(others):
        other.ask(do="join", link=link, name=f"Receiver {number + 1}")
        other.ask(do="enter")
        other.tell(do="receive", count=load.count)
    everyone = {"relay": [relay.process.pid], "sender": [sender.pid], "receivers": [other.pid for other in others]}
    before = {name: sum(map(cpu_seconds, pids)) for name, pids in everyone.items()}
    uploaded = relay.metrics()["hearth_body_bytes_received_total"]
    started = time.monotonic()
    sender.tell(do="send", files=[str(path) for path in files])
    for other in others:
        other.hear("receive")
    wall = time.monotonic() - started
    sender.hear("send")
    cpu = {name: sum(map(cpu_seconds, pids)) - before[name] for name, pids in everyone.items()}
    for other in others:
        assert other.ask(do="check")["digests"] == digests, "what was received differs from what was sent"
    upload = (relay.metrics()["hearth_body_bytes_received_total"] - uploaded) / (load.count * load.size)
    for one in (*others, sender):
        one.close()
    return Result(wall, cpu, upload)


class Nginx:
    """WebDAV on a free port: PUT as files, GET by sendfile. One worker, like the relay's one loop."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-nginx-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "files").mkdir()
        config = self.folder / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        config.write_text(f"""{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ }}
http {{ access_log off; sendfile on; tcp_nopush on; client_max_body_size 200m; client_body_temp_path {self.folder}/temp;
proxy_temp_path {self.folder}/t1; fastcgi_temp_path {self.folder}/t2; uwsgi_temp_path {self.folder}/t3; scgi_temp_path {self.folder}/t4;
server {{ listen 127.0.0.1:{self.port}; root {self.folder}/files; location / {{ dav_methods PUT DELETE; }} }} }}""")
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        self.process = subprocess.Popen([nginx, "-p", self.folder, "-e", self.folder / "error.log", "-c", config])
        deadline = time.monotonic() + 10
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"nginx does not run: {(self.folder / 'error.log').read_text()}")
            time.sleep(0.01)

    def pids(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def through_nginx(nginx, load, files, digests, receivers):
    """PUT of every file by one curl, then GETs by as many curls as there are receivers, at the same time."""
    url = f"http://127.0.0.1:{nginx.port}"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-curl-"))
    before = sum(map(cpu_seconds, nginx.pids()))
    put = ["curl", "-sSf", "--no-progress-meter", "--parallel", "--parallel-max", "4", "-H", "Expect:"]
    for path in files:
        put += ["-T", str(path), f"{url}/{path.name}"]
    started = time.monotonic()
    children = os.times()
    subprocess.run(put, check=True, stdout=subprocess.DEVNULL)
    put_wall = time.monotonic() - started
    mid = os.times()
    gets = []
    for number in range(receivers):
        get = ["curl", "-sSf", "--no-progress-meter", "--parallel", "--parallel-max", "4"]
        for path in files:
            get += ["-o", str(folder / f"{number}-{path.name}"), f"{url}/{path.name}"]
        gets.append(subprocess.Popen(get))
    for get in gets:
        if get.wait():
            raise SystemExit("curl could not get what it had put")
    wall = time.monotonic() - started
    after = os.times()
    used = lambda a, b: b.children_user + b.children_system - a.children_user - a.children_system
    cpu = {"relay": sum(map(cpu_seconds, nginx.pids())) - before, "sender": used(children, mid), "receivers": used(mid, after), "put": put_wall}
    for number in range(receivers):
        assert sorted(hashlib.sha256((folder / f"{number}-{path.name}").read_bytes()).hexdigest() for path in files) == digests
    shutil.rmtree(folder)
    return Result(wall, cpu)


def make_files(load, folder):
    source = random.Random(load.size)
    block = source.randbytes(1 << 20)
    paths = []
    for number in range(load.count):
        path = folder / f"{load.size}-{number}.jpg"
        with open(path, "wb") as file:
            file.write(source.randbytes(64))
            while (rest := load.size - file.tell()) > 0:
                file.write(block[:rest])
        paths.append(path)
    return paths


def median(results):
    return sorted(results, key=lambda result: result.wall)[len(results) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "Benchmarks/latest.md")
    options = parser.parse_args()
    lines = [
        "# `make bench`", "",
        f"{os.cpu_count()} cores, {platform.machine()}, Linux {platform.release().split('-')[0]}, everything on one machine. Median of {options.rounds} rounds (least to greatest); both programs in turn in each round.",
        "Hearth: from the sender's `add` until every receiver has loaded, opened and checked every byte; sealed end to end, by node. nginx: PUT, then GETs at the same time, by curl, in the clear.", "",
        "| load | to | Hearth wall s | nginx wall s | ratio | relay CPU s | nginx CPU s | sender CPU s | receivers CPU s | upload |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    marked = None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-bench-"))
    nginx = Nginx()
    try:
        for load in LOADS:
            files = make_files(load, folder)
            digests = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
            for receivers in (1, 3):
                ours, theirs = [], []
                for _ in range(options.rounds):
                    with Relay() as relay:
                        ours.append(through_hearth(relay, load, files, digests, receivers))
                    theirs.append(through_nginx(nginx, load, files, digests, receivers))
                a, b = median(ours), median(theirs)
                spread = lambda results: f"({min(r.wall for r in results):.2f}–{max(r.wall for r in results):.2f})"
                row = (f"| {load.name} | {receivers} | {a.wall:.2f} {spread(ours)} | {b.wall:.2f} {spread(theirs)} | {a.wall / b.wall:.2f} | {a.cpu['relay']:.2f} | {b.cpu['relay']:.2f} "
                       f"| {a.cpu['sender']:.2f} | {a.cpu['receivers']:.2f} | {max(r.upload for r in ours):.2f} × |")
                print(row, flush=True)
                lines.append(row)
                if load.size == 100_000_000 and receivers == 3:
                    marked = a.wall / b.wall
    finally:
        nginx.close()
        shutil.rmtree(folder)
    verdict = f"The mark: 100 MB to three at most {MARK} × nginx's wall. It is {marked:.2f}: {'met' if marked <= MARK else 'not met'}."
    print("\n" + verdict)
    options.output.write_text("\n".join([*lines, "", verdict, ""]))


main()
