"""The Pi's own Wi-Fi: a connection of NetworkManager's, and its name and key for the pages."""

import configparser
import json
import re
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from installer.files import link, remove, write_whole
from installer.machine import (
    CURRENT,
    HOTSPOT,
    HOTSPOT_SERVICE,
    SERVICE,
    SETTINGS,
    UNITS,
    InstallError,
    Machine,
    User,
    say,
)

USUAL_NAME = "BANG"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a key; none of them look alike."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 -]{0,31}")
_KEY = re.compile(r"[ -~]{8,63}")


def is_name(text: str) -> bool:
    """Return whether a Wi-Fi may be named so."""
    return bool(_NAME.fullmatch(text))


def open_hotspot(machine: Machine, source: Path, name: str = "") -> None:
    """Let the Pi open a Wi-Fi where it knows none. Raises InstallError with things as they were.

    name: its name; empty for the one that it has. Its key stays: it may be printed on a card.
    """
    settings = _read_settings(machine)
    known = settings.get("hotspot", {}).get("name", "")
    name = name or (known if is_name(known) else USUAL_NAME)
    key = _known_key(machine) or "".join(secrets.choice(LETTERS) for _ in range(12))
    connection = (source / "systemd/hotspot.nmconnection").read_text()
    connection = connection.replace("@NAME@", name).replace("@KEY@", _escaped(key))
    with _put_back_on_error(machine):
        machine.path(HOTSPOT).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(machine.path(HOTSPOT), connection, 0o600, machine.owner())
        _write_settings(machine, {**settings, "hotspot": {"name": name, "key": key}})
        link(machine.path(UNITS / HOTSPOT_SERVICE), CURRENT / HOTSPOT_SERVICE)
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "enable", "--quiet", HOTSPOT_SERVICE)
        _reload(machine)
    say(f'hotspot: "{name}", key {key}, opened where no known network is found at start')


def close_hotspot(machine: Machine) -> None:
    """Take the Pi's own Wi-Fi away. Raises InstallError with things as they were."""
    settings = _read_settings(machine)
    settings.pop("hotspot", None)
    with _put_back_on_error(machine):
        machine.succeeds("systemctl", "disable", "--quiet", HOTSPOT_SERVICE)
        for file in (HOTSPOT, UNITS / HOTSPOT_SERVICE):
            remove(machine.path(file))
        _write_settings(machine, settings)
        machine.run("systemctl", "daemon-reload")
        _reload(machine)


def _reload(machine: Machine) -> None:
    if machine.succeeds("systemctl", "is-active", "--quiet", "NetworkManager"):
        machine.run("nmcli", "connection", "reload")
    machine.run("systemctl", "restart", SERVICE)


@contextmanager
def _put_back_on_error(machine: Machine) -> Iterator[None]:
    files = {place: machine.path(place) for place in (HOTSPOT, SETTINGS)}
    before = {path: _saved(path) for path in files.values()}
    unit = machine.path(UNITS / HOTSPOT_SERVICE)
    was_there = unit.is_symlink()
    try:
        yield
    except BaseException:
        for path, saved in before.items():
            if saved is None:
                remove(path)
            else:
                write_whole(path, *saved)
        if not was_there:
            machine.succeeds("systemctl", "disable", "--quiet", HOTSPOT_SERVICE)
            remove(unit)
        elif not unit.is_symlink():
            link(unit, CURRENT / HOTSPOT_SERVICE)
            machine.succeeds("systemctl", "enable", "--quiet", HOTSPOT_SERVICE)
        machine.succeeds("systemctl", "daemon-reload")
        machine.succeeds("nmcli", "connection", "reload")
        machine.succeeds("systemctl", "restart", SERVICE)
        raise


def _saved(path: Path) -> tuple[str, int, User] | None:
    if not path.exists():
        return None
    return path.read_text(encoding="utf-8"), *_access(path)


def _access(path: Path) -> tuple[int, User]:
    status = path.stat()
    return status.st_mode & 0o777, User(status.st_uid, status.st_gid)


def _known_key(machine: Machine) -> str:
    path = machine.path(HOTSPOT)
    if not path.exists():
        return ""
    parser = configparser.RawConfigParser(delimiters="=", strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
        key = _unescaped(parser.get("wifi-security", "psk"))
    except (configparser.Error, UnicodeDecodeError) as error:
        raise InstallError(f"{path}: {error}") from None
    if not _KEY.fullmatch(key):
        raise InstallError(f"{path}: psk: a Wi-Fi key has 8 to 63 letters, digits and signs")
    return key


def _escaped(key: str) -> str:
    # As GLib's key files have it: a space at the end would be taken away.
    return key.replace("\\", "\\\\").replace(" ", "\\s")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"s": " "}.get(found[1], found[1]), text)


def _read_settings(machine: Machine) -> dict[str, Any]:
    path = machine.path(SETTINGS)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InstallError(f"{path}: {error}") from None


def _write_settings(machine: Machine, wanted: Mapping[str, Any]) -> None:
    """Exchange the section about the hotspot, and nothing else of what its owner wrote."""
    path = machine.path(SETTINGS)
    kept, skipping = [], False
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.lstrip().startswith("["):
            skipping = re.match(r"\s*\[\s*hotspot\s*\]", line) is not None
        if not skipping:
            kept.append(line)
    if hotspot := wanted.get("hotspot"):
        # JSON's quotes are TOML's, too.
        kept += ["[hotspot]\n", *(f"{key} = {json.dumps(hotspot[key])}\n" for key in hotspot)]
    text = "".join(line if line.endswith("\n") else f"{line}\n" for line in kept)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        found = {}
    if found != wanted:
        raise InstallError(f"{path}: hotspot: write it as a section, [hotspot], or take it out")
    write_whole(path, text, *_access(path))
