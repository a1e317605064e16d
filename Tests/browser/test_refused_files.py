"""Files that are no photos, or too much: refused with the right words, before a byte is sent, while the others go through."""

import random

import pytest
from playwright.sync_api import expect

from support import photos

MEGABYTE = 1_000_000


@pytest.fixture
def ana(gallery):
    one = gallery()
    one.link = one.share("Ana")
    return one


def test_a_photo_of_101_mb_is_refused_before_a_byte_is_sent_with_limit_and_size(ana, relay, folder):
    path = photos.write_exact(folder / "huge.png", 101 * MEGABYTE)
    sent = relay.metrics()["hearth_body_bytes_received_total"], relay.metrics()["hearth_entries_total"]
    ana.add(path)
    ana.is_told(r"huge\.png", "101 MB", "100 MB at most", "Nothing of it was sent", kind="refused")
    ana.shows(0)
    assert (relay.metrics()["hearth_body_bytes_received_total"], relay.metrics()["hearth_entries_total"]) == sent


def test_a_photo_of_exactly_the_limit_is_shared_and_one_byte_more_is_not(ana, gallery, relay, folder):
    full = photos.write_exact(folder / "full.png", 100 * MEGABYTE)
    over = photos.write_exact(folder / "over.png", 100 * MEGABYTE + 1)
    ana.add(full, over)
    ana.is_told(r"over\.png", "101 MB", "100 MB at most")
    ben = gallery(ana.link).join("Ben").shows(1).has(1)
    ana.has(1)
    assert ben.save(full).read_bytes() == full.read_bytes()
    assert 1.0 <= relay.metrics()["hearth_body_bytes_received_total"] / full.stat().st_size < 1.001


@pytest.mark.parametrize(("name", "content", "words"), [
    ("empty.jpg", b"", r"empty \(0 bytes\)"),
    ("letter.jpg", b"Dear Ben,\nthis is a letter, whatever its name says.\n" * 40, "not a photo"),
    ("page.png", b"<!doctype html><script>alert(1)</script>", "not a photo"),
    ("program.gif", b"\x7fELF" + random.Random(1).randbytes(4000), "not a photo"),
    ("drawing.jpg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "not a photo"),
    ("noise.jpg", random.Random(2).randbytes(20_000), "not a photo"),
], ids=lambda value: value if isinstance(value, str) and "." in value else "")
def test_a_file_that_is_no_picture_is_refused_by_its_content(ana, folder, name, content, words):
    path = folder / name
    path.write_bytes(content)
    ana.add(path)
    ana.is_told(name, words, kind="refused")
    ana.shows(0)


@pytest.mark.parametrize("cut", [40, 500, 5_000])
def test_a_picture_that_is_cut_off_is_no_trap(ana, pictures, folder, cut):
    whole = pictures["jpeg"].read_bytes()
    path = folder / "cut.jpg"
    path.write_bytes(whole[:cut])
    ana.add(path)
    expect(ana.page.locator("#notices > li, #grid > li")).to_have_count(1)


def test_a_picture_of_900_million_pixels_is_not_decoded_and_says_so(ana, folder):
    path = photos.write_decode_bomb(folder / "bomb.png")
    ana.add(path).shows(1)
    expect(ana.tile(path).locator(".tile-words")).to_contain_text("Too large to show: 30,000 × 30,000 pixels")
    ana.has(1)


def test_one_bad_file_among_good_ones_stops_only_itself(ana, gallery, folder, some_photos):
    bad = folder / "bad.jpg"
    bad.write_bytes(b"no picture")
    ana.add(some_photos[0], bad, some_photos[1]).shows(2)
    ana.is_told(r"bad\.jpg", "not a photo")
    gallery(ana.link).join("Ben").shows(2).has(2)


def test_a_name_that_is_markup_stays_text(ana, gallery, folder):
    path = folder / "<img src=x onerror=alert(1)>.png"
    photos.corners().save(path, "PNG")
    ana.add(path).shows(1)
    ben = gallery(ana.link).join("<b>Ben</b>").has(1)
    assert ben.page.locator("#grid img[src=x]").count() == 0
    ana.is_told("<b>Ben</b> has joined")
    ben.open(path)
    ben.reads("#viewer-name", "onerror")
