"""Stands between a browser and the relay, counts what passes, and does on demand what networks and proxies do to people."""

import asyncio
import dataclasses
import re
import threading
from collections import Counter

PIECE = 64 * 1024
LOGIN_PAGE = b"<!doctype html><title>Welcome</title><h1>Please sign in to the network</h1>"


@dataclasses.dataclass
class Fault:
    """What happens to requests whose method and path match, for the first `times` of them (-1: all).

    kind: `refuse` answers `status` and never asks the relay; `page` answers 200 with a page of HTML; `tamper` turns over the byte of the answer's
    body at `offset` (negative: from the end); `cut` ends the connection after `offset` bytes of the answer's body; `cut upload` the same for the request's.
    """

    kind: str
    method: str
    path: str
    times: int = -1
    status: int = 503
    offset: int = 0
    seen: int = 0

    def takes(self, method, path):
        if self.times == 0 or method != self.method or not re.search(self.path, path):
            return False
        self.times -= 1
        self.seen += 1
        return True


class Head:
    """The start line and the headers of a request or an answer, and what they say of the body."""

    def __init__(self, raw):
        self.raw = raw
        lines = raw.decode("latin-1").split("\r\n")
        self.words = lines[0].split(" ", 2)
        self.headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}

    def body_length(self):
        return int(self.headers.get("content-length", 0))

    @property
    def is_chunked(self):
        return "chunked" in self.headers.get("transfer-encoding", "")


async def read_head(reader):
    try:
        return Head(await reader.readuntil(b"\r\n\r\n"))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


