"""An animation of hundreds of frames: shown like any picture, and never unpacked as a whole."""

import contextlib
import pathlib
import re

import pytest
from PIL import Image

from support.gallery import GalleryPage
from support.participants import ARGUMENTS, Participants, chromium

FRAME_COUNT = 700
WIDTH, HEIGHT = 1_280, 720
# Unpacked as a whole the frames would take 2,580 MB. Some 270 MB more were measured; a busy machine gets some room.
GROWTH_LIMIT_BYTES = 500_000_000


@pytest.fixture
def animation(tmp_path):
    path = tmp_path / "fireworks.gif"
    frames = [Image.new("P", (WIDTH, HEIGHT), number % 200) for number in range(FRAME_COUNT)]
    for number, frame in enumerate(frames):
        frame.putpalette([(index * 7 + number) % 256 for index in range(768)])
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=40, loop=0, optimize=False)
    return path


def started_by(parent):
    """A process and all that it has started."""
    found = [parent]
    for path in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
        for child in path.read_text().split():
            found += started_by(int(child))
    return found


def held_bytes(process):
    """Of a process and all that it has started; pages that several hold count once."""
    total = 0
    for number in started_by(process):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += int(re.search(r"^Pss:\s+(\d+) kB", pathlib.Path(f"/proc/{number}/smaps_rollup").read_text(), re.MULTILINE)[1]) * 1024
    return total


def test_an_animation_of_seven_hundred_frames_is_shown_and_never_unpacked_as_a_whole(playwright, relay, animation, some_photos, folder):
    browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
    try:
        group = Participants(browser, folder)
        page = GalleryPage(group.open(relay.url), folder)
        session = browser.new_browser_cdp_session()
        [main] = [entry["id"] for entry in session.send("SystemInfo.getProcessInfo")["processInfo"] if entry["type"] == "browser"]
        page.add(some_photos[0]).shows(1).shows_thumbnails(1)
        before = held_bytes(main)
        page.add(animation).shows(2).shows_thumbnails(2)
        most = 0
        page.open(animation)
        for _ in range(20):
            most = max(most, held_bytes(main))
            page.page.wait_for_timeout(100)
        with Image.open(animation) as opened:
            assert (opened.n_frames, opened.size) == (FRAME_COUNT, (WIDTH, HEIGHT))
        assert most - before < GROWTH_LIMIT_BYTES, f"{(most - before) / 1e6:.0f} MB more"
        page.page.keyboard.press("Escape")
        page.remove(animation)
        page.shows(1)
        assert group.words.unexpected() == []
    finally:
        browser.close()
