"""Makes the first inputs of a fuzzer out of the vectors that both languages read: python3 Fuzzing/corpora.py TARGET DIRECTORY."""

import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VECTORS = ROOT / "Vectors"


def load(name):
    return json.loads((VECTORS / name).read_text())


def hexadecimal(value):
    """Every run of bytes that stands somewhere in a vector file as hexadecimal text."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from hexadecimal(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from hexadecimal(inner)
    elif isinstance(value, str) and len(value) % 2 == 0:
        try:
            yield bytes.fromhex(value)
        except ValueError:
            return


def frames():
    yield from hexadecimal(load("wire/frames.json"))


def requests():
    name = "AAECAwQFBgcICQoLDA0ODw"
    attachment = f"/v1/conversations/{name}/sessions/{name}/attachments/{name}"
    token = "A" * 43
    for method in "012345":
        for path in ["/", "/healthz", "/metrics", f"/c/{name}", f"/v1/conversations/{name}", attachment, f"{attachment}/parts/95"]:
            yield "\n".join([method, path, "1relay.test:8080", "11048576", f"1Bearer {token}", "1https://relay.test", "1100-continue", "", '"1-2"']).encode()
    for length in ["", "1+3", "1-3", "10x3", "13 ", "2", "199999999999999999999", "11048577", "10"]:
        yield "\n".join(["2", f"{attachment}/parts/0", "1[::1]", length, "", "1*", "1foo", "HTTP/1.0"]).encode()


def sealed():
    example = [*hexadecimal(load("hearth/worked-example.json")), *hexadecimal(load("hearth/worked-example-swift.json"))]
    for vector in hexadecimal(load("sframe/test-vectors.json")["header"]):
        yield b"\x00" + vector
    for vector in hexadecimal(load("mls/deserialization.json")):
        yield b"\x01" + vector
    for vector in example:
        for kind in range(1, 4):
            yield bytes([kind]) + vector
            yield bytes([kind, kind]) + vector
        yield b"\x04" + vector
        yield b"\x05" + vector
        yield b"\x09" + vector
    for vector in hexadecimal(load("hearth/log.json")):
        yield b"\x09" + vector
    yield b"\x02\x04" + bytes([1]) + (1_798_761_600).to_bytes(8, "big") + bytes(32)
    yield b"\x09" + b"".join(place.to_bytes(8, "big") for place in (77, 3, 9)) + bytes(32)
    for position in range(0, 256, 37):
        yield bytes([6, position, position, 0, 1])
        yield bytes([8, 0, position, 0x80])
    for name in ["hearth/worked-example.json", "hearth/worked-example-swift.json"]:
        yield b"\x07" + load(name)["invitation"]["link"].encode()
    yield b"\x07<https://relay.example:8443/c/AAECAwQFBgcICQoLDA0ODw%231.EBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8>."


def conversation():
    # A step is a byte: who in its top bits, what in its lower ones. Digests stand in for many mixtures.
    for number in range(64):
        yield b"".join(hashlib.sha256(bytes([number, part])).digest() for part in range(1 + number % 12))
    # Doors that stand in each way, with people who come, knock and are answered.
    for mode in range(4):
        yield bytes([29, 1, 1, mode, 2, 9, 9, 25, 2 << 6 | 14, 0, 2 << 6 | 30, 3, 5, 5, 5, 25, 3 << 6 | 14, 0, 3 << 6 | 30, 1, 5, 25, 29, 0, 2, 0, 29, 0, 3, 1, 25, 24, 1, 1, 0, 0])
    for step in range(32):
        yield bytes(value for who in range(4) for value in (step | who << 6, who, 1, 2, 3, 25))


def main():
    target, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    inputs = {"frames": frames, "requests": requests, "sealed": sealed, "conversation": conversation}[target]
    for content in [*inputs(), *(path.read_bytes() for path in sorted((ROOT / "Fuzzing" / "found" / target).glob("*")))]:
        (directory / hashlib.sha256(content).hexdigest()[:24]).write_bytes(content)


main()
