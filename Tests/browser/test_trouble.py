"""What networks, proxies, disks and relays do to people: nothing is lost, nothing false is shown, and the words are right."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from support.gallery import GalleryPage, digest
from support.participants import CONNECTION_LOST
from support.proxy import Proxy
from support.relay import Relay

MEGABYTE_A_SECOND = 1_000_000
PART = 1_048_576


def through(link, relay, proxy):
    """The same invitation by way of a proxy."""
    return link.replace(f":{relay.port}/", f":{proxy.port}/")


@pytest.fixture
def shared(gallery, relay, some_photos):
    """Ana shares one photo; gives her page and the link."""
    ana = gallery().keep_camera_data()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    return ana.has(1), link


def test_a_503_for_the_first_two_gets_is_tried_again_and_the_photo_shows(gallery, participants, relay, proxy, shared, some_photos):
    participants.words.expect("Failed to load resource: .* 503")
    fault = proxy.add("refuse", times=2)
    ben = gallery(through(shared[1], relay, proxy)).join("Ben").has(1)
    assert fault.seen == 2
    assert digest(ben.save(some_photos[0])) == digest(some_photos[0])


def test_a_page_of_a_proxy_is_never_taken_for_a_part(gallery, relay, proxy, shared, some_photos):
    fault = proxy.add("page")
    ben = gallery(through(shared[1], relay, proxy)).join("Ben").shows_thumbnails(1)
    ben.has_state(some_photos[0], "interrupted")
    ben.is_told("waits and goes on by itself", "sign-in page, perhaps, or a proxy", kind="stalled")
    proxy.clear()
    ben.has(1)
    assert fault.seen > 0 and digest(ben.save(some_photos[0])) == digest(some_photos[0])


def test_an_answer_that_breaks_off_is_asked_for_again(gallery, participants, relay, proxy, shared, some_photos):
    participants.words.expect(r"Failed to load resource: net::ERR_")
    fault = proxy.add("cut", offset=300_000, times=3)
    ben = gallery(through(shared[1], relay, proxy)).join("Ben").has(1)
    assert fault.seen == 3 and digest(ben.save(some_photos[0])) == digest(some_photos[0])


def test_an_upload_that_breaks_off_sends_only_what_is_missing(gallery, participants, relay, proxy, some_photos):
    participants.words.expect(r"Failed to load resource: net::ERR_")
    ana = gallery(proxy.url).keep_camera_data()
    link = ana.share("Ana")
    fault = proxy.add("cut upload", method="PUT", offset=500_000, times=2)
    ana.add(some_photos[0]).has(1)
    assert fault.seen == 2
    size = some_photos[0].stat().st_size
    # A cut takes no more with it than the parts that are under way on connections of their own.
    assert size < proxy.uploads() <= size * 1.001 + 2 * 600_000
    assert digest(gallery(through(link, relay, proxy)).join("Ben").has(1).save(some_photos[0])) == digest(some_photos[0])


@pytest.mark.parametrize("offset", [0, 10, 20, 25, 60, 65_536, 500_000, -1], ids=lambda n: f"byte {n}")
def test_a_part_of_which_any_byte_was_changed_is_not_opened(gallery, relay, proxy, shared, some_photos, offset):
    proxy.add("tamper", offset=offset, path="/parts/0$")
    ben = gallery(through(shared[1], relay, proxy)).join("Ben").shows_thumbnails(1)
    ben.has_state(some_photos[0], "failed")
    assert ben.tile(some_photos[0]).get_attribute("data-failure") == "tampered"
    expect(ben.tile(some_photos[0]).locator(".tile-open")).to_have_attribute("aria-label", re.compile("changed on its way here, so it was not opened"))
    proxy.clear()
    ben.menu(some_photos[0])
    ben.page.click("#menu-again")
    ben.has(1)
    assert digest(ben.save(some_photos[0])) == digest(some_photos[0])


def test_what_came_changed_is_asked_for_again_and_not_taken_from_what_the_page_keeps(gallery, relay, proxy, shared, some_photos):
    ana, link = shared
    ben = gallery(through(link, relay, proxy)).join("Ben").has(1)
    proxy.add("tamper", offset=1_000, path="/parts/0$")
    ana.add(some_photos[1])
    ben.has_state(some_photos[1], "failed")
    proxy.clear()
    ben.menu(some_photos[1])
    ben.page.click("#menu-again")
    ben.has(2)
    assert digest(ben.save(some_photos[1])) == digest(some_photos[1])


@pytest.mark.parametrize("number", [0, 1, -1], ids=["first part", "second part", "last part"])
def test_what_was_changed_on_the_relays_disk_is_not_opened(gallery, relay, shared, some_photos, number):
    parts = sorted(relay.stored_files(), key=lambda path: int(path.name))
    content = bytearray(parts[number].read_bytes())
    content[len(content) // 2] ^= 0x40
    parts[number].write_bytes(content)
    cleo = gallery(shared[1]).join("Cleo").shows_thumbnails(1)
    cleo.has_state(some_photos[0], "failed")
    assert cleo.tile(some_photos[0]).get_attribute("data-failure") == "tampered"


def test_a_photo_over_the_conversations_quota_says_limit_and_size_and_fits_after_a_removal(relay_with, participants, folder, thirty_photos):
    relay = relay_with(conversation_quota_megabytes=6, total_quota_megabytes=100)
    ana = GalleryPage(participants.open(relay.url), folder)
    link = ana.share("Ana")
    ben = GalleryPage(participants.open(link), folder).join("Ben")
    ana.add(thirty_photos[0]).has(1)
    ana.add(thirty_photos[3])
    ana.is_told(thirty_photos[3].name, "6.3 MB here", r"with this one it would be \d\.?\d? MB", "Remove some", kind="not-shared")
    ana.has_state(thirty_photos[3], "failed")
    ben.shows(1)
    ana.remove(thirty_photos[0])
    ben.shows(0)
    ana.menu(thirty_photos[3])
    ana.page.click("#menu-again")
    ben.shows(1).has(1)


def test_a_full_relay_says_so_and_takes_more_when_another_conversation_has_ended(relay_with, participants, folder, thirty_photos):
    relay = relay_with(conversation_quota_megabytes=6, total_quota_megabytes=6)
    first, second = GalleryPage(participants.open(relay.url), folder), GalleryPage(participants.open(relay.url), folder)
    for one, name in ((first, "Ana"), (second, "Zoe")):
        one.share(name)
    first.add(thirty_photos[0]).has(1)
    second.add(thirty_photos[3])
    second.is_told(thirty_photos[3].name, "server is full", "6.3 MB for everyone", kind="not-shared")
    first.end()
    first.has_status("ended")
    relay.comes_to("the room is free", lambda: relay.metrics()["hearth_reserved_bytes"] < 100_000)
    second.menu(thirty_photos[3])
    second.page.click("#menu-again")
    second.has(1)


SMALL_DISK = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o size="$0" tmpfs "$1" && shift && exec "$@"']


def test_a_full_disk_is_told_what_was_there_stays_and_the_rest_goes_on_when_there_is_room(participants, folder, thirty_photos):
    relay = Relay()
    relay.under = [*SMALL_DISK, "9m", str(relay.data)]
    if not shutil.which("unshare") or subprocess.run([*SMALL_DISK, "1m", str(relay.data), "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a small disk of its own")
    with relay:
        participants.words.expect("Failed to load resource: .* 507")
        ana = GalleryPage(participants.open(relay.url), folder).keep_camera_data()
        link = ana.share("Ana")
        ana.add(thirty_photos[0]).has(1)
        ana.add(thirty_photos[3], thirty_photos[6])
        ana.is_told("waits and goes on by itself", "could not store it; its disk may be full", kind="stalled")
        ben = GalleryPage(participants.open(link), folder).join("Ben")
        ben.has_state(thirty_photos[0], "ready")
        assert digest(ben.save(thirty_photos[0])) == digest(thirty_photos[0])
        ana.remove(thirty_photos[0])
        ana.has(2)
        ben.has(2)
        for path in (thirty_photos[3], thirty_photos[6]):
            assert digest(ben.save(path)) == digest(path)


def under_way(gallery, relay, some_photos):
    """Ana is sending one photo and Ben is loading another, both slowly, so that the middle of both is a long time."""
    ana_way, ben_way = Proxy(relay.port), Proxy(relay.port)
    ana = gallery(ana_way.url).keep_camera_data()
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    ana.has(1)
    for way in (ana_way, ben_way):
        way.throttle(MEGABYTE_A_SECOND // 4)
    ben = gallery(link.replace(str(ana_way.port), str(ben_way.port))).join("Ben").shows_thumbnails(1)
    ana.add(some_photos[2])
    ana.has_state(some_photos[2], "sending")
    ben.shows_thumbnails(2)
    before = ana_way.uploads()
    relay.comes_to("both are under way", lambda: ana_way.uploads() > before + 400_000 and sum(ben_way.downloaded_bytes[path] for path in ben_way.downloaded_bytes if "/parts/" in path) > 400_000, 60)
    return ana, ben, ana_way, ben_way


@pytest.mark.parametrize(("way", "milliseconds"), [("kill", 20_000), ("stop", 4_000)], ids=["killed, back after 20 s", "stopped, back after 4 s"])
def test_a_relay_that_goes_in_the_middle_of_an_upload_and_a_download_and_comes_back_loses_nothing(gallery, participants, relay, some_photos, way, milliseconds):
    participants.words.expect(*CONNECTION_LOST)
    ana, ben, ana_way, ben_way = under_way(gallery, relay, some_photos)
    try:
        size = some_photos[2].stat().st_size
        before = ana_way.uploads()
        whole = {path.name: path.stat().st_size for path in relay.stored_files()}
        getattr(relay, way)()
        for one in (ana, ben):
            one.has_status("reconnecting")
        ana.page.wait_for_timeout(milliseconds)
        for one in (ana_way, ben_way):
            one.throttle(None)
        relay.start()
        for one in (ana, ben):
            one.is_in_sync(60_000).has(2)
        for path in (some_photos[0], some_photos[2]):
            assert digest(ben.save(path)) == digest(path)
        assert whole and ana_way.uploads() - before <= size * 1.001, "what the relay held whole was not sent again"
    finally:
        ana_way.close()
        ben_way.close()


def test_whoever_reads_nothing_holds_nobody_up_and_catches_up_later(gallery, participants, relay, proxy, some_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana = gallery()
    link = ana.share("Ana")
    cleo = gallery(link).join("Cleo")
    ben = gallery(through(link, relay, proxy)).join("Ben")
    proxy.freeze_downwards()
    ana.add(*some_photos[:2])
    cleo.shows_thumbnails(2).has(2)
    cleo.add(some_photos[2])
    ana.has(3)
    cleo.has(3)
    ben.shows(0)
    ben.has_status("reconnecting", 60_000)
    proxy.thaw()
    ben.is_in_sync(60_000).shows_thumbnails(3).has(3)
    ana.people("Ana", "Ben", "Cleo")


def test_a_connection_that_is_cut_again_and_again_leaves_one_whole_gallery(gallery, participants, relay, proxy, thirty_photos):
    participants.words.expect(*CONNECTION_LOST)
    ana = gallery(proxy.url).keep_camera_data()
    link = ana.share("Ana")
    ben = gallery(through(link, relay, proxy)).join("Ben")
    for turn in range(4):
        ana.add(thirty_photos[2 * turn])
        ben.add(thirty_photos[2 * turn + 1])
        proxy.cut()
        ana.has_status("reconnecting")
        proxy.mend()
        ana.is_in_sync(60_000)
    for one in (ana, ben):
        one.is_in_sync(60_000).shows(8).has(8)
    assert sorted(ana.names()) == sorted(ben.names()) == sorted(path.name for path in thirty_photos[:8])
