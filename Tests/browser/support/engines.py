"""Firefox and WebKit behind one small interface: enough to do what a person does, by real clicks, keys and files."""

import abc
import asyncio
import base64
import contextlib
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import websockets
from PIL import Image

MINI_BROWSERS = ("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                 "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.0/MiniBrowser")
MOMENT_SECONDS = 30
ENTER = "\ue007"


class EnginePage(abc.ABC):
    """One page of an engine. Selectors name one element each."""

    name = ""

    @abc.abstractmethod
    def goto(self, url): ...

    @abc.abstractmethod
    def value(self, expression):
        """What an expression of JavaScript comes to, promises awaited."""

    @abc.abstractmethod
    def click(self, selector): ...

    @abc.abstractmethod
    def type(self, selector, text):
        """Types into a field that has nothing in it."""

    @abc.abstractmethod
    def choose_files(self, selector, *paths): ...

    @abc.abstractmethod
    def _screenshot(self):
        """The window as a PNG in base64."""

    def comes_to_look(self, selector, places, is_so):
        """Looks at an element until its colours, at places given as shares of its width and height, are so: what is decoded is not yet painted."""
        deadline = time.monotonic() + MOMENT_SECONDS
        while not is_so(found := self._colours(selector, places)):
            assert time.monotonic() < deadline, f"{self.name}, not within {MOMENT_SECONDS} s: {selector} has {found}"

    def _colours(self, selector, places):
        left, top, width, height, scale = self.value(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); return [r.left, r.top, r.width, r.height, devicePixelRatio]; }})()")
        window = Image.open(io.BytesIO(base64.b64decode(self._screenshot()))).convert("RGB")
        return [window.getpixel((int((left + x * width) * scale), int((top + y * height) * scale))) for x, y in places]

    def comes_to(self, expression, seconds=MOMENT_SECONDS):
        """Looks again and again until the expression holds, and gives what it came to."""
        deadline = time.monotonic() + seconds
        while not (found := self.value(expression)):
            assert time.monotonic() < deadline, f"{self.name}, not within {seconds} s: {expression}\n{self.value('document.body.innerText.slice(0, 500)')}"
            time.sleep(0.05)
        return found

    def sees(self, selector, count=1, seconds=MOMENT_SECONDS):
        self.comes_to(f"document.querySelectorAll({json.dumps(selector)}).length === {count}", seconds)


