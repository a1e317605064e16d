"""Handling photos: looked at closely, selected, saved as one file, removed and brought back, ordered, and talked about."""

import re
import subprocess
import zipfile

import pytest
from playwright.sync_api import expect

from support import photos
from support.gallery import digest

UNDO_SECONDS = 6


@pytest.fixture
def small(folder):
    return [photos.write_photo(folder / f"p{number}.jpg", 700 + number, size=(800, 600)) for number in range(5)]


@pytest.fixture
def pair(gallery, small):
    """Ana and Ben with five small photos of Ana's."""
    ana = gallery()
    ana.add(*small).shows_thumbnails(5)
    ben = gallery(ana.share("Ana")).join("Ben").has(5)
    return ana.has(5), ben


def phone(gallery, playwright, url=None):
    return gallery(url, **{key: value for key, value in playwright.devices["Pixel 7"].items() if key != "default_browser_type"})


def scale(one, pattern):
    expect(one.page.locator("#viewer-stage")).to_have_attribute("data-scale", re.compile(pattern))


def place(one):
    return one.page.locator(".sheet-of-picture").evaluate("sheet => { const m = new DOMMatrix(sheet.style.transform); return [m.e, m.f]; }")


# Looking closely.

def test_keys_and_wheel_zoom_and_a_drag_moves_the_picture(gallery, small):
    ana = gallery()
    ana.add(*small[:2]).shows_thumbnails(2)
    ana.open(small[0])
    ana.viewed()
    scale(ana, r"^1\.00$")
    ana.page.keyboard.press("+")
    scale(ana, r"^1\.50$")
    ana.page.keyboard.press("-")
    scale(ana, r"^1\.00$")
    box = ana.page.locator("#viewer-stage").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ana.page.mouse.move(*middle)
    for _ in range(5):
        ana.page.mouse.wheel(0, -120)
    scale(ana, r"^[4-9]")
    ana.page.mouse.down()
    ana.page.mouse.move(middle[0] + 90, middle[1] + 40, steps=4)
    ana.page.mouse.up()
    assert [round(value) for value in place(ana)] == [90, 40]
    ana.page.keyboard.press("ArrowLeft")
    assert round(place(ana)[0]) == 170, "zoomed in, arrows move about"
    ana.reads("#viewer-name", small[0].name)
    ana.page.keyboard.press("0")
    scale(ana, r"^1\.00$")
    ana.page.keyboard.press("ArrowRight")
    ana.reads("#viewer-name", small[1].name)
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("#viewer")).to_be_hidden()


def test_a_double_click_comes_close_and_goes_back(gallery, small):
    ana = gallery()
    ana.add(small[0]).shows_thumbnails(1)
    ana.open(small[0])
    ana.viewed()
    ana.page.locator("#viewer-stage").dblclick()
    scale(ana, r"^2\.50$")
    ana.page.locator("#viewer-stage").dblclick()
    scale(ana, r"^1\.00$")


