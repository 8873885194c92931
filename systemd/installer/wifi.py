"""Joins a Wi-Fi as the host asks, or comes back if that fails or nobody finds the table there.

NetworkManager does it, asked by `nmcli`. A network that is tried lies in memory only, so a pulled
plug leaves the Pi with those that it knew. Names of networks are bytes of strangers: they stay in
hexadecimal digits. A key goes from the request into a file that only root reads.
"""

import re
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from installer import places
from installer.archive import ArchiveError
from installer.files import Content, remove, write_whole
from installer.hotspot import KEY, escape
from installer.machine import InstallError, Machine, say
from installer.update import check_code, read_json, take_request, write_code, write_json

REQUEST = "wifi"
"""In the folder of the service: what is to be done."""

STATUS = Path("/run/bang-companion-wifi/status.json")
"""Says which networks there are, how far a trial is, and how the last one ended."""

TRIAL = Path("/run/NetworkManager/system-connections/bang-wifi.nmconnection")
"""The network that is tried, for NetworkManager."""

JOIN_S, WAIT_S = 45, 180
"""Seconds to join a network, and for somebody to open a page of the table there."""

MOST = 20
"""So many networks are told, the strongest."""

OTHER = "other"
"""How a network is locked that takes more than a key, or a kind that is too old."""

_LISTED = re.compile(r"([0-9A-F]{2,64}):(\d{1,3}):([A-Z0-9. -]*):([* ]?)")
"""Of `nmcli --terse`: name, strength in percent, what locks it, whether the Pi is in it."""

_PROFILE = """[connection]
id=bang-wifi-{number}
uuid={number}
type=wifi
autoconnect={known}

[wifi]
mode=infrastructure
ssid={name}
{lock}
[ipv4]
method=auto

[ipv6]
method=auto
"""
_LOCK = """
[wifi-security]
key-mgmt={kind}
psk={key}
"""


class _Status:
    """What the table is told, with the networks that were heard last."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.now = {"networks": [], "before": ""} | read_json(machine, STATUS)

    def tell(self, **changes: object) -> None:
        self.now |= changes
        write_json(self._machine, STATUS, self.now)


def change_wifi(machine: Machine) -> None:
    """Look which networks there are, or join one, as asked for; say in STATUS how it ended.

    Raises nothing but OSError.
    """
    told = _Status(machine)
    _settle(machine, told)
    ended, fault = told.now.get("fault"), None
    told.tell(step="looking", fault=fault)
    try:
        with suppress(FileNotFoundError):
            asked = take_request(machine, REQUEST)
            if asked.get("do") == "join":
                fault = _join(machine, told, asked)
            elif asked.get("do") == "stay":
                # One more page was opened before the table knew that the trial had ended.
                fault = ended
    except ArchiveError as error:
        fault = error.fault
    except (InstallError, OSError) as error:
        say(str(error))
        fault = "failed"
    _settle(machine, told)
    with suppress(InstallError):
        told.tell(**_hear(machine, told.now["networks"]))
    say(f"wifi: {fault or ('looked' if fault is None else 'joined')}")
    told.tell(step="", fault=fault)


def _settle(machine: Machine, told: _Status) -> None:
    """Come back from a network that was tried to the one before. Can be repeated."""
    if not machine.path(TRIAL).exists():
        return
    before = told.now["before"]
    up = ("nmcli", "--wait", JOIN_S, "connection", "up", "uuid", before)
    if not (before and machine.succeeds(*up)):
        # It opens the Pi's own Wi-Fi, if it finds no other way in.
        machine.succeeds("systemctl", "--no-block", "restart", places.HOTSPOT_SERVICE)
    remove(machine.path(TRIAL))
    machine.succeeds("nmcli", "connection", "reload")


def _join(machine: Machine, told: _Status, asked: Mapping[str, str]) -> str:
    """Return why the Pi isn't in the network, in a word; empty if it is."""
    name, key = asked.get("network", ""), asked.get("key", "")
    locks = {one["name"]: one["lock"] for one in told.now["networks"]}
    lock = locks.get(name, OTHER)
    if lock == OTHER:
        return "gone"
    if lock and not KEY.fullmatch(key):
        return "key"
    check_code(machine, asked.get("code", ""))
    told.tell(step="joining", network=name, before=_active(machine))
    # Another than that of the same network with another key, to which it may have to come back.
    number = uuid.uuid4()
    section = _LOCK.format(kind=lock, key=escape(key)) if lock else ""
    letters = "".join(f"{byte};" for byte in bytes.fromhex(name))

    def profile(*, known: bool) -> Content:
        text = _PROFILE.format(number=number, known=str(known).lower(), name=letters, lock=section)
        return Content(text, 0o600, machine.owner())

    if fault := _try(machine, told, number, profile(known=False)):
        return fault
    known = machine.path(places.HOTSPOT.with_name(f"bang-wifi-{name}.nmconnection"))
    write_whole(known, profile(known=True))
    remove(machine.path(TRIAL))
    machine.run("nmcli", "connection", "reload")
    write_code(machine, anew=True)
    return ""


