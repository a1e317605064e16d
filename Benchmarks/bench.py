"""Times photos on their way through the relay, beside nginx with the same bytes in the same run, and writes the tables to Benchmarks/latest.md."""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/browser"), str(ROOT / "Benchmarks")]

from runs import Nginx, through_hearth, through_nginx, through_nginx_by_node  # noqa: E402
from support.relay import Relay  # noqa: E402

MARK = 1.3
LINE = "line of 1 Gbit/s"
# Everything on the loopback of a network of its own shares one line; nothing of the machine is touched.
ON_A_LINE = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && tc qdisc add dev lo root tbf rate 1gbit burst 512kb latency 50ms && exec "$0" "$@"']


@dataclasses.dataclass(frozen=True)
class Load:
    name: str
    count: int
    size: int


LOADS = [Load("1 photo of 3 MB", 1, 3_000_000), Load("30 photos of 3 MB", 30, 3_000_000), Load("1 of 100 MB", 1, 100_000_000)]
MARKED = LOADS[2], 3


def make_files(load, folder):
    """Files of bytes that do not shrink, no two alike."""
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


def spread(results):
    walls = [result.wall for result in results]
    return f"{statistics.median(walls):.2f} ({min(walls):.2f}–{max(walls):.2f})"


def median(results, figure):
    return statistics.median(figure(result) for result in results)


def table(rounds, say):
    """Runs every load; gives the ratio to nginx by curl for the marked one."""
    say("| load | to | Hearth wall s | nginx, curl | nginx, node | Hearth / curl | CPU s: relay | sender | receivers | nginx | curl | node | upload |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    marked = None
    with tempfile.TemporaryDirectory(prefix="hearth-bench-") as folder, Nginx() as nginx:
        warm = make_files(Load("", 1, 3_000_001), pathlib.Path(folder))[0]
        for load in LOADS:
            files = make_files(load, pathlib.Path(folder))
            digests = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
            for receivers in (1, 3):
                ours, curl, node = [], [], []
                for _ in range(rounds):
                    with Relay(quiet=None) as relay:
                        ours.append(through_hearth(relay, warm, files, digests, receivers))
                    curl.append(through_nginx(nginx, files, digests, receivers))
                    node.append(through_nginx_by_node(nginx, warm, files, receivers))
                ratio = median(ours, lambda r: r.wall) / median(curl, lambda r: r.wall)
                cpu = lambda results, *names: f"{median(results, lambda r: sum(r.cpu[name] for name in names)):.2f}"
                say(f"| {load.name} | {receivers} | {spread(ours)} | {spread(curl)} | {spread(node)} | {ratio:.2f} | {cpu(ours, 'server')} | {cpu(ours, 'sender')} | {cpu(ours, 'receivers')} "
                    f"| {cpu(curl, 'server')} | {cpu(curl, 'sender', 'receivers')} | {cpu(node, 'sender', 'receivers')} | {max(r.upload for r in ours):.2f} × |")
                if (load, receivers) == MARKED:
                    marked = ratio
    return marked


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "Benchmarks/latest.md")
    parser.add_argument("--table-only", action="store_true", help="used by itself, on a line")
    options = parser.parse_args()
    lines = []

    def say(text=""):
        print(text, flush=True)
        lines.append(text)

    if options.table_only:
        print(f"marked {table(options.rounds, say)}")
        return
    say("# `make bench`")
    say()
    say(f"{os.cpu_count()} cores, {platform.machine()}, Linux {platform.release().split('-')[0]}; everything on one machine. Median of {options.rounds} rounds (least–greatest), each program in turn in each round.")
    say("Hearth: from the sender's `add` until every receiver has loaded, opened and checked every byte; sealed end to end, by node, after one photo to warm up. nginx: PUT, then GETs at the same time, in the clear, "
        "by curl, and by node with the same HTTP client and warm-up. Upload: bytes of bodies that the sender sent, by those of the photos.")
    say()
    say("## Without a line between: the processors are the limit")
    say()
    verdicts = [("without a line", table(options.rounds, say))]
    if shutil.which("tc") and subprocess.run([*ON_A_LINE, "true"], capture_output=True, check=False).returncode == 0:
        say()
        say(f"## All over one {LINE}")
        say()
        command = [*ON_A_LINE, sys.executable, __file__, "--table-only", "--rounds", str(options.rounds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if line.startswith("marked "):
                    verdicts.append((f"over a {LINE}", float(line.split()[1])))
                else:
                    say(line.rstrip("\n"))
    say()
    for where, ratio in verdicts:
        say(f"The mark, 100 MB to three at most {MARK} × nginx by curl, {where}: {ratio:.2f}, {'met' if ratio <= MARK else 'not met'}.")
    options.output.write_text("\n".join([*lines, ""]))


main()
