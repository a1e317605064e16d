"""Goes through everything that the door shows, inside and outside: for whoever checks how it looks and sounds."""

from playwright.sync_api import expect

# A moment ahead in place of an hour: what the choice would come to.
SOON = """() => { const clock = Date; const shift = 3_598_500; globalThis.ownDate = clock;
  globalThis.Date = class extends clock { constructor(...given) { super(...(given.length === 0 ? [clock.now() - shift] : given)); } static now() { return clock.now() - shift; } }; }"""
KNOCK = "#notices > li[data-kind=knocking]"


def walk_door(gallery, host, link, look, **options):
    """`host` shares already. `look(one, state)` is called in each state; those where a knock is told have "knock-" before their name."""
    guest = gallery(link, **options)
    guest.page.fill("#join-name", "Cleo Maximiliane von der Heide")

    def choose(field, value, mode):
        host.page.select_option(field, value)
        expect(host.page.locator(f"#door-state[data-mode={mode}]:not([hidden])")).to_have_count(1)
        host.page.locator("#door-state").scroll_into_view_if_needed()

    def asks(code=None):
        guest.page.click("#join-button")
        if code is None:
            expect(guest.page.locator("#join-waiting")).to_be_visible()
            expect(host.page.locator(KNOCK)).to_be_visible()
        else:
            expect(guest.page.locator("#join-problem")).to_have_attribute("data-code", code)

    host.page.click("#invite")
    choose("#door-end", "week", "open")
    look(host, "door-ends")
    choose("#door-mode", "locked", "locked")
    look(host, "door-locked")
    asks("locked")
    look(guest, "outside-locked")
    choose("#door-mode", "knock", "knock")
    look(host, "door-knock")
    asks()
    look(guest, "outside-waiting")
    look(host, "knock-in-sheet")
    host.close("#invite-dialog")
    look(host, "knock-heard")
    host.page.click("#roster-button")
    look(host, "knock-among-people")
    host.close("#people-dialog")
    host.page.locator(f"{KNOCK} .notice-dismiss").click()
    expect(guest.page.locator("#join-problem")).to_have_attribute("data-code", "declined")
    look(guest, "outside-declined")
    asks()
    host.page.evaluate(SOON)
    host.page.click("#invite")
    host.page.select_option("#door-end", "hour")
    expect(guest.page.locator("#join-problem")).to_have_attribute("data-code", "invitation-ended")
    look(guest, "outside-ended")
    expect(host.page.locator(KNOCK)).to_have_count(0)
    host.page.evaluate("() => { globalThis.Date = globalThis.ownDate; }")
    before = host.page.inner_text("#door-state")
    host.close("#invite-dialog")
    host.page.click("#invite")
    expect(host.page.locator("#door-state")).not_to_have_text(before)
    look(host, "door-ended")
    host.close("#invite-dialog")
