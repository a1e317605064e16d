"""The gallery for everyone: large letters, forced colours, no motion, the keyboard alone, from right to left, in one's own language, and by ear."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.door import walk_door

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

CUT_OFF = """() => [...document.querySelectorAll('button, h2, p, label, select, summary, [role=menuitem]')]
  .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.matches('.unseen, .tile-open, .tile-menu, #viewer-name, #viewer-facts') && !e.closest('.unseen, .tile'))
  .filter(e => { const r = e.getBoundingClientRect(); const d = e.closest('dialog[open]'); if (document.querySelector('dialog[open]') && !d) return false;
    return r.width > 0 && (r.left < -1 || r.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 2 && (e.matches('.button, select') || getComputedStyle(e).overflowX !== 'visible')); })
  .map(e => (e.id || e.className) + ': ' + e.textContent.trim().slice(0, 40))"""


def fits(page, state):
    """Nothing stands outside the window or is cut off, and nobody has to scroll sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), f"{state}: wider than the window"
    assert page.evaluate(CUT_OFF) == [], state


def walk(ana, some_photos, look):
    """Goes through the states of one's own gallery and looks at each."""
    look("first")
    ana.add(*some_photos).shows_thumbnails(3)
    look("alone")
    ana.page.click("#share")
    look("name")
    ana.page.click("#name-cancel")
    link = ana.share("Ana")
    ana.has(3)
    look("gallery")
    ana.page.click("#invite")
    look("invite")
    ana.close("#invite-dialog")
    ana.page.click("#roster-button")
    look("people")
    ana.close("#people-dialog")
    ana.page.click("#select")
    ana.tiles.first.locator(".tile-open").click()
    look("selection")
    ana.page.click("#select-done")
    ana.page.click("#privacy")
    look("privacy")
    ana.close("#privacy-dialog")
    ana.open(some_photos[0])
    look("viewer")
    ana.close("#viewer")
    ana.page.click("#leave")
    look("leave")
    ana.close("#leave-dialog")
    return link


def clean(page, state):
    page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running' || a.effect.getComputedTiming().iterations === Infinity)")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == [], state


def enlarge(page):
    """Sets the browser's own size of letters to twice the usual one."""
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"


@pytest.mark.parametrize("size", [{}, PHONE, {**PHONE, "viewport": {"width": 320, "height": 568}}], ids=["desktop", "phone", "narrow phone"])
def test_letters_at_twice_their_size_fit(gallery, some_photos, size):
    ana = gallery(**size)
    enlarge(ana.page)
    link = walk(ana, some_photos, lambda state: fits(ana.page, state))
    ben = gallery(link, **size)
    enlarge(ben.page)
    fits(ben.page, "join")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP", "ar-EG"])
def test_words_of_every_language_fit_on_the_narrowest_phone(gallery, some_photos, locale):
    narrow = {**PHONE, "viewport": {"width": 320, "height": 568}, "locale": locale}
    ana = gallery(**narrow)
    link = walk(ana, some_photos, lambda state: fits(ana.page, f"{locale} {state}"))
    ben = gallery(link, **narrow)
    fits(ben.page, f"{locale} join")
    ben.join("Ben").has(3)
    fits(ben.page, f"{locale} two people")
    ben.leave()
    fits(ben.page, f"{locale} left")


@pytest.mark.parametrize("locale, is_enlarged", [("en-GB", False), ("de-DE", False), ("ja-JP", False), ("ar-EG", False), ("en-GB", True)])
def test_words_at_the_door_fit_on_the_narrowest_phone(gallery, locale, is_enlarged):
    narrow = {**PHONE, "viewport": {"width": 320, "height": 568}, "locale": locale}
    ana = gallery(**narrow)
    link = ana.share("Ana")

    def look(one, state):
        if is_enlarged:
            enlarge(one.page)
        fits(one.page, f"{locale} {state}")

    walk_door(gallery, ana, link, look, **narrow)


