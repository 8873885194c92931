"""The poster of a finished game is handed to other apps of the phone, or saved."""

import pytest
from playwright.sync_api import Locator, expect
from served import Served

from companion.table.scene import Phase

SHARE = """
Navigator.prototype.canShare = ({ files }) => files.length === 1;
Navigator.prototype.share = async ({ files: [file] }) => {
  const { name, type, size } = file;
  document.documentElement.dataset.shared = [name, type, size > 10000].join(" ");
  if (REFUSAL) throw new DOMException("", REFUSAL);
};
"""
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


def test_a_phone_that_can_shares_the_poster(over: Served) -> None:
    link = poster(over, 1, SHARE.replace("REFUSAL", "''"))
    link.tap()
    shared = link.page.locator("html")
    expect(shared).to_have_attribute("data-shared", "bang-game-1.png image/png true")


@pytest.mark.parametrize("script", [WITHOUT, SHARE.replace("REFUSAL", "'NotAllowedError'")])
def test_other_phones_save_it(over: Served, script: str) -> None:
    link = poster(over, 0, script)
    with link.page.expect_download() as download:
        link.tap()
    assert download.value.suggested_filename == "bang-game-1.png"