class Proxy:
    """Listens on a free port and passes everything on to `port`. Runs on a thread of its own; every method may be called from the test's."""

    def __init__(self, port):
        self.target = port
        self.port = 0
        self.faults = []
        self.requests = Counter()
        self.answers = Counter()
        self.uploaded_bytes = Counter()
        self.downloaded_bytes = Counter()
        self.socket_bytes_up = 0
        self.socket_bytes_down = 0
        self.bytes_per_second = None
        self._writers = set()
        self._is_open = True
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows_down = asyncio.Event()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()

    # For the test.

    @property
    def url(self):
        return f"http://localhost:{self.port}/"

    def add(self, kind, method="GET", path=r"/parts/", **details):
        fault = Fault(kind, method, path, **details)
        self.faults.append(fault)
        return fault

    def clear(self):
        self.faults.clear()

    def throttle(self, bytes_per_second):
        """Slows every body down, each connection by itself; `None` lets go."""
        self.bytes_per_second = bytes_per_second

    def freeze(self):
        """Keeps connections, passes nothing on: a cable that is pulled, a laptop that sleeps."""
        self._call(self._flows.clear)

    def freeze_downwards(self):
        """As a participant that reads nothing: what it sends is passed on, what it is sent is not."""
        self._call(self._flows_down.clear)

    def thaw(self):
        self._call(self._flows.set)
        self._call(self._flows_down.set)

    def cut(self):
        """Ends every connection and takes no new one."""
        self._is_open = False
        self._call(self._abort_all)

    def mend(self):
        self._is_open = True

    def uploads(self):
        """Bytes of bodies that were sent upwards by PUT, headers not counted."""
        return sum(self.uploaded_bytes.values())

    def close(self):
        self._call(self._abort_all)
        self._call(self._loop.stop)
        self._thread.join(timeout=5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # On the proxy's own thread.

    def _call(self, action):
        done = threading.Event()

        def act():
            action()
            done.set()

        self._loop.call_soon_threadsafe(act)
        done.wait(5)

    def _run(self, started):
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(lambda *_: None)
        self._flows.set()
        self._flows_down.set()
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=PIECE))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()
        server.close()
        exchanges = asyncio.all_tasks(self._loop)
        for exchange in exchanges:
            exchange.cancel()
        self._loop.run_until_complete(asyncio.gather(*exchanges, return_exceptions=True))
        self._loop.close()

    def _abort_all(self):
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(self, down_reader, down_writer):
        if not self._is_open:
            down_writer.transport.abort()
            return
        up_writer = None
        self._writers.add(down_writer)
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target, limit=PIECE)
            self._writers.add(up_writer)
            while await self._exchange(down_reader, down_writer, up_reader, up_writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, OSError):
            pass
        finally:
            for writer in (down_writer, up_writer):
                if writer is not None:
                    self._writers.discard(writer)
                    writer.transport.abort() if writer.transport.get_write_buffer_size() and not self._is_open else writer.close()

    def _fault(self, method, path):
        return next((fault for fault in self.faults if fault.takes(method, path)), None)

    async def _exchange(self, down_reader, down_writer, up_reader, up_writer):
        """One request and its answer. False once the connection is not to be used again."""
        request = await read_head(down_reader)
        if request is None:
            return False
        await self._flows.wait()
        method, path = request.words[0], request.words[1]
        self.requests[method, path] += 1
        fault = self._fault(method, path)
        if fault and fault.kind in ("refuse", "page"):
            await self._answer_itself(fault, down_writer)
            return False
        up_writer.write(request.raw)
        upload_end = fault.offset if fault and fault.kind == "cut upload" else None
        # The body is passed on while the answer is awaited: a refusal may come before the body is through.
        sending = asyncio.ensure_future(self._pass_body(down_reader, up_writer, request.body_length(), self.uploaded_bytes, path, end=upload_end))
        answer = await read_head(up_reader)
        if answer is None or upload_end is not None:
            sending.cancel()
            return False
        self.answers[method, answer.words[1]] += 1
        if answer.words[1] == "101":
            sending.cancel()
            down_writer.write(answer.raw)
            await self._splice(down_reader, down_writer, up_reader, up_writer)
            return False
        down_writer.write(answer.raw)
        is_bodyless = method == "HEAD" or answer.words[1] in ("204", "304")
        if answer.is_chunked:
            await self._pass_chunks(up_reader, down_writer)
        elif not is_bodyless:
            length = answer.body_length()
            tampered = fault.offset % length if fault and fault.kind == "tamper" and length else None
            end = fault.offset if fault and fault.kind == "cut" else None
            if not await self._pass_body(up_reader, down_writer, length, self.downloaded_bytes, path, tampered=tampered, end=end):
                return False
        await down_writer.drain()
        if not sending.done() and "close" in answer.headers.get("connection", ""):
            sending.cancel()
            return False
        await sending
        return "close" not in answer.headers.get("connection", "")

    async def _answer_itself(self, fault, writer):
        body = LOGIN_PAGE if fault.kind == "page" else b"upstream is not there"
        status, kind = ("200 OK", "text/html") if fault.kind == "page" else (f"{fault.status} Refused", "text/plain")
        writer.write(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()

    async def _pass_body(self, reader, writer, length, counter, path, tampered=None, end=None):
        """Passes `length` bytes on as they come. False when the connection ended before, by itself or because a fault says so."""
        passed = 0
        while passed < length:
            await self._flows.wait()
            piece = await reader.read(min(PIECE, length - passed, (end - passed) if end is not None else PIECE))
            if not piece:
                writer.transport.abort()
                return False
            if tampered is not None and passed <= tampered < passed + len(piece):
                changed = bytearray(piece)
                changed[tampered - passed] ^= 0x01
                piece = bytes(changed)
            writer.write(piece)
            passed += len(piece)
            counter[path] += len(piece)
            await writer.drain()
            if end is not None and passed >= end:
                writer.transport.abort()
                return False
            if self.bytes_per_second:
                await asyncio.sleep(len(piece) / self.bytes_per_second)
        return True

    async def _pass_chunks(self, reader, writer):
        while True:
            line = await reader.readuntil(b"\r\n")
            size = int(line.split(b";")[0], 16)
            writer.write(line + await reader.readexactly(size + 2))
            if size == 0:
                return

    async def _splice(self, down_reader, down_writer, up_reader, up_writer):
        async def pass_on(reader, writer, is_up):
            try:
                while True:
                    await self._flows.wait()
                    if not is_up:
                        await self._flows_down.wait()
                    piece = await reader.read(PIECE)
                    if not piece:
                        break
                    await self._flows.wait()
                    if is_up:
                        self.socket_bytes_up += len(piece)
                    else:
                        await self._flows_down.wait()
                        self.socket_bytes_down += len(piece)
                    writer.write(piece)
                    await writer.drain()
            except ConnectionError:
                pass
            writer.close()

        await asyncio.gather(pass_on(down_reader, up_writer, True), pass_on(up_reader, down_writer, False))
