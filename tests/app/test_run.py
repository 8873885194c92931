"""`run` and `read` as processes: what they print, how they stop, and what they refuse."""

import json
import os
import socket
import urllib.error
import urllib.request
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path

import cv2
import numpy as np
import pytest
from process import companion, picture_of, table, within
from running import running_table

from companion.camera.table_reader import load_model, save_model
from companion.settings import OWN_FOLDER, PinNumbers
from companion.table.journal.journal import FILE, Journal
from vision.dice.find.tray_model import TrayModel
from vision.dice.reading import LyingDie

pytestmark = pytest.mark.processes


def test_what_is_saved_is_for_its_owner_alone(tmp_path, monkeypatch):
    """Outside systemd too, whatever the shell allows others, and in a folder that was open."""
    before = os.umask(0o022)
    try:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        data = tmp_path / OWN_FOLDER
        data.mkdir(mode=0o755)
        with table("--camera", "simulated", "--port", 0) as (_, url):
            join(url, "Ann")
            made = [data, *data.rglob("*")]
            assert len(made) > 1
            assert [path for path in made if path.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)


@pytest.fixture
def refused(tmp_path, capsys):
    """Runs a table that can't be run: its status, and the last line that it says."""

    def run(*arguments):
        given = ("--host", "127.0.0.1", "--camera", "none", "--port", 0, "--data", tmp_path)
        done = within(capsys, "run", *given, *arguments)
        assert done.stdout == ""
        return done.returncode, done.stderr.splitlines()[-1]

    return run


def test_a_port_in_use_is_named(refused):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = f"127.0.0.1:{port}: another program uses this port"
        assert refused("--port", port) == (1, said)


def test_a_saved_table_that_another_program_holds_is_named(tmp_path, refused):
    with closing(Journal(tmp_path)):
        said = f"{tmp_path / FILE}: can't be opened: locked by another program"
        assert refused() == (1, said)


def test_dice_with_pips_are_read_instead_of_a_damaged_set_that_was_chosen_on_the_page(
    tmp_path, caplog
):
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/mine.dice").write_bytes(b"damaged")
    (tmp_path / "setup.json").write_text('{"profile": "mine"}')
    with running_table(tmp_path):
        (told,) = [line for line in caplog.messages if "mine.dice" in line]
    assert told.endswith("; pips are read instead")


def test_an_empty_folder_is_no_camera(tmp_path, refused):
    (tmp_path / "empty").mkdir()
    status, said = refused("--camera", tmp_path / "empty")
    assert status == 2
    assert said.startswith(f"--camera: {tmp_path / 'empty'}: the folder holds no pictures")


def test_settings_may_come_through_a_pipe():
    done = companion("run", "--config", "/dev/stdin", input="port = 70000\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("/dev/stdin: port: 70000 is not a port")


def test_a_pin_in_use_is_one_line_and_the_table_goes_on(tmp_path, caplog):
    with running_table(tmp_path, pins=PinNumbers(green=5, red=5)):
        assert [line for line in caplog.messages if line.startswith("red button (GPIO 5): ")]


def join(url: str, name: str) -> urllib.request.OpenerDirector:
    """Join as a phone does; return what keeps its cookies."""
    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = phone.open(url).read().decode()
    proof = page.split('name="page" content="')[1].split('"')[0]
    phone.open(url + "join", data=f"name={name}&page={proof}".encode())
    return phone


# read


def test_a_reading_names_the_model_of_its_table(tmp_path, capsys):
    picture, model = picture_of(tmp_path / "a.png"), tmp_path / "tray.json"
    dice = tuple(LyingDie(n / 20, n / 20, 0.0, 0.0) for n in range(12))
    save_model(TrayModel(size=(32, 32), dice=dice), model)
    done = within(capsys, "read", "--model", model, picture)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["model"] == load_model(model).digest
    again = json.loads(within(capsys, "read", "--model", model, "--tray", picture, picture).stdout)
    assert again["model"] != load_model(model).digest


def damaged(folder: Path, name: str) -> Path:
    """A picture of chance, of which half is there, or whose numbers are no grey levels."""
    kind = np.float32 if name == "float.tiff" else np.uint8
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(kind)
    path = folder / name
    assert cv2.imwrite(str(path), noise)
    if kind is np.uint8:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


@pytest.mark.parametrize("name", ["cut.bmp", "cut.jpg", "cut.webp", "cut.tiff", "float.tiff"])
def test_no_library_adds_a_line_of_its_own_to_a_damaged_picture(tmp_path, name):
    path = damaged(tmp_path, name)
    done = companion("read", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{path}: ")
    assert done.stderr.count("\n") == 1
