"""The network comes and goes, pages are reloaded and frozen: what was added waits where one sees it, goes out by itself, and nothing is sent or fetched twice."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.gallery import GalleryPage
from support.originals import are_the_same_pictures
from support.participants import CONNECTION_LOST

SOCKETS = r"^/v1/conversations/[\w-]+$"
# Everything that this tab keeps on the device, as hexadecimal text, with how many values each store has.
KEPT = """async () => {
  const name = sessionStorage.getItem('hearth.tab');
  const database = await new Promise((resolve) => { const request = indexedDB.open(name); request.onsuccess = () => resolve(request.result); });
  const found = { counts: {}, bytes: '' };
  for (const store of database.objectStoreNames) {
    const values = await new Promise((resolve) => { const request = database.transaction(store).objectStore(store).getAll(); request.onsuccess = () => resolve(request.result); });
    found.counts[store] = values.length;
    for (const value of values) if (value instanceof ArrayBuffer) found.bytes += new Uint8Array(value).toHex();
  }
  database.close();
  return found;
}"""


def kept(one):
    return one.page.evaluate(KEPT)


def keeps(one, store, count):
    """Waits until this tab keeps so many values of a kind."""
    # Not by `wait_for_function`: to it a promise is true before it is kept.
    deadline = time.monotonic() + 30
    while (counts := kept(one)["counts"])[store] != count:
        assert time.monotonic() < deadline, f"not within 30 s: {count} of {store}, but {counts}"


def through(link, relay, proxy):
    return link.replace(f":{relay.port}/", f":{proxy.port}/")


@pytest.fixture
def away(participants, proxy):
    """Lets no WebSocket through while it is on; the page itself still loads."""
    participants.words.expect(*CONNECTION_LOST, r"Error during WebSocket handshake|WebSocket connection to .* failed", "Failed to load resource: .* 503")

    def lose():
        fault = proxy.add("refuse", path=SOCKETS)
        proxy.cut()
        proxy.mend()
        return fault

    return lose


@pytest.fixture
def pair(gallery, relay, proxy):
    """Ana by way of the proxy, Ben at the relay, in one conversation."""
    ben = gallery()
    link = ben.share("Ben")
    ana = gallery(through(link, relay, proxy)).join("Ana")
    return ana, ben


def test_what_is_added_without_a_connection_waits_where_one_sees_it_and_goes_out_by_itself(pair, proxy, away, some_photos):
    ana, ben = pair
    away()
    ana.has_status("reconnecting")
    ana.add(*some_photos[:2])
    for path in some_photos[:2]:
        ana.has_state(path, "queued" if ana.tile(path).get_attribute("data-state") != "sending" else "sending")
        expect(ana.tile(path).locator(".tile-open")).to_have_attribute("aria-label", re.compile("waiting to be sent|sending"))
    ana.reads("#status", "2 photos wait")
    ben.shows(0)
    proxy.clear()
    ana.is_in_sync(60_000).has(2)
    ben.shows_thumbnails(2).has(2)
    for path in some_photos[:2]:
        assert ben.save(path).stat().st_size > 0


def test_what_waits_outlives_a_reload_without_a_connection(pair, proxy, away, some_photos):
    ana, ben = pair
    away()
    ana.has_status("reconnecting")
    ana.add(*some_photos[:2]).shows_thumbnails(2)
    keeps(ana, "photos", 2)
    ana.page.reload()
    ana.shows_thumbnails(2).has_status("reconnecting").reads("#status", "2 photos wait")
    for path in some_photos[:2]:
        ana.has_state(path, "queued")
    ana.add(some_photos[2]).shows_thumbnails(3).has_state(some_photos[2], "queued")
    proxy.clear()
    ana.is_in_sync(60_000).has(3)
    ben.shows_thumbnails(3).has(3)
    assert are_the_same_pictures([ben.save(some_photos[0])], [some_photos[0]])
    expect(ana.page.locator("#notices > li[data-kind=interrupted-before]")).to_have_count(0)
    keeps(ana, "photos", 0)
    keeps(ana, "pieces", 0)
    # The page could not say that it leaves: the next one did, and nobody is here twice.
    ben.people("Ana", "Ben")


def test_what_waits_goes_out_after_a_relay_restart_too(gallery, participants, relay, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    relay.kill()
    ana.has_status("reconnecting")
    ana.add(*some_photos).shows_thumbnails(3)
    relay.start()
    for one in (ana, ben):
        one.is_in_sync(60_000).has(3)
    assert sorted(ben.names()) == sorted(path.name for path in some_photos)


def test_what_is_kept_can_only_be_opened_by_the_invitation_and_goes_when_one_leaves(pair, proxy, away, some_photos):
    ana, _ = pair
    away()
    ana.has_status("reconnecting")
    ana.add(some_photos[0]).shows_thumbnails(1)
    keeps(ana, "photos", 1)
    found = kept(ana)
    assert found["counts"]["pieces"] >= 2 and len(found["bytes"]) > 2 * 100_000
    name = some_photos[0].name.encode().hex()
    for plain in (name, "ffd8ffe0", "ffd8ffe1", some_photos[0].read_bytes()[-64:].hex(), b"takenAt".hex()):
        assert plain not in found["bytes"]
    ana.page.click("#leave")
    ana.page.click("#leave-confirm")
    ana.has_status("left")
    keeps(ana, "photos", 0)
    assert kept(ana)["counts"] == {"about": 0, "parts": 0, "photos": 0, "pieces": 0}
    assert ana.page.evaluate("() => Object.values({...sessionStorage}).filter((value) => value.includes('#'))") == []
    # What was not sent is still here, and only here.
    ana.shows(1).has_state(some_photos[0], "local")


def test_an_upload_that_a_reload_interrupts_is_sent_again_once_and_the_half_one_is_gone(pair, participants, relay, proxy, some_photos):
    # Whoever was loading the half one is cut off.
    participants.words.expect(r"Failed to load resource: net::ERR_", "Failed to load resource: .* 404")
    ana, ben = pair
    proxy.throttle(150_000)
    ana.add(some_photos[0]).has_state(some_photos[0], "sending")
    ben.shows_thumbnails(1)
    relay.comes_to("some of it is there", lambda: proxy.uploads() > 200_000)
    keeps(ana, "photos", 1)
    ana.page.reload()
    proxy.throttle(None)
    ana.is_in_sync().shows(1).has(1)
    ben.shows(1).has(1)
    assert are_the_same_pictures([ben.save(some_photos[0])], [some_photos[0]])
    expect(ana.page.locator("#notices > li[data-kind=interrupted-before]")).to_have_count(0)
    keeps(ana, "photos", 0)


def test_a_download_goes_on_after_a_reload_with_the_parts_that_had_come(pair, relay, proxy, some_photos):
    ana, ben = pair
    ben.add(*some_photos[:2]).has(2)
    ana.has(2)
    relay.comes_to("the parts are kept", lambda: kept(ana)["counts"]["parts"] >= 2)
    before = dict(proxy.downloaded_bytes)
    ana.page.reload()
    ana.is_in_sync().has(2)
    fetched = {path: count - before.get(path, 0) for path, count in proxy.downloaded_bytes.items() if "/parts/" in path}
    assert sum(fetched.values()) == 0, fetched
    assert are_the_same_pictures([ana.save(some_photos[0])], [some_photos[0]])
    ben.remove(some_photos[0])
    ana.shows(1)
    gone = len(kept(ana)["bytes"])
    assert gone > 0
    ana.page.reload()
    ana.is_in_sync().shows(1).has(1)


def test_a_kept_part_that_was_damaged_on_the_device_is_fetched_again(pair, relay, proxy, some_photos):
    ana, ben = pair
    ben.add(some_photos[0]).has(1)
    ana.has(1)
    # All of them, so that one after the other would be found out.
    relay.comes_to("every part is kept", lambda: kept(ana)["counts"]["parts"] >= 3)
    ana.page.evaluate("""async () => {
      const database = await new Promise((resolve) => { const request = indexedDB.open(sessionStorage.getItem('hearth.tab')); request.onsuccess = () => resolve(request.result); });
      const store = database.transaction('parts', 'readwrite').objectStore('parts');
      await new Promise((resolve) => { const request = store.openCursor(); request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve();
        const bytes = new Uint8Array(cursor.value); bytes[bytes.length >> 1] ^= 1;
        cursor.update(bytes.buffer); cursor.continue();
      }; });
      database.close();
    }""")
    ana.page.reload()
    ana.has_state(some_photos[0], "failed")
    ana.menu(some_photos[0])
    ana.page.click("#menu-again")
    ana.has(1)
    assert are_the_same_pictures([ana.save(some_photos[0])], [some_photos[0]])


def test_a_frozen_tab_catches_up_within_five_seconds(pair, some_photos):
    ana, ben = pair
    session = ana.page.context.new_cdp_session(ana.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    ben.add(*some_photos[:2]).has(2)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    ana.is_in_sync(5_000).shows(2, timeout=5_000)
    ana.shows_thumbnails(2).has(2)


def test_a_frozen_tab_whose_connection_was_lost_meanwhile_catches_up_within_five_seconds(pair, participants, proxy, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana, ben = pair
    session = ana.page.context.new_cdp_session(ana.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    proxy.cut()
    expect(ben.page.locator('#roster [data-name="Ana"]')).to_have_attribute("data-presence", "away", timeout=30_000)
    ben.add(some_photos[0]).has(1)
    proxy.mend()
    session.send("Page.setWebLifecycleState", {"state": "active"})
    ana.shows(1, timeout=5_000).is_in_sync(5_000).has(1)
    ben.people("Ana", "Ben")


def test_in_sync_is_said_only_after_the_relay_has_answered(pair, proxy, away, some_photos):
    ana, ben = pair
    away()
    ana.has_status("reconnecting")
    ben.add(some_photos[0]).has(1)
    proxy.freeze_downwards()
    proxy.clear()
    ana.page.evaluate("() => dispatchEvent(new Event('online'))")
    states = "() => { const e = document.getElementById('status'); globalThis.seen = [e.dataset.state]; new MutationObserver(() => globalThis.seen.push(e.dataset.state + document.querySelectorAll('#grid > li').length)).observe(e, {attributes: true}); }"
    ana.page.evaluate(states)
    ana.page.wait_for_timeout(1_500)
    assert "in-sync" not in " ".join(ana.page.evaluate("() => globalThis.seen"))
    proxy.thaw()
    ana.is_in_sync(60_000)
    assert "in-sync0" not in ana.page.evaluate("() => globalThis.seen"), "the photo that was missed was there first"
    ana.has(1)


def test_two_tabs_of_one_browser_in_two_conversations_are_never_mixed(gallery, participants, relay, proxy, away, some_photos):
    first = gallery()
    one_link = first.share("Ana")
    second = gallery()
    two_link = second.share("Ben")
    mine = gallery(through(one_link, relay, proxy)).join("Cleo")
    page = mine.page.context.new_page()
    participants.words.listen(page)
    page.goto(through(two_link, relay, proxy))
    other = GalleryPage(page, mine.folder).join("Cleo")
    assert mine.page.evaluate("() => sessionStorage.getItem('hearth.tab')") != other.page.evaluate("() => sessionStorage.getItem('hearth.tab')")
    away()
    for one, path in ((mine, some_photos[0]), (other, some_photos[1])):
        one.has_status("reconnecting")
        one.add(path).shows_thumbnails(1)
        keeps(one, "photos", 1)
    for one in (mine, other):
        one.page.reload()
        one.shows_thumbnails(1)
    proxy.clear()
    for one, host, path in ((mine, first, some_photos[0]), (other, second, some_photos[1])):
        one.is_in_sync(60_000).has(1)
        assert host.shows_thumbnails(1).names() == [path.name]


def test_what_a_closed_tab_kept_is_not_taken_over_by_another_tab(pair, proxy, away, some_photos):
    ana, ben = pair
    away()
    ana.has_status("reconnecting")
    ana.add(some_photos[0]).shows_thumbnails(1)
    keeps(ana, "photos", 1)
    proxy.clear()
    page = ana.page.context.new_page()
    ana.page.close(run_before_unload=False)
    page.goto(proxy.url)
    other = GalleryPage(page, ana.folder)
    other.add(some_photos[1]).shows_thumbnails(1)
    other.share("Ana again")
    other.shows(1)
    ben.shows(0)


def test_photos_that_are_only_here_stay_when_one_joins_again_and_are_not_sent(gallery, some_photos):
    ana = gallery()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    ben = gallery(link).join("Ben").has(1)
    ben.leave()
    ben.add(some_photos[1]).shows_thumbnails(2)
    ben.rejoin()
    ben.shows(2).has_state(some_photos[1], "local").has_state(some_photos[0], "ready")
    ana.shows(1)


def test_a_removal_asked_for_in_the_instant_of_a_reload_is_done_when_the_connection_is_back(pair, proxy, away, some_photos):
    ana, ben = pair
    ben.add(some_photos[0])
    ana.add(some_photos[1]).shows(2).has(2)
    ben.has(2)
    away()
    ana.has_status("reconnecting")
    ana.add(some_photos[2]).shows_thumbnails(3)
    keeps(ana, "photos", 1)
    for path in some_photos:
        ana.remove(path)
    ana.shows(0)
    ana.page.reload()
    ana.has_status("reconnecting").shows(0)
    assert ben.names() == [some_photos[0].name, some_photos[1].name]
    proxy.clear()
    ana.is_in_sync(60_000).shows(0)
    ben.shows(0)
    keeps(ana, "photos", 0)
    keeps(ana, "parts", 0)
    assert ana.page.evaluate("sessionStorage.getItem('hearth.removals')") is None
