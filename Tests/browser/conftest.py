"""Fixtures of the browser tests: one Chromium for each file, a relay and a clean console for each test."""

import contextlib
import fcntl
import pathlib
import re

import pytest
from playwright.sync_api import sync_playwright

from support.gallery import GalleryPage
from support.participants import ARGUMENTS, Participants, chromium
from support.photos import photos as make_photos
from support.photos import write_formats
from support.proxy import Proxy
from support.relay import ROOT, Relay

PHOTOS = ROOT / "artifacts/photos"
FORMATS = ROOT / "artifacts/formats"
FAILURES = ROOT / "artifacts/failures"
# The files that take longest, longest first: whoever runs beside others would else be left alone with one of them at the end.
LONGEST = [f"test_{name}.py" for name in ("screenshots", "trouble", "accessibility", "many_photos", "main_job", "mixed_conversation", "leaving", "divergence", "engines")]


@contextlib.contextmanager
def made_by_one():
    """Files that all runs share are made by one of them; the others wait for it."""
    PHOTOS.mkdir(parents=True, exist_ok=True)
    with open(PHOTOS.parent / "making", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def pytest_addoption(parser):
    parser.addoption("--screenshots", default=None, help="folder to write the pictures of the README to")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    setattr(item, "report_" + report.when, report)
    if report.when == "call" and (group := getattr(item, "funcargs", {}).get("participants")):
        # What the end of the test does to its pages is none of their faults.
        group.words.stop()
    return report


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright):
    started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def some_photos():
    """Three photos."""
    with made_by_one():
        return make_photos(PHOTOS, 3)


@pytest.fixture(scope="session")
def thirty_photos():
    with made_by_one():
        return make_photos(PHOTOS, 30)


@pytest.fixture(scope="session")
def pictures():
    """One picture in each format, by the format's name."""
    with made_by_one():
        return write_formats(FORMATS)


@pytest.fixture
def relay():
    with Relay() as started:
        yield started


@pytest.fixture
def relay_with():
    """Starts a relay with settings of its own."""
    started = []

    def start(**settings):
        started.append(Relay(**settings).start())
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def proxy(relay):
    with Proxy(relay.port) as started:
        yield started


@pytest.fixture
def participants(browser, request):
    """Opens pages; errors and warnings in a console fail the test unless `participants.words.expect` named them."""
    group = Participants(browser, FAILURES)
    yield group
    report = getattr(request.node, "report_call", None)
    group.close(re.sub(r"\W+", "-", request.node.name), report is None or report.failed)
    if report is not None and report.passed:
        assert group.words.unexpected() == []


@pytest.fixture
def gallery(relay, participants, tmp_path):
    """Opens the gallery, at the relay itself unless another address is given: a link, or a proxy's."""
    def open_gallery(url=None, **options):
        return GalleryPage(participants.open(url or relay.url, **options), tmp_path)

    return open_gallery


@pytest.fixture
def folder(tmp_path) -> pathlib.Path:
    return tmp_path
