"""The page of the Pi in a browser: the host updates the table, and turns the Pi off."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens, choose_file
from home import Home, follow
from installer.__main__ import describe
from playwright.sync_api import Page, expect
from releases import make_archive
from waiting import wait_until

from companion.app import build, controls
from companion.setup.machine.helper import HelperPlaces, RootHelper

SETTINGS = Path(__file__).with_name("owners.toml").read_text("utf-8")


@pytest.fixture
def home(tmp_path: Path, screens: Screens, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(controls, "OFF_UNIT", tmp_path / "unit")
    (tmp_path / "unit").symlink_to("anything")

    def helper(name: str) -> RootHelper:
        running = tmp_path / "updating" if name == "update" else None
        status = tmp_path / f"{name}.json"
        return RootHelper(HelperPlaces(tmp_path / name, status, tmp_path / "unit", running))

    monkeypatch.setattr(build, "build_helper", helper)
    monkeypatch.setattr(build, "describe", lambda version, path: describe(path, version))
    # The internet has not told it the time.
    monkeypatch.setattr(build, "SYNCHRONISER", tmp_path)
    made = Home(tmp_path / "data", screens)
    (tmp_path / "settings.toml").write_text(SETTINGS)
    made.start("none", file=tmp_path / "settings.toml")
    yield made
    made.stop()


@pytest.fixture
def page(home: Home) -> Page:
    """The host's phone, in the lobby."""
    return home.seated()


def test_the_host_turns_the_pi_off_after_a_question(home, page, tmp_path):
    follow(page, "/machine")
    page.locator("#off [data-opens]").click()
    assert not (tmp_path / "off").exists()
    page.locator("dialog .stop").click()
    expect(page.locator(".notice")).to_contain_text("The Pi turns off.")
    wait_until((tmp_path / "off").exists)


def test_the_hosts_phone_tells_the_time(home, page):
    clock = home.running.clock
    expect(page.locator("#clock")).to_be_visible()
    page.locator("#clock [data-now]").click()
    expect(page.locator("#clock")).to_have_count(0)
    phone = page.evaluate("Date.now()") / 1000
    assert abs(clock.seconds() - phone) < 60


def test_the_host_uploads_a_release_and_the_page_follows_it_to_its_end(home, page, tmp_path):
    says(tmp_path, "way-back", version="0.2.9", opens="earlier", games=3)
    follow(page, "/machine")
    choose_file(page.locator("#release-file"), make_archive(tmp_path / "9.9.tar.gz"))
    expect(page.locator("#update form")).to_be_visible()
    page.locator("#update").evaluate("card => card.scrollIntoView()")
    clip = {"x": 0, "y": 0, "width": 390, "height": 600}
    home.screens.shot(page, "update", clip=clip, scale="css")
    page.locator("#update summary").first.click()
    page.locator("[name=code]").fill("abcd-efgh-jkmn")
    page.locator("#update form button").click()
    expect(page.locator("#update [role=status]")).to_contain_text("9.9.0")
    wait_until((tmp_path / "update").exists)
    for step in ("building", "changing over", "end"):
        (tmp_path / "updating").mkdir(exist_ok=True)
        (tmp_path / "update").unlink(missing_ok=True)
        before = page.locator("#update [role=status]").inner_text()
        if step == "end":
            (tmp_path / "updating").rmdir()
        fault = {"fault": "failed", "why": "the new version did not prove itself"}
        says(tmp_path, "update", version="9.9.0", **(fault if step == "end" else {"step": step}))
        expect(page.locator("#update [role=status]")).not_to_have_text(before)
    expect(page.locator("#release-file")).to_be_visible()


def test_the_host_changes_a_setting_and_reads_what_is_wrong_at_its_field(home, page, tmp_path):
    follow(page, "/machine")
    page.locator("a[href='/machine/settings']").click()
    home.screens.expect("422")
    expect(page.locator("#of-mqtt")).to_be_visible()
    volume, pin = page.locator("[name='sound.volume']"), page.locator("[name='pins.red']")
    pin.fill("28")
    volume.fill("0")
    page.locator("#of-sound button").click()
    expect(volume).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[id='about-sound.volume']")).to_contain_text("1")
    # What was typed stays, here and in other forms.
    expect(volume).to_have_value("0")
    expect(pin).to_have_value("28")
    volume.fill("70")
    page.locator("#of-sound button").click()
    wait_until((tmp_path / "settings").exists)
    asked = json.loads((tmp_path / "settings").read_text())
    assert json.loads(asked["changes"]) == {"sound.volume": 70}
    expect(volume).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("[role=status].well")).to_be_visible()
    (tmp_path / "settings.toml").write_text(f"{SETTINGS}[sound]\nvolume = 70\n")
    (tmp_path / "settings").unlink()
    before = page.locator("[role=status].well").inner_text()
    says(tmp_path, "settings", fault="")
    expect(page.locator("[role=status].well")).not_to_have_text(before)
    expect(volume).to_have_value("70")


def says(folder: Path, name: str, **said: object) -> None:
    """Leave word where the installer does."""
    (folder / f"{name}.part").write_text(json.dumps(said))
    (folder / f"{name}.part").replace(folder / f"{name}.json")
