"""The Pi's own Wi-Fi on the pages: a code that phones join it by, for everybody in the room."""

from io import BytesIO

import pytest
import segno
from sites import Site

from companion.settings import Hotspot, load

pytestmark = pytest.mark.tables

SALOON = Hotspot("Saloon", "abcdef234567")


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path, hotspot=SALOON)


def test_phones_join_by_a_code_whose_name_and_key_can_be_read(site: Site) -> None:
    expected = BytesIO()
    code = segno.make("WIFI:T:WPA;S:Saloon;P:abcdef234567;;", error="m")
    code.save(expected, kind="svg", border=2, light="#fff", xmldecl=False)
    assert site.stranger.open("/wifi.svg").data == expected.getvalue()
    table, card = (site.stranger.open(page).text for page in ("/table", "/card"))
    for part in ("/wifi.svg", "Saloon", "abcdef234567"):
        assert part in table
        assert part in card
    # A card is for other evenings, too.
    assert "/page.svg" in card
    assert site.table.scene.code not in card


def test_a_table_without_one_shows_none(tmp_path) -> None:
    site = Site(tmp_path)
    assert site.stranger.open("/wifi.svg").status_code == 404
    assert "/wifi.svg" not in site.stranger.open("/table").text
    assert "/page.svg" in site.stranger.open("/card").text


def test_it_is_set_like_everything_else(tmp_path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('port = 80\n[hotspot]\nname = "Saloon"\nkey = "abcdef234567"\n')
    assert load(file).hotspot == SALOON
