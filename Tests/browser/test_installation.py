"""The gallery as an app: it can be installed, opens without a network, is never of an old version, and takes in photos from the share sheet."""

import base64
import pathlib
import shutil

import pytest
from playwright.sync_api import expect

from support.gallery import GalleryPage
from support.participants import ARGUMENTS, Words, chromium
from support.relay import ROOT, Relay


def wait_until_kept(page, instead_of=""):
    """The worker is in charge and has kept one version of the page: another one than `instead_of`. Gives its name."""
    return page.evaluate("""async (before) => { for (;;) {
        const names = await caches.keys();
        if (navigator.serviceWorker.controller && names.length === 1 && names[0] !== before) return names[0];
        await new Promise(resolve => setTimeout(resolve, 50)); } }""", instead_of)


@pytest.fixture
def site(tmp_path):
    """A copy of the web client that a test may upgrade."""
    return pathlib.Path(shutil.copytree(ROOT / "Web", tmp_path / "Web", ignore=shutil.ignore_patterns("tests")))


@pytest.fixture
def home(site):
    with Relay(web=site) as started:
        yield started


@pytest.fixture
def app(playwright, home, tmp_path):
    """The gallery in a browser of its own that keeps what it is given to keep, as a person's does."""
    context = playwright.chromium.launch_persistent_context(str(tmp_path / "profile"), executable_path=chromium(), args=ARGUMENTS, viewport={"width": 1000, "height": 800})
    context.set_default_timeout(30_000)
    words = Words()
    page = context.pages[0]
    words.listen(page)
    page.goto(home.url)
    wait_until_kept(page)
    one = GalleryPage(page, tmp_path)
    one.words = words
    yield one
    context.close()
    assert words.unexpected() == []


def test_it_can_be_installed(app):
    session = app.page.context.new_cdp_session(app.page)
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []


def test_it_opens_without_a_network_and_photos_can_be_added(app, home, some_photos):
    app.words.expect("Failed to load resource: net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_REFUSED")
    home.stop()
    app.page.reload()
    app.add(*some_photos).shows_thumbnails(3)
    app.has_status("alone")


def test_after_an_upgrade_the_next_page_is_the_new_one_with_and_without_a_network(app, home, site):
    app.words.expect("net::ERR_CONNECTION_REFUSED")
    page = site / "index.html"
    before = wait_until_kept(app.page)
    page.write_text(page.read_text().replace("<h1 class=\"unseen\"", "<h1 data-version=\"newer\" class=\"unseen\""))
    home.stop()
    home.start()
    app.page.reload()
    expect(app.page.locator("h1[data-version=newer]")).to_have_count(1)
    wait_until_kept(app.page, before)
    home.stop()
    app.page.reload()
    expect(app.page.locator("h1[data-version=newer]")).to_have_count(1)


def test_nothing_of_a_conversation_is_kept_with_the_page(app, some_photos):
    app.add(some_photos[0]).shows_thumbnails(1)
    link = app.share("Ana")
    app.has(1)
    kept = app.page.evaluate("""async () => { const all = []; for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) all.push(request.url); return all; }""")
    conversation = link.split("/c/")[1][:22]
    assert len(kept) > 80 and not any(conversation in url or "/v1/" in url for url in kept)


def test_photos_from_the_share_sheet_land_in_the_gallery_once(app, home, some_photos):
    app.page.evaluate("""async (photo) => {
        const form = new FormData(); form.append('photos', new File([Uint8Array.from(atob(photo), c => c.charCodeAt(0))], 'shared.jpg', {type: 'image/jpeg'}));
        await fetch('/share-target', {method: 'POST', body: form, redirect: 'manual'}); }""", base64.b64encode(some_photos[0].read_bytes()).decode())
    app.page.goto(f"{home.url}?shared")
    app.shows(1).shows_thumbnails(1)
    assert app.names() == ["shared.jpg"] and app.page.url == home.url
    app.page.goto(f"{home.url}?shared")
    app.page.wait_for_function("() => document.body.dataset.stage === 'gallery'")
    app.shows(0)


def test_the_invitation_is_handed_to_the_system_where_it_can_share(gallery):
    ana = gallery()
    ana.page.context.add_init_script("navigator.share = async (what) => { window.handedOver = what; };")
    ana.page.reload()
    link = ana.share("Ana")
    ana.page.click("#invite")
    ana.page.click("#invite-send")
    assert ana.page.evaluate("handedOver") == {"title": "Photos together", "url": link}


def test_no_script_can_be_started_that_is_not_the_pages_own(gallery, participants):
    participants.words.expect("Trusted", "violates the following Content Security Policy")
    ana = gallery()
    attempts = {
        "a script of another name": "() => new Worker('/gallery/main.js')",
        "markup from text": "() => { document.createElement('div').innerHTML = '<p>'; }",
        "the same policy again": "() => trustedTypes.createPolicy('hearth', {})",
        "another policy": "() => trustedTypes.createPolicy('other', {})",
    }
    for what, act in attempts.items():
        assert ana.page.evaluate(f"() => {{ try {{ ({act})(); return 'done'; }} catch (error) {{ return error.name; }} }}") == "TypeError", what
