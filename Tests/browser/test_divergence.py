"""A relay that shows people different things: the page says so, to everybody, and goes on."""

from playwright.sync_api import expect

from support.gallery import LONG
from support.liar import Liar


def test_a_photo_that_the_relay_hides_from_one_person_is_told_above_the_photos_of_everybody(gallery, some_photos):
    first, second, third = some_photos
    ana = gallery()
    ana.add(first)
    link = ana.share("Ana")
    ana.has(1)
    ben = gallery(link)
    liar = Liar()
    liar.lie_to(ben.page)
    ben.join("Ben").has(1)
    ana.add(second)
    ana.has(2)
    for page, other in ((ben.page, "Ana"), (ana.page, "Ben")):
        banner = page.locator("#banner[data-kind=divergence]")
        expect(banner).to_be_visible(timeout=LONG)
        expect(banner.get_by_role("alert")).to_contain_text(f"does not show everyone the same: {other} was shown something else")
    assert liar.hidden_count > 0
    ben.shows(1)
    # It goes on, and the sentence stays.
    liar.is_hiding = False
    ben.add(third)
    ana.has(3)
    expect(ana.page.locator("#banner[data-kind=divergence]")).to_be_visible()
