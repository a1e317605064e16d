"""Participants of one conversation in three languages, each asked by wishes: Swift processes, node processes, pages of Chromium."""

import json
import os
import subprocess
import threading
import time

from support.relay import ROOT

ANSWER_SECONDS = 60
VOICE = ROOT / "Tests/mixed/voice.mjs"


def swift_program(name):
    """Where a program of this package is; another build than .build/debug by SWIFT_PROGRAMS."""
    path = os.path.join(os.environ.get("SWIFT_PROGRAMS", ROOT / ".build/debug"), name)
    assert os.path.exists(path), f"{path} is not built: swift build --product {name}"
    return path


class Program:
    """A participant in a process of its own."""

    def __init__(self, name, command, environment=None):
        self.name = name
        self.process = subprocess.Popen(command, cwd=ROOT, env=os.environ | (environment or {}), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.words = []
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        for line in self.process.stderr:
            self.words.append(line.rstrip())

    def fulfil(self, wish):
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        watchdog = threading.Timer(ANSWER_SECONDS, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline()
        watchdog.cancel()
        assert line, f"{self.name} is gone: {self.words[-5:]}"
        return json.loads(line)

    def close(self):
        self.process.kill()
        self.process.wait()


class SwiftProgram(Program):
    def __init__(self, name, link):
        super().__init__(name, [swift_program("MixedParticipant")], {"HEARTH_INVITATION": link, "HEARTH_NAME": name})


class NodeProgram(Program):
    def __init__(self, name, relay, link):
        super().__init__(name, ["node", "--experimental-websocket", "Tests/mixed/node.mjs", relay.url.rstrip("/"), name, link])


class Page:
    """A participant in a page."""

    def __init__(self, name, page, relay, link=None, title=None):
        self.name = name
        self.page = page
        page.route("**/mixed/voice.mjs", lambda route: route.fulfill(body=VOICE.read_text(), content_type="text/javascript"))
        options = {"name": name, "relay": relay.url.rstrip("/"), "link": link, "title": title}
        self.link = page.evaluate(
            """async (options) => {
                const library = await import('/groupactivities/index.js');
                const { Voice } = await import('/mixed/voice.mjs');
                globalThis.voice = await Voice.join(library, options);
                return globalThis.voice.link;
            }""",
            options,
        )

    def fulfil(self, wish):
        return self.page.evaluate("(wish) => globalThis.voice.fulfil(wish)", wish)

    def close(self):
        """The page goes with its context."""


class Gathering:
    """Everybody who is there, and what is demanded of them."""

    def __init__(self):
        self.people = []

    def add(self, *people):
        self.people += people
        return people

    def ask(self, person, wish, **more):
        answer = person.fulfil({"wish": wish, **more})
        assert answer.get("error") is None, f"{person.name}: {answer}"
        assert answer.get("complaints") in (None, []), f"{person.name}: {answer}"
        return answer

    def until(self, what, condition, seconds, people=None):
        """Looks at each of them again and again until `condition` holds of its answer."""
        deadline = time.monotonic() + seconds
        for person in people or self.people:
            while not condition(person, answer := self.ask(person, "tell")):
                assert time.monotonic() < deadline, f"not within {seconds} s: {what}: {person.name}: {answer}\n{self.standing()}"
                time.sleep(0.05)

    def standing(self):
        return "\n".join(f"{person.name}: {person.fulfil({'wish': 'tell'})}" for person in self.people)

    def close(self):
        for person in self.people:
            person.close()
