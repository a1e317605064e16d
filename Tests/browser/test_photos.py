"""The fifth step: a photo opened for oneself alone, saved byte for byte, removed for all; pictures of every kind."""

import subprocess

import pytest
from playwright.sync_api import expect

from support import photos
from support.gallery import MOMENT, digest
from support.originals import are_the_same_pictures, tell_nothing
from support.participants import CONNECTION_LOST, hold_finger


@pytest.fixture
def pair(gallery, some_photos):
    """Ana and Ben with three photos of Ana's. The tests may look where the page's policy lets no script look."""
    ana = gallery().keep_camera_data()
    ana.add(*some_photos).shows_thumbnails(3)
    ben = gallery(ana.share("Ana"), bypass_csp=True).join("Ben")
    return ana.has(3), ben.has(3)


def test_a_photo_is_opened_for_oneself_alone(pair, some_photos):
    ana, ben = pair
    ben.open(some_photos[1])
    seen = ben.viewed()
    assert {seen["width"], seen["height"]} == {4000, 2667}
    ben.reads("#viewer-name", some_photos[1].name).reads("#viewer-facts", "from Ana", "2 of 3")
    expect(ana.page.locator("#viewer")).to_be_hidden()
    ben.page.keyboard.press("ArrowRight")
    ben.reads("#viewer-name", some_photos[2].name)
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("#viewer")).to_be_hidden()


def test_the_saved_original_is_the_same_file_to_the_last_byte(pair, some_photos):
    ana, ben = pair
    for path in some_photos:
        saved = ben.save(path)
        assert saved.name == f"Ben-{path.name}"
        assert digest(saved) == digest(path)
    ben.open(some_photos[0])
    with ben.page.expect_download() as download:
        ben.page.click("#viewer-save")
    assert digest(download.value.path()) == digest(some_photos[0])


