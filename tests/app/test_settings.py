"""Settings from a file: every mistake is one line that names the file and the key."""

import time
from pathlib import Path

import pytest
from cases import cases

from companion.app.service import set_time_zone
from companion.settings import ConfigError, PinNumbers, load, load_for_hall
from web.dates import time_of_day


def test_without_a_file_the_defaults_hold(monkeypatch, tmp_path):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    settings = load(None)
    assert (settings.port, settings.camera, settings.data) == (8000, "auto", tmp_path)
    assert settings.pins == PinNumbers(17, 27, 22, 23, 24)


def test_pages_tell_times_in_the_zone_of_the_settings(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    try:
        for zone, told in (("", "20:00"), ("Asia/Tokyo", "05:00"), ("Europe/Paris", "21:00")):
            set_time_zone(zone)
            assert time_of_day("2026-11-27T20:00:00+00:00") == told
    finally:
        monkeypatch.undo()
        time.tzset()


def test_users_data_lies_where_their_programs_keep_it(monkeypatch, tmp_path):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load(None).data == tmp_path / "bang-companion"


def test_the_command_line_overrules_the_file_where_it_says_something(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text('port = 81\ncamera = "none"\ndata = "~/games"\n[pins]\ngreen = 5\n')
    settings = load(file, port=82, camera=None)
    assert (settings.port, settings.camera) == (82, "none")
    assert settings.data == Path.home() / "games"
    assert (settings.pins.green, settings.pins.red) == (5, 27)


@pytest.mark.parametrize(("text", "complaint"), cases("app/settings.txt", "In a file"))
def test_a_mistake_names_the_file_and_the_key(tmp_path, text, complaint):
    file = tmp_path / "table.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8 text"):
        load(tmp_path / "binary.toml")


def test_an_option_stands_in_for_a_mistake_in_the_file(tmp_path):
    (tmp_path / "table.toml").write_text("port = 70000\n")
    assert load(tmp_path / "table.toml", port=80).port == 80
    with pytest.raises(ConfigError, match=r"^--port: 99999 is not a port"):
        load(tmp_path / "table.toml", port=99999)


def test_a_hall_needs_no_name_on_the_broker(tmp_path):
    file = tmp_path / "hall.toml"
    file.write_text('[mqtt]\nhost = "192.168.1.20"\n')
    assert load_for_hall(file).mqtt.host == "192.168.1.20"
    with pytest.raises(ConfigError, match=r"mqtt\.name: is needed to publish"):
        load(file)
