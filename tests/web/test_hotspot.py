"""The Pi's own Wi-Fi on the pages: a code that phones join it by, for everybody in the room."""

from io import BytesIO

import pytest
import segno
from sites import Site

from companion.settings import ConfigError, Hotspot, load

pytestmark = pytest.mark.tables

SALOON = Hotspot("Saloon", "abcdef234567")


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path, hotspot=SALOON)


def test_phones_join_by_a_code(site: Site) -> None:
    expected = BytesIO()
    code = segno.make("WIFI:T:WPA;S:Saloon;P:abcdef234567;;", error="m")
    code.save(expected, kind="svg", border=2, light="#fff", xmldecl=False)
    assert site.stranger.open("/wifi.svg").data == expected.getvalue()


@pytest.mark.parametrize("page", ["/table", "/card"])
def test_name_and_key_can_be_read(site: Site, page: str) -> None:
    text = site.stranger.open(page).text
    assert "/wifi.svg" in text
    assert "Saloon" in text
    assert "abcdef234567" in text


def test_the_card_has_the_address_but_no_code_of_this_evening(site: Site) -> None:
    card = site.stranger.open("/card").text
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
    file.write_text('[hotspot]\nname = "Saloon"\nkey = "short"\n')
    with pytest.raises(ConfigError, match=r"hotspot\.key: a Wi-Fi key has 8 to 63 letters"):
        load(file)