def test_place_and_device_are_taken_out_unless_one_keeps_them_and_the_picture_stays_the_same_to_the_byte(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ben = gallery(ana.share("Ana")).join("Ben").has(3)
    saved = [ben.save(path) for path in some_photos]
    assert tell_nothing(saved) and not tell_nothing(some_photos)
    assert are_the_same_pictures(saved, some_photos)


def test_a_photo_removed_by_the_mouse_is_gone_for_all_and_from_the_disk(pair, relay, some_photos):
    ana, ben = pair
    stored = relay.stored_bytes()
    assert stored > sum(path.stat().st_size for path in some_photos)
    ben.remove(some_photos[0])
    ana.shows(2)
    assert relay.stored_bytes() < stored - some_photos[0].stat().st_size, "the others are told after it is gone from the disk"
    ben.shows(2)
    ana.is_told(some_photos[0].name, "removed")
    ben.remove(some_photos[1])
    ben.remove(some_photos[2])
    ana.shows(0)
    assert relay.stored_files() == [] and relay.metrics()["hearth_reserved_bytes"] < 10_000


def test_a_photo_is_removed_by_key(pair, some_photos):
    ana, ben = pair
    ben.tile(some_photos[2]).locator(".tile-open").focus()
    ben.page.keyboard.press("Delete")
    ben.shows(2)
    ana.shows(2)
    assert ana.names() == [path.name for path in some_photos[:2]]


def test_a_removal_that_is_taken_back_removes_nothing(pair, relay, some_photos):
    ana, ben = pair
    ben.remove(some_photos[0])
    ben.is_told(some_photos[0].name, kind="removing").get_by_role("button", name="Undo").click()
    ben.shows(3).has(3)
    # What is removed after it arrives first: had the other been removed, it would be gone by then.
    ben.remove(some_photos[1])
    ana.shows(2)
    expect(ana.tile(some_photos[0])).to_have_count(1)
    assert relay.metrics()["hearth_removals_total"] == 1


def test_a_photo_is_removed_by_a_long_press_on_a_phone(gallery, playwright, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    phone = gallery(ana.share("Ana"), **{key: value for key, value in playwright.devices["Pixel 7"].items() if key != "default_browser_type"}).join("Ben").has(3)
    lift = hold_finger(phone.page, phone.tile(some_photos[1]))
    expect(phone.page.locator("#menu")).to_be_visible()
    lift()
    expect(phone.page.locator("#menu")).to_be_visible()
    phone.page.tap("#menu-remove")
    phone.shows(2)
    ana.shows(2)


def test_a_photo_that_is_removed_while_somebody_views_it_closes_and_says_so(pair, some_photos):
    ana, ben = pair
    ben.open(some_photos[0])
    ana.remove(some_photos[0])
    expect(ben.page.locator("#viewer")).to_be_hidden(timeout=MOMENT)
    ben.is_told(some_photos[0].name, "removed")


def test_photos_of_every_orientation_are_upright_for_the_others(gallery, folder):
    paths = [photos.write_corners(folder / f"orientation-{n}.jpg", n) for n in range(1, 9)]
    ana = gallery()
    ana.add(*paths).shows_thumbnails(8)
    ben = gallery(ana.share("Ana")).join("Ben").has(8).shows_thumbnails(8)
    for path in paths:
        red, green, blue, white = ben.thumbnail_colours(path, [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)])
        assert red[0] > 180 > red[1] + 100 and green[1] > 130 > green[0] + 60 and blue[2] > 180 > blue[0] + 100 and min(white) > 200, path.name
        ben.open(path)
        seen = ben.viewed()
        assert seen["width"] > seen["height"], path.name
        ben.page.keyboard.press("Escape")


def test_thumbnails_do_not_tell_where_a_photo_was_taken(pair, some_photos, folder):
    ana, ben = pair
    thumbnail = ben.tile(some_photos[0]).locator(".tile-open img").evaluate("async i => [...new Uint8Array(await (await fetch(i.src)).arrayBuffer())]")
    path = folder / "thumbnail"
    path.write_bytes(bytes(thumbnail))
    told = subprocess.run(["exiftool", "-j", "-Make", "-Model", "-GPSLatitude", "-DateTimeOriginal", "-SerialNumber", path], check=True, capture_output=True, text=True).stdout
    assert not any(word in told for word in ("Make", "Model", "GPS", "DateTime", "Serial"))


def test_every_format_reaches_the_others_and_is_saved_as_it_was(gallery, pictures):
    shown = [pictures[kind] for kind in ("jpeg", "png", "webp", "gif", "avif")]
    ana = gallery()
    ana.add(*shown).shows_thumbnails(5)
    ben = gallery(ana.share("Ana")).join("Ben").has(5).shows_thumbnails(5)
    saved = [ben.save(path) for path in shown]
    assert are_the_same_pictures(saved, shown) and tell_nothing(saved)
    assert ben.tile("gif.gif").locator(".tile-badge").is_visible(), "an animation says that it moves"


def test_heic_is_shared_as_it_is_with_an_honest_tile(gallery, pictures):
    heic = pictures["heic"]
    ana = gallery()
    ana.add(heic).shows(1)
    ben = gallery(ana.share("Ana")).join("Ben").has(1)
    for one in (ana, ben):
        expect(one.tile(heic).locator(".tile-words")).to_contain_text("HEIC: this browser cannot show it")
    assert tell_nothing([ben.save(heic)])


def test_one_sees_who_is_there_and_how_the_connection_stands(gallery, participants, relay, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ana.reads("#roster-count", "2 here").reads("#status-text", "In sync")
    ben.page.context.close()
    ana.people("Ana").reads("#roster-count", "Only you")
    participants.words.expect(*CONNECTION_LOST)
    relay.kill()
    ana.has_status("reconnecting").reads("#status-text", "Reconnecting")
    ana.add(some_photos[0])
    ana.reads("#status-text", "1 photo waits")
    relay.start()
    ana.is_in_sync().has(1)
