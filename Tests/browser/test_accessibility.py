"""Every main state of the page is free of what axe finds, in light and in dark, on a desk and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.door import walk_door
from support.gallery import LONG
from support.liar import Liar

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
def test_every_state_of_the_door_is_clean(gallery, screen):
    options = {**screen, **MEASURABLE}
    ana = gallery(**options)
    walk_door(gallery, ana, ana.share("Ana"), is_clean, **options)


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_the_warning_of_a_server_that_shows_people_different_things_is_clean(gallery, some_photos, screen):
    options = {**screen, **MEASURABLE}
    ana = gallery(**options)
    ana.add(some_photos[0])
    link = ana.share("Ana")
    ana.has(1)
    ben = gallery(link, **options)
    Liar().lie_to(ben.page)
    ben.join("Ben").has(1)
    ana.add(some_photos[1])
    expect(ana.page.locator("#banner[data-kind=divergence]")).to_be_visible(timeout=LONG)
    is_clean(ana, "divergence")


def test_the_door_is_set_and_answered_by_the_keyboard_and_said_aloud(gallery):
    ana = gallery()
    link = ana.share("Ana")
    page = ana.page
    page.focus("#invite")
    page.keyboard.press("Enter")

    def tab_to(locator):
        for _ in range(40):
            page.keyboard.press("Tab")
            if locator.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab does not lead to {locator}")

    tab_to(page.get_by_role("combobox", name="Who can join"))
    page.keyboard.type("Only")
    expect(page.get_by_role("dialog").get_by_role("status").filter(has_text="has to wait until somebody here lets them in")).to_be_visible()
    tab_to(page.get_by_role("combobox", name="The link ends"))
    guests = []
    for name in ("Ben", "Cleo"):
        guest = gallery(link)
        guest.page.fill("#join-name", name)
        guest.page.keyboard.press("Enter")
        guest.reads("#join-waiting-text", "Waiting for somebody to let you in")
        guests.append(guest)
        ana.is_told(f"{name} would like to join")
        ana.reads("#announcements", f"{name} would like to join")
    ben, cleo = guests
    answers = {name: ana.is_told(f"{name} would like").get_by_role("button") for name in ("Ben", "Cleo")}
    for name, buttons in answers.items():
        for button, words in zip(buttons.all(), ("Let in", "Decline"), strict=True):
            expect(button).to_have_accessible_name(words)
            expect(button).to_have_accessible_description(f"{name} would like to join.")
    tab_to(answers["Ben"].nth(0))
    tab_to(answers["Ben"].nth(1))
    page.keyboard.press("Enter")
    expect(ben.page.locator("#join-problem")).to_have_attribute("data-code", "declined")
    tab_to(answers["Cleo"].nth(0))
    page.keyboard.press("Enter")
    cleo.is_in_sync()
    expect(page.locator("#invite-dialog")).to_be_visible()


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
