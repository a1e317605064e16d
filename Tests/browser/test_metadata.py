"""Pictures as they come: what cameras write goes or stays as one wishes, no picture comes twice by accident, odd files are no trap."""

import io
import re
import struct
import subprocess

import pillow_heif
import pytest
from PIL import Image
from playwright.sync_api import expect

from support import photos
from support.gallery import digest
from support.originals import are_the_same_pictures, tell_nothing


@pytest.fixture
def small(folder):
    """Makes small photos of one camera each."""
    def make(*names, seed=500):
        return [photos.write_photo(folder / name, seed + number, size=(640, 480)) for number, name in enumerate(names)]

    return make


def privacy(one, words):
    expect(one.page.locator("#privacy-text")).to_have_text(words)


def test_it_is_said_what_was_taken_out_and_one_s_own_file_stays_whole(gallery, small):
    ana = gallery()
    expect(ana.page.locator("#empty-privacy")).to_have_text("Location and camera data are taken out")
    paths = small("a.jpg", "b.jpg", "c.jpg")
    ana.add(*paths).shows_thumbnails(3)
    privacy(ana, "Location and camera data removed from 3 photos")
    ben = gallery(ana.share("Ana")).join("Ben").has(3)
    saved = [ben.save(path) for path in paths]
    assert tell_nothing(saved) and are_the_same_pictures(saved, paths)
    assert digest(ana.save(paths[0])) == digest(paths[0]), "who added it saves the file itself"
    ben.open(paths[0])
    ben.page.click("#viewer-about")
    ben.reads("#viewer-info", "Taken", "Added by", "Ana", "640 × 480 pixels", "JPEG")


def test_the_choice_to_keep_it_is_remembered_on_this_device_and_shares_the_file_itself(gallery, small):
    ana = gallery().keep_camera_data()
    paths = small("a.jpg", "b.jpg")
    ana.page.reload()
    ana.add(*paths).shows_thumbnails(2)
    privacy(ana, "Location and camera data kept in 2 photos")
    ben = gallery(ana.share("Ana")).join("Ben").has(2)
    for path in paths:
        assert digest(ben.save(path)) == digest(path)


def test_a_second_picture_that_goes_too_is_told(gallery, small, folder):
    first, second = small("a.jpg", "b.jpg")
    motion = folder / "motion.jpg"
    motion.write_bytes(first.read_bytes() + b"\x00\x00\x00\x18ftypmp42" + bytes(4_000))
    ana = gallery()
    ana.add(motion, second).shows_thumbnails(2)
    ana.is_told("1 photo also lost a second picture or a film", kind="thinned")


def test_the_same_picture_is_told_and_not_doubled_unless_it_is_wanted(gallery, small, folder):
    [path] = small("a.jpg")
    again = folder / "renamed.jpg"
    again.write_bytes(path.read_bytes())
    ana = gallery()
    ana.add(path).shows_thumbnails(1)
    ana.add(again)
    told = ana.is_told(r"renamed\.jpg is here already", kind="not-added-twice")
    ana.shows(1)
    ben = gallery(ana.share("Ana")).join("Ben").has(1)
    saved = ben.save(path)
    ben.add(saved)
    ben.is_told("is here already", kind="not-added-twice")
    told.get_by_role("button", name="Add anyway").click()
    ana.shows(2)
    ben.shows(2)


def test_what_cannot_be_cleaned_waits_for_a_word(gallery, folder):
    buffer = io.BytesIO()
    photos.corners((64, 48)).save(buffer, "PNG")
    # It ends in a piece that claims to be longer than the file: browsers show the picture, and nobody can say what that piece was.
    odd = folder / "odd.png"
    odd.write_bytes(buffer.getvalue()[:-12] + struct.pack(">I", 0x7FFF_FFFF) + b"tEXtComment\x00home")
    ana = gallery()
    link = ana.share("Ana")
    ana.add(odd)
    told = ana.is_told(r"could not be taken out of odd\.png, so it was not added", kind="not-cleaned")
    ana.shows(0)
    told.get_by_role("button", name="Close message").click()
    ana.add(odd)
    ana.is_told(r"odd\.png", kind="not-cleaned").get_by_role("button", name="Add anyway").click()
    ana.has(1)
    ben = gallery(link).join("Ben").has(1)
    assert digest(ben.save(odd)) == digest(odd)


