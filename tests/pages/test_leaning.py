"""A die that leans, named with its picture: the real reader, a real table and a real browser."""

import shutil

import pytest
from layout import fits
from places import PICTURES
from playwright.sync_api import expect
from served import add_player

SLOW = 60_000
"""Milliseconds: a reader may have to wait for other tests."""


@pytest.mark.parametrize(
    ("picture", "locale", "player", "table"),
    [
        ("leather", "en-GB", "may lean: throw it again", "Waiting for Ann to look."),
        ("terrazzo", "fr-FR", "penche\N{NO-BREAK SPACE}: posez-le à plat", "Ann doit le poser"),
    ],
)
def test_the_die_that_may_lean_is_named_with_its_picture(
    home, screens, tmp_path, picture, locale, player, table
):
    folder = tmp_path / "pictures"
    folder.mkdir()
    shutil.copy(PICTURES / "leaning" / "pips" / f"{picture}.jpg", folder)
    home.start(camera=str(folder), profile="pips")
    phone = home.host(locale=locale)
    for name in ("Bob", "Cleo"):
        add_player(phone, name)
    phone.locator("[data-press='/game/start']").click()
    expect(phone.get_by_text(player).first).to_be_visible(timeout=SLOW)
    television = screens.phone(f"{home.url}table", locale=locale)
    for page, said in (phone, player), (television, table):
        expect(page.get_by_text(said).first).to_be_visible()
        shown = page.locator(".die.unsure img")
        expect(shown).to_have_count(1)
        expect(shown).not_to_have_js_property("naturalWidth", 0)
        fits(page)
