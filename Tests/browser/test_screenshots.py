"""Takes pictures of every state at three sizes, light and dark: all of them for looking at, a few for README.md."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from support.door import walk_door
from support.gallery import LONG
from support.landscapes import landscapes
from support.liar import Liar
from support.relay import ROOT

SIZES = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "device_scale_factor": 1.5, "has_touch": True},
    "desktop": {"viewport": {"width": 1360, "height": 850}},
}
ALL = ROOT / "artifacts/screenshots"
LIMIT_BYTES = 300_000
# Name of the state, size, colours: what README.md and the documents show.
PUBLISHED = {("gallery", "desktop", "light"), ("gallery", "phone", "dark"), ("invite", "desktop", "light"), ("viewer", "desktop", "dark"), ("join", "phone", "light")}


@pytest.fixture(scope="session")
def views():
    """Twelve landscapes."""
    return landscapes(ROOT / "artifacts/landscapes")


class Camera:
    """Takes one picture of a page and says where it lies."""

    def __init__(self, size, colours, published):
        self.size, self.colours, self.published = size, colours, published

    def take(self, gallery, state, is_told=False):
        page = gallery.page
        page.mouse.move(2, 300)
        if not is_told:
            expect(page.locator("#notices > li")).to_have_count(0, timeout=20_000)
        page.evaluate("""async () => { await document.fonts.ready; await Promise.all(document.getAnimations().filter(a => a.effect.getComputedTiming().iterations !== Infinity).map(a => a.finished.catch(() => {})));
            await Promise.all([...document.images].map(i => i.decode().catch(() => {}))); }""")
        shot = page.screenshot()
        ALL.mkdir(parents=True, exist_ok=True)
        path = ALL / f"{state}-{self.size}-{self.colours}.png"
        path.write_bytes(shot)
        assert len(set(Image.open(io.BytesIO(shot)).convert("RGB").resize((64, 64)).tobytes())) > 8, "the picture shows something"
        if self.published is not None and (state, self.size, self.colours) in PUBLISHED:
            publish(shot, self.published / f"{path.stem}.jpg")


def publish(shot, path):
    """As JPEG, for most of a picture is photos, and as good as fits below the limit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for quality in (92, 88, 84, 80, 72):
        Image.open(io.BytesIO(shot)).convert("RGB").save(path, "JPEG", quality=quality, subsampling=0, optimize=True, progressive=True)
        if path.stat().st_size <= LIMIT_BYTES:
            return
    raise AssertionError(f"{path.name} does not fit into {LIMIT_BYTES} bytes")


@pytest.fixture
def published(request):
    folder = request.config.getoption("--screenshots")
    return None if folder is None else ROOT / folder


def pytest_generate_tests(metafunc):
    """All sizes and colours where pictures are asked for; else one, so that the states stay reachable."""
    if {"size", "colours"} <= set(metafunc.fixturenames):
        wanted = [(size, colours) for size in SIZES for colours in ("light", "dark")]
        metafunc.parametrize("size, colours", wanted if metafunc.config.getoption("--screenshots") else wanted[:1])
    if "locale" in metafunc.fixturenames:
        metafunc.parametrize("locale", ["de-DE", "ja-JP", "ar-EG"] if metafunc.config.getoption("--screenshots") else ["ar-EG"])