def test_two_hundred_and_fifty_at_once_with_one_unreadable(gallery, folder):
    paths = []
    for number in range(250):
        path = folder / f"IMG_{number:04d}.jpg"
        Image.new("RGB", (64, 48), (number, 255 - number, number * 7 % 256)).save(path, quality=70)
        paths.append(path)
    paths[77].write_bytes(b"this was a photo once")
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ana.add(*paths)
    for one, whose in ((ana, "Yours"), (ben, "Ana")):
        # More photos than tiles: the page draws those that are near, and this counts all.
        expect(one.page.locator("#person option").nth(1)).to_have_text(f"{whose} (249)", timeout=120_000)
        expect(one.page.locator("#counts")).to_be_hidden(timeout=120_000)
    expect(ana.page.locator("#notices > li[data-kind=refused]")).to_have_count(1)
    ana.is_told(r"IMG_0077\.jpg", "not a photo", kind="refused")


NAMES = ["صورة من البحر.jpg", "写真 2026.png", "שלום.jpg", "e\u0301te\u0301.jpg", "👨‍👩‍👧‍👦 🌊.jpg", "…\u202egpj.exe.jpg", "con.jpg", "   .jpg"]


def test_names_of_any_script_and_length_arrive_and_are_saved_safely(gallery, folder):
    ana = gallery()
    ana.page.evaluate("""async ([names]) => {
        const files = await Promise.all(names.map(async (name, index) => { const canvas = new OffscreenCanvas(60, 40); const context = canvas.getContext('2d'); context.fillStyle = `hsl(${index * 30} 70% 50%)`; context.fillRect(0, 0, 60, 40);
          return new File([await canvas.convertToBlob()], name); }));
        const transfer = new DataTransfer(); for (const file of files) transfer.items.add(file);
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true })); }""", [[*NAMES, "x" * 296 + ".jpg", "same.jpg", "same.jpg"]])
    count = len(NAMES) + 3
    ana.shows_thumbnails(count)
    ben = gallery(ana.share("Ana")).join("Ben").has(count)
    assert ben.names()[:len(NAMES)] == NAMES
    long = ben.names()[len(NAMES)]
    assert len(long) == 255 and long.endswith(".jpg")
    ben.page.evaluate("delete window.showSaveFilePicker")
    with ben.page.expect_download() as download:
        ben.page.click("#save-all")
    download.value.save_as(folder / "all.zip")
    inside = subprocess.run(["unzip", "-Z1", folder / "all.zip"], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    assert len(set(name.lower() for name in inside)) == count
    assert not any(re.search(r"[\u202e/\\]|^\.|^con\.", name, re.IGNORECASE) for name in inside)


def test_108_million_pixels_are_shown(gallery, folder):
    path = folder / "large.png"
    Image.new("RGB", (12_000, 9_000), (30, 120, 90)).save(path, compress_level=1)
    ana = gallery()
    ana.add(path).shows_thumbnails(1, timeout=120_000)
    ana.open(path)
    assert ana.viewed() == {"width": 12_000, "height": 9_000}


def test_a_corrupt_tail_is_shared_as_far_as_it_goes(gallery, small, folder):
    [path] = small("whole.jpg")
    cut = folder / "cut.jpg"
    cut.write_bytes(path.read_bytes()[:-3_000])
    ana = gallery()
    ana.add(cut)
    ana.shows_thumbnails(1)
    ben = gallery(ana.share("Ana")).join("Ben").has(1)
    assert tell_nothing([ben.save(cut)]) and ana.save(cut).read_bytes() == cut.read_bytes()


def test_a_burst_and_live_photos_keep_their_order_and_their_films_are_refused_by_name(gallery, small, folder):
    burst = small(*(f"IMG_{number}_BURST.jpg" for number in (20, 3, 1, 12, 7)))
    film = folder / "IMG_1.MOV"
    film.write_bytes(b"\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  " + bytes(2_000))
    ana = gallery()
    ana.add(burst[0], burst[1], film, *burst[2:]).shows_thumbnails(5)
    assert ana.names() == [path.name for path in burst]
    ana.is_told(r"IMG_1\.MOV", "Videos cannot be added", kind="refused")
    ben = gallery(ana.share("Ana")).join("Ben").has(5)
    assert ben.names() == [path.name for path in burst]


def preview_exif(orientation):
    """EXIF with a picture of its own, as some cameras write it."""
    buffer = io.BytesIO()
    photos.corners((160, 120)).transpose(photos.STORED[orientation]).save(buffer, "JPEG", quality=90)
    small = buffer.getvalue()
    main = struct.pack(">HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 26)
    second_at = 8 + len(main)
    second = struct.pack(">H", 3) + struct.pack(">HHIHH", 0x103, 3, 1, 6, 0) + struct.pack(">HHII", 0x201, 4, 1, second_at + 42) + struct.pack(">HHII", 0x202, 4, 1, len(small)) + bytes(4)
    return b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08" + main + second + small


def test_a_heic_with_a_small_picture_in_it_is_shown_by_that(gallery, folder):
    path = folder / "camera.heic"
    # Its own orientation is in the container, as phones write it; the small picture lies as the sensor saw it.
    heif = pillow_heif.from_pillow(photos.corners())
    heif.save(path, quality=70, exif=preview_exif(6))
    ana = gallery()
    ana.add(path).shows_thumbnails(1)
    ben = gallery(ana.share("Ana")).join("Ben").has(1).shows_thumbnails(1)
    red, green, blue, _ = ben.thumbnail_colours(path, [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)])
    assert red[0] > 150 > red[1] + 60 and green[1] > 110 > green[0] + 40 and blue[2] > 150 > blue[0] + 60
    ben.open(path)
    expect(ben.page.locator("#viewer-stage img.preview")).to_be_visible()


def test_a_raw_file_is_shared_as_it_is_and_shown_by_what_its_camera_developed(gallery, folder):
    path = photos.write_raw(folder / "DSC_0001.DNG")
    known = subprocess.run(["exiftool", "-s3", "-Make", "-Orientation#", "-SubIFD1:ImageWidth", path], check=True, capture_output=True, text=True).stdout.split("\n")
    assert known[:3] == ["Hearth Optics", "6", "1200"], "it is made as exiftool understands it"
    ana = gallery()
    ana.add(path)
    # Nothing can be taken out of it, and that is said before it goes anywhere.
    ana.is_told(r"DSC_0001\.DNG", kind="not-cleaned").get_by_role("button", name="Add anyway").click()
    ana.shows_thumbnails(1)
    ben = gallery(ana.share("Ana")).join("Ben").has(1).shows_thumbnails(1)
    red, green, blue, white = ben.thumbnail_colours(path, [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)])
    assert red[0] > 180 > red[1] + 100 and green[1] > 130 > green[0] + 60 and blue[2] > 180 > blue[0] + 100 and min(white) > 200
    assert digest(ben.save(path)) == digest(path)
    ben.open(path)
    assert ben.viewed() == {"width": 1600, "height": 1200}
    ben.page.keyboard.press("i")
    ben.reads("#viewer-info", "RAW")


