"""Times photos on their way through the relay, beside nginx with the same bytes in the same run, and writes the tables to Benchmarks/latest.md."""

import argparse
import contextlib
import dataclasses
import hashlib
import json
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

from programs import Nginx  # noqa: E402
from runs import by_node, by_swift, through_nginx, through_nginx_by_node  # noqa: E402
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


def ratio(ours, theirs):
    return median(ours, lambda r: r.wall) / median(theirs, lambda r: r.wall)


def measure(rounds, nginx, warm, files, receivers):
    """Results by program, each in turn in each round."""
    digests = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
    found = {"swift": [], "node": [], "clear": [], "tls": [], "nginx-node": []}
    for _ in range(rounds):
        for name, run in (("swift", by_swift), ("node", by_node)):
            with Relay(quiet=None) as relay:
                found[name].append(run(relay, warm, files, digests, receivers))
        found["clear"].append(through_nginx(nginx, nginx.url, files, digests, receivers))
        found["tls"].append(through_nginx(nginx, nginx.tls_url, files, digests, receivers))
        found["nginx-node"].append(through_nginx_by_node(nginx, warm, files, receivers))
    return found


def row(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def heading(*cells):
    return [row(*cells), row(*("---" for _ in cells))]


def tables(rounds):
    """Runs every load. Gives the lines of the tables, and the two ratios of the marked load."""
    walls = heading("load", "to", "Hearth, Swift", "Hearth, node", "nginx", "nginx, TLS", "nginx, node", "Swift / nginx", "Swift / nginx, TLS", "node / nginx", "upload")
    programs = [("Swift", "swift"), ("node", "node"), ("nginx", "clear"), ("nginx, TLS", "tls")]
    costs = [f"{name}: {part}" for name, _ in programs for part in ("server", "sender", "receivers")]
    cpu, memory = heading("load", "to", *costs), heading("load", "to", *costs)
    marked = None
    with tempfile.TemporaryDirectory(prefix="hearth-bench-") as folder, Nginx() as nginx:
        warm = make_files(Load("", 1, 3_000_001), pathlib.Path(folder))[0]
        for load in LOADS:
            files = make_files(load, pathlib.Path(folder))
            for receivers in (1, 3):
                found = measure(rounds, nginx, warm, files, receivers)
                ratios = ratio(found["swift"], found["clear"]), ratio(found["swift"], found["tls"])
                upload = max(r.upload for r in found["swift"] + found["node"])
                walls.append(row(load.name, receivers, *map(spread, found.values()), *(f"{x:.2f}" for x in (*ratios, ratio(found["node"], found["clear"]))), f"{upload:.2f} ×"))
                parts = [(key, part) for _, key in programs for part in ("server", "sender", "receivers")]
                cpu.append(row(load.name, receivers, *(f"{median(found[key], lambda r: r.cpu[part]):.2f}" for key, part in parts)))
                memory.append(row(load.name, receivers, *(f"{max(r.peak_bytes[part] for r in found[key]) / 1e6:.0f}" for key, part in parts)))
                print(walls[-1], flush=True)
                if (load, receivers) == MARKED:
                    marked = ratios
    lines = ["Wall time in seconds:", "", *walls, "", "Processor time in seconds:", "", *cpu, "", "Most memory of one process in MB:", "", *memory]
    return lines, marked


def load_average():
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def priority():
    """Whoever wants figures on a busy machine may raise this run above the rest; that is part of the figures."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        level = int(pathlib.Path("/proc/self/autogroup").read_text().split()[-1])
        if level:
            return f" Everything here ran as a scheduling group of nice {level}, before the rest of the machine."
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "Benchmarks/latest.md")
    parser.add_argument("--tables-only", action="store_true", help="used by itself, on a line")
    options = parser.parse_args()
    if options.tables_only:
        print(json.dumps(tables(options.rounds)), file=sys.stderr)
        return
    before = load_average()
    places = [("without a line between: the processors are the limit", tables(options.rounds))]
    if shutil.which("tc") and subprocess.run([*ON_A_LINE, "true"], capture_output=True, check=False).returncode == 0:
        command = [*ON_A_LINE, sys.executable, __file__, "--tables-only", "--rounds", str(options.rounds)]
        there = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if there.returncode:
            raise SystemExit(there.stderr)
        places.append((f"all over one {LINE}", json.loads(there.stderr.splitlines()[-1])))
    lines = [
        "# `make bench`",
        "",
        f"{os.cpu_count()} cores, {platform.machine()}, Linux {platform.release().split('-')[0]}; everything on one machine. Median of {options.rounds} rounds (least–greatest), each program in turn in each round. "
        f"Load average of the machine before: {before}, after: {load_average()}.{priority()}",
        "Hearth: from the sender's `add` until every receiver has loaded, opened and checked every byte; sealed end to end, already connected, after one photo to warm up; "
        "by the Swift client (into files) and by the JavaScript client in node (into memory). nginx: PUT, then GETs at the same time, by curl (into files), in the clear and with TLS; and in the clear by node with the same HTTP client "
        "and warm-up. Upload: bytes of bodies that the sender sent, by those of the photos. Server: the relay, or nginx.",
    ]
    for place, (there, _) in places:
        lines += ["", f"## {place[0].upper()}{place[1:]}", "", *there]
    lines.append("")
    for place, (_, ratios) in places:
        for against, value in zip(("nginx in the clear", "nginx with TLS"), ratios):
            lines.append(f"The mark, 100 MB by the Swift client to three at most {MARK} × {against}, {place.split(':')[0]}: {value:.2f}, {'met' if value <= MARK else 'not met'}.  ")
    print("\n".join(lines))
    options.output.write_text("\n".join([*lines, ""]))


main()
