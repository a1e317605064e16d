"""The gallery as a person uses it: what can be pressed and what can be seen, in the words of the page."""

import contextlib
import pathlib
import re

from playwright.sync_api import expect

from .originals import digest  # noqa: F401

MOMENT = 30_000
LONG = 120_000


class GalleryPage:
    """One participant's page."""

    def __init__(self, page, folder):
        self.page = page
        self.folder = pathlib.Path(folder)
        self.name = ""

    # What a person does.

    def add(self, *paths):
        """Chooses files in the picker."""
        self.page.set_input_files("#files", [str(path) for path in paths])
        return self

    def share(self, name):
        """Share together, with a name; gives the link of the invitation and closes the sheet."""
        self.name = name
        self.page.click("#share")
        self.page.fill("#name", name)
        self.page.click("#name-confirm")
        expect(self.page.locator("#invite-dialog")).to_be_visible(timeout=MOMENT)
        link = self.page.input_value("#invite-link")
        self.close("#invite-dialog")
        self.is_in_sync()
        return link

    def join(self, name):
        """Types a name on the page of an opened link, and joins."""
        self.name = name
        self.page.fill("#join-name", name)
        self.page.click("#join-button")
        self.is_in_sync()
        return self

    def close(self, dialog):
        self.page.click(f"{dialog} [data-close]")
        expect(self.page.locator(dialog)).to_be_hidden()

    def open(self, path):
        """Opens a photo for oneself alone."""
        self.tile(path).locator(".tile-open").click()
        expect(self.page.locator("#viewer")).to_be_visible()

    def menu(self, path):
        self.tile(path).click(button="right")
        expect(self.page.locator("#menu")).to_be_visible()

    def save(self, path):
        """Saves the original by the menu; gives where it was saved."""
        self.menu(path)
        with self.page.expect_download(timeout=LONG) as download:
            self.page.click("#menu-save")
        target = self.folder / f"{self.name or 'somebody'}-{download.value.suggested_filename}"
        download.value.save_as(target)
        return target

    def remove(self, path):
        """Removes a photo for everyone by the menu. It goes from the others' screens once it cannot be taken back any more."""
        self.menu(path)
        self.page.click("#menu-remove")
        expect(self.tile(path)).to_have_count(0)

    def keep_camera_data(self):
        """Chooses that photos are shared with what the camera wrote into them."""
        self.page.click("#privacy:visible, #empty-privacy:visible")
        self.page.check("#privacy-choice")
        self.close("#privacy-dialog")
        return self

    def leave(self):
        self.page.click("#leave")
        self.page.click("#leave-confirm")
        self.has_status("left")

    def end(self):
        self.page.click("#leave")
        self.page.click("#end")

    def rejoin(self):
        self.page.click("#banner-action")
        self.is_in_sync()

    # What a person sees. Each waits until it is so.

    def tile(self, path):
        return self.page.locator(f'#grid [data-name="{pathlib.Path(path).name}"]')

    @property
    def tiles(self):
        return self.page.locator("#grid > li")

    def shows(self, count, timeout=MOMENT):
        expect(self.tiles).to_have_count(count, timeout=timeout)
        return self

    def shows_thumbnails(self, count, timeout=MOMENT):
        """So many tiles have a picture that was really decoded."""
        self.page.wait_for_function(
            "count => [...document.querySelectorAll('#grid .tile-open img')].filter(i => i.complete && i.naturalWidth > 0).length >= count", arg=count, timeout=timeout)
        return self

    def has(self, count, timeout=LONG):
        """So many photos are whole: the originals are here, and for one's own, with everyone."""
        expect(self.page.locator('#grid > li[data-state="ready"]')).to_have_count(count, timeout=timeout)
        return self

    def has_state(self, path, state, timeout=MOMENT):
        expect(self.tile(path)).to_have_attribute("data-state", state, timeout=timeout)
        return self

    def has_status(self, state, timeout=MOMENT):
        expect(self.page.locator("#status")).to_have_attribute("data-state", state, timeout=timeout)
        return self

    def is_in_sync(self, timeout=MOMENT):
        return self.has_status("in-sync", timeout)

    def is_told(self, *patterns, kind=None, timeout=MOMENT):
        """A message with these words stands on the page."""
        notice = self.page.locator(f'#notices > li{f"[data-kind={kind}]" if kind else ""}')
        for pattern in patterns:
            notice = notice.filter(has_text=re.compile(pattern))
        expect(notice.first).to_be_visible(timeout=timeout)
        return notice.first

    def reads(self, selector, *patterns, timeout=MOMENT):
        for pattern in patterns:
            expect(self.page.locator(selector)).to_have_text(re.compile(pattern), timeout=timeout)
        return self

    def people(self, *names, timeout=MOMENT):
        """Exactly these are here."""
        wanted = sorted(names)
        self.page.wait_for_function(
            "names => JSON.stringify([...document.querySelectorAll('#roster > li')].map(li => li.dataset.name).sort()) === JSON.stringify(names)", arg=wanted, timeout=timeout)
        return self

    def names(self):
        return [tile.get_attribute("data-name") for tile in self.tiles.all()]

    def thumbnail_colours(self, path, places):
        """Colours of a tile's picture at places given as shares of width and height."""
        return self.tile(path).locator(".tile-open img").evaluate(
            """async (img, places) => { await img.decode(); const c = new OffscreenCanvas(img.naturalWidth, img.naturalHeight); const x = c.getContext('2d', {willReadFrequently: true}); x.drawImage(img, 0, 0);
               return places.map(([a, b]) => [...x.getImageData(Math.floor(a * c.width), Math.floor(b * c.height), 1, 1).data.slice(0, 3)]); }""", places)

    def viewed(self):
        """Size and kind of the picture in the viewer once it is decoded."""
        self.page.wait_for_function("() => { const i = document.querySelector('#viewer-stage img.original'); return i && i.complete && i.naturalWidth > 0; }", timeout=LONG)
        return self.page.eval_on_selector("#viewer-stage img.original", "i => ({width: i.naturalWidth, height: i.naturalHeight})")

    @contextlib.contextmanager
    def counting_requests(self):
        """Every request of the page, WebSockets included, while it lasts."""
        seen = []
        self.page.on("request", lambda request: seen.append(request.url) if not request.url.startswith(("blob:", "data:")) else None)
        self.page.on("websocket", lambda socket: seen.append(socket.url))
        yield seen