@pytest.mark.parametrize("options", [{"locale": "ar-EG", "color_scheme": "light"}, {"forced_colors": "active"}], ids=["from right to left", "forced colours"])
def test_every_state_of_the_door_is_clean_for_everyone(gallery, options):
    options = {**options, "bypass_csp": True}
    ana = gallery(**options)
    walk_door(gallery, ana, ana.share("Ana"), lambda one, state: clean(one.page, state), **options)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_state_is_clean_from_right_to_left(gallery, participants, some_photos, colours):
    participants.words.expect("Content Security Policy")
    ana = gallery(locale="ar-EG", color_scheme=colours, bypass_csp=True)

    def look(state):
        fits(ana.page, state)
        clean(ana.page, state)

    walk(ana, some_photos, look)


def test_in_forced_colours_every_state_is_clean_and_the_focus_is_seen(gallery, some_photos):
    ana = gallery(forced_colors="active", bypass_csp=True)
    walk(ana, some_photos, lambda state: clean(ana.page, state))
    ana.page.keyboard.press("Tab")
    outline = ana.page.evaluate("(() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]; })()")
    assert outline[0] != "none" and outline[1] >= 2


def test_nothing_moves_for_who_wishes_that_nothing_moves(gallery, some_photos):
    ana = gallery(reduced_motion="reduce")

    def still(state):
        running = ana.page.evaluate("document.getAnimations().filter(a => a.playState === 'running' && a.effect.getComputedTiming().duration > 50).map(a => a.animationName ?? a.transitionProperty)")
        assert running == [], state

    walk(ana, some_photos, still)