def _try(machine: Machine, told: _Status, number: uuid.UUID, profile: Content) -> str:
    trial = machine.path(TRIAL)
    trial.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(trial, profile)
    machine.run("nmcli", "connection", "load", trial)
    try:
        machine.run("nmcli", "--wait", JOIN_S, "connection", "up", "uuid", number)
    except InstallError as error:
        say(str(error))
        return "key" if "ecrets were required" in str(error) else "failed"
    told.tell(step="waiting")
    for _ in range(WAIT_S):
        machine.pause(1)
        with suppress(FileNotFoundError):
            if take_request(machine, REQUEST).get("do") == "stay":
                return ""
    return "nobody"


def _active(machine: Machine) -> str:
    """Return the connection of the Wi-Fi that the Pi is in, by number; empty if it is in none."""
    shown = machine.run("nmcli", "-t", "-f", "UUID,TYPE", "connection", "show", "--active")
    found = re.search(r"^([0-9a-f-]{36}):802-11-wireless$", shown, re.MULTILINE)
    return found[1] if found else ""


def _hear(machine: Machine, earlier: list[Any]) -> dict[str, object]:
    """Return the networks, and which one the Pi is in. Raises InstallError.

    earlier: those that were heard before; while the Pi's own Wi-Fi is open, it hears no others.
    """
    command = ("nmcli", "-t", "-f", "SSID-HEX,SIGNAL,SECURITY,IN-USE", "device", "wifi", "list")
    try:
        listed = machine.run(*command, "--rescan", "yes")
    except InstallError:
        listed = machine.run(*command, "--rescan", "no")
    heard: dict[str, dict[str, object]] = {}
    own, here = _own_name(machine), ""
    found = (_LISTED.fullmatch(line) for line in listed.splitlines())
    lines = [line.groups() for line in found if line and line[1].strip("0")]
    for name, signal, security, used in sorted(lines, key=lambda line: -int(line[1])):
        here = name.lower() if used == "*" else here
        one = {"name": name.lower(), "signal": int(signal), "lock": _lock(security)}
        heard.setdefault(name.lower(), one)
    heard.pop(own, None)
    networks = list(heard.values())[:MOST]
    if here == own:
        networks = networks or earlier
    return {"networks": networks, "here": here, "own": own}


def _own_name(machine: Machine) -> str:
    with suppress(OSError):
        text = machine.path(places.HOTSPOT).read_text(encoding="utf-8")
        if found := re.search("(?m)^ssid=(.*)$", text):
            return found[1].encode().hex()
    return ""


def _lock(security: str) -> str:
    """Return how NetworkManager calls what locks a network; empty if nothing does."""
    words = set(security.split()) - {"--", "OWE-TM"}
    if not words:
        return ""
    if words & {"802.1X", "WEP", "OWE"}:
        return OTHER
    return "wpa-psk" if words & {"WPA1", "WPA2"} else "sae"
