"""A participant without a browser: what the command line adds appears in the gallery, and the other way round."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import pytest
from PIL import ImageCms
from playwright.sync_api import expect

from support.gallery import digest
from support.photos import camera_data, landscape, write_photo
from support.relay import ROOT, executable


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
    added = shell("Ben", link).run("photos", "add", photo, "--keep-metadata")
    assert [event["event"] for event in added] == ["added", "done"]
    ana.shows(1).has(1)
    assert ana.names() == ["beach.jpg"]
    ana.open(photo)
    expect(ana.page.locator("#viewer-facts")).to_contain_text("Ben")
    expect(ana.page.locator("#viewer-facts")).to_contain_text(added[0]["takenAt"][:4])
    ana.page.keyboard.press("Escape")
    assert digest(ana.save(photo)) == digest(photo)


def left_by_the_gallery(paths):
    """SHA-256 of what the gallery's own code leaves of each file."""
    script = """
        import { createHash } from 'node:crypto';
        import { readFileSync } from 'node:fs';
        import { stripMetadata } from './Web/gallery/photos/strip/strip-metadata.js';
        for (const path of process.argv.slice(1)) {
          const { blob } = await stripMetadata(new Blob([readFileSync(path)]));
          console.log(createHash('sha256').update(new Uint8Array(await blob.arrayBuffer())).digest('hex'));
        }"""
    done = subprocess.run(["node", "--input-type=module", "-e", script, *map(str, paths)], cwd=ROOT, capture_output=True, text=True, timeout=90, check=True)
    return done.stdout.split()


def test_the_command_line_leaves_of_a_photo_what_the_gallery_leaves(relay, shell, folder):
    """Every format that both know, with EXIF, XMP, comments and notes of other programs, which way up in each of the eight ways, and something behind the end."""
    picture = landscape(77, (320, 240))
    plain = {"a.png": {}, "b.webp": {"quality": 80}, "c.jpg": {"comment": b"by Ana"}}
    for name, options in plain.items():
        picture.save(folder / name, exif=camera_data(5, 6), xmp=b"<x:xmpmeta/>", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), **options)
    for orientation in range(1, 9):
        picture.save(folder / f"turned-{orientation}.jpg", quality=80, exif=camera_data(orientation, orientation))
        picture.save(folder / f"turned-{orientation}.webp", quality=80, exif=camera_data(orientation, orientation))
        picture.save(folder / f"turned-{orientation}.png", exif=camera_data(orientation, orientation))
    (folder / "behind.jpg").write_bytes((folder / "turned-3.jpg").read_bytes() + b"a video")
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    with shell("Keeper", "").staying("invite", "--relay", relay.url.rstrip("/")) as process:
        link = json.loads(process.stdout.readline())["link"]
        ben = shell("Ben", link)
        ben.run("photos", "add", "--again", *paths)
        ben.run("photos", "save", "--into", folder / "saved")
    assert [digest(folder / "saved" / path.name) for path in paths] == left_by_the_gallery(paths)
    assert all((folder / "saved" / path.name).stat().st_size < path.stat().st_size for path in paths)


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
