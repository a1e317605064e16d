"""Who else may come in: a locked conversation, one where newcomers knock, a link that ends; and how each of them looks to who stands outside."""

import re

from playwright.sync_api import expect

from support.participants import CONNECTION_LOST


MOMENT = 30_000


def set_door(one, mode=None, end=None):
    """Chooses in the sheet of the invitation."""
    one.page.click("#invite")
    if mode:
        one.page.select_option("#door-mode", mode)
    if end:
        one.page.select_option("#door-end", end)
    return one


def locks(one):
    set_door(one, "locked").reads("#door-state", "Nobody else can join")
    one.close("#invite-dialog")


def guards(one):
    set_door(one, "knock").reads("#door-state", "has to wait until somebody here lets them in")
    one.close("#invite-dialog")


def knocks(gallery, link, name):
    """Somebody who opens the link and waits."""
    guest = gallery(link)
    guest.name = name
    guest.page.fill("#join-name", name)
    guest.page.click("#join-button")
    guest.reads("#join-waiting-text", "Waiting for somebody to let you in")
    return guest


def is_turned_away(guest, name, code, title):
    guest.page.fill("#join-name", name)
    guest.page.click("#join-button")
    expect(guest.page.locator("#join-problem")).to_have_attribute("data-code", code, timeout=MOMENT)
    guest.reads("#join-title", title)
    expect(guest.page.locator("#join-text")).to_be_hidden()
    return guest


def test_a_locked_conversation_lets_nobody_else_in_and_is_opened_by_anybody_who_is_in_it(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    locks(ana)
    ben.page.click("#roster-button")
    ben.reads("#people-door", "Nobody else can join")
    ben.close("#people-dialog")
    cleo = is_turned_away(gallery(link), "Cleo", "locked", "Nobody else is let in just now")
    ana.add(some_photos[0])
    ben.shows_thumbnails(1).has(1)
    ana.people("Ana", "Ben")
    set_door(ben, "open")
    expect(ben.page.locator("#door-state")).to_be_hidden()
    ben.close("#invite-dialog")
    cleo.page.click("#join-button")
    cleo.is_in_sync().has(1)


def test_who_is_in_a_locked_conversation_comes_back_after_a_reload_and_after_the_relay_was_killed(gallery, relay, some_photos, participants):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    locks(ana)
    ben.page.click("#roster-button")
    ben.reads("#people-door", "Nobody else can join")
    ben.close("#people-dialog")
    ben.page.reload()
    ben.is_in_sync()
    ana.people("Ana", "Ben")
    participants.words.expect(*CONNECTION_LOST)
    relay.kill()
    for one in (ana, ben):
        one.has_status("reconnecting")
    relay.start()
    for one in (ana, ben):
        one.is_in_sync()
    ben.page.reload()
    ben.is_in_sync().add(some_photos[0])
    ana.shows_thumbnails(1).has(1).people("Ana", "Ben")
    is_turned_away(gallery(link), "Cleo", "locked", "Nobody else is let in")


def test_a_newcomer_knocks_is_let_in_by_anybody_and_sees_what_is_there(gallery, relay, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    guards(ana)
    cleo = knocks(gallery, link, "Cleo")
    assert relay.metrics()["hearth_waiting"] == 1
    for one in (ana, ben):
        one.is_told("Cleo would like to join", kind="knocking").get_by_role("button", name="Let in").is_visible()
        one.people("Ana", "Ben")
    assert "Cleo would like to join" in ben.page.inner_text("#announcements")
    expect(cleo.page.locator("#join-cancel")).to_be_focused()
    ben.page.get_by_role("button", name="Let in").press("Enter")
    cleo.is_in_sync().has(3)
    expect(ana.page.locator("#notices > li[data-kind=knocking]")).to_have_count(0)
    ana.people("Ana", "Ben", "Cleo")
    cleo.page.reload()
    cleo.is_in_sync()


def test_who_is_declined_reads_so_and_may_knock_again(gallery):
    ana = gallery()
    link = ana.share("Ana")
    guards(ana)
    cleo = knocks(gallery, link, "Cleo")
    ana.is_told("Cleo would like to join").get_by_role("button", name="Decline").click()
    expect(cleo.page.locator("#join-problem")).to_have_attribute("data-code", "declined")
    cleo.reads("#join-title", "You were not let in")
    cleo.page.click("#join-button")
    ana.is_told("Cleo would like to join").get_by_role("button", name="Let in").click()
    cleo.is_in_sync()


def test_who_gives_up_waiting_is_back_at_the_form_and_asks_nobody_any_more(gallery):
    ana = gallery()
    link = ana.share("Ana")
    guards(ana)
    cleo = knocks(gallery, link, "Cleo")
    ana.is_told("Cleo would like to join")
    cleo.page.click("#join-cancel")
    expect(cleo.page.locator("#join-form")).to_be_visible()
    expect(cleo.page.locator("#join-problem")).to_be_hidden()
    expect(ana.page.locator("#notices > li[data-kind=knocking]")).to_have_count(0)


def test_a_knock_is_answered_inside_an_open_sheet_and_who_waits_comes_in_when_the_door_opens(gallery):
    ana = gallery()
    link = ana.share("Ana")
    guards(ana)
    ana.page.click("#invite")
    cleo = knocks(gallery, link, "Cleo")
    ana.is_told("Cleo would like to join").get_by_role("button", name="Decline").click()
    expect(cleo.page.locator("#join-problem")).to_have_attribute("data-code", "declined")
    cleo.page.click("#join-button")
    ana.is_told("Cleo would like to join")
    ana.page.select_option("#door-mode", "open")
    cleo.is_in_sync()


def test_a_link_that_has_ended_lets_nobody_in_and_who_is_in_stays(gallery):
    ana = gallery()
    link = ana.share("Ana")
    set_door(ana, end="hour").reads("#door-state", r"Nobody else can join from .* on")
    expect(ana.page.locator("#door-end option:checked")).to_have_text(re.compile("^On "))
    ana.close("#invite-dialog")
    ben = gallery(link).join("Ben")
    # A moment ahead instead of an hour: what the choice would come to.
    ana.page.evaluate("""async () => { const clock = Date; const shift = 3_598_500;
      globalThis.Date = class extends clock { constructor(...given) { super(...(given.length === 0 ? [clock.now() - shift] : given)); } static now() { return clock.now() - shift; } }; }""")
    set_door(ana, end="hour")
    ana.close("#invite-dialog")
    ben.page.wait_for_function("() => document.querySelector('#people-door').textContent !== ''")
    guest = gallery(link)
    guest.page.fill("#join-name", "Cleo")
    for _ in range(100):
        guest.page.click("#join-button")
        guest.page.wait_for_function("() => document.querySelector('#status').dataset.state === 'in-sync' || document.querySelector('#join-problem').dataset.code")
        if guest.page.locator("#join").is_visible():
            break
        guest.leave()
        guest = gallery(link)
        guest.page.fill("#join-name", "Cleo")
    expect(guest.page.locator("#join-problem")).to_have_attribute("data-code", "invitation-ended")
    guest.reads("#join-title", "This link has ended")
    ben.page.click("#invite")
    ben.reads("#door-state", "The link has ended")
    expect(ben.page.locator("#invite-hint")).to_be_hidden()
    ben.close("#invite-dialog")
    ben.page.reload()
    ben.is_in_sync()
    ana.people("Ana", "Ben")
    set_door(ben, end="never")
    guest.page.click("#join-button")
    guest.is_in_sync()
