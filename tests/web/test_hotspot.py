"""The Pi's own Wi-Fi on the pages: a code that phones join it by, for everybody in the room."""

from io import BytesIO

import pytest
import segno
from places import ROOT
from sites import Site

from companion.settings import Hotspot, load
from companion.table.scene import Phase
from web.joining.portal import ADDRESS, MOST_ARRIVED, PROBES

pytestmark = pytest.mark.tables

SALOON = Hotspot("Saloon", "abcdef234567")


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path, hotspot=SALOON)


def test_phones_join_by_a_code_whose_name_and_key_can_be_read(site):
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


def test_a_table_without_one_shows_none_and_answers_no_probe(tmp_path):
    site = Site(tmp_path)
    assert ask(site, "http://captive.apple.com/hotspot-detect.html").status_code == 404
    assert site.stranger.open("/wifi.svg").status_code == 404
    assert "/wifi.svg" not in site.stranger.open("/table").text
    assert "/page.svg" in site.stranger.open("/card").text


def test_it_is_set_like_everything_else(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('port = 80\n[hotspot]\nname = "Saloon"\nkey = "abcdef234567"\n')
    assert load(file).hotspot == SALOON


ASKS = {
    "Android": ("http://connectivitycheck.gstatic.com/generate_204", 204, ""),
    "iOS": ("http://captive.apple.com/hotspot-detect.html", 200,
            "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"),
    "Windows": ("http://www.msftconnecttest.com/connecttest.txt", 200, "Microsoft Connect Test"),
    "Windows 8": ("http://www.msftncsi.com/ncsi.txt", 200, "Microsoft NCSI"),
    "Firefox": ("http://detectportal.firefox.com/success.txt?ipv4", 200, "success\n"),
}  # fmt: skip
"""What each system asks for when it joins a network, and what it takes for the internet."""


def ask(site: Site, address: str, phone: str = "10.42.0.7", **options):
    return site.app.test_client().get(address, environ_base={"REMOTE_ADDR": phone}, **options)


@pytest.mark.parametrize("system", ASKS)
def test_a_phone_that_joins_is_led_to_the_table_and_may_stay_then(site, system):
    address, status, body = ASKS[system]
    for _ in range(2):
        led = ask(site, address)
        assert (led.status_code, led.location) == (302, "http://10.42.0.1/welcome")
        assert "Set-Cookie" not in led.headers
    page = ask(site, led.location)
    assert "10.42.0.1" in page.text
    assert "Set-Cookie" not in page.headers
    # A window that closes by itself would show nothing: the phone's owner has the last word.
    assert ask(site, address).status_code == 302
    assert 'href="/welcome/stay"' in page.text
    assert "close this window" in ask(site, "http://10.42.0.1/welcome/stay").text
    answer = ask(site, address)
    assert (answer.status_code, answer.text) == (status, body)
    assert "Set-Cookie" not in answer.headers
    # Each phone for itself.
    assert ask(site, address, phone="10.42.0.8").status_code == 302


def test_a_phone_that_has_opened_the_table_is_left_alone(site):
    assert ask(site, "http://10.42.0.1/").status_code == 200
    for address, status, _ in ASKS.values():
        assert ask(site, address).status_code == status


def test_at_the_name_of_a_probe_there_is_no_page_of_the_table(site):
    host = site.host
    for path in ("/", "/seat", "/table", "/api/state", "/welcome", "/static/icon.svg", "/x", "//"):
        for name in ("captive.apple.com", "CAPTIVE.apple.com:80", "www.msftconnecttest.com"):
            answer = host.client.get(path, headers={"Host": name})
            assert (answer.status_code, answer.location) == (302, "http://10.42.0.1/welcome")
    pressed = host.client.post("/game/start", data=site.now, headers={
        "Host": "captive.apple.com", "X-Page": host.proof})  # fmt: skip
    assert pressed.status_code == 302
    assert site.view.phase is Phase.LOBBY


@pytest.mark.parametrize("name", ["captive.apple.com.evil.example", "xcaptive.apple.com", "evil"])
def test_no_other_name_is_a_probe(site, name):
    assert ask(site, f"http://{name}/hotspot-detect.html").status_code == 404


def test_crowds_of_addresses_take_no_memory(site):
    for number in range(MOST_ARRIVED + 5):
        ask(site, "http://10.42.0.1/nothing", phone=f"10.{number >> 8}.{number & 255}.9")
    address = ASKS["Android"][0]
    assert ask(site, address, phone="10.0.0.9").status_code == 204
    assert ask(site, address, phone="10.3.236.9").status_code == 302


def test_the_names_are_those_that_the_pis_own_wifi_leads_here():
    lines = (ROOT / "systemd/hotspot-dns.conf").read_text().splitlines()
    led = {line.split("/")[1] for line in lines if line.endswith(f"/{ADDRESS}")}
    assert led == set(PROBES)
    assert f"address1={ADDRESS}/24\n" in (ROOT / "systemd/hotspot.nmconnection").read_text()
