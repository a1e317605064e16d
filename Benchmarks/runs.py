"""One run of one load through the relay, or through nginx, with the processor time and the memory of everybody who takes part."""

import hashlib
import pathlib
import tempfile

from figures import Clock, Watched
from programs import NodeParticipant, Plain, SwiftParticipant

PARALLEL = ["--parallel", "--parallel-max", "3"]


def through_hearth(participant, relay, warm, files, digests, receivers):
    """From the sender's `add` until every receiver holds every byte, opened and checked."""
    sender, others = participant(), [participant() for _ in range(receivers)]
    link = sender.ask(do="create", relay=relay.url.rstrip("/"))["link"]
    sender.ask(do="enter")
    for number, other in enumerate(others):
        other.ask(do="join", link=link, name=f"Receiver {number + 1}")
        other.ask(do="enter")
        other.receive(1)
    sender.ask(do="send", files=[str(warm)])
    for other in others:
        other.hear("receive")
        other.receive(len(files))
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
        assert other.digests() == digests, "what was received differs from what was sent"
    for one in (*others, sender):
        one.close()
    return result


def by_swift(*arguments):
    return through_hearth(SwiftParticipant, *arguments)


def by_node(*arguments):
    return through_hearth(NodeParticipant, *arguments)


def through_nginx(nginx, url, files, digests, receivers):
    """PUT of every file by one curl, then GETs by as many curls as there are receivers, at the same time."""
    curl = ["curl", "-sSf", "--no-progress-meter", *PARALLEL, "--cacert", str(nginx.certificate)]
    put = [*curl, "-H", "Expect:"]
    for path in files:
        put += ["-T", str(path), f"{url}/{path.name}"]
    with tempfile.TemporaryDirectory(prefix="hearth-curl-") as folder:
        gets = []
        for number in range(receivers):
            gets.append(list(curl))
            for path in files:
                gets[-1] += ["-o", f"{folder}/{number}-{path.name}", f"{url}/{path.name}"]
        clock = Clock(server=nginx.pids())
        sender = Watched(put)
        sender.wait()
        others = [Watched(get) for get in gets]
        for number, other in enumerate(others):
            other.wait(others[number + 1 :])
        clock.stop()
        result = clock.result()
        result.add("sender", [sender])
        result.add("receivers", others)
        for number in range(receivers):
            assert sorted(hashlib.sha256(pathlib.Path(f"{folder}/{number}-{path.name}").read_bytes()).hexdigest() for path in files) == digests
    return result


def through_nginx_by_node(nginx, warm, files, receivers):
    """The same by node's own HTTP client, into memory, as a participant has it."""
    sender, others = Plain(), [Plain() for _ in range(receivers)]
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
