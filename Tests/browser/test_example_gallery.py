"""The example in Swift and the gallery in the browser are one activity: what one adds the other has, with its owner and its date."""

import os
import subprocess

import pytest
from PIL import ExifTags, Image
from playwright.sync_api import expect

from support.gallery import digest
from support.mixed import swift_program
from support.photos import write_photo


@pytest.fixture
def example(folder):
    """Starts the example as one person; it goes when its input ends."""
    started = []

    def start(name, link, *words):
        environment = os.environ | {"HEARTH_INVITATION": link, "HEARTH_NAME": name, "XDG_STATE_HOME": str(folder / f"state-{name}")}
        started.append(subprocess.Popen([swift_program("PhotoGallery"), *map(str, words)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.wait()


def year_taken(path):
    return Image.open(path).getexif().get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal][:4]


def test_a_photo_of_the_example_in_swift_appears_in_the_browser_and_the_other_way_round(gallery, relay, example, folder, some_photos):
    ana = gallery().keep_camera_data()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    beach, saved = folder / "beach.jpg", folder / "saved"
    write_photo(beach, 4)
    ben = example("Ben", link, "--save", saved, beach)
    ana.shows(2).has(2)
    ana.open(beach)
    expect(ana.page.locator("#viewer-facts")).to_contain_text("Ben")
    expect(ana.page.locator("#viewer-facts")).to_contain_text(year_taken(beach))
    ana.page.keyboard.press("Escape")
    assert digest(ana.save(beach)) == digest(beach)
    relay.comes_to("the example has saved the browser's photo", lambda: [digest(path) for path in saved.glob("*")] == [digest(some_photos[0])])
    said, _ = ben.communicate(timeout=30)
    assert ben.returncode == 0
    assert said == f"Ana shares {some_photos[0].name} ({some_photos[0].stat().st_size} bytes)\n"
