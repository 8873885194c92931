"""The page of the backup in a browser: what is saved at one table is restored at another."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import Screens, choose_file
from people import join
from places import RECORDED
from playwright.sync_api import Page, expect

from companion.app.build import RunningTable, start_table
from companion.settings import Settings
from vision.profile_files import SHIPPED

GAME = sorted(RECORDED.glob("*.jsonl"))[0]


class Place:
    """A table without a camera, and its host's phone."""

    def __init__(self, folder: Path, screens: Screens, stack: ExitStack, **options: str) -> None:
        self.folder = folder
        settings = Settings(camera="none", data=folder, host="127.0.0.1", port=0)
        self.running: RunningTable = start_table(settings, stack)
        url = self.running.server.url
        token = join(self.running.table, "Ann", "")
        self.phone = screens.phone(f"{url}static/icon.svg", **options)
        self.phone.context.add_cookies([{"name": "seat", "value": token, "url": url}])
        self.phone.goto(f"{url}seat")


@pytest.fixture
def places(tmp_path: Path, screens: Screens, stack: ExitStack) -> tuple[Place, Place]:
    old = Place(tmp_path / "old", screens, stack)
    new = Place(tmp_path / "new", screens, stack, locale="fr-FR", color_scheme="dark")
    (old.folder / "games").mkdir()
    (old.folder / "games/ABCD-1.jsonl").write_bytes(GAME.read_bytes())
    (old.folder / "profiles").mkdir()
    (old.folder / "profiles/Oak.dice").write_bytes((SHIPPED / "print.dice").read_bytes())
    return old, new


def test_a_backup_moves_to_another_table(
    places: tuple[Place, Place], screens: Screens, tmp_path: Path
) -> None:
    old, new = places
    page = opened(old)
    expect(page.locator("#save")).to_contain_text("the dice Oak")
    screens.shot(page, "backup-save", full_page=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save a backup").click()
    assert download.value.suggested_filename.startswith("bang-companion-")
    saved = tmp_path / "saved.zip"
    download.value.save_as(saved)

    page = opened(new)
    screens.expect("422")
    choose_file(page.locator("#backup-file"), GAME)
    expect(page.locator("#said")).to_contain_text("ce n’est pas une sauvegarde")
    choose_file(page.locator("#backup-file"), saved)
    restore = page.locator("[data-press='/backup/restore']")
    expect(restore).to_be_visible()
    screens.shot(page, "backup-restore", full_page=True)
    restore.click()
    expect(page.locator("#restore .well")).to_contain_text("une partie")
    screens.shot(page, "backup-restored", full_page=True)
    for name in ("games/ABCD-1.jsonl", "profiles/Oak.dice"):
        assert (new.folder / name).read_bytes() == (old.folder / name).read_bytes()
    # The file can be chosen again.
    expect(page.locator("#backup-file")).to_be_enabled()


def opened(place: Place) -> Page:
    """The host's page of the backup, opened from the lobby."""
    place.phone.locator("a[href='/backup']").click()
    expect(place.phone.locator("h1")).to_be_visible()
    return place.phone
