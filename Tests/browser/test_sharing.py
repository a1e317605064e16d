"""The third and the fourth step: share together, invite, join, and see everything as it comes."""

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from support.proxy import Proxy

HALF_A_MEGABYTE = 500_000


def code_of(one):
    one.page.click("#roster-button")
    code = one.page.inner_text("#people-code")
    one.close("#people-dialog")
    return code


def test_share_together_shares_what_is_there_and_shows_qr_code_link_and_session_code(gallery, some_photos):
    ana = gallery(permissions=["clipboard-read", "clipboard-write"])
    ana.add(*some_photos).shows_thumbnails(3)
    ana.page.click("#share")
    ana.page.fill("#name", "Ana")
    ana.page.click("#name-confirm")
    sheet = ana.page.locator("#invite-dialog")
    expect(sheet).to_be_visible()
    link = ana.page.input_value("#invite-link")
    assert re.fullmatch(r"http://localhost:\d+/c/[\w-]{22}#1\.[\w-]{43}", link)
    assert re.fullmatch(r"(\d{5} ){3}\d{5}", ana.page.inner_text("#invite-code"))
    scanned = zxingcpp.read_barcodes(Image.open(io.BytesIO(ana.page.locator("#invite-qr").screenshot())))
    assert [code.text for code in scanned] == [link]
    ana.page.click("#invite-copy")
    ana.is_told("copied")
    assert ana.page.evaluate("navigator.clipboard.readText()") == link
    ana.close("#invite-dialog")
    ana.has(3)
    assert "#" not in ana.page.url and link.split("#1.")[1] not in ana.page.url


def test_who_opens_the_link_sees_what_it_is_types_a_name_joins_and_has_every_photo(gallery, some_photos, relay):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ana.has(3)
    ben = gallery(link)
    expect(ben.page.locator("#join-title")).to_have_text("You are invited")
    expect(ben.page.locator("#join-text")).to_contain_text("shares photos with you")
    expect(ben.page.locator("#join-text")).to_contain_text("end-to-end encrypted")
    assert "#" not in ben.page.url and link.split("#1.")[1] not in ben.page.url
    assert relay.metrics()["hearth_participants"] == 1, "opening the link alone joins nobody"
    ben.join("Ben").shows(3).shows_thumbnails(3).has(3)
    assert ben.names() == ana.names()
    for one in (ana, ben):
        one.people("Ana", "Ben")
    assert code_of(ana) == code_of(ben)
    ana.is_told("Ben has joined")


def test_a_person_is_asked_for_a_name_and_told_when_it_is_too_long(gallery, some_photos):
    link = gallery().share("Ana")
    ben = gallery(link)
    ben.page.click("#join-button")
    ben.reads("#join-problem", "Type a name")
    ben.page.fill("#join-name", "🎉" * 17)
    ben.page.click("#join-button")
    ben.reads("#join-problem", "68 bytes", "64 is the limit")
    ben.join("🎉" * 16)


def test_new_photos_appear_at_everybody_whoever_adds_them(gallery, thirty_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben, cleo = gallery(link).join("Ben"), gallery(link).join("Cleo")
    everyone = (ana, ben, cleo)
    for count, one in enumerate(everyone, start=1):
        one.add(thirty_photos[count])
        for other in everyone:
            other.shows(count).shows_thumbnails(count)
    for one in everyone:
        one.has(3)
    assert ana.names() == ben.names() == cleo.names() == [path.name for path in thirty_photos[1:4]]


def test_thumbnail_and_progress_are_there_while_the_original_still_travels(gallery, relay, some_photos):
    with Proxy(relay.port) as slow:
        ana = gallery(slow.url)
        link = ana.share("Ana")
        ben = gallery(link.replace(str(slow.port), str(relay.port))).join("Ben")
        slow.throttle(HALF_A_MEGABYTE)
        ana.add(some_photos[0])
        ben.shows(1).shows_thumbnails(1)
        ana.has_state(some_photos[0], "sending")
        # Cut-through: bytes reach the other while the sender is still sending.
        ben.page.wait_for_function("() => { const p = document.querySelector('#grid progress'); return p && !p.hidden && p.value > 0 && p.value < 1; }", timeout=60_000)
        assert ana.tile(some_photos[0]).get_attribute("data-state") == "sending"
        assert slow.uploads() < some_photos[0].stat().st_size
        ben.reads("#counts", "1 loading")
        ana.reads("#counts", "1 sending")
        slow.throttle(None)
        ben.has(1)
        ana.has(1)
        expect(ben.page.locator("#counts")).to_be_hidden()


def test_who_comes_late_gets_everything_and_nobody_uploads_again(gallery, relay, some_photos):
    ana = gallery().keep_camera_data()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ana.has(3)
    sent = relay.metrics()["hearth_body_bytes_received_total"]
    cleo = gallery(link).join("Cleo").shows(3).shows_thumbnails(3).has(3)
    for path in some_photos:
        assert cleo.save(path).read_bytes() == path.read_bytes()
    assert relay.metrics()["hearth_body_bytes_received_total"] == sent


def test_photos_of_somebody_who_has_left_are_still_given_to_who_comes(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    link = ana.share("Ana")
    ana.has(3)
    ben = gallery(link).join("Ben").has(3)
    ana.leave()
    ben.people("Ben")
    gallery(link).join("Cleo").shows_thumbnails(3).has(3)


def test_in_a_conversation_that_exists_the_same_button_starts_the_activity_directly(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ana.end()
    ana.has_status("ended")
    ben.has_status("ended")
    ben.add(some_photos[0]).shows_thumbnails(1)
    ben.page.click("#share")
    expect(ben.page.locator("#name-dialog")).to_be_hidden()
    ben.is_in_sync().has(1)
    ana.is_in_sync().shows_thumbnails(1).has(1)


def test_a_photo_added_while_away_stays_private_until_one_says_share_it_too(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ben.leave()
    ben.add(some_photos[0]).shows_thumbnails(1)
    ben.rejoin()
    ben.reads("#banner-text", "One photo is only on this device").has_state(some_photos[0], "local")
    ana.people("Ana", "Ben").shows(0)
    ben.page.click("#banner-action")
    ana.shows_thumbnails(1).has(1)
    ben.has(1)


def test_a_reload_comes_back_by_itself_to_the_same_gallery(gallery, some_photos):
    ana = gallery()
    link = ana.share("Ana")
    ben = gallery(link).join("Ben")
    ana.add(*some_photos).has(3)
    ben.has(3)
    ben.page.reload()
    ben.is_in_sync().shows(3).shows_thumbnails(3).has(3)
    ana.people("Ana", "Ben")
