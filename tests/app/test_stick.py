"""The data folder on a USB stick: waited for, moved to, missed, and gone on with."""

import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from disks import mounted, root_only
from process import COMMAND
from waiting import wait_until

from companion.app.stick import is_plugged_in, on_stick, wait_for_stick
from companion.settings import OWN_FOLDER, Settings
from companion.table.journal.journal import FILE, look
from web.missing_stick.page import draw

pytestmark = pytest.mark.processes


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """What is on the stick, wherever that is plugged in."""
    with mounted(tmp_path / "stick", "-t", "tmpfs", "none") as content:
        yield content


@contextmanager
def plugged_in(stick: Path, place: Path) -> Iterator[None]:
    """The stick at its place; pulled out, whatever still uses it."""
    with mounted(place, "--bind", str(stick)):
        yield


def answer(url: str, path: str = "") -> tuple[int, str]:
    """The status and the text of a page; 0 while nothing answers."""
    asked = urllib.request.Request(f"{url}{path}", headers={"Accept-Language": "fr"})
    try:
        with urllib.request.urlopen(asked, timeout=30) as answered:
            return answered.status, answered.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


@contextmanager
def started(*options: object) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A table and its address, which may be that of the page in its place."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*COMMAND, "run", "--port", str(port), *map(str, options)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}/"
        wait_until(lambda: answer(url)[0])
        yield process, url
    finally:
        process.kill()
        process.communicate()


def test_without_a_stick_nothing_changes(tmp_path):
    settings = Settings(data=tmp_path / "data")
    assert on_stick(settings) == wait_for_stick(settings) == settings


@root_only
def test_a_stick_without_data_begins_with_a_copy_and_one_with_data_is_left_alone(tmp_path, stick):
    card, place = tmp_path / "card", tmp_path / "place"
    (card / "games").mkdir(parents=True)
    (card / "games/ABCD-1.jsonl").write_text("a game")
    settings = Settings(data=card, stick=place)
    # What a pulled plug left of an earlier copy.
    (stick / f".{OWN_FOLDER}.part/games").mkdir(parents=True)
    with plugged_in(stick, place):
        moved = wait_for_stick(settings)
        assert moved.data == place / OWN_FOLDER
        assert (moved.data / "games/ABCD-1.jsonl").read_text() == "a game"
        assert [path.name for path in place.iterdir()] == [OWN_FOLDER]
        (card / "games/ABCD-2.jsonl").write_text("another")
        assert wait_for_stick(settings) == moved
        assert not (moved.data / "games/ABCD-2.jsonl").exists()
    assert not is_plugged_in(place)


@root_only
def test_a_missing_stick_is_told_and_nothing_is_kept_elsewhere(tmp_path, stick):
    place = tmp_path / "place"
    place.mkdir()
    config = tmp_path / "settings.toml"
    config.write_text(f'stick = "{place}"\ncamera = "none"\nhost = "127.0.0.1"\n')
    options = ("--config", config, "--data", tmp_path / "card")
    with started(*options) as (process, url):
        status, page = answer(url)
        assert (status, "La clé USB manque" in page) == (503, True)
        assert "data-reload" in answer(url, "live/table")[1]
        assert list(place.iterdir()) == []
        with plugged_in(stick, place):
            wait_until(lambda: answer(url)[0] == 200)
            assert (stick / OWN_FOLDER / FILE).is_file()
            code = look(stick / OWN_FOLDER).saved.code
        # It is pulled out.
        assert process.wait(60) == 1
        assert process.stderr is not None
        assert "the USB stick was pulled out" in process.stderr.read()
    assert list(place.iterdir()) == []
    assert not (tmp_path / "card").exists()
    with plugged_in(stick, place), started(*options) as (_, url):
        assert answer(url)[0] == 200
        assert look(stick / OWN_FOLDER).saved.code == code


def test_the_page_is_in_the_readers_language():
    assert "The USB stick is missing" in draw("en")
    assert '<html lang="fr">' in draw("fr")
