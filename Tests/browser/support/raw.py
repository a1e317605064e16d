"""Speaks the protocol, or what it likes, over bare sockets: what a browser would never send."""

import base64
import importlib.util
import os
import socket
import struct

from .relay import ROOT

_spec = importlib.util.spec_from_file_location("frames", ROOT / "Vectors/wire/make.py")
frames = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(frames)

TEXT, BINARY, CLOSE, PING = 0x1, 0x2, 0x8, 0x9
ZERO = frames.ZERO


def fresh():
    """A new name of 16 bytes, in base64url."""
    return frames.text(os.urandom(16))


def http(port, request, seconds=10):
    """Everything that is answered to these bytes until the other side closes or says no more; `None` if it does neither in time."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(request)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        except TimeoutError:
            return answer or None
        return answer


class RawSocket:
    """A WebSocket at the relay, without any manners."""

    def __init__(self, port, conversation, seconds=20):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self.connection.sendall(
            f"GET /v1/conversations/{conversation} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: hearth.v1\r\n\r\n".encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            piece = self.connection.recv(4096)
            assert piece, f"the upgrade was refused: {self.received}"
            self.received += piece
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head

    def send_raw(self, content):
        self.connection.sendall(content)

    def send(self, payload, opcode=BINARY, reserved=0, is_final=True):
        """One WebSocket frame, masked as a client's must be."""
        first = (0x80 if is_final else 0) | reserved << 4 | opcode
        size = len(payload)
        length = struct.pack(">B", 0x80 | size) if size < 126 else struct.pack(">BH", 0x80 | 126, size) if size < 65536 else struct.pack(">BQ", 0x80 | 127, size)
        # A mask of zeros is allowed, and leaves the payload as it is.
        self.connection.sendall(struct.pack(">B", first) + length + bytes(4) + payload)

    def say(self, *messages):
        self.send(frames.encoded(*messages))

    def _take(self, count):
        while len(self.received) < count:
            piece = self.connection.recv(262_144)
            if not piece:
                raise ConnectionResetError
            self.received += piece
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def hear(self):
        """The next WebSocket frame: opcode and payload."""
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return first & 0x0F, self._take(length)

    def ending(self):
        """Reads until the connection ends; the number it was closed with, 1006 without one, `None` if it stays open."""
        try:
            while True:
                opcode, payload = self.hear()
                if opcode == CLOSE:
                    return struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
        except (ConnectionResetError, BrokenPipeError):
            return 1006
        except TimeoutError:
            return None

    def types(self, until, limit=10_000):
        """Types of protocol frames as they come, up to and with the one named."""
        number = frames.BODIES[until][0]
        seen = []
        while len(seen) < limit:
            opcode, payload = self.hear()
            if opcode == CLOSE:
                raise ConnectionResetError(payload)
            while payload:
                (length,) = struct.unpack(">I", payload[1:5])
                seen.append(payload[0])
                payload = payload[5 + length:]
            if number in seen:
                return seen
        raise AssertionError(f"{until} did not come")

    def close(self):
        self.connection.close()


def hello(token, create=False, participant=None):
    return {"type": "hello", "version": 1, "create": create, "participant": participant or fresh(), "participantSecret": fresh(), "relayToken": token.hex(), "incarnation": "0", "sessions": []}