def test_every_state_can_be_looked_at(gallery, views, published, size, colours):
    camera = Camera(size, colours, published)
    look = {**SIZES[size], "color_scheme": colours}
    ana = gallery(**look)
    camera.take(ana, "first")
    ana.add(*views[:5]).shows_thumbnails(5)
    camera.take(ana, "alone")
    ana.page.click("#share")
    ana.page.fill("#name", "Ana")
    camera.take(ana, "name")
    ana.page.click("#name-confirm")
    expect(ana.page.locator("#invite-dialog")).to_be_visible()
    link = ana.page.input_value("#invite-link")
    ana.is_in_sync().has(5)
    camera.take(ana, "invite")
    ana.close("#invite-dialog")

    ben = gallery(link, **look)
    ben.page.fill("#join-name", "Ben")
    camera.take(ben, "join")
    ben.join("Ben").add(*views[5:9])
    cleo = gallery(link).join("Cleo").add(*views[9:])
    for one in (ana, ben, cleo):
        one.has(12).shows_thumbnails(12)
    camera.take(ana, "gallery")
    ana.page.click("#roster-button")
    camera.take(ana, "people")
    ana.close("#people-dialog")
    ana.menu(views[1])
    camera.take(ana, "menu")
    ana.page.keyboard.press("Escape")
    ana.open(views[1])
    ana.viewed()
    camera.take(ana, "viewer")
    ana.page.click("#viewer-about")
    camera.take(ana, "viewer-info")
    ana.page.click("#viewer-show")
    expect(ben.page.locator("#showing")).to_be_visible()
    camera.take(ben, "showing")
    ben.page.click("#showing-action")
    expect(ben.page.locator("#viewer-lead")).to_be_visible()
    camera.take(ben, "following")
    ana.page.click("#viewer-show")
    ana.close("#viewer")
    ana.page.click("#select")
    for path in views[:3]:
        ana.tile(path).locator(".tile-open").click()
    camera.take(ana, "selection")
    ana.page.click("#select-done")
    ana.page.click("#privacy")
    camera.take(ana, "privacy")
    ana.close("#privacy-dialog")
    ana.page.click("#leave")
    camera.take(ana, "leave")
    ana.page.click("#leave-confirm")
    ana.has_status("left")
    camera.take(ana, "left")

    wall = gallery(link, **look)
    wall.page.click("#join-wall")
    expect(wall.page.locator("#wall-stage figure.shown img")).to_be_visible()
    wall.has(12)
    camera.take(wall, "wall")

    lost = gallery(link[:-9], **look)
    expect(lost.page.locator("#join-problem")).to_be_visible()
    camera.take(lost, "broken-link")
    empty = gallery(**look)
    empty_wall = gallery(empty.share("Eva"), **look)
    empty_wall.page.click("#join-wall")
    expect(empty_wall.page.locator("#wall-empty")).to_be_visible()
    expect(empty_wall.page.locator("#wall-qr svg")).to_be_visible()
    camera.take(empty_wall, "wall-empty")
    camera.take(empty, "empty-shared")
    empty.page.locator("#files").set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    empty.is_told("notes.txt")
    camera.take(empty, "refused", is_told=True)


def test_every_state_of_the_door_can_be_looked_at(gallery, views, published, size, colours):
    camera = Camera(size, colours, published)
    look = {**SIZES[size], "color_scheme": colours}
    ana = gallery(**look)
    ana.add(*views[:5]).shows_thumbnails(5)
    link = ana.share("Ana")
    ana.has(5)
    walk_door(gallery, ana, link, lambda one, state: camera.take(one, state, is_told=state.startswith("knock-")), **look)


def test_a_server_that_shows_people_different_things_can_be_looked_at(gallery, views, published, size, colours):
    camera = Camera(size, colours, published)
    look = {**SIZES[size], "color_scheme": colours}
    ana = gallery(**look)
    ana.add(*views[:4]).shows_thumbnails(4)
    link = ana.share("Ana")
    ana.has(4)
    ben = gallery(link, **look)
    Liar().lie_to(ben.page)
    ben.join("Ben").has(4)
    ana.add(views[4])
    expect(ana.page.locator("#banner[data-kind=divergence]")).to_be_visible(timeout=LONG)
    camera.take(ana, "divergence")


def test_every_language_can_be_looked_at(gallery, views, published, locale):
    for size in ("phone", "desktop"):
        camera = Camera(size, locale[:2], published)
        ana = gallery(**SIZES[size], locale=locale)
        camera.take(ana, "first")
        ana.add(*views[:5]).shows_thumbnails(5)
        ana.share("Ana")
        ana.has(5)
        camera.take(ana, "gallery")
        ana.page.click("#invite")
        camera.take(ana, "invite")
