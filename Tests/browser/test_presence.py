"""Who is here: one entry for each person and one connection behind it, whatever pages and networks do, and nothing that was chosen is lost."""

import pytest
from playwright.sync_api import expect

from support.participants import CONNECTION_LOST

# Keeps the most entries of a name that the roster has shown at once.
COUNT_ENTRIES = """name => {
  const roster = document.getElementById('roster');
  const count = () => [...roster.children].filter((li) => li.dataset.name === name).length;
  globalThis.mostEntries = count();
  new MutationObserver(() => { globalThis.mostEntries = Math.max(globalThis.mostEntries, count()); }).observe(roster, {childList: true, subtree: true, attributes: true});
}"""


@pytest.fixture
def pair(gallery, relay, proxy, playwright):
    """Ana on a phone by way of the proxy, Ben at the relay."""
    ben = gallery()
    link = ben.share("Ben")
    phone = {key: value for key, value in playwright.devices["Pixel 7"].items() if key != "default_browser_type"}
    ana = gallery(link.replace(f":{relay.port}/", f":{proxy.port}/"), **phone).join("Ana")
    return ana, ben


def test_ten_reloads_leave_one_entry_and_never_more_than_two(pair, relay, participants):
    participants.words.expect(*CONNECTION_LOST)
    ana, ben = pair
    ben.page.evaluate(COUNT_ENTRIES, "Ana")
    for turn in range(10):
        ana.page.reload()
        if turn % 2:
            ana.is_in_sync()
    ana.is_in_sync()
    ben.people("Ana", "Ben")
    assert 1 <= ben.page.evaluate("globalThis.mostEntries") <= 2
    relay.comes_to("two are in it and have a connection each", lambda: [relay.metrics()[f"hearth_{name}"] for name in ("participants", "participant_connections")] == [2, 2])


def test_ten_losses_of_the_network_in_a_row_leave_one_connection_and_each_photo_once(pair, relay, proxy, participants, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana, ben = pair
    for _ in range(10):
        proxy.cut()
        ana.page.evaluate("() => { dispatchEvent(new Event('offline')); dispatchEvent(new Event('online')); }")
        proxy.mend()
        ana.page.evaluate("() => dispatchEvent(new Event('online'))")
    ana.is_in_sync(60_000)
    relay.comes_to("two are in it and have a connection each", lambda: [relay.metrics()[f"hearth_{name}"] for name in ("participants", "participant_connections")] == [2, 2])
    ben.add(some_photos[0])
    ana.add(some_photos[1]).shows(2).has(2)
    ben.shows(2).has(2)
    ben.people("Ana", "Ben")


def test_photos_chosen_in_a_picker_that_was_open_while_the_page_stood_still_and_was_cut_off_arrive_once(pair, proxy, participants, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana, ben = pair
    before = ben.page.get_attribute('#roster [data-name="Ana"]', "data-participant")
    with ana.page.expect_file_chooser() as choosing:
        ana.page.locator("#empty-add:visible, #add:visible").first.click()
    session = ana.page.context.new_cdp_session(ana.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    proxy.cut()
    entry = ben.page.locator(f'#roster [data-participant="{before}"]')
    expect(entry).to_have_attribute("data-presence", "away", timeout=30_000)
    proxy.mend()
    session.send("Page.setWebLifecycleState", {"state": "active"})
    choosing.value.set_files([str(path) for path in some_photos])
    ben.shows(3).has(3)
    ana.is_in_sync().shows(3).has(3)
    expect(entry).to_have_attribute("data-presence", "here")
    ben.people("Ana", "Ben")
