"""The main job on real input: three browsers, thirty photos with what cameras write into them, and everything that happens to people on the way."""

import re

import pytest

from support.gallery import GalleryPage
from support.originals import are_the_same_pictures, digest, tell_nothing
from support.participants import ARGUMENTS, CONNECTION_LOST, Participants, chromium
from support.proxy import Proxy

HALF_A_MEGABYTE = 500_000
PART = re.compile(r"/parts/\d+$")


@pytest.fixture
def brief(relay_with):
    # After its crash the relay forgets nothing before the time to return is over, since somebody may still be on the way.
    return relay_with(grace_seconds=3, resume_window_seconds=20)


@pytest.fixture
def three(playwright, brief, folder, request):
    """Ana, Ben and Cleo: a browser and a way to the relay for each, so that what each sends and loads can be counted."""
    browsers = [playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS) for _ in range(3)]
    ways = [Proxy(brief.port) for _ in browsers]
    groups = [Participants(browser, folder) for browser in browsers]

    def open_page(number, link=None):
        way = ways[number]
        url = way.url if link is None else re.sub(r":\d+/", f":{way.port}/", link, count=1)
        return GalleryPage(groups[number].open(url), folder / str(number))

    for number in range(3):
        (folder / str(number)).mkdir()
    yield open_page, ways, [group.words for group in groups]
    said = [text for group in groups for text in group.words.unexpected()]
    for group in groups:
        group.words.stop()
        group.close("main-job", request.node.report_call.failed)
    for closing in (*browsers, *ways):
        closing.close()
    if request.node.report_call.passed:
        assert said == []


def sizes(paths):
    return sum(path.stat().st_size for path in paths)


def test_three_browsers_and_thirty_photos_with_a_late_joiner_a_crash_removals_leaving_rejoining_and_an_end(three, brief, thirty_photos):
    open_page, ways, words = three
    by_ana, in_the_crash, by_ben = thirty_photos[:18], thirty_photos[18:24], thirty_photos[24:]
    assert all(2_000_000 <= path.stat().st_size <= 6_000_000 for path in thirty_photos)

    # Ana adds photos alone, then shares together; Ben comes by the link and has all of them.
    ana = open_page(0).keep_camera_data()
    ana.add(*by_ana).shows(18).shows_thumbnails(18, 60_000)
    assert ways[0].uploads() == 0
    link = ana.share("Ana")
    ana.has(18)
    ben = open_page(1, link).join("Ben").shows(18).shows_thumbnails(18).has(18)
    for one in (ana, ben):
        one.people("Ana", "Ben")

    # Nothing was sent twice: each byte of each sealed photo once, and what sealing adds is a fraction of a per cent.
    assert 1.0 < ways[0].uploads() / sizes(by_ana) < 1.002
    assert ways[1].uploads() == 0
    assert {count for (method, _), count in ways[0].requests.items() if method == "PUT"} == {1}
    assert brief.metrics()["hearth_body_bytes_received_total"] == ways[0].uploads()

    # In the middle of more uploads the relay is killed, and is back after a while.
    for group in words:
        group.expect(*CONNECTION_LOST)
    before = ways[0].uploads()
    ways[0].throttle(HALF_A_MEGABYTE)
    ana.add(*in_the_crash)
    ben.shows(24).shows_thumbnails(24)
    brief.comes_to("the upload is in its middle", lambda: ways[0].uploads() - before > 3_000_000, 60)
    brief.kill()
    for one in (ana, ben):
        one.has_status("reconnecting")
    ana.page.wait_for_timeout(3_000)
    ways[0].throttle(None)
    brief.start()
    for one in (ana, ben):
        one.is_in_sync(60_000).shows(24).has(24)
    # Only what was under way in that moment is sent again: at most four parts at a time.
    assert 1.0 < (ways[0].uploads() - before) / sizes(in_the_crash) < 1.002 + 4 * 1_048_576 / sizes(in_the_crash)

    # Cleo comes late and has everything; nobody uploads again. Ben adds his own.
    sent = ways[0].uploads(), ways[1].uploads()
    cleo = open_page(2, link).join("Cleo").shows(24).shows_thumbnails(24).has(24)
    assert (ways[0].uploads(), ways[1].uploads()) == sent
    ben.add(*by_ben)
    for one in (ana, ben, cleo):
        one.people("Ana", "Ben", "Cleo").shows(30).shows_thumbnails(30).has(30)
    assert 0.98 < (ways[1].uploads() - sent[1]) / sizes(by_ben) < 1.002
    assert ways[0].uploads() == sent[0] and ways[2].uploads() == 0
    assert ana.names() == ben.names() == cleo.names() == [path.name for path in thirty_photos]

    # What is saved is what was shared, to the last byte; Ben has kept nothing of his camera in his.
    for path in (*by_ana, *in_the_crash):
        assert digest(cleo.save(path)) == digest(path), path.name
    ben_saved = [cleo.save(path) for path in by_ben]
    assert are_the_same_pictures(ben_saved, by_ben) and tell_nothing(ben_saved)
    assert [digest(ana.save(path)) for path in by_ben] == [digest(path) for path in ben_saved]

    # A photo is opened for oneself alone, and one is removed for all.
    cleo.open(by_ana[3])
    assert max(cleo.viewed().values()) >= 3_000
    assert ana.page.locator("#viewer").is_hidden() and ben.page.locator("#viewer").is_hidden()
    cleo.page.keyboard.press("Escape")
    stored = brief.stored_bytes()
    cleo.remove(by_ana[0])
    for one in (ana, ben, cleo):
        one.shows(29)
    assert brief.stored_bytes() < stored - by_ana[0].stat().st_size

    # Ben leaves, the others go on; he rejoins and has what came meanwhile, nothing twice.
    ben.leave()
    ana.people("Ana", "Cleo")
    cleo.add(by_ana[0])
    ana.shows(30).has(30)
    ben.shows(29).rejoin()
    for one in (ana, ben, cleo):
        one.people("Ana", "Ben", "Cleo").shows(30).has(30)

    # Ana ends it for everyone: all see it, and can still save from memory.
    ana.end()
    for one in (ana, ben, cleo):
        one.has_status("ended").shows(30).reads("#banner-text", "ended for everyone", "can still be saved")
    assert digest(ben.save(by_ana[5])) == digest(by_ana[5])

    # All leave, and after the grace time nothing is left on the relay's disk.
    for one in (ana, ben, cleo):
        one.leave()
    brief.forgets_everything()
    assert brief.stop() == 0
