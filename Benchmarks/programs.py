"""The programs that take part in a run: participants that obey line by line, and nginx."""

import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from support.relay import executable

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Program:
    """A program that obeys one line at a time."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

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


class NodeProgram(Program):
    name = ""

    def __init__(self):
        node = shutil.which("node", path=f"{ROOT}/.venv/bin:{os.environ['PATH']}")
        super().__init__(node, "--no-warnings", "--experimental-websocket", ROOT / "Benchmarks" / self.name)


class Plain(NodeProgram):
    name = "plain.mjs"


class NodeParticipant(NodeProgram):
    """Receives into memory, as a page does."""

    name = "participant.mjs"

    def receive(self, count):
        self.tell(do="receive", count=count)

    def digests(self):
        return self.ask(do="check")["digests"]


class SwiftParticipant(Program):
    """Receives into files, as the command line does."""

    def __init__(self):
        super().__init__(executable().with_name("BenchmarkParticipant"))
        self.folder = tempfile.TemporaryDirectory(prefix="hearth-received-")

    def receive(self, count):
        # Only the files of the last order are asked for.
        for path in pathlib.Path(self.folder.name).iterdir():
            path.unlink()
        self.tell(do="receive", count=count, into=self.folder.name)

    def digests(self):
        return sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(self.folder.name).iterdir())

    def close(self):
        super().close()
        self.folder.cleanup()


class Nginx:
    """WebDAV on two free ports, in the clear and with TLS: PUT as files, GET by sendfile. One worker, as the relay has one loop."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hearth-nginx-"))
        ports = free_ports(2)
        (self.folder / "files").mkdir()
        self.certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        # The kind that `hearth serve --tls` makes for itself.
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", *subject, "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True)
        config = self.folder / "nginx.conf"
        user = "user root;" if os.getuid() == 0 else ""
        temporary = " ".join(f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config.write_text(f"""{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ }}
http {{ access_log off; sendfile on; tcp_nopush on; client_max_body_size 200m; {temporary}
server {{ listen 127.0.0.1:{ports[0]}; listen 127.0.0.1:{ports[1]} ssl; ssl_certificate {self.certificate}; ssl_certificate_key {key};
root {self.folder}/files; location / {{ dav_methods PUT DELETE; }} }} }}""")
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        self.process = subprocess.Popen([nginx, "-p", self.folder, "-e", self.folder / "error.log", "-c", config])
        deadline = time.monotonic() + 10
        while socket.socket().connect_ex(("127.0.0.1", ports[0])):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"nginx does not run: {(self.folder / 'error.log').read_text()}")
            time.sleep(0.01)
        self.url, self.tls_url = f"http://127.0.0.1:{ports[0]}", f"https://127.0.0.1:{ports[1]}"
        return self

    def pids(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
