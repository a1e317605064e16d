"""Links that are cut, wrong or over, and pages that may not encrypt: each says what it is, and nothing goes out in clear."""

import re

import pytest
from playwright.sync_api import expect

from support.participants import ARGUMENTS, CONNECTION_LOST, Participants, chromium
from support.gallery import GalleryPage
from support.originals import are_the_same_pictures


@pytest.fixture
def link(gallery):
    return gallery().share("Ana")


def opened(gallery, link):
    """Opens a link and, where the page lets one, tries to join."""
    ben = gallery(link)
    if ben.page.locator("#join-problem").is_hidden():
        ben.page.fill("#join-name", "Ben")
        ben.page.click("#join-button")
    return ben


@pytest.mark.parametrize("spoil", [
    lambda link: link.split("#")[0],
    lambda link: link.split("#")[0] + "#",
    lambda link: link[:-43],
], ids=["without its key", "with an empty key", "with a key that is cut to nothing"])
def test_a_link_that_lost_its_key_asks_for_the_whole_one(gallery, link, spoil):
    ben = opened(gallery, spoil(link))
    ben.reads("#join-problem", "not complete|damaged", "Ask for")
    expect(ben.page.locator("#join-title")).to_have_text("This link does not work")
    expect(ben.page.locator("#join-link")).to_be_visible()
    expect(ben.page.locator("#join-wall")).to_be_hidden()
    ben.page.fill("#join-link", link)
    expect(ben.page.locator("#join-wall")).to_be_visible()


@pytest.mark.parametrize("spoil", [
    lambda link: link[:-1],
    lambda link: link[:-20],
    lambda link: link + "A",
    lambda link: link.replace("#1.", "#1,"),
    lambda link: re.sub(r"/c/[^#]{4}", "/c/", link),
], ids=["one letter short", "half a key", "one letter more", "another separator", "a short name"])
def test_a_damaged_link_says_that_it_is_damaged(gallery, link, spoil):
    ben = opened(gallery, spoil(link))
    ben.reads("#join-problem", "damaged|not complete", "Ask for")


def test_a_page_that_is_reloaded_before_one_has_joined_still_knows_the_link(gallery, link):
    ben = gallery(link)
    assert "#" not in ben.page.url
    ben.page.reload()
    expect(ben.page.locator("#join-problem")).to_be_hidden()
    ben.join("Ben")
    assert ben.page.evaluate("sessionStorage.getItem('hearth.opened')") is None
    ben.leave()
    assert ben.page.evaluate("Object.values(sessionStorage).some(text => text.includes('#1.'))") is False


def test_a_link_of_a_later_version_says_so(gallery, link):
    opened(gallery, link.replace("#1.", "#2.")).reads("#join-problem", "newer version")


def test_a_link_with_another_key_is_not_let_in(gallery, participants, link):
    secret = link.split("#1.")[1]
    other = ("B" if secret[0] == "A" else "A") + secret[1:]
    ben = opened(gallery, link.replace(secret, other))
    ben.reads("#join-problem", "key is not the right one", "Ask for the link again")


def test_a_link_to_a_conversation_that_never_was_says_so(gallery, link):
    ben = opened(gallery, re.sub(r"/c/[\w-]{8}", "/c/AAAAAAAA", link))
    ben.reads("#join-problem", "nothing behind this link")


def test_the_whole_link_pasted_into_a_page_of_a_damaged_one_joins(gallery, link):
    ben = opened(gallery, link[:-5])
    ben.page.fill("#join-link", link)
    ben.join("Ben")


def test_a_relay_that_does_not_answer_is_told_while_joining(gallery, participants, relay, link):
    ben = gallery(link)
    participants.words.expect(*CONNECTION_LOST)
    relay.kill()
    ben.page.fill("#join-name", "Ben")
    ben.page.click("#join-button")
    ben.reads("#join-problem", "server does not answer", timeout=60_000)
    relay.start()
    ben.page.click("#join-button")
    ben.is_in_sync()


def test_on_plain_http_away_from_localhost_the_page_says_why_it_cannot_encrypt_and_what_helps(playwright, relay, folder, some_photos):
    browser = playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, "--host-resolver-rules=MAP *.test 127.0.0.1"])
    group = Participants(browser, folder)
    try:
        sockets = []
        # Chromium's own remark on a header that counts only where it can be trusted.
        group.words.expect("Cross-Origin-Opener-Policy header has been ignored")
        ana = GalleryPage(group.open(f"http://gallery.test:{relay.port}/"), folder)
        ana.page.on("websocket", lambda socket: sockets.append(socket.url))
        ana.reads("#banner-text", "without encryption", "https, or on localhost", "hearth serve --tls-self-signed")
        ana.add(some_photos[0]).shows_thumbnails(1)
        ana.page.click("#share")
        ana.is_told("does not let it encrypt")
        expect(ana.page.locator("#name-dialog")).to_be_hidden()
        ben = GalleryPage(group.open(f"http://gallery.test:{relay.port}/c/AAAAAAAAAAAAAAAAAAAAAA#1.{'A' * 43}"), folder)
        ben.reads("#banner-text", "does not let it encrypt", "hearth serve --tls-self-signed")
        expect(ben.page.locator("#join-button")).to_be_disabled()
        assert sockets == [] and relay.metrics()["hearth_participant_connections_total"] == 0
        assert relay.metrics()["hearth_body_bytes_received_total"] == 0
        assert group.words.unexpected() == []
    finally:
        group.close("insecure", False)
        browser.close()


def test_the_command_that_the_page_names_gives_a_page_that_encrypts(participants, relay_with, folder, some_photos):
    relay = relay_with(tls_self_signed=None)
    # Chromium installs nothing from a certificate that somebody had to accept by hand, and says so; the page works without.
    participants.words.expect("An SSL certificate error occurred when fetching the script")
    ana = GalleryPage(participants.open(relay.url, ignore_https_errors=True), folder)
    ana.add(some_photos[0]).shows_thumbnails(1)
    link = ana.share("Ana")
    assert link.startswith("https://")
    ben = GalleryPage(participants.open(link, ignore_https_errors=True), folder).join("Ben").has(1)
    assert are_the_same_pictures([ben.save(some_photos[0])], [some_photos[0]])
