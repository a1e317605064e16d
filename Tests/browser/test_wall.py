"""A wall shows what comes by itself; one shows photos to those who wish to follow."""

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from support.participants import CONNECTION_LOST

SHOWN = "#wall-stage figure.shown"


@pytest.fixture
def shared(gallery, some_photos):
    """Ana shares one photo; gives her page and the link."""
    ana = gallery()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    return ana.has(1), link


def wall_at(gallery, link, **options):
    wall = gallery(link, **options)
    wall.page.click("#join-wall")
    expect(wall.page.locator("#wall")).to_be_visible()
    return wall


def shows(wall, path, timeout=30_000):
    expect(wall.page.locator(SHOWN).filter(has=wall.page.locator("img"))).to_have_attribute("data-name", path.name, timeout=timeout)
    wall.page.wait_for_function("selector => { const i = document.querySelector(selector + ' img'); return i && i.complete && i.naturalWidth > 0; }", arg=SHOWN)


def test_a_wall_shows_each_new_photo_by_itself_and_nothing_to_press(gallery, shared, some_photos):
    ana, link = shared
    wall = wall_at(gallery, link)
    shows(wall, some_photos[0])
    ana.people("Ana", "Wall")
    ana.add(some_photos[1])
    shows(wall, some_photos[1])
    expect(wall.page.locator(f"{SHOWN} figcaption")).to_have_text("from Ana")
    visible = wall.page.eval_on_selector_all("button, input, select, a", "all => all.filter((one) => one.checkVisibility({visibilityProperty: true})).map((one) => one.id)")
    assert visible == []
    assert wall.page.eval_on_selector("#wall", "e => getComputedStyle(e).cursor") == "none"
    expect(wall.page.locator("#wall-words")).to_have_text("One person is here")


def test_a_photo_whose_turn_came_before_its_original_becomes_sharp_on_the_wall(gallery, participants, shared, proxy, relay):
    participants.words.expect("Failed to load resource: .* 503")
    ana, link = shared
    proxy.add("refuse", path=r"/parts/")
    wall = wall_at(gallery, link.replace(f":{relay.port}/", f":{proxy.port}/"))
    width = "() => document.querySelector('#wall-stage figure.shown img')?.naturalWidth ?? 0"
    wall.page.wait_for_function(f"() => ({width})() > 0")
    assert wall.page.evaluate(width) <= 480
    proxy.clear()
    wall.page.wait_for_function(f"() => ({width})() > 480")


def test_the_code_on_a_wall_leads_into_the_conversation(gallery, shared, folder):
    ana, link = shared
    wall = wall_at(gallery, link, viewport={"width": 1920, "height": 1080})
    expect(wall.page.locator("#wall-qr svg")).to_be_visible()
    wall.page.locator("#wall-qr").screenshot(path=folder / "code.png")
    assert zxingcpp.read_barcodes(Image.open(folder / "code.png"))[0].text == link


def test_a_wall_stays_one_after_a_reload_and_leaves_the_name_that_people_use_alone(gallery, shared, some_photos):
    ana, link = shared
    wall = wall_at(gallery, link)
    shows(wall, some_photos[0])
    wall.page.reload()
    expect(wall.page.locator("#wall")).to_be_visible()
    shows(wall, some_photos[0])
    ana.people("Ana", "Wall")
    assert wall.page.evaluate("() => localStorage.getItem('hearth.name')") is None


def test_a_photo_that_is_removed_goes_from_the_wall_too(gallery, shared, some_photos):
    ana, link = shared
    wall = wall_at(gallery, link)
    shows(wall, some_photos[0])
    ana.remove(some_photos[0])
    expect(wall.page.locator("#wall-stage figure")).to_have_count(0, timeout=30_000)
    expect(wall.page.locator("#wall-empty")).to_be_visible()


def test_a_wall_keeps_the_screen_on_and_fades_only_where_motion_is_welcome(gallery, participants, shared, some_photos):
    _, link = shared
    for motion, is_faded in (("no-preference", True), ("reduce", False)):
        wall = gallery(link, reduced_motion=motion)
        wall.page.evaluate("() => { globalThis.asked = []; Object.defineProperty(navigator, 'wakeLock', {value: {request: async (kind) => globalThis.asked.push(kind)}}); }")
        wall.page.click("#join-wall")
        shows(wall, some_photos[0])
        assert wall.page.evaluate("() => globalThis.asked") == ["screen"]
        assert wall.page.eval_on_selector(SHOWN, "e => parseFloat(getComputedStyle(e).transitionDuration) > 0.5") is is_faded


def test_a_wall_says_when_the_connection_is_lost_and_goes_on_when_it_is_back(gallery, participants, relay, shared, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana, link = shared
    wall = wall_at(gallery, link)
    shows(wall, some_photos[0])
    relay.kill()
    expect(wall.page.locator("#wall-words")).to_have_text("Reconnecting …")
    relay.start()
    ana.is_in_sync(60_000)
    ana.add(some_photos[1])
    shows(wall, some_photos[1], timeout=60_000)


def test_one_shows_and_those_who_wish_follow_until_they_stop(gallery, shared, some_photos):
    ana, link = shared
    ana.add(*some_photos[1:]).has(3)
    ben, cleo = (gallery(link).join(name).has(3) for name in ("Ben", "Cleo"))
    ana.open(some_photos[0])
    ana.page.click("#viewer-show")
    for one in (ben, cleo):
        one.reads("#showing-text", "Ana is showing photos")
        expect(one.page.locator("#viewer")).to_be_hidden()
    ben.page.click("#showing-action")
    expect(ben.page.locator("#viewer-name")).to_have_text(some_photos[0].name)
    ben.reads("#viewer-lead-text", "You follow Ana")
    ana.reads("#viewer-lead-text", "one person follows")
    ana.page.keyboard.press("ArrowRight")
    expect(ben.page.locator("#viewer-name")).to_have_text(some_photos[1].name)
    expect(cleo.page.locator("#viewer")).to_be_hidden()
    ben.page.click("#viewer-unfollow")
    ana.page.keyboard.press("ArrowRight")
    ana.reads("#viewer-lead-text", "0 follow")
    expect(ben.page.locator("#viewer-name")).to_have_text(some_photos[1].name)
    ben.page.keyboard.press("Escape")
    ben.page.click("#showing-action")
    expect(ben.page.locator("#viewer-name")).to_have_text(some_photos[2].name)
    ben.page.keyboard.press("ArrowLeft")
    expect(ben.page.locator("#viewer-lead")).to_be_hidden()
    ben.page.keyboard.press("Escape")
    ana.page.keyboard.press("Escape")
    for one in (ben, cleo):
        expect(one.page.locator("#showing")).to_be_hidden()


def test_who_comes_later_may_follow_too_and_the_wall_shows_what_is_shown(gallery, shared, some_photos):
    ana, link = shared
    ana.add(*some_photos[1:]).has(3)
    ana.open(some_photos[2])
    ana.page.click("#viewer-show")
    ben = gallery(link).join("Ben").has(3)
    ben.reads("#showing-text", "Ana is showing photos")
    wall = wall_at(gallery, link)
    shows(wall, some_photos[2])
    expect(wall.page.locator("#wall-words")).to_have_text("Ana is showing photos.")
    ana.page.keyboard.press("ArrowLeft")
    shows(wall, some_photos[1])
    ben.page.click("#showing-action")
    expect(ben.page.locator("#viewer-name")).to_have_text(some_photos[1].name)
    ana.page.close()
    expect(ben.page.locator("#viewer-lead")).to_be_hidden()
