"""A finished game in pictures: on the phone, on the television, and to share."""

from pathlib import Path

import pytest
from layout import EXTENT, overflow
from playwright.sync_api import Locator, expect
from served import Served
from tiers import later

from companion.table.scene import Phase
from web.games.dice.chronicle import chronicle_of

ROLES = {3: "dor", 5: "soord", 8: "soorodrd"}


def play(served: Served, people: int) -> None:
    served.deal(ROLES[people])
    served.play_to_the_end(people)


@pytest.mark.parametrize(
    ("people", "width", "text"), [(8, 320, 200), *later((3, 320, 100), (8, 360, 100))]
)
def test_the_story_is_told_in_pictures_with_their_numbers(served, screens, people, width, text):
    play(served, people)
    page = screens.phone(f"{served.url}story", viewport={"width": width, "height": 740})
    page.evaluate("(size) => document.documentElement.style.fontSize = size", f"{text}%")
    found = chronicle_of(served.view)
    shots = page.get_by_role("img", name="Who shot whom")
    expect(shots).to_be_visible()
    volleys = sum(bool(count) for row in found.shots for count in row)
    expect(shots.locator(".line")).to_have_count(volleys)
    expect(shots.locator("desc")).to_contain_text(" shot ")
    expect(page.locator(".courses .life")).to_have_count(people)
    threw = sum(bool(luck.thrown) for luck in found.luck)
    expect(page.locator(".courses .expected")).to_have_count(threw)
    for summary in page.locator("summary").all():
        summary.tap()
    rows = page.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(people)
    shown = [int(text) for text in rows.locator("td").all_inner_texts() if text.isdecimal()]
    assert sum(shown) == sum(map(sum, found.shots)) + sum(found.gatlings)
    assert overflow(page) <= 0


@pytest.mark.parametrize("people", [8, *later(3, 5)])
def test_the_television_ends_with_who_shot_whom(served, people):
    play(served, people)
    television = served.television()
    shots = television.get_by_role("img", name="Who shot whom")
    expect(shots).to_be_in_viewport(ratio=1)
    # Names can be read from the sofa.
    assert min(shots.locator("text").evaluate_all(SIZES)) >= 24
    assert television.evaluate(EXTENT) == [720, 1280]


SIZES = """
all => all.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)
"""
"""How many pixels of the screen the letters of texts in a drawing are high."""

SHARE = Path(__file__).with_name("share.js").read_text("utf-8")
WITHOUT = "delete Navigator.prototype.canShare"  # as over HTTP


def poster(served: Served, seat: int, script: str) -> Locator:
    """The link to the poster on the phone of a seat, with a script before those of the page."""
    page = served.phone(seat, script=script)
    expect(page.locator("script[src$='share.js']")).to_be_attached()
    return page.get_by_role("link", name="The poster to share")


@pytest.fixture
def over(served: Served) -> Served:
    served.deal("soro")
    while served.view.phase is Phase.PLAYING:
        served.roll("DDDGG")
    return served


def test_a_phone_that_can_shares_the_poster(over):
    link = poster(over, 1, SHARE.replace("REFUSAL", "''"))
    link.tap()
    shared = link.page.locator("html")
    expect(shared).to_have_attribute("data-shared", "bang-game-1.png image/png true")


@pytest.mark.parametrize("script", [WITHOUT, SHARE.replace("REFUSAL", "'NotAllowedError'")])
def test_other_phones_save_it(over, script):
    link = poster(over, 0, script)
    with link.page.expect_download() as download:
        link.tap()
    assert download.value.suggested_filename == "bang-game-1.png"
