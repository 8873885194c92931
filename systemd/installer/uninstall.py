"""Removes the service. What players have stays, unless it is asked for."""

from installer import places
from installer.change import SETTLE, WANTED, finish
from installer.files import remove
from installer.machine import Machine, say


def uninstall(machine: Machine, *, purge: bool) -> None:
    """Remove the program, and with `purge` games, taught dice, settings and the user as well."""
    # Otherwise the data might lie where a change left them.
    finish(machine)
    services = (places.SERVICE, places.HALL_SERVICE, places.HOTSPOT_SERVICE, *places.HELPERS)
    # One at a time: systemd changes nothing where it doesn't know one of several.
    for service in services:
        machine.succeeds("systemctl", "disable", "--quiet", "--now", service)
    for unit in (*services, SETTLE):
        remove(machine.path(places.UNITS / WANTED / unit))
        remove(machine.path(places.UNITS / unit))
    remove(machine.path(places.COMMAND))
    # In an image that is being made, no systemd runs that has to hear of it.
    machine.succeeds("systemctl", "daemon-reload")
    machine.succeeds("systemctl", "reset-failed", places.SERVICE)
    remove(machine.path(places.HOTSPOT_DNS))
    if machine.path(places.HOTSPOT).exists():
        remove(machine.path(places.HOTSPOT))
        if machine.succeeds("systemctl", "is-active", "--quiet", "NetworkManager"):
            machine.run("nmcli", "connection", "reload")
    remove(machine.path(places.PROGRAM))
    if not purge:
        say(
            f"removed; games and taught dice stay in {places.DATA}, "
            f"settings in {places.SETTINGS.parent}"
        )
        return
    data = machine.path(places.DATA)
    hall = (machine.path(places.HALL_DATA), machine.path(places.HALL_LINK))
    for folder in (data, *data.parent.glob(f"{data.name}.*"), *hall):
        remove(folder)
    remove(machine.path(places.SETTINGS.parent))
    for service in services:
        remove(machine.path(places.UNITS / f"{service}.d"))
    if machine.succeeds("id", places.SERVICE_USER):
        machine.run("userdel", places.SERVICE_USER)
    say("removed, with games, taught dice and settings")
