"""The QR code of an invitation is sharp and can be read, whatever the screen."""

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect


@pytest.mark.parametrize("scale", [1, 1.25, 1.5, 2])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_code_is_read_and_has_no_hair_of_light_in_it(gallery, scale, colours):
    ana = gallery(device_scale_factor=scale, color_scheme=colours)
    link = ana.share("Ana")
    ana.page.click("#invite")
    expect(ana.page.locator("#invite-dialog")).to_be_visible()
    ana.page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running' || a.effect.getComputedTiming().iterations === Infinity)")
    sheet = Image.open(io.BytesIO(ana.page.locator("#invite-qr").screenshot()))
    assert [code.text for code in zxingcpp.read_barcodes(sheet)] == [link]
    code = Image.open(io.BytesIO(ana.page.locator("#invite-qr svg").screenshot())).convert("L")
    grey = sum(code.histogram()[60:200]) / (code.width * code.height)
    assert grey < 0.002, f"{grey:.2%} of the code is neither dark nor light"
