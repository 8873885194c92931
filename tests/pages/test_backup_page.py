"""The page of the backup in a browser: what is saved at one table is restored at another."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Screens, choose_file
from home import Home, follow
from places import RECORDED
from playwright.sync_api import Page, expect

from vision.profile_files import SHIPPED

GAME = sorted(RECORDED.glob("*.jsonl"))[0]


@pytest.fixture
def homes(tmp_path: Path, screens: Screens) -> Iterator[tuple[Home, Home]]:
    old, new = (Home(tmp_path / name, screens) for name in ("old", "new"))
    for home in (old, new):
        home.start("none")
    for name, content in (
        ("games/ABCD-1.jsonl", GAME),
        ("profiles/Oak.dice", SHIPPED / "print.dice"),
    ):
        (old.data / name).parent.mkdir()
        (old.data / name).write_bytes(content.read_bytes())
    yield old, new
    for home in (old, new):
        home.stop()


def test_a_backup_moves_to_another_table(
    homes: tuple[Home, Home], screens: Screens, tmp_path: Path
) -> None:
    old, new = homes
    page = opened(old.seated())
    expect(page.locator("#save")).to_contain_text("the dice Oak")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save a backup").click()
    assert download.value.suggested_filename.startswith("bang-companion-")
    saved = tmp_path / "saved.zip"
    download.value.save_as(saved)

    page = opened(new.seated(locale="fr-FR", color_scheme="dark"))
    screens.expect("422")
    choose_file(page.locator("#backup-file"), GAME)
    expect(page.locator("#said")).to_contain_text("ce n’est pas une sauvegarde")
    choose_file(page.locator("#backup-file"), saved)
    restore = page.locator("[data-press='/backup/restore']")
    expect(restore).to_be_visible()
    restore.click()
    expect(page.locator("#restore .well")).to_contain_text("une partie")
    for name in ("games/ABCD-1.jsonl", "profiles/Oak.dice"):
        assert (new.data / name).read_bytes() == (old.data / name).read_bytes()
    # The file can be chosen again.
    expect(page.locator("#backup-file")).to_be_enabled()


def opened(host: Page) -> Page:
    """The host's page of the backup, opened from the lobby."""
    follow(host, "/backup")
    expect(host.locator("h1")).to_be_visible()
    return host
