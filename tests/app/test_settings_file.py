"""A page changes a settings file by the fields that the start reads; comments stay."""

import io
import json
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from cases import cases
from installer import hotspot
from places import ROOT

from companion.base.codec import MisfitError
from companion.base.setting import Entry, about
from companion.settings import Hotspot, Settings, load
from companion.settings_file import is_owners, main, read_sections, rewrite

FILE = Path(__file__).with_name("owners.toml").read_text("utf-8")
KNOWN = FILE.replace("later = [1,\n  2]\n", "")


def entries(text: str = "") -> dict[str, Entry]:
    return {entry.key: entry for section in read_sections(text) for entry in section.entries}


def test_a_change_leaves_comments_order_and_all_else_as_they_were(tmp_path):
    text = rewrite(KNOWN, {"pins.green": 7, "mqtt.port": 1884, "sound.effects": True,
                           "camera": "usb:0", "mqtt.host": 'b"x'})  # fmt: skip
    lines = set(text.splitlines())
    assert set(KNOWN.splitlines()) - lines == {
        "pins = { green = 5, red = 6 }  # as we soldered them",
        'host = "broker"   # or 10.0.0.2',
    }
    assert "pins = { green = 7, red = 6 }  # as we soldered them" in lines
    file = tmp_path / "settings.toml"
    file.write_text(text)
    found = load(file)
    assert (found.pins.green, found.pins.red, found.mqtt.port) == (7, 6, 1884)
    assert (found.camera, found.sound.effects, found.mqtt.host) == ("usb:0", True, 'b"x')
    assert rewrite(text, {}) == text


def test_what_the_installer_writes_can_be_changed():
    text = (ROOT / "systemd/settings.toml").read_text()
    changed = rewrite(text, {entry.key: entry.value for entry in entries().values()
                             if not entry.about.secret})  # fmt: skip
    assert [line for line in text.splitlines() if line not in changed.splitlines()] == []
    assert tomllib.loads(changed)["port"] == 80


@pytest.mark.parametrize(("changes", "complaint"), cases("app/settings.txt", "On a page"))
def test_what_the_start_could_not_read_or_no_page_may_change_is_named(changes, complaint):
    with pytest.raises(MisfitError) as caught:
        rewrite(KNOWN, json.loads(changes, strict=False))
    assert str(caught.value).startswith(complaint)


def test_a_mistake_of_the_owners_is_named_and_nothing_is_changed():
    for text in (FILE, "port = ", "port = '80'"):
        with pytest.raises(MisfitError):
            rewrite(text, {"camera": "none"})
        with pytest.raises(MisfitError):
            read_sections(text)


def test_no_page_is_told_a_secret():
    assert "hush" not in repr(read_sections(KNOWN))
    assert entries(KNOWN)["mqtt.password"].value is True
    assert entries()["mqtt.password"].value is False


def test_what_could_hurt_the_household_takes_the_owners_code_or_is_on_no_page():
    owners = {key for key in entries() if is_owners({key: ""})}
    assert {key for key in owners if not key.startswith("mqtt.")} == set()
    assert "mqtt.password" in owners
    assert is_owners({"camera": "none", "mqtt.tls": True})
    everything = {each.name for each in fields(Settings)}
    shown = {key.partition(".")[0] for key in entries()}
    assert everything - shown >= {"host", "port", "data", "profile", "origins", "hall"}


def test_the_pis_own_wifi_is_changed_only_where_there_is_one_and_as_the_installer_would():
    text = '[hotspot]\nname = "BANG"\nkey = "abcdefgh2345"\n'
    assert is_owners({"hotspot.name": "Saloon"})
    changed = rewrite(text, {"hotspot.name": "Red Saloon", "hotspot.key": "howdy, partner"})
    assert changed == '[hotspot]\nname = "Red Saloon"\nkey = "howdy, partner"\n'
    assert "abcdefgh2345" not in repr(read_sections(text))
    wrong = {"name": ("", "-", "x" * 33, "Café"), "key": ("", "short", "x" * 64, "clé clé clé")}
    for key, value in ((key, value) for key, values in wrong.items() for value in values):
        with pytest.raises(MisfitError, match="too short, too long"):
            rewrite(text, {f"hotspot.{key}": value})
    with pytest.raises(MisfitError, match=r"hotspot\.name: can’t be changed"):
        rewrite(KNOWN, {"hotspot.name": "Saloon"})
    patterns = [about(field).pattern for field in fields(Hotspot)]
    assert patterns == [hotspot.NAME.pattern, hotspot.KEY.pattern]


def test_roots_program_prints_what_the_file_is_to_hold_or_the_mistake(
    tmp_path, monkeypatch, capsys
):
    file = tmp_path / "settings.toml"
    file.write_text(KNOWN)
    monkeypatch.setattr(sys, "argv", ["", str(file)])
    for changes, said in (
        ({"camera": "none"}, {"text": rewrite(KNOWN, {"camera": "none"}), "owner": False}),
        ({"mqtt.password": "x"}, {"text": KNOWN.replace("hush", "x"), "owner": True}),
        ({"port": 1}, {"fault": "port"}),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(changes)))
        main()
        assert json.loads(capsys.readouterr().out) == said
