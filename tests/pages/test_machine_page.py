"""The page of the Pi in a browser: the host turns it off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens
from home import Home
from playwright.sync_api import expect
from waiting import wait_until

from companion.app import build, controls


@pytest.fixture
def home(tmp_path: Path, screens: Screens, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(controls, "OFF_UNIT", tmp_path / "unit")
    (tmp_path / "unit").symlink_to("anything")
    # The internet has not told it the time.
    monkeypatch.setattr(build, "SYNCHRONISER", tmp_path)
    made = Home(tmp_path / "data", screens)
    made.start("none")
    yield made
    made.stop()


@pytest.mark.parametrize(
    ("language", "size", "said"),
    [("en-GB", (320, 568), "The Pi turns off."), ("fr-FR", (390, 844), "Le Pi s’éteint.")],
)
def test_the_host_turns_the_pi_off_after_a_question(
    home: Home, tmp_path: Path, language: str, size: tuple[int, int], said: str
) -> None:
    page = home.seated(
        locale=language, color_scheme="dark", viewport={"width": size[0], "height": size[1]}
    )
    page.locator("a[href='/machine']").click()
    page.locator("#off [data-opens]").click()
    home.screens.shot(page, f"machine-{language}-asked")
    assert not (tmp_path / "off").exists()
    page.locator("dialog .stop").click()
    expect(page.locator(".notice")).to_contain_text(said)
    wait_until((tmp_path / "off").exists)
    home.screens.shot(page, f"machine-{language}-off")


@pytest.mark.parametrize(("language", "size"), [("en-GB", (320, 568)), ("fr-FR", (390, 844))])
def test_the_hosts_phone_tells_the_time(home: Home, language: str, size: tuple[int, int]) -> None:
    clock = home.running.clock
    page = home.seated(
        locale=language, color_scheme="dark", viewport={"width": size[0], "height": size[1]}
    )
    expect(page.locator("#clock")).to_be_visible()
    page.locator("#clock").scroll_into_view_if_needed()
    home.screens.shot(page, f"clock-{language}")
    page.locator("#clock [data-now]").click()
    expect(page.locator("#clock")).to_have_count(0)
    phone = page.evaluate("Date.now()") / 1000
    assert abs(clock.seconds() - phone) < 60
