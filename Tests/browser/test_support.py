"""What the other tests stand on is sound: photos are photos, and the proxy passes on and spoils what it says."""

import hashlib
import http.server
import json
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from support import photos
from support.proxy import Proxy

BODY = bytes(range(256)) * 8192


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers a GET with BODY, a PUT with the digest of what came."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(BODY)

    def do_PUT(self):
        self.answer(hashlib.sha256(self.rfile.read(int(self.headers["Content-Length"]))).hexdigest().encode())

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def echo():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Proxy(server.server_port) as proxy:
        yield proxy
    server.shutdown()


def get(proxy, path="a/parts/0"):
    with urllib.request.urlopen(proxy.url + path, timeout=10) as answer:
        return answer.read()


def test_the_proxy_passes_bodies_on_unchanged_and_counts_them(echo):
    assert get(echo) == BODY
    request = urllib.request.Request(echo.url + "a/parts/1", data=BODY, method="PUT")
    assert urllib.request.urlopen(request).read().decode() == hashlib.sha256(BODY).hexdigest()
    assert echo.uploads() == len(BODY) and echo.downloaded_bytes["/a/parts/0"] == len(BODY)


def test_the_proxy_refuses_the_first_two_and_no_more(echo):
    fault = echo.add("refuse", times=2)
    for _ in range(2):
        with pytest.raises(urllib.error.HTTPError) as refusal:
            get(echo)
        assert refusal.value.code == 503
    assert get(echo) == BODY and fault.seen == 2


def test_the_proxy_answers_with_a_page(echo):
    echo.add("page", times=1)
    assert b"sign in" in get(echo)


@pytest.mark.parametrize("offset", [0, 70_000, -1])
def test_the_proxy_turns_over_one_bit_of_one_byte(echo, offset):
    echo.add("tamper", offset=offset, times=1)
    got = get(echo)
    assert [n for n, (a, b) in enumerate(zip(got, BODY, strict=True)) if a != b] == [offset % len(BODY)]


def test_the_proxy_cuts_an_answer_short(echo):
    echo.add("cut", offset=100_000, times=1)
    with pytest.raises(Exception):
        get(echo)
    assert echo.downloaded_bytes["/a/parts/0"] == 100_000
    assert get(echo) == BODY


def test_photos_weigh_2_to_6_megabytes_and_carry_what_a_camera_writes(some_photos):
    told = json.loads(subprocess.run(["exiftool", "-json", "-n", *some_photos], check=True, capture_output=True).stdout)
    assert len({one["Orientation"] for one in told}) == len(some_photos)
    for path, one in zip(some_photos, told, strict=True):
        assert 2_000_000 <= path.stat().st_size <= 6_000_000
        assert one["Make"] and one["DateTimeOriginal"] and one["GPSLatitude"] > 40


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_of_any_orientation_is_upright_once_it_is_applied(folder, orientation):
    path = photos.write_corners(folder / "corners.jpg", orientation)
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    red, green, blue = (upright.getpixel(place) for place in ((20, 20), (620, 20), (20, 460)))
    assert upright.size == (640, 480) and red[0] > 200 > green[0] and green[1] > 150 and blue[2] > 200
