"""A participant without a browser: what the command line adds appears in the gallery, and the other way round."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import pytest
from playwright.sync_api import expect

from support.gallery import digest
from support.photos import write_photo
from support.relay import executable


class Shell:
    """One person's terminal, invited by a link."""

    def __init__(self, name, link, folder):
        self.folder = folder
        self.environment = os.environ | {"HEARTH_INVITATION": link, "HEARTH_NAME": name, "XDG_STATE_HOME": str(folder / f"state-{name}")}

    def run(self, *words):
        """Does a command to its end; gives its events."""
        done = subprocess.run([executable(), *map(str, words), "--json"], env=self.environment, capture_output=True, text=True, timeout=90, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    @contextlib.contextmanager
    def staying(self, *words):
        """A command that stays, until Ctrl-C."""
        process = subprocess.Popen([executable(), *map(str, words), "--json"], env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            assert process.wait(timeout=30) == 0


@pytest.fixture
def shell(folder):
    return lambda name, link: Shell(name, link, folder)


def test_a_photo_added_by_the_command_line_appears_with_owner_and_date(gallery, shell, folder):
    ana = gallery()
    link = ana.share("Ana")
    photo = folder / "beach.jpg"
    write_photo(photo, 4)
    added = shell("Ben", link).run("photos", "add", photo)
    assert [event["event"] for event in added] == ["added", "done"]
    ana.shows(1).has(1)
    assert ana.names() == ["beach.jpg"]
    ana.open(photo)
    expect(ana.page.locator("#viewer-facts")).to_contain_text("Ben")
    expect(ana.page.locator("#viewer-facts")).to_contain_text(added[0]["takenAt"][:4])
    ana.page.keyboard.press("Escape")
    assert digest(ana.save(photo)) == digest(photo)


@pytest.mark.skipif(not any(map(shutil.which, ["vipsthumbnail", "magick", "convert"])), reason="no program for previews is installed")
def test_what_the_browser_cannot_decode_comes_with_a_preview_by_the_command_line(gallery, shell, pictures):
    ana = gallery()
    link = ana.share("Ana")
    shell("Ben", link).run("photos", "add", pictures["heic"])
    ana.shows(1).shows_thumbnails(1)


def test_a_photo_added_in_a_browser_is_listed_saved_and_removed_by_the_command_line(gallery, shell, some_photos, folder):
    ana = gallery().keep_camera_data()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    ana.has(1)
    ben = shell("Ben", link)
    [listed] = ben.run("photos", "list")
    assert (listed["name"], listed["owner"], listed["isComplete"]) == (some_photos[0].name, "Ana", True)
    ben.run("photos", "save", "--into", folder / "saved")
    assert digest(folder / "saved" / some_photos[0].name) == digest(some_photos[0])
    ben.run("photos", "remove", listed["id"][:8])
    ana.shows(0)


def test_who_stays_by_the_command_line_is_seen_keeps_the_photos_and_sees_the_others_come(gallery, shell, some_photos):
    ana = gallery()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    ana.has(1)
    with shell("Ben", link).staying("join") as ben:
        ana.people("Ana", "Ben")
        while (event := json.loads(ben.stdout.readline()))["event"] != "photo":
            pass
        assert event["owner"] == "Ana"
        ana.leave()
        while json.loads(ben.stdout.readline())["event"] != "left":
            pass
        cleo = gallery(link).join("Cleo")
        cleo.shows(1).has(1)
