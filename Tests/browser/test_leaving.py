"""The sixth step: leave, rejoin, end for everyone; and after the grace time nothing is left on the relay's disk."""

import pytest
from playwright.sync_api import expect

from support.gallery import GalleryPage, digest
from support.participants import CONNECTION_LOST

GRACE_SECONDS = 2
LONGER_GRACE_SECONDS = 10


@pytest.fixture
def brief(relay_with):
    """A relay that keeps what nobody is in for two seconds, and the place of somebody who dropped out for one."""
    return relay_with(grace_seconds=GRACE_SECONDS, resume_window_seconds=1)


@pytest.fixture
def brief_gallery(brief, participants, folder):
    return lambda url=None: GalleryPage(participants.open(url or brief.url), folder)


def test_when_one_leaves_the_others_go_on(gallery, some_photos):
    ana = gallery().keep_camera_data()
    ana.add(*some_photos[:2]).shows_thumbnails(2)
    link = ana.share("Ana")
    ben, cleo = gallery(link).join("Ben").has(2), gallery(link).join("Cleo").has(2)
    ben.leave()
    ana.people("Ana", "Cleo").is_told("Ben has left")
    ana.add(some_photos[2])
    cleo.shows(3).has(3)
    ben.shows(2)
    ben.reads("#banner-text", "You have left", "can still be saved")
    assert digest(ben.save(some_photos[0])) == digest(some_photos[0])


def test_who_has_left_rejoins_as_a_new_participant_and_has_what_came_meanwhile(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ana.people("Ana", "Ben")
    before = ana.page.get_attribute('#roster [data-name="Ben"]', "data-participant")
    ben.leave()
    ana.people("Ana")
    ana.add(*some_photos).has(3)
    ben.rejoin()
    ana.people("Ana", "Ben")
    ben.shows(3).shows_thumbnails(3).has(3)
    assert ana.page.get_attribute('#roster [data-name="Ben"]', "data-participant") != before


def test_who_rejoins_does_not_see_photos_twice(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos[:2]).shows_thumbnails(2)
    link = ana.share("Ana")
    ben = gallery(link).join("Ben").has(2)
    ben.add(some_photos[2]).has(3)
    ana.has(3)
    for one in (ben, ana):
        one.leave()
        one.rejoin()
    for one in (ana, ben):
        one.shows(3).has(3)


def test_end_for_everyone_is_seen_by_all_who_can_still_save_from_memory(gallery, some_photos):
    ana = gallery().keep_camera_data()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ben, cleo = gallery(link).join("Ben").has(3), gallery(link).join("Cleo").has(3)
    ben.end()
    for one in (ana, ben, cleo):
        one.has_status("ended").reads("#banner-text", "Sharing has ended for everyone", "can still be saved").shows(3)
    for one in (ana, cleo):
        assert digest(one.save(some_photos[1])) == digest(some_photos[1])


def test_what_was_ended_is_gone_from_the_disk_without_waiting_for_the_grace_time(gallery, relay, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ana.share("Ana")
    ana.has(3)
    assert relay.stored_files()
    ana.end()
    ana.has_status("ended")
    relay.comes_to("no body is left", lambda: relay.stored_files() == [])


def test_when_all_have_left_nothing_is_left_after_the_grace_time(brief, brief_gallery, some_photos):
    ana = brief_gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ben = brief_gallery(link).join("Ben").has(3)
    ana.leave()
    ben.leave()
    brief.forgets_everything()
    for file in brief.data.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert link.split("/c/")[1][:22].encode() not in content
    cleo = brief_gallery(link)
    cleo.page.fill("#join-name", "Cleo")
    cleo.page.click("#join-button")
    cleo.reads("#join-problem", "everyone has left")


def test_who_comes_back_within_the_grace_time_finds_everything_and_it_stays(relay_with, brief_gallery, some_photos):
    relay = relay_with(grace_seconds=LONGER_GRACE_SECONDS)
    ana = brief_gallery(relay.url)
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    ana.has(1)
    ana.leave()
    brief_gallery(link).join("Ben").shows_thumbnails(1).has(1)
    # The time that would have ended it goes by.
    ana.page.wait_for_timeout(1000 * LONGER_GRACE_SECONDS + 500)
    assert relay.stored_files() and relay.metrics()["hearth_conversations"] == 1


def test_closing_every_tab_is_leaving_too(brief, brief_gallery, some_photos):
    ana = brief_gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ben = brief_gallery(ana.share("Ana")).join("Ben").has(3)
    ana.page.close()
    ben.people("Ben")
    ben.page.close()
    brief.forgets_everything()


def test_what_was_left_when_the_relay_stopped_goes_after_the_grace_time_too(brief, brief_gallery, some_photos):
    ana = brief_gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ana.share("Ana")
    ana.has(3)
    brief.kill()
    ana.page.context.close()
    assert brief.stored_files()
    brief.start()
    brief.forgets_everything()


def test_somebody_away_too_long_comes_back_by_itself_as_a_new_participant(participants, brief_gallery, some_photos):
    ana = brief_gallery()
    link = ana.share("Ana")
    ben = brief_gallery(link).join("Ben")
    ana.add(some_photos[0])
    ben.has(1)
    before = ana.page.get_attribute('#roster [data-name="Ben"]', "data-participant")
    participants.words.expect(*CONNECTION_LOST)
    ben.page.context.set_offline(True)
    expect(ana.page.locator(f'#roster [data-participant="{before}"]')).to_have_count(0, timeout=60_000)
    ana.add(some_photos[1])
    ben.page.context.set_offline(False)
    ana.people("Ana", "Ben", timeout=60_000)
    ben.is_in_sync(60_000).shows(2).has(2)
