"""Two thousand photos: what is drawn, what is kept in memory, how long the page is busy while somebody scrolls, and who has the focus."""

import json
import pathlib

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from support.relay import ROOT

COUNT = 2_000
FRAME_MILLISECONDS = 33
MEMORY_FACTOR = 1.5
SHAPES = [(480, 320), (320, 480), (480, 270), (400, 400), (480, 360)]

COUNTING_ADDRESSES = """(() => {
  let alive = 0; const [make, revoke] = [URL.createObjectURL, URL.revokeObjectURL]; const known = new Set();
  URL.createObjectURL = (thing) => { const url = make.call(URL, thing); known.add(url); return url; };
  URL.revokeObjectURL = (url) => { known.delete(url); revoke.call(URL, url); };
  Object.defineProperty(window, 'aliveAddresses', { get: () => known.size });
})()"""


@pytest.fixture(scope="module")
def many():
    """Small photos, no two alike."""
    folder = ROOT / "artifacts/many"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"many-{number:04d}.jpg" for number in range(COUNT)]
    source = np.random.default_rng(1)
    for number, path in enumerate(paths):
        if path.exists():
            continue
        width, height = SHAPES[number % len(SHAPES)]
        rough = source.integers(0, 255, (4, 5, 3), dtype=np.uint8)
        partial = pathlib.Path(f"{path}.partial")
        Image.fromarray(rough).resize((width, height), Image.Resampling.BICUBIC).save(partial, "JPEG", quality=85)
        partial.rename(path)
    return paths


@pytest.fixture(scope="module")
def full(browser, many):
    """A gallery of two thousand photos that nobody shares, opened once for the tests of this file."""
    from support.relay import Relay
    with Relay() as relay:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(60_000)
        context.add_init_script(COUNTING_ADDRESSES)
        page = context.new_page()
        page.goto(relay.url)
        page.set_input_files("#files", [str(path) for path in many])
        page.wait_for_function("count => document.querySelector('#grid').dataset.count === String(count)", arg=COUNT, timeout=600_000)
        expect(page.locator("#counts")).to_be_hidden(timeout=900_000)
        yield page
        context.close()


def renderer(page, browser):
    """The process of the page: the one that works while the page works."""
    session = browser.new_browser_cdp_session()
    def times():
        return {one["id"]: one["cpuTime"] for one in session.send("SystemInfo.getProcessInfo")["processInfo"] if one["type"] == "renderer"}
    before = times()
    page.evaluate("() => { const end = performance.now() + 400; while (performance.now() < end); }")
    after = times()
    session.detach()
    return max(after, key=lambda pid: after[pid] - before.get(pid, after[pid]))


def memory(page, pid):
    """What the renderer holds, shared pages by share, after everything that can go is gone."""
    session = page.context.new_cdp_session(page)
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
        session.send("Memory.simulatePressureNotification", {"level": "critical"})
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return {"pss": 1_024 * next(int(line.split()[1]) for line in lines if line.startswith("Pss:")), "heap": heap, "nodes": page.evaluate("document.querySelectorAll('*').length"), "tiles": page.locator("#grid > li").count(), "addresses": page.evaluate("aliveAddresses")}


def scroll(page, distance, speed):
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizeScrollGesture", {"x": 640, "y": 500, "yDistance": -distance, "speed": speed, "gestureSourceType": "mouse", "preventFling": True})
    session.detach()


def tasks(browser, page, act):
    """How long each task of the page's main thread took while `act` ran: on the wall, and of a processor."""
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"])
    act()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    frames = [e for e in events if e.get("name") == "FireAnimationFrame"]
    pids = {e["pid"] for e in frames}
    runs = [e for e in events if e.get("name", "").endswith("RunTask") and e.get("ph") == "X" and e["pid"] in pids and names.get((e["pid"], e["tid"])) == "CrRendererMain"]
    return [(e["dur"] / 1_000, e.get("tdur", e["dur"]) / 1_000) for e in runs], len(frames)


