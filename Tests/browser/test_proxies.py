"""Behind a proxy that has to be asked for every connection: the command line's WebSocket and its transfers go through it, past it where no_proxy says so, and say what is wrong with it."""

import base64
import contextlib
import json
import os
import socket
import subprocess
import threading

import pytest

from support.photos import write_photo
from support.relay import executable


class ConnectProxy:
    """Passes CONNECT on, counts, and may want a name and password or answer something else."""

    def __init__(self, credentials=None, answer=None):
        self.credentials = credentials
        self.answer = answer
        self.targets = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self.listener.accept()[0],), daemon=True).start()

    def _serve(self, client):
        with contextlib.suppress(OSError), client:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(4_096)
                if not piece:
                    return
                head += piece
            lines = head.decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            self.targets.append((method, target))
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            wanted = self.credentials and base64.b64encode(self.credentials.encode()).decode()
            scheme, _, given = fields.get("proxy-authorization", "").partition(" ")
            if wanted and (scheme.lower(), given.strip()) != ("basic", wanted):
                client.sendall(b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="office"\r\nContent-Length: 0\r\n\r\n')
            elif self.answer:
                client.sendall(self.answer)
            elif method == "CONNECT":
                self._pass_on(client, target)

    def _pass_on(self, client, target):
        host, port = target.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as server:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=self._pump, args=(server, client), daemon=True)
            back.start()
            self._pump(client, server)
            back.join()

    @staticmethod
    def _pump(source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65_536):
                target.sendall(piece)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.close()


@pytest.fixture
def office():
    """Makes proxies."""
    made = []

    def make(**options):
        made.append(ConnectProxy(**options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def secure_relay(relay_with):
    return relay_with(tls_self_signed=None)


@pytest.fixture
def shell(secure_relay, folder):
    """Runs a command behind a proxy; gives its exit status and events."""
    bare = {name: value for name, value in os.environ.items() if name.lower() not in ("http_proxy", "https_proxy", "all_proxy", "no_proxy")}

    def run(*words, **environment):
        trust = {"HEARTH_TRUST": str(secure_relay.data / "tls/certificate.pem"), "XDG_STATE_HOME": str(folder / "state"), "HEARTH_NAME": "Ana"}
        done = subprocess.run([executable(), *map(str, words), "--json"], env=bare | trust | environment, capture_output=True, text=True, timeout=90, check=False)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture
def origin(secure_relay):
    """The relay by the machine's name, for what is on the machine itself is never reached by way of a proxy."""
    return f"https://{socket.gethostname()}:{secure_relay.port}"


@pytest.fixture
def link(secure_relay, origin, folder):
    environment = os.environ | {"HEARTH_TRUST": str(secure_relay.data / "tls/certificate.pem"), "XDG_STATE_HOME": str(folder / "keeper"), "HEARTH_NAME": "Keeper", "no_proxy": "*"}
    keeper = subprocess.Popen([executable(), "invite", "--relay", origin, "--json"], env=environment, stdout=subprocess.PIPE, text=True)
    yield json.loads(keeper.stdout.readline())["link"]
    keeper.terminate()
    keeper.wait(timeout=30)


@pytest.mark.parametrize("credentials", [None, "ana:secret"])
def test_a_photo_goes_up_and_down_through_a_proxy(shell, office, link, origin, folder, credentials):
    proxy = office(credentials=credentials)
    address = f"http://{credentials + '@' if credentials else ''}127.0.0.1:{proxy.port}"
    photo = folder / "beach.jpg"
    write_photo(photo, 4)
    status, events = shell("photos", "add", photo, "--link", link, https_proxy=address)
    assert (status, events[0]["event"]) == (0, "added")
    added = len(proxy.targets)
    # The WebSocket and at least one connection for parts, none of them to anywhere else.
    assert added >= 2
    assert {target for method, target in proxy.targets} == {origin.removeprefix("https://")}
    status, events = shell("photos", "save", "--into", folder / "saved", "--link", link, https_proxy=address)
    assert status == 0
    assert (folder / "saved/beach.jpg").stat().st_size > 0
    assert len(proxy.targets) >= added + 2


@pytest.mark.parametrize("exempt", ["{}", "example.org, {}", "*"])
def test_no_proxy_leads_past_it(shell, office, link, folder, exempt):
    proxy = office(answer=b"HTTP/1.1 500 no\r\n\r\n")
    photo = folder / "beach.jpg"
    write_photo(photo, 4)
    status, _ = shell("photos", "add", photo, "--link", link, https_proxy=f"http://127.0.0.1:{proxy.port}", no_proxy=exempt.format(socket.gethostname()))
    assert status == 0
    assert proxy.targets == []


HTML = b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n<html>Not allowed.</html>\r\n"


@pytest.mark.parametrize(("options", "words"), [({"credentials": "ana:secret"}, ["407", "name and password"]), ({"answer": HTML}, ["proxy", "403"])])
def test_a_proxy_that_refuses_is_named_with_what_to_do(shell, office, link, options, words):
    proxy = office(**options)
    status, events = shell("check", link, https_proxy=f"http://127.0.0.1:{proxy.port}")
    assert status != 0
    finding = next(event for event in events if event["event"] == "finding" and not event["isGood"])
    for word in words:
        assert word in finding["text"]
    assert f"127.0.0.1:{proxy.port}" in finding["text"]
    # Whoever takes part ends with the relay being out of reach, and is told of the proxy.
    status, events = shell("send", "hello", "--link", link, https_proxy=f"http://127.0.0.1:{proxy.port}")
    assert status == 69
    assert "proxy" in events[-1]["message"]
