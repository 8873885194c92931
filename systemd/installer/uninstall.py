"""Removes the service. What players have stays, unless it is asked for."""

from installer.change import SETTLE, WANTED, finish
from installer.files import remove
from installer.machine import (
    COMMAND,
    DATA,
    HOTSPOT,
    HOTSPOT_SERVICE,
    PROGRAM,
    SERVICE,
    SERVICE_USER,
    SETTINGS,
    UNITS,
    Machine,
    say,
)


def uninstall(machine: Machine, *, purge: bool) -> None:
    """Remove the program, and with `purge` games, taught dice, settings and the user as well."""
    # Otherwise the data might lie where a change left them.
    finish(machine)
    machine.succeeds("systemctl", "disable", "--quiet", "--now", SERVICE, HOTSPOT_SERVICE)
    for unit in (SERVICE, HOTSPOT_SERVICE, SETTLE):
        remove(machine.path(UNITS / WANTED / unit))
        remove(machine.path(UNITS / unit))
    remove(machine.path(COMMAND))
    machine.run("systemctl", "daemon-reload")
    machine.succeeds("systemctl", "reset-failed", SERVICE)
    if machine.path(HOTSPOT).exists():
        remove(machine.path(HOTSPOT))
        if machine.succeeds("systemctl", "is-active", "--quiet", "NetworkManager"):
            machine.run("nmcli", "connection", "reload")
    remove(machine.path(PROGRAM))
    if not purge:
        say(f"removed; games and taught dice stay in {DATA}, settings in {SETTINGS.parent}")
        return
    data = machine.path(DATA)
    for folder in (data, *data.parent.glob(f"{data.name}.*")):
        remove(folder)
    remove(machine.path(SETTINGS.parent))
    remove(machine.path(UNITS / f"{SERVICE}.d"))
    if machine.succeeds("id", SERVICE_USER):
        machine.run("userdel", SERVICE_USER)
    say("removed, with games, taught dice and settings")