def moving_pictures(folder):
    frames = [Image.new("RGB", (80, 60), colour) for colour in ((220, 30, 30), (30, 180, 30), (30, 30, 220))]
    for name, options in {"gif": {}, "webp": {"lossless": True}, "png": {}}.items():
        frames[0].save(folder / f"moves.{name}", save_all=True, append_images=frames[1:], duration=120, loop=0, **options)
        yield folder / f"moves.{name}"


def moves(locator, looks=12):
    """Whether the picture itself changes while one looks; the page's own fades do not count."""
    first = locator.screenshot(animations="disabled")
    return any(locator.screenshot(animations="disabled") != first for _ in range(looks))


def test_what_moves_moves_in_the_viewer_and_stands_still_in_the_grid(gallery, folder):
    paths = list(moving_pictures(folder))
    ana = gallery()
    ana.add(*paths).shows_thumbnails(3)
    for path in paths:
        assert ana.tile(path).locator(".tile-badge").is_visible(), path.name
        assert not moves(ana.tile(path).locator("img")), path.name
        ana.open(path)
        ana.viewed()
        assert moves(ana.page.locator("#viewer-stage img.original"), looks=100), path.name
        ana.page.keyboard.press("Escape")


def test_a_photo_from_the_camera_button_of_a_phone(gallery, playwright, small):
    device = {key: value for key, value in playwright.devices["Pixel 7"].items() if key != "default_browser_type"}
    phone = gallery(**device)
    expect(phone.page.locator("#camera")).to_be_visible()
    assert phone.page.get_attribute("#camera-file", "capture") == "environment"
    with phone.page.expect_file_chooser() as chooser:
        phone.page.tap("#camera")
    chooser.value.set_files(str(small("shot.jpg")[0]))
    phone.shows_thumbnails(1)
    expect(gallery().page.locator("#camera")).to_be_hidden()
