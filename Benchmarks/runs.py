"""One run of one load through the relay, or through nginx, with the processor time of everybody who takes part."""

import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TICKS = os.sysconf("SC_CLK_TCK")
PARALLEL = ["--parallel", "--parallel-max", "3"]


@dataclasses.dataclass
class Result:
    wall: float
    cpu: dict
    upload: float = 1.0


def cpu_seconds(pids):
    """User and system time of processes, their threads included."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


class Clock:
    """Wall time and processor time of named groups of processes, from its making until `stop`."""

    def __init__(self, **groups):
        self.groups = groups
        self.before = {name: cpu_seconds(pids) for name, pids in groups.items()}
        self.started = time.monotonic()

    def stop(self):
        self.wall = time.monotonic() - self.started

    def result(self, **more):
        return Result(self.wall, {name: cpu_seconds(pids) - self.before[name] for name, pids in self.groups.items()}, **more)


class Program:
    """A node program that obeys one line at a time."""

    def __init__(self, name):
        node = shutil.which("node", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        self.process = subprocess.Popen([node, "--no-warnings", "--experimental-websocket", ROOT / "Benchmarks" / name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

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
        self.ask(do="leave")
        self.process.wait(timeout=10)


def through_hearth(relay, warm, files, digests, receivers):
    """From the sender's `add` until every receiver holds every byte, opened and checked."""
    sender, others = Program("participant.mjs"), [Program("participant.mjs") for _ in range(receivers)]
    link = sender.ask(do="create", relay=relay.url.rstrip("/"))["link"]
    sender.ask(do="enter")
    for number, other in enumerate(others):
        other.ask(do="join", link=link, name=f"Receiver {number + 1}")
        other.ask(do="enter")
        other.tell(do="receive", count=1)
    sender.ask(do="send", files=[str(warm)])
    for other in others:
        other.hear("receive")
        other.tell(do="receive", count=len(files))
    received = lambda: relay.metrics()["hearth_body_bytes_received_total"]
    before = received()
    clock = Clock(server=[relay.process.pid], sender=[sender.pid], receivers=[other.pid for other in others])
    sender.tell(do="send", files=[str(path) for path in files])
    for other in others:
        other.hear("receive")
    clock.stop()
    sender.hear("send")
    result = clock.result(upload=(received() - before) / sum(path.stat().st_size for path in files))
    for other in others:
        assert other.ask(do="check")["digests"] == digests, "what was received differs from what was sent"
    for one in (*others, sender):
        one.close()
    return result


class Nginx:
    """WebDAV on a free port: PUT as files, GET by sendfile. One worker, as the relay has one loop."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-nginx-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "files").mkdir()
        config = self.folder / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        temporary = " ".join(f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config.write_text(f"""{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ }}
http {{ access_log off; sendfile on; tcp_nopush on; client_max_body_size 200m; {temporary}
server {{ listen 127.0.0.1:{self.port}; root {self.folder}/files; location / {{ dav_methods PUT DELETE; }} }} }}""")
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        self.process = subprocess.Popen([nginx, "-p", self.folder, "-e", self.folder / "error.log", "-c", config])
        deadline = time.monotonic() + 10
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"nginx does not run: {(self.folder / 'error.log').read_text()}")
            time.sleep(0.01)
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def pids(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def through_nginx(nginx, files, digests, receivers):
    """PUT of every file by one curl, then GETs by as many curls as there are receivers, at the same time."""
    put = ["curl", "-sSf", "--no-progress-meter", *PARALLEL, "-H", "Expect:"]
    for path in files:
        put += ["-T", str(path), f"{nginx.url}/{path.name}"]
    used = lambda a, b: b.children_user + b.children_system - a.children_user - a.children_system
    with tempfile.TemporaryDirectory(prefix="hearth-curl-") as folder:
        clock, first = Clock(server=nginx.pids()), os.times()
        subprocess.run(put, check=True, stdout=subprocess.DEVNULL)
        second, gets = os.times(), []
        for number in range(receivers):
            get = ["curl", "-sSf", "--no-progress-meter", *PARALLEL]
            for path in files:
                get += ["-o", f"{folder}/{number}-{path.name}", f"{nginx.url}/{path.name}"]
            gets.append(subprocess.Popen(get))
        if any([get.wait() for get in gets]):
            raise SystemExit("curl could not get what it had put")
        clock.stop()
        third, result = os.times(), clock.result()
        result.cpu |= {"sender": used(first, second), "receivers": used(second, third)}
        for number in range(receivers):
            assert sorted(hashlib.sha256(pathlib.Path(f"{folder}/{number}-{path.name}").read_bytes()).hexdigest() for path in files) == digests
    return result


def through_nginx_by_node(nginx, warm, files, receivers):
    """The same by node's own HTTP client, into memory, as a participant has it."""
    sender, others = Program("plain.mjs"), [Program("plain.mjs") for _ in range(receivers)]
    sender.ask(do="put", url=nginx.url, files=[str(warm)])
    for other in others:
        other.ask(do="get", url=nginx.url, names=[warm.name])
    clock = Clock(server=nginx.pids(), sender=[sender.pid], receivers=[other.pid for other in others])
    sender.ask(do="put", url=nginx.url, files=[str(path) for path in files])
    for other in others:
        other.tell(do="get", url=nginx.url, names=[path.name for path in files])
    for other in others:
        other.hear("get")
    clock.stop()
    result = clock.result()
    for one in (*others, sender):
        one.close()
    return result
