"""The Pi's own Wi-Fi: a connection of NetworkManager's, and its name and key for the pages."""

import configparser
import json
import re
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from installer import places
from installer.files import Content, link, remove, replace_files, write_whole
from installer.machine import InstallError, Machine, User, say

USUAL_NAME = "BANG"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a key; none of them look alike."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 -]{0,31}")
KEY = re.compile(r"[ -~]{8,63}")
"""What a name and a key are like."""


def is_name(text: str) -> bool:
    """Return whether a Wi-Fi may be named so."""
    return bool(NAME.fullmatch(text))


def open_hotspot(machine: Machine, source: Path, name: str = "") -> None:
    """Let the Pi open a Wi-Fi where it knows none. Raises InstallError with things as they were.

    name: its name; empty for the one that it has. Its key stays: it may be printed on a card.
    """
    settings = _read_settings(machine)
    known = settings.get("hotspot", {}).get("name", "")
    name = name or (known if is_name(known) else USUAL_NAME)
    key = _known_key(machine) or "".join(secrets.choice(LETTERS) for _ in range(12))
    connection = (source / "systemd/hotspot.nmconnection").read_text()
    connection = connection.replace("@NAME@", name).replace("@KEY@", escape(key))
    path, file = machine.path(places.SETTINGS), machine.path(places.HOTSPOT)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = machine.path(places.HOTSPOT_DNS)
    names.parent.mkdir(exist_ok=True)
    text = (source / "systemd/hotspot-dns.conf").read_text()
    wanted = {
        file: Content(connection, 0o600, machine.owner()),
        names: Content(text, 0o644, machine.owner()),
        path: _with_hotspot(path, {**settings, "hotspot": {"name": name, "key": key}}),
    }
    unit = machine.path(places.UNITS / places.HOTSPOT_SERVICE)
    was_there = unit.is_symlink()
    with _reapply_on_failure(machine), replace_files(wanted):
        link(unit, places.CURRENT / places.HOTSPOT_SERVICE)
        try:
            _apply(machine)
            machine.run("systemctl", "enable", "--quiet", places.HOTSPOT_SERVICE)
        except BaseException:
            if not was_there:
                remove(unit)
            raise
    say(f'hotspot: "{name}", key {key}, opened where no known network is found at start')


def rename_hotspot(machine: Machine, name: str, key: str) -> None:
    """Give the Pi's Wi-Fi, if it has one, another name and key. Can be repeated.

    Raises InstallError and OSError.
    """
    path = machine.path(places.HOTSPOT)
    if not path.exists():
        return
    if not is_name(name) or not KEY.fullmatch(key):
        raise InstallError("hotspot: its name or key can't be used")
    text = path.read_text(encoding="utf-8")
    for field, value in (("ssid", name), ("psk", escape(key))):
        # re.sub would take backslashes for its own.
        line = f"{field}={value}".replace("\\", r"\\")
        text = re.sub(rf"(?m)^{field}=.*$", line, text)
    write_whole(path, Content(text, 0o600, machine.owner()))
    machine.succeeds("nmcli", "connection", "reload")
    # Where it is open, it opens anew.
    machine.succeeds("systemctl", "--no-block", "try-restart", places.HOTSPOT_SERVICE)


def close_hotspot(machine: Machine) -> None:
    """Take the Pi's own Wi-Fi away. Raises InstallError with things as they were."""
    settings = _read_settings(machine)
    settings.pop("hotspot", None)
    path, unit = machine.path(places.SETTINGS), machine.path(places.UNITS / places.HOTSPOT_SERVICE)
    with (
        _reapply_on_failure(machine),
        replace_files({machine.path(places.HOTSPOT): None, path: _with_hotspot(path, settings)}),
    ):
        _apply(machine)
    machine.succeeds("systemctl", "disable", "--quiet", places.HOTSPOT_SERVICE)
    remove(unit)
    remove(machine.path(places.HOTSPOT_DNS))


@contextmanager
def _reapply_on_failure(machine: Machine) -> Iterator[None]:
    """Let everybody read what was put back if the block fails."""
    try:
        yield
    except BaseException:
        with suppress(InstallError):
            _apply(machine)
        raise


def _apply(machine: Machine) -> None:
    machine.run("systemctl", "daemon-reload")
    if machine.succeeds("systemctl", "is-active", "--quiet", "NetworkManager"):
        machine.run("nmcli", "connection", "reload")
    machine.run("systemctl", "restart", places.SERVICE)


def _known_key(machine: Machine) -> str:
    path = machine.path(places.HOTSPOT)
    if not path.exists():
        return ""
    parser = configparser.RawConfigParser(delimiters="=", strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
        key = _unescape(parser.get("wifi-security", "psk"))
    except (configparser.Error, UnicodeDecodeError) as error:
        raise InstallError(f"{path}: {error}") from None
    if not KEY.fullmatch(key):
        raise InstallError(f"{path}: psk: a Wi-Fi key has 8 to 63 letters, digits and signs")
    return key


def escape(key: str) -> str:
    """Return a key as GLib's key files have it."""
    # A space at the end would be taken away.
    return key.replace("\\", "\\\\").replace(" ", "\\s")


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"s": " "}.get(found[1], found[1]), text)


def _read_settings(machine: Machine) -> dict[str, Any]:
    path = machine.path(places.SETTINGS)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InstallError(f"{path}: {error}") from None


def _with_hotspot(path: Path, wanted: Mapping[str, Any]) -> Content:
    """Return the settings with another section about the hotspot, and all else as it was."""
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
    status = path.stat()
    return Content(text, status.st_mode & 0o777, User(status.st_uid, status.st_gid))