class Process:
    """A program with a group of its own, so that what it starts goes with it."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL, **options)

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def in_path(*names):
    for name in names:
        if path := shutil.which(name):
            return path
    raise AssertionError(f"none of {', '.join(names)} in PATH: scripts/install test")


class Firefox(EnginePage):
    """Firefox by WebDriver BiDi, on a connection that a thread of its own holds."""

    name = "Firefox"

    def __init__(self):
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="hearth-firefox-"))
        self.downloads = self.profile / "downloads"
        self.downloads.mkdir()
        preferences = {"browser.download.folderList": 2, "browser.download.dir": str(self.downloads), "browser.download.useDownloadDir": True, "browser.shell.checkDefaultBrowser": False,
                       "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False, "browser.aboutwelcome.enabled": False, "intl.accept_languages": "en"}
        (self.profile / "user.js").write_text("".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in preferences.items()))
        self._started = Process([in_path("firefox-esr", "firefox"), "--headless", "--no-remote", "--profile", str(self.profile), "--remote-debugging-port", "0"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = ""
        for line in self._started.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                address = found[1]
                break
        assert address, "Firefox did not say where it listens"
        threading.Thread(target=self._started.process.stderr.read, daemon=True).start()
        self.words = []
        self._ids = itertools.count(1)
        self._answers = {}
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._socket = self._wait(websockets.connect(address + "/session", max_size=None))
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self.context = self._ask("browsingContext.create", type="tab")["context"]
        self._ask("browsingContext.setViewport", context=self.context, viewport={"width": 1280, "height": 800})

    def _wait(self, awaitable):
        async def awaited():
            return await awaitable

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop).result(timeout=60)

    async def _listen(self):
        async for message in self._socket:
            answer = json.loads(message)
            if "id" in answer and answer["id"] in self._answers:
                self._answers.pop(answer["id"]).set_result(answer)
            elif answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self.words.append(f"{answer['params']['level']}: {answer['params']['text']}")

    def _ask(self, method, **parameters):
        async def ask():
            number = next(self._ids)
            self._answers[number] = asyncio.get_running_loop().create_future()
            await self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
            return await self._answers[number]

        answer = self._wait(ask())
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, url):
        self._ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def reload(self):
        self._ask("browsingContext.reload", context=self.context, wait="complete")

    def value(self, expression):
        return json.loads(self._evaluate(f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))")["value"])

    def _evaluate(self, expression):
        answer = self._ask("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return answer["result"]

    def _screenshot(self):
        return self._ask("browsingContext.captureScreenshot", context=self.context)["data"]

    def _element(self, selector):
        return {"sharedId": self._evaluate(f"document.querySelector({json.dumps(selector)})")["sharedId"]}

    def click(self, selector):
        self.comes_to(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        origin = {"type": "element", "element": self._element(selector)}
        actions = [{"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._ask("input.performActions", context=self.context, actions=[{"type": "pointer", "id": "mouse", "actions": actions}])

    def type(self, selector, text):
        self.click(selector)
        keys = [{"type": kind, "value": character} for character in text for kind in ("keyDown", "keyUp")]
        self._ask("input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": keys}])

    def choose_files(self, selector, *paths):
        self._ask("input.setFiles", context=self.context, element=self._element(selector), files=[str(path) for path in paths])

    def close(self):
        with contextlib.suppress(Exception):
            self._ask("session.end")
        with contextlib.suppress(Exception):
            self._wait(self._socket.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._started.stop()
        shutil.rmtree(self.profile, ignore_errors=True)


class WebKit(EnginePage):
    """WebKitGTK's MiniBrowser by WebDriver, on a screen that nobody sees."""

    name = "WebKit"

    def __init__(self):
        browser = next((path for path in MINI_BROWSERS if pathlib.Path(path).exists()), None)
        assert browser, "no MiniBrowser of WebKitGTK: scripts/install test"
        driver = in_path("WebKitWebDriver")
        environment = {**os.environ, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LANGUAGE": "en", "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self._started = None
        for port in free_ports():
            self._base = f"http://127.0.0.1:{port}"
            self._started = Process([in_path("xvfb-run"), "-a", in_path("dbus-run-session"), "--", driver, f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self._is_ready():
                break
            self._started.stop()
        options = {"binary": browser, "args": ["--automation"]}
        answer = self._ask("POST", "", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}, base=f"{self._base}/session")
        self._session = f"{self._base}/session/{answer['sessionId']}"

    def _is_ready(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self._started.process.poll() is None:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self._base}/status", timeout=5).read()
                return True
            time.sleep(0.1)
        return False

    def _ask(self, method, path, body=None, base=None):
        request = urllib.request.Request((base or self._session) + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refusal:
            raise AssertionError(f"{method} {path}: {refusal.read().decode()}") from None

    def goto(self, url):
        self._ask("POST", "/url", {"url": url})

    def reload(self):
        self._ask("POST", "/refresh", {})

    def value(self, expression):
        script = f"const done = arguments[0]; Promise.resolve({expression}).then((value) => done(JSON.stringify(value ?? null)), (error) => done(JSON.stringify('failed: ' + error)));"
        return json.loads(self._ask("POST", "/execute/async", {"script": script, "args": []}))

    def _screenshot(self):
        return self._ask("GET", "/screenshot")

    def _element(self, selector):
        return next(iter(self._ask("POST", "/element", {"using": "css selector", "value": selector}).values()))

    def click(self, selector):
        self.comes_to(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        self._ask("POST", f"/element/{self._element(selector)}/click", {})

    def type(self, selector, text):
        self._ask("POST", f"/element/{self._element(selector)}/value", {"text": text})

    def choose_files(self, selector, *paths):
        self._ask("POST", f"/element/{self._element(selector)}/value", {"text": "\n".join(str(path) for path in paths)})

    def close(self):
        with contextlib.suppress(Exception):
            self._ask("DELETE", "")
        self._started.stop()


def free_ports():
    """Ports that were free a moment ago: the driver takes none by itself."""
    for _ in range(3):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        yield port