def test_scrolling_through_two_thousand_photos_is_smooth_and_costs_no_memory(browser, full, record_property):
    pid = renderer(full, browser)
    before = memory(full, pid)
    height = full.evaluate("document.documentElement.scrollHeight")
    busy, frames = tasks(browser, full, lambda: scroll(full, 24_000, 6_000))
    scroll(full, height, 30_000)
    expect(full.locator("#grid > li").last).to_have_attribute("aria-posinset", str(COUNT))
    full.wait_for_function("() => { const i = [...document.querySelectorAll('#grid > li:last-child img')]; return i.length === 1 && i[0].complete && i[0].naturalWidth > 0; }")
    scroll(full, -height, 30_000)
    expect(full.locator("#grid > li").first).to_have_attribute("aria-posinset", "1")
    after = memory(full, pid)
    wall, processor = (sorted((one[kind] for one in busy), reverse=True) for kind in (0, 1))
    report = {"before": before, "after": after, "frames": frames, "tasks": len(busy), "longest on the wall": wall[:5], "longest of a processor": processor[:5]}
    (ROOT / "artifacts/many-photos.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report))
    # Times are told, not judged: the machine is shared. docs/testing-gallery.md has the figures and the aim.
    print(f"longest task: {processor[0]:.1f} ms of a processor, aim {FRAME_MILLISECONDS} ms")
    assert frames > 0 and len(busy) > 0
    for kind in ("pss", "heap"):
        assert after[kind] <= MEMORY_FACTOR * before[kind], kind
    assert after["tiles"] < 250 and after["nodes"] < 4_000
    assert after["addresses"] <= after["tiles"] + 4


def test_the_focus_and_its_place_survive_whatever_is_drawn(full):
    full.evaluate("scrollTo(0, 0)")
    first = full.locator('#grid > li[aria-posinset="1"]')
    first.locator(".tile-open").focus()
    full.evaluate("scrollTo(0, 40000)")
    full.wait_for_function("() => document.querySelectorAll('#grid > li').length > 20 && ![...document.querySelectorAll('#grid > li')].some(li => li.ariaPosInSet === '30')")
    assert full.evaluate("document.activeElement.closest('li').ariaPosInSet") == "1", "the one with the focus is still there"
    order = full.eval_on_selector_all("#grid > li", "tiles => tiles.map(li => Number(li.ariaPosInSet))")
    assert order == sorted(order)
    full.keyboard.press("ArrowRight")
    assert full.evaluate("[document.activeElement.closest('li').ariaPosInSet, scrollY < 100]") == ["2", True]
    full.keyboard.press("End")
    assert full.evaluate("document.activeElement.closest('li').ariaPosInSet") == str(COUNT)
    expect(full.locator(f'#grid > li[aria-posinset="{COUNT}"]')).to_be_in_viewport()
    full.keyboard.press("ArrowUp")
    assert int(full.evaluate("document.activeElement.closest('li').ariaPosInSet")) < COUNT
    assert full.locator('#grid [tabindex="0"]').count() == 1
    full.keyboard.press("Home")
    expect(first).to_be_in_viewport()


def test_tab_leads_to_the_first_photo_in_view(full):
    full.evaluate("document.activeElement.blur(); scrollTo(0, 30000)")
    full.wait_for_function("() => { const t = document.querySelector('#grid [tabindex=\"0\"]'); if (!t) return false; const r = t.getBoundingClientRect(); return r.top > -400 && r.top < innerHeight; }")


def test_nothing_jumps_when_photos_go_above_what_is_looked_at(full):
    full.evaluate("scrollTo(0, 0)")
    full.locator('#grid > li[aria-posinset="2"] .tile-open').focus()
    above = full.evaluate("document.activeElement.closest('li').dataset.photo")
    full.evaluate("scrollTo(0, 20000)")
    in_view = "[...document.querySelectorAll('#grid > li')].find(li => { const top = li.getBoundingClientRect().top; return top > 100 && top < 500; })"
    full.wait_for_function(f"() => {in_view} !== undefined")
    photo, top = full.evaluate(f"() => {{ const li = {in_view}; return [li.dataset.photo, li.getBoundingClientRect().top]; }}")
    full.keyboard.press("Delete")
    expect(full.locator(f"#grid [data-photo='{above}']")).to_have_count(0)
    # Rows are filled anew, so a photo may stand in the row before or after; what is looked at stays in view.
    now = full.evaluate("id => document.querySelector(`#grid [data-photo='${id}']`)?.getBoundingClientRect().top", photo)
    assert now is not None and abs(now - top) < 300
