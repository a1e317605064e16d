"""The first two steps: Hearth is opened by one command, and the gallery works alone at once, with nothing sent."""

import os
import re
import shutil
import signal
import subprocess

from playwright.sync_api import expect

from support.participants import drop_files
from support.relay import ROOT


def test_make_run_says_first_where_hearth_is_open_and_stops_with_0_when_asked(participants, folder):
    process = subprocess.Popen(["make", "run", "PORT=0", f"DATA={folder}/data"], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               start_new_session=True, env={k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")})
    try:
        first = process.stdout.readline()
        found = re.fullmatch(r"Hearth is open at (http://localhost:\d+/)\n", first)
        assert found, first
        page = participants.open(found[1])
        expect(page).to_have_title(re.compile("Hearth"))
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def test_the_relay_answers_sigterm_with_0_and_takes_the_same_data_up_again(relay):
    assert relay.get("/healthz")[0] == 200
    assert relay.stop() == 0
    relay.start()
    assert relay.get("/healthz")[0] == 200


def test_photos_chosen_in_the_picker_appear_at_once_and_nothing_is_sent(gallery, some_photos):
    ana = gallery()
    ana.has_status("alone")
    expect(ana.page.locator("#empty")).to_be_visible()
    with ana.counting_requests() as requests:
        ana.add(*some_photos).shows(3).shows_thumbnails(3)
        expect(ana.page.locator("#empty")).to_be_hidden()
        for path in some_photos:
            ana.has_state(path, "local")
        ana.open(some_photos[1])
        assert ana.viewed()["width"] > 2000
    assert [url for url in requests if not re.search(r"/(gallery|vendor|groupactivities)/[\w/.-]+\.js$", url)] == []
    assert ana.names() == [path.name for path in some_photos]


def test_choose_photos_on_the_empty_page_opens_the_picker_for_several_files(gallery, some_photos):
    ana = gallery()
    with ana.page.expect_file_chooser() as chooser:
        ana.page.click("#empty-add")
    assert chooser.value.is_multiple()
    chooser.value.set_files([str(path) for path in some_photos[:2]])
    ana.shows_thumbnails(2)


def test_photos_dropped_anywhere_on_the_page_appear(gallery, some_photos):
    ana = gallery()
    drop_files(ana.page, "main", some_photos[:2])
    ana.shows(2).shows_thumbnails(2)
    expect(ana.page.locator("#drop")).to_be_hidden()


def test_a_pasted_picture_appears(gallery):
    ana = gallery(permissions=["clipboard-read", "clipboard-write"])
    ana.page.evaluate("""async () => {
        const canvas = new OffscreenCanvas(300, 200); const context = canvas.getContext('2d'); context.fillStyle = 'teal'; context.fillRect(0, 0, 300, 200);
        await navigator.clipboard.write([new ClipboardItem({'image/png': await canvas.convertToBlob()})]); }""")
    ana.page.keyboard.press("Control+V")
    ana.shows(1).shows_thumbnails(1)


def test_a_photo_that_only_this_device_has_is_removed_without_a_question(gallery, some_photos):
    ana = gallery()
    ana.add(*some_photos).shows_thumbnails(3)
    ana.menu(some_photos[0])
    expect(ana.page.locator("#menu-remove")).to_have_text("Remove")
    ana.page.click("#menu-remove")
    ana.shows(2)


def test_what_is_saved_alone_is_the_file_that_was_added(gallery, some_photos):
    ana = gallery()
    ana.add(some_photos[0]).shows_thumbnails(1)
    saved = ana.save(some_photos[0])
    assert saved.read_bytes() == some_photos[0].read_bytes() and saved.name.endswith(some_photos[0].name)


def test_pictures_are_known_by_content_and_not_by_name(gallery, pictures, folder):
    renamed = []
    for kind, wrong in {"jpeg": "a.png", "png": "b.jpg", "webp": "c.txt", "gif": "d.jpg", "avif": "e.jpeg"}.items():
        renamed.append(shutil.copy(pictures[kind], folder / wrong))
    ana = gallery()
    ana.add(*renamed).shows(5).shows_thumbnails(5)
    expect(ana.page.locator("#notices > li")).to_have_count(0)
