"""Every main state of the page is free of what axe finds, in light and in dark, on a desk and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SCREENS = {
    "desktop, light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "phone, dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True},
}
# The page's own policy would keep axe out as well, and colours that are still fading in cannot be judged.
MEASURABLE = {"bypass_csp": True, "reduced_motion": "reduce"}


def is_clean(one, state):
    found = Axe().run(one.page).response["violations"]
    assert found == [], [state, *[(each["id"], each["help"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]]


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_every_main_state_is_clean(gallery, some_photos, screen):
    options = {**screen, **MEASURABLE}
    ana = gallery(**options)
    is_clean(ana, "the first screen")
    ana.add(*some_photos).shows_thumbnails(3)
    is_clean(ana, "photos alone")
    ana.page.click("#share")
    is_clean(ana, "asked for a name")
    ana.page.fill("#name", "Ana")
    ana.page.click("#name-confirm")
    expect(ana.page.locator("#invite-dialog")).to_be_visible()
    is_clean(ana, "the invite sheet")
    link = ana.page.input_value("#invite-link")
    ana.close("#invite-dialog")
    ana.has(3)
    is_clean(ana, "sharing")
    ben = gallery(link, **options)
    is_clean(ben, "invited")
    gallery(link[:-3], **options).page.wait_for_selector("#join-problem:visible")
    ben.join("Ben").has(3)
    ben.open(some_photos[0])
    ben.viewed()
    is_clean(ben, "a photo")
    ben.page.keyboard.press("Escape")
    ben.menu(some_photos[0])
    is_clean(ben, "the menu")
    ben.page.keyboard.press("Escape")
    ben.page.click("#roster-button")
    is_clean(ben, "who is here")
    ben.close("#people-dialog")
    ana.open(some_photos[0])
    ana.page.click("#viewer-about")
    ana.page.click("#viewer-show")
    is_clean(ana, "showing to everyone")
    expect(ben.page.locator("#showing")).to_be_visible()
    is_clean(ben, "somebody shows")
    ben.page.click("#showing-action")
    expect(ben.page.locator("#viewer-lead")).to_be_visible()
    is_clean(ben, "following")
    ana.page.click("#viewer-show")
    ana.close("#viewer")
    ben.close("#viewer")
    wall = gallery(link, **options)
    wall.page.click("#join-wall")
    expect(wall.page.locator("#wall-stage figure.shown img")).to_be_visible()
    is_clean(wall, "the wall")
    ana.page.click("#leave")
    is_clean(ana, "leaving")
    ana.page.click("#end")
    ben.has_status("ended")
    is_clean(ben, "ended")
    ana.has_status("ended")
    ana.leave()
    is_clean(ana, "left")


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_a_page_with_faults_to_tell_is_clean(gallery, folder, screen):
    bad = folder / "letter.jpg"
    bad.write_text("no picture")
    ana = gallery(**screen, **MEASURABLE)
    ana.add(bad)
    ana.is_told("letter.jpg")
    is_clean(ana, "a refusal")


def test_the_whole_job_can_be_done_by_the_keyboard(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    page = ana.page

    def tab_to(selector):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
                return
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to("#share")
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    expect(page.locator("#invite-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    ana.is_in_sync()
    tab_to(".tile-open")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    ana.reads("#viewer-name", some_photos[1].name)
    page.keyboard.press("Escape")
    expect(ana.tile(some_photos[1]).locator(".tile-open")).to_be_focused()
    page.keyboard.press("Delete")
    ana.shows(2)
