"""Two thousand participants whose relay is killed and started again: everybody is back in time, once, and nobody is taken for an attacker.

python3 Benchmarks/storm.py [--participants N] [--away SECONDS …]. HEARTH_EXECUTABLE names another relay than the built one; the participant stands beside it.
The participants are Swift clients with the pauses that they always have. Ends non-zero when somebody takes longer than 5 s, is let in twice, or was refused.
"""

import argparse
import pathlib
import re
import resource
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/browser"))

from programs import SwiftParticipant  # noqa: E402
from support.relay import Relay  # noqa: E402

RETURN_SECONDS = 5
# Long enough for a second wave to be seen.
WATCH_SECONDS = 6


def storm(relay, crowd, away_seconds, count):
    """Returns what was wrong."""
    relay.kill()
    time.sleep(away_seconds)
    relay.start()
    began = time.monotonic()
    seconds = [at - began for at in crowd.ask(do="return")["atSeconds"]]
    time.sleep(WATCH_SECONDS)
    again = len(crowd.ask(do="arrived")["atSeconds"])
    found = relay.metrics()
    connections = int(found["hearth_participant_connections_total"])
    refused = int(sum(value for name, value in found.items() if re.search(r'status="(429|503)"', name)))
    tenths = [sum(1 for at in seconds if tenth <= at * 10 < tenth + 1) for tenth in range(int(seconds[-1] * 10) + 1)]
    print(f"away {away_seconds:4.1f} s: half back after {seconds[len(seconds) // 2]:.2f} s, all {len(seconds)} after {seconds[-1]:.2f} s, at most {max(tenths)} in a tenth of a second, "
          f"{connections} connections, {refused} refused, {relay.resident_bytes() >> 20} MiB", flush=True)
    failures = []
    if seconds[-1] > RETURN_SECONDS:
        failures.append(f"away {away_seconds} s: somebody came back only after {seconds[-1]:.2f} s, the limit is {RETURN_SECONDS}")
    if again or connections != count:
        failures.append(f"away {away_seconds} s: {connections} connections for {count} participants, {again} came twice")
    if refused:
        failures.append(f"away {away_seconds} s: {refused} were refused")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--participants", type=int, default=2_000)
    parser.add_argument("--away", type=float, nargs="+", default=[0, 1, 8])
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    relay = Relay(host="127.0.0.1", quiet=None).start()
    failures = []
    try:
        crowd = SwiftParticipant()
        crowd.ask(do="gather", relay=f"http://127.0.0.1:{relay.port}", count=options.participants)
        for away_seconds in options.away:
            failures += storm(relay, crowd, away_seconds, options.participants)
        crowd.close()
    finally:
        relay.close()
    print("\n".join(failures) or "storm: everybody was back in time")
    return 1 if failures else 0


sys.exit(main())
