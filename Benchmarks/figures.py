"""What a run costs: wall time, and the processor time and memory of named groups of processes."""

import contextlib
import dataclasses
import os
import pathlib
import select
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
PEAK_LOOK_MILLISECONDS = 10


@dataclasses.dataclass
class Result:
    wall: float
    # By the name of a group: seconds of all of its processes, and the most that one of them had in memory.
    cpu: dict
    peak_bytes: dict
    upload: float = 1.0

    def add(self, name, ended):
        self.cpu[name] = sum(one.cpu for one in ended)
        self.peak_bytes[name] = max(one.peak_bytes for one in ended)


class Watched:
    """A process that is waited for, with what it has cost."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.end = os.pidfd_open(self.process.pid)
        self.peak_bytes = 0

    def wait(self, others=()):
        """Looks meanwhile at its memory and that of `others`: the figure that the system gives at the end begins with that of this program."""
        poll = select.poll()
        poll.register(self.end, select.POLLIN)
        while not poll.poll(PEAK_LOOK_MILLISECONDS if self.peak_bytes else 2):
            for one in (self, *others):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
                    one.peak_bytes = max(one.peak_bytes, peak_bytes([one.process.pid]))
        os.close(self.end)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode:
            raise SystemExit(f"{self.process.args[0]} ended with {self.process.returncode}")
        self.cpu = usage.ru_utime + usage.ru_stime


def cpu_seconds(pids):
    """User and system time of processes, their threads included."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def peak_bytes(pids):
    """The most that one of them has had in memory since `forget_peak`."""
    lines = [line for pid in pids for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return max(int(line.split()[1]) * 1024 for line in lines)


def forget_peak(pids):
    for pid in pids:
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


class Clock:
    """Wall time, processor time and memory of named groups of processes, from its making until `stop`."""

    def __init__(self, **groups):
        self.groups = groups
        for pids in groups.values():
            forget_peak(pids)
        self.before = {name: cpu_seconds(pids) for name, pids in groups.items()}
        self.started = time.monotonic()

    def stop(self):
        self.wall = time.monotonic() - self.started

    def result(self, **more):
        cpu = {name: cpu_seconds(pids) - self.before[name] for name, pids in self.groups.items()}
        return Result(self.wall, cpu, {name: peak_bytes(pids) for name, pids in self.groups.items()}, **more)
