"""Opens pages for participants: each in a context of its own, each held to a clean console."""

import contextlib
import os
import pathlib
import re
import shutil
import time

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-timer-throttling", "--disable-renderer-backgrounding"]

# What Chromium itself says in the console of a page whose connection is lost or refused; no page can keep it from doing so.
# Chromium asks for the service worker anew when it likes, also while the relay is away.
CONNECTION_LOST = (r"WebSocket connection to .* failed: (Error in connection establishment|Connection closed|Error during WebSocket handshake|WebSocket is closed before)", r"Failed to load resource: net::ERR_", "An unknown error occurred when fetching the script")


def chromium():
    for name in (os.environ.get("CHROMIUM"), *CHROMIUM_NAMES):
        if name and (path := shutil.which(name)):
            return path
    raise AssertionError("no Chromium in PATH: scripts/install test")


class Words:
    """What a page said that a developer would have to look at. Whatever was not expected fails the test."""

    def __init__(self):
        self.said = []
        self.expected = []
        self._is_over = False

    def listen(self, page):
        page.on("console", lambda message: self._hear(f"{time.monotonic():.3f} {message.type}: {message.text} ({message.location.get('url', '')})") if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._hear(f"uncaught: {error} {error.stack or ''}"))

    def _hear(self, text):
        if not self._is_over:
            self.said.append(text)

    def stop(self):
        """Nothing that is said from now on counts."""
        self._is_over = True

    def expect(self, *patterns):
        """Words that may come, as regular expressions; also those said already."""
        self.expected += patterns

    def unexpected(self):
        return [text for text in self.said if not any(re.search(pattern, text) for pattern in self.expected)]


class Participants:
    """Contexts of one browser, closed at the end of a test."""

    def __init__(self, browser, folder):
        self.browser = browser
        self.folder = pathlib.Path(folder)
        self.words = Words()
        self._contexts = []

    def open(self, url, **context_options):
        """A page in a context of its own."""
        context = self.browser.new_context(accept_downloads=True, **{"viewport": {"width": 1280, "height": 800}, **context_options})
        context.set_default_timeout(30_000)
        self._contexts.append(context)
        page = context.new_page()
        self.words.listen(page)
        page.goto(url)
        return page

    def close(self, name, has_failed):
        for number, context in enumerate(self._contexts):
            for page in context.pages:
                if has_failed:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    with contextlib.suppress(Exception):
                        page.screenshot(path=self.folder / f"{name}-{number + 1}.png")
            context.close()


def drop_files(page, selector, paths):
    """A real drag of files from outside the browser onto an element."""
    box = page.locator(selector).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})
    session.detach()


def hold_finger(page, locator):
    """Puts a finger down in the middle of an element and leaves it there; call the result to lift it."""
    box = locator.bounding_box()
    session = page.context.new_cdp_session(page)
    point = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})

    def lift():
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    return lift