class Fingers:
    """Touches of a phone's screen, each finger by its number."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def at(self, kind, *points):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]})

    def drag(self, start, end, steps=6):
        self.at("touchStart", start)
        for step in range(1, steps + 1):
            self.at("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end)))
        self.at("touchEnd")


def test_fingers_swipe_pinch_and_tap_twice(gallery, playwright, small):
    ben = phone(gallery, playwright)
    ben.add(*small[:3]).shows_thumbnails(3)
    ben.tile(small[0]).locator(".tile-open").tap()
    ben.viewed()
    fingers = Fingers(ben.page)
    fingers.drag((300, 400), (80, 410))
    ben.reads("#viewer-name", small[1].name)
    fingers.drag((80, 400), (300, 390))
    ben.reads("#viewer-name", small[0].name)
    ben.viewed()
    fingers.at("touchStart", (180, 400), (220, 400))
    for spread in (40, 80, 120):
        fingers.at("touchMove", (180 - spread, 400), (220 + spread, 400))
    fingers.at("touchEnd")
    scale(ben, r"^[2-9]\.")
    fingers.drag((300, 400), (200, 400))
    ben.reads("#viewer-name", small[0].name)
    for _ in range(2):
        fingers.at("touchStart", (200, 400))
        fingers.at("touchEnd")
    scale(ben, r"^1\.00$")


def test_info_tells_name_owner_date_size_and_dimensions(pair, small):
    ana, ben = pair
    ben.open(small[2])
    expect(ben.page.locator("#viewer-info")).to_be_hidden()
    ben.page.keyboard.press("i")
    ben.reads("#viewer-info", small[2].name.replace(".", r"\."), "Added by", "Ana", "Taken", "Added", "kB", "800 × 600 pixels", "JPEG")
    ben.page.click("#viewer-about")
    expect(ben.page.locator("#viewer-info")).to_be_hidden()


# Selecting.

def test_photos_are_selected_with_keys_held_and_removed_at_once(pair, small):
    ana, ben = pair
    ana.tile(small[1]).locator(".tile-open").click(modifiers=["Control"])
    ana.tile(small[3]).locator(".tile-open").click(modifiers=["Shift"])
    ana.reads("#select-count", "3 selected")
    ana.tile(small[2]).locator(".tile-open").click()
    ana.reads("#select-count", "2 selected")
    expect(ana.page.locator("#viewer")).to_be_hidden()
    assert ana.page.locator("#grid > li[data-selected]").count() == 2
    ana.page.click("#select-remove")
    ana.shows(3).is_told("2 photos are removed", kind="removing").get_by_role("button", name="Close message").click()
    ben.shows(3)
    assert ben.names() == [small[0].name, small[2].name, small[4].name]


def test_selecting_by_keys_alone(gallery, small):
    ana = gallery()
    ana.add(*small).shows_thumbnails(5)
    ana.page.locator("#select").focus()
    ana.page.keyboard.press("Enter")
    ana.reads("#select-count", "Press photos")
    ana.tile(small[0]).locator(".tile-open").focus()
    ana.page.keyboard.press("Space")
    ana.page.keyboard.press("ArrowRight")
    ana.page.keyboard.press("Space")
    ana.reads("#select-count", "2 selected")
    expect(ana.tile(small[1]).locator(".tile-open")).to_have_attribute("aria-pressed", "true")
    ana.page.keyboard.press("Control+a")
    ana.reads("#select-count", "5 selected")
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("#selection")).to_be_hidden()
    assert ana.page.locator("#grid > li[data-selected]").count() == 0
    ana.tile(small[0]).locator(".tile-open").click(modifiers=["Control"])
    ana.tile(small[1]).locator(".tile-open").click()
    ana.page.keyboard.press("Delete")
    ana.shows(3)
    ana.page.keyboard.press("Control+z")
    ana.shows(5)


def test_a_long_press_and_taps_select_on_a_phone(gallery, playwright, small):
    from support.participants import hold_finger
    ben = phone(gallery, playwright)
    ben.add(*small).shows_thumbnails(5)
    lift = hold_finger(ben.page, ben.tile(small[0]))
    expect(ben.page.locator("#menu")).to_be_visible()
    lift()
    ben.page.tap("#menu-select")
    ben.tile(small[2]).locator(".tile-open").tap()
    ben.reads("#select-count", "2 selected")
    ben.page.tap("#select-remove")
    ben.shows(3)


# Saving many.

def test_what_is_selected_is_saved_as_one_file(pair, small, folder):
    ana, ben = pair
    ben.page.evaluate("delete window.showSaveFilePicker")
    ben.tile(small[0]).locator(".tile-open").click(modifiers=["Control"])
    ben.tile(small[4]).locator(".tile-open").click(modifiers=["Control"])
    with ben.page.expect_download() as download:
        ben.page.click("#select-save")
    download.value.save_as(folder / "some.zip")
    assert re.fullmatch(r"Photos \d{4}-\d\d-\d\d\.zip", download.value.suggested_filename)
    with zipfile.ZipFile(folder / "some.zip") as archive:
        assert archive.namelist() == [small[0].name, small[4].name] and archive.testzip() is None
    ben.is_told("2 photos are saved in one file")


def test_everything_is_written_straight_into_a_file_where_the_browser_can(pair, small, folder):
    ana, ben = pair
    ben.page.evaluate("""() => { window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName.replace(/.*/, 'all.zip'), { create: true }); }""")
    ben.page.click("#save-all")
    ben.is_told("5 photos are saved in one file")
    content = ben.page.evaluate("async () => { const file = await (await (await navigator.storage.getDirectory()).getFileHandle('all.zip')).getFile(); return [...new Uint8Array(await file.arrayBuffer())]; }")
    (folder / "all.zip").write_bytes(bytes(content))
    subprocess.run(["unzip", "-q", "all.zip", "-d", "out"], cwd=folder, check=True)
    assert sorted(path.name for path in (folder / "out").iterdir()) == [path.name for path in small]
    for path in small:
        assert digest(folder / "out" / path.name) == digest(ben.save(path))


def test_a_file_dialog_that_is_closed_saves_nothing_and_says_nothing(pair):
    ana, ben = pair
    ben.page.evaluate("() => { window.showSaveFilePicker = async () => { throw new DOMException('closed', 'AbortError'); }; }")
    ben.page.click("#save-all")
    expect(ben.page.locator("#saving")).to_be_hidden()
    expect(ben.page.locator("#save-all")).to_be_enabled()
    expect(ben.page.locator("#notices > li[data-kind=archive-failed]")).to_have_count(0)


# Removing, and bringing back.

def test_a_removal_is_undone_by_button_and_by_key_and_the_others_see_no_flicker(pair, small):
    ana, ben = pair
    seen = []
    ben.page.expose_function("sawCount", lambda count: seen.append(count))
    ben.page.evaluate("() => new MutationObserver(() => window.sawCount(document.querySelectorAll('#grid > li').length)).observe(document.querySelector('#grid'), { childList: true })")
    ana.remove(small[0])
    ana.shows(4).is_told(small[0].name, kind="removing").get_by_role("button", name="Undo").click()
    ana.shows(5)
    ana.remove(small[1])
    ana.shows(4)
    ana.page.keyboard.press("Control+z")
    ana.shows(5)
    ana.page.click("#privacy")
    assert ben.tiles.count() == 5 and seen == []


def test_a_removal_goes_out_when_its_time_is_over(pair, small):
    ana, ben = pair
    ana.remove(small[0])
    ben.shows(4, timeout=UNDO_SECONDS * 1000 + 20_000)
    expect(ana.page.locator("#notices > li[data-kind=removing]")).to_have_count(0)


def test_a_removal_goes_out_when_the_page_is_hidden(pair, small):
    ana, ben = pair
    ana.remove(small[0])
    ana.tiles.first.hover()
    ana.page.evaluate("() => { Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }")
    ben.shows(4, timeout=UNDO_SECONDS * 1000 - 1_000)


def test_while_somebody_reads_the_offer_it_stays(pair, small):
    ana, ben = pair
    ana.page.clock.install()
    ana.remove(small[0])
    notice = ana.is_told(small[0].name, kind="removing")
    notice.hover()
    ana.page.clock.run_for(20_000)
    assert ben.tiles.count() == 5 and notice.is_visible()
    notice.get_by_role("button", name="Undo").click()
    ana.shows(5)


def test_a_photo_removed_in_the_viewer_makes_room_for_the_next(pair, small):
    ana, ben = pair
    ana.open(small[1])
    ana.page.click("#viewer-remove")
    ana.reads("#viewer-name", small[2].name)
    ana.page.keyboard.press("Control+z")
    ana.page.keyboard.press("ArrowLeft")
    ana.reads("#viewer-name", small[1].name)


# Order and persons.

def test_photos_are_ordered_by_time_taken_and_the_choice_is_remembered(gallery, small):
    taken = {path: photos.camera_data(700 + number).get_ifd(photos.EXIF_IFD)[photos.DATE_ORIGINAL] for number, path in enumerate(small)}
    ana = gallery()
    ana.add(*small).shows_thumbnails(5)
    ana.page.select_option("#order", "taken")
    wanted = [path.name for path in sorted(small, key=taken.get)]
    expect(ana.tiles.first).to_have_attribute("data-name", wanted[0])
    assert ana.names() == wanted and wanted != [path.name for path in small]
    ana.open(small[[path.name for path in small].index(wanted[0])])
    ana.page.keyboard.press("ArrowRight")
    ana.reads("#viewer-name", re.escape(wanted[1]))
    ana.page.keyboard.press("Escape")
    ana.page.reload()
    expect(ana.page.locator("#order")).to_have_value("taken")


def test_photos_of_one_person_are_shown_alone(pair, small, folder):
    ana, ben = pair
    mine = photos.write_photo(folder / "mine.jpg", 900, size=(640, 480))
    ben.add(mine)
    ana.shows(6).has(6)
    ana.page.select_option("#person", label="Ben (1)")
    ana.shows(1)
    assert ana.names() == ["mine.jpg"]
    ana.page.select_option("#person", label="Yours (5)")
    ana.shows(5)
    ana.page.select_option("#person", label="Everyone’s")
    ana.shows(6)


# Talking about photos.

def test_captions_and_reactions_are_seen_by_all_and_by_who_comes_later(gallery, pair, small):
    ana, ben = pair
    ana.open(small[0])
    ana.page.fill("#caption", "Low <b>tide</b>")
    ana.page.keyboard.press("Enter")
    expect(ben.tile(small[0]).locator(".tile-caption")).to_have_text("Low <b>tide</b>")
    ben.open(small[0])
    expect(ben.page.locator("#caption")).to_have_value("Low <b>tide</b>")
    ben.page.click('[data-emoji="👍"]')
    ana.page.click('[data-emoji="👍"]')
    for one in (ana, ben):
        expect(one.page.locator('[data-emoji="👍"]')).to_have_attribute("data-count", "2")
    ben.page.click('[data-emoji="❤️"]')
    expect(ana.page.locator('[data-emoji="👍"]')).to_have_attribute("data-count", "1")
    ana.reads("#reaction-names", "👍 Ana", "❤️ Ben")
    ben.page.fill("#caption", "High tide")
    ben.page.keyboard.press("Enter")
    expect(ana.page.locator("#caption")).to_have_value("High tide")
    cleo = gallery(ana.page.evaluate("sessionStorage.getItem('hearth.invitation')")).join("Cleo").has(5)
    expect(cleo.tile(small[0]).locator(".tile-caption")).to_have_text("High tide")
    expect(cleo.tile(small[0]).locator(".tile-reactions")).to_have_text(re.compile(" 2$"))
    ben.page.click('[data-emoji="❤️"]')
    expect(cleo.tile(small[0]).locator(".tile-reactions")).to_have_text(re.compile(" 1$"))


def test_a_caption_written_before_sharing_travels_with_the_photo(gallery, small):
    ana = gallery()
    ana.add(small[0]).shows_thumbnails(1)
    ana.open(small[0])
    ana.page.fill("#caption", "Written alone")
    ana.page.keyboard.press("Enter")
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("#reactions")).to_be_hidden()
    ben = gallery(ana.share("Ana")).join("Ben").has(1)
    expect(ben.tile(small[0]).locator(".tile-caption")).to_have_text("Written alone")


def test_keys_pressed_while_writing_do_nothing_else(pair, small):
    ana, ben = pair
    ana.open(small[1])
    ana.page.locator("#caption").focus()
    ana.page.keyboard.type("i + - 0")
    ana.page.keyboard.press("ArrowLeft")
    ana.page.keyboard.press("Delete")
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("#viewer")).to_be_visible()
    expect(ana.page.locator("#viewer-info")).to_be_hidden()
    scale(ana, r"^1\.00$")
    ana.reads("#viewer-name", small[1].name)
    expect(ana.page.locator("#caption")).to_have_value("")


def test_reactions_survive_a_reload_of_whoever_gave_them(pair, small):
    ana, ben = pair
    ben.open(small[0])
    ben.page.click('[data-emoji="🎉"]')
    expect(ana.tile(small[0]).locator(".tile-reactions")).to_have_text(re.compile(" 1$"))
    ben.page.reload()
    ben.is_in_sync().has(5)
    ben.open(small[0])
    expect(ben.page.locator('[data-emoji="🎉"]')).to_have_attribute("aria-pressed", "true")
    ben.page.click('[data-emoji="👍"]')
    expect(ana.tile(small[0]).locator(".tile-reactions")).to_have_text(re.compile("^👍 1$"))
