"""The host turns the Pi off, or both buttons do; systemd is asked, and everybody is told."""

import html
from contextlib import ExitStack
from pathlib import Path

import pytest
from installer import places
from places import ROOT
from sites import Site
from waiting import wait_until

from companion.app import controls
from companion.app.controls import Controls, build_controls
from companion.base.worker import Supervisor
from companion.settings import Settings
from companion.setup.machine.power import PowerSwitch
from companion.table.controls.light import SignalRouter
from companion.table.scene import Signal, Trouble

TURNS_OFF = "The Pi turns off. Once its own green light stays dark, you can unplug it."
STAYS_ON = "The Pi doesn’t turn off. The game is saved, so you can unplug it."


def furnish(
    site: Site, request: Path | None, *, waits: bool = True, patience_s: float = 60
) -> SignalRouter:
    light = SignalRouter(site.table)
    power = PowerSwitch(
        site.table, light, request, lambda: waits, wired=True, patience_s=patience_s
    )
    site.furnish(power=power)
    return light


def pages(site: Site) -> list[str]:
    clients = (site.stranger.client.get("/table"), *(phone.open("/seat") for phone in site.phones))
    return [html.unescape(page.text) for page in clients]


def test_the_host_turns_the_pi_off_and_every_page_and_the_light_say_so(site, tmp_path):
    request = tmp_path / "off"
    light = furnish(site, request)
    assert "Turn the Pi off" in site.host.open("/machine").text
    assert site.host.post("/machine/off", version=site.view.version - 1).status_code == 409
    assert not request.exists()
    assert site.host.post("/machine/off").status_code == 204
    assert request.exists()
    assert light.signal is Signal.ENDING
    assert all(TURNS_OFF in page for page in pages(site))


def test_a_pi_that_stays_on_is_told_and_the_light_goes_on(site, tmp_path):
    light = furnish(site, tmp_path / "off", patience_s=0.01)
    with ExitStack() as stack:
        Supervisor(stack).start_worker(site.parts.power, lambda _: None)
        site.host.post("/machine/off")
        wait_until(lambda: site.table.scene.troubles.get(Trouble.POWER) == STAYS_ON)
    assert all(STAYS_ON in page for page in pages(site))
    assert light.signal is not Signal.ENDING
    # Otherwise it would turn off whenever somebody mends that.
    assert not (tmp_path / "off").exists()


@pytest.mark.parametrize(("service", "waits"), [(False, True), (True, False)])
def test_what_cannot_be_turned_off_says_so(site, tmp_path, service, waits):
    furnish(site, tmp_path / "off" if service else None, waits=waits)
    assert "can’t turn off" in html.unescape(site.host.open("/machine").text)
    refused = site.host.post("/machine/off")
    assert refused.status_code == 422
    site.parts.power.hold_buttons()
    assert site.table.scene.troubles == {}
    assert not (tmp_path / "off").exists()


def test_a_folder_that_takes_no_file_is_named(site, tmp_path):
    furnish(site, tmp_path / "none/off")
    refused = site.host.post("/machine/off")
    assert "No such file" in refused.text
    assert site.table.scene.troubles == {}


def test_the_unit_waits_where_the_table_asks():
    unit = (ROOT / "systemd" / places.OFF_PATH).read_text()
    service = (ROOT / "systemd" / places.SERVICE).read_text()
    assert f"PathExists=/run/bang-companion/{controls.OFF}\n" in unit
    assert "RuntimeDirectory=bang-companion\n" in service
    assert controls.OFF_UNIT.name == places.OFF_PATH
    assert controls.OFF_UNIT.parent == places.UNITS / "multi-user.target.wants"


def test_both_buttons_held_on_turn_the_pi_off(site, tmp_path, monkeypatch):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(controls, "OFF_UNIT", tmp_path / "unit")
    (tmp_path / "unit").symlink_to("anything")
    monkeypatch.setattr("hardware.buttons.watch_both_held.__kwdefaults__",
                        {"seconds": 0.05, "on_seconds": 0.2})  # fmt: skip
    with ExitStack() as stack:
        made: Controls = build_controls(Settings(), site.table, Supervisor(stack), stack)
        for pin in (Settings().pins.green, Settings().pins.red):
            made.pins.factory.pin(pin).drive_low()
        wait_until((tmp_path / "off").exists)
        wait_until(lambda: made.light.signal is Signal.ENDING)
