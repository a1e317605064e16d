"""Runs the built relay on a free port, so that the tests speak with what people run."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIRST_LINE = re.compile(r"^Hearth is open at (http\S+?):(\d+)/$")
START_SECONDS = 30


def executable():
    path = pathlib.Path(os.environ.get("HEARTH_EXECUTABLE", ROOT / ".build/release/hearth"))
    assert path.exists(), f"{path} is not built: swift build -c release"
    return path


class Relay:
    """One data folder and, while it runs, one process. `settings` become options: grace_seconds=3 → --grace-seconds 3, quiet=None → --quiet."""

    def __init__(self, under=(), **settings):
        """`under`: words of a command that the relay is started by."""
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="hearth-test-"))
        self.under = list(under)
        self.settings = settings
        self.port = 0
        self.scheme = "http"
        self.process = None
        self.first_line = ""
        self.log = []

    def start(self):
        options = []
        for name, value in self.settings.items():
            options += ["--" + name.replace("_", "-")] + ([] if value is None else [str(value)])
        command = [*self.under, str(executable()), "serve", "--port", str(self.port), "--data", str(self.data), *options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        threading.Thread(target=self._drain, args=(self.process.stderr,), daemon=True).start()
        watchdog = threading.Timer(START_SECONDS, self.process.kill)
        watchdog.start()
        self.first_line = self.process.stdout.readline().rstrip("\n")
        watchdog.cancel()
        threading.Thread(target=self._drain, args=(self.process.stdout,), daemon=True).start()
        found = FIRST_LINE.match(self.first_line)
        if not found:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the first line was {self.first_line!r}, the rest {self.log}")
        self.scheme, self.port = found[1].split(":")[0], int(found[2])
        return self

    def _drain(self, stream):
        for line in stream:
            self.log.append(line.rstrip("\n"))

    @property
    def url(self):
        return f"{self.scheme}://localhost:{self.port}/"

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """As a supervisor does. Returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)

    def kill(self):
        """As a crash does."""
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.is_running:
            self.kill()
        shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()

    def get(self, path, headers=None):
        """Status, headers and body of a GET, also of a refused one."""
        request = urllib.request.Request(self.url.rstrip("/") + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.headers, refusal.read()

    def metrics(self):
        """Every figure by its name, labels included."""
        lines = self.get("/metrics")[2].decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line and not line.startswith("#"))}

    def stored_files(self):
        """Files of bodies on the disk: everything in the data folder but the database and the lock that one process holds."""
        return [path for path in self.data.rglob("*") if path.is_file() and ".sqlite" not in path.name and path.name != "lock"]

    def stored_bytes(self):
        total = 0
        for path in self.stored_files():
            with contextlib.suppress(FileNotFoundError):
                total += path.stat().st_size
        return total

    def comes_to(self, what, condition, seconds=20):
        """Looks again and again until `condition` holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
            time.sleep(0.05)

    def forgets_everything(self):
        """Waits until neither the disk nor the figures know of any conversation."""
        self.comes_to("no conversation and no body is left", lambda: self.metrics()["hearth_conversations"] == 0 and self.stored_files() == [])
        figures = self.metrics()
        assert [figures[name] for name in ("hearth_sessions", "hearth_participants", "hearth_reserved_bytes", "hearth_log_bytes")] == [0, 0, 0, 0]

    def resident_bytes(self):
        """Memory of the process, from /proc."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))