def test_everything_can_be_done_by_keyboard_and_the_focus_is_always_seen(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    keyboard = ana.page.keyboard

    def focused():
        return ana.page.evaluate("document.activeElement.id || document.activeElement.className")

    seen = []
    for _ in range(20):
        keyboard.press("Tab")
        if focused() in seen:
            break
        seen.append(focused())
        ring = ana.page.evaluate("(() => { const s = getComputedStyle(document.activeElement); const inner = document.activeElement.querySelector('svg'); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 || (inner !== null && getComputedStyle(inner).outlineStyle !== 'none'); })()")
        assert ring or focused() == "", f"the focus is not seen on {focused()}"
    assert {"add", "share", "order", "select", "save-all", "tile-open", "language"} <= set(seen)
    ana.page.focus("#share")
    keyboard.press("Enter")
    keyboard.type("Ana")
    keyboard.press("Enter")
    expect(ana.page.locator("#invite-dialog")).to_be_visible()
    keyboard.press("Escape")
    ana.is_in_sync()
    ana.page.focus("#grid [tabindex='0']")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    expect(ana.page.locator("#viewer")).to_be_visible()
    ana.reads("#viewer-name", some_photos[1].name)
    keyboard.press("Escape")
    expect(ana.page.locator("#viewer")).to_be_hidden()
    assert ana.page.evaluate("document.activeElement.closest('[data-photo]').dataset.name") == some_photos[1].name


def test_in_arabic_the_page_is_turned_around_and_the_arrows_with_it(gallery, some_photos):
    ana = gallery(locale="ar-EG")
    assert ana.page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
    ana.add(*some_photos).shows_thumbnails(3)
    boxes = [tile.bounding_box() for tile in ana.tiles.all()]
    assert boxes[0]["x"] + boxes[0]["width"] > 1200 and boxes[1]["x"] < boxes[0]["x"]
    assert ana.page.locator("#add").bounding_box()["x"] < 640 < ana.page.locator(".mark").bounding_box()["x"]
    ana.page.focus("#grid [tabindex='0']")
    ana.page.keyboard.press("ArrowLeft")
    assert ana.page.evaluate("document.activeElement.closest('[data-photo]').dataset.name") == some_photos[1].name
    ana.page.keyboard.press("Enter")
    ana.reads("#viewer-name", some_photos[1].name)
    ana.page.keyboard.press("ArrowLeft")
    ana.reads("#viewer-name", some_photos[2].name)
    back, forward = (ana.page.locator(f"#viewer-{name}").bounding_box() for name in ("back", "forward"))
    assert back["x"] > forward["x"]


@pytest.mark.parametrize("locale, words", [("de-AT", "Fotos hinzufügen"), ("ja-JP", "写真を追加"), ("ar-EG", "إضافة صور"), ("en-GB", "Add photos"), ("fr-FR", "Add photos")])
def test_the_page_speaks_the_language_that_the_browser_asks_for(gallery, locale, words):
    expect(gallery(locale=locale).page.locator("#add")).to_have_text(words)


def test_another_language_is_chosen_in_the_page_and_everything_follows_at_once_and_after_a_reload(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ana.share("Ana")
    ana.has(3)
    ana.page.locator("#files").set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    ana.is_told("This is not a photo")
    ana.page.select_option("#language", "de")
    ana.is_told("Das ist kein Foto")
    ana.reads("#status-text", "Auf gleichem Stand").reads("#invite", "Einladen").reads("#roster-count", "Nur du").shows(3)
    assert ana.tiles.first.locator(".tile-menu").get_attribute("aria-label").startswith("Menü für")
    left = ana.page.evaluate("""() => { const english = /\\b(the|photos?|is|and|with|Share|Leave|Invite|Save|Select|Close)\\b/; const found = [];
        for (const e of document.querySelectorAll('body *')) { if (e.closest('noscript, #language, svg') || !e.checkVisibility()) continue;
          const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(' '); if (english.test(own) && !/\\.jpg|\\.txt/.test(own)) found.push(own.trim()); const label = e.getAttribute('aria-label') ?? ''; if (english.test(label)) found.push(label); }
        return found; }""")
    assert left == []
    ana.page.reload()
    ana.reads("#status-text", "Auf gleichem Stand")


def test_joins_additions_and_removals_are_announced(gallery, some_photos):
    ana = gallery()
    ana.page.evaluate("() => { window.said = []; new MutationObserver(() => said.push(document.querySelector('#announcements').textContent)).observe(document.querySelector('#announcements'), { childList: true, characterData: true, subtree: true }); }")
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ben.add(*some_photos[:2])
    ana.shows(2).has(2)
    ben.page.locator("#grid .tile-open").first.focus()
    ben.page.keyboard.press("Delete")
    ana.shows(1)
    ben.leave()
    ana.people("Ana")
    ana.page.wait_for_function("() => said.join(' ').includes('has left')")
    said = " ".join(ana.page.evaluate("said"))
    for words in ("Ben has joined", r"Ben added (a photo|2 photos)", "was removed", "Ben has left"):
        assert re.search(words, said), said
    assert ana.page.get_attribute("#announcements", "aria-live") == "polite"


def test_what_happens_while_a_dialog_is_open_is_said_in_it_and_can_be_answered_there(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ana.add(*some_photos[:2]).shows(2).has(2)
    ana.open(some_photos[0])
    ben = gallery(link).join("Ben")
    ana.page.wait_for_function("() => document.querySelector('#announcements').textContent.includes('Ben has joined')")
    assert ana.page.evaluate("document.querySelector('#announcements').closest('dialog[open]')?.id") == "viewer"
    ana.page.click("#viewer-remove")
    ana.reads("#viewer-name", some_photos[1].name)
    ana.is_told(some_photos[0].name, kind="removing").get_by_role("button", name="Undo").click()
    ana.close("#viewer")
    assert ana.page.evaluate("document.querySelector('#announcements').closest('dialog')") is None
    ana.shows(2)
    ben.has(2)
    ana.page.locator("#files").set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    ana.is_told("notes.txt")
    ana.page.click("#roster-button")
    ana.is_told("notes.txt").get_by_role("button", name="Close message").click()
    expect(ana.page.locator("#notices > li[data-kind=refused]")).to_have_count(0)
    ana.close("#people-dialog")


def test_a_viewer_opens_without_pointing_at_anything_and_says_each_photo(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ana.page.keyboard.press("Escape")
    ana.page.focus("#grid [tabindex='0']")
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator("#viewer")).to_be_focused()
    assert ana.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"
    expect(ana.page.locator("#viewer-name")).to_have_attribute("aria-live", "polite")
    ana.page.keyboard.press("Tab")
    assert ana.page.evaluate("[document.activeElement.closest('#viewer') !== null, getComputedStyle(document.activeElement).outlineStyle]") == [True, "solid"]
    ana.page.keyboard.press("ArrowRight")
    ana.reads("#viewer-name", some_photos[1].name)
