"""Installs what lies on the memory card, as systemd/card has it done at the first boot."""

from pathlib import Path

from installer.change import finish, installed_version
from installer.files import remove, sync
from installer.machine import InstallError, Machine
from installer.update import write_json

BOOT = Path("/boot/firmware")
CARD = BOOT / "bang-companion"
"""What `make card` puts there: the archive, its wheels and the units that install it."""
VENDOR_DATA = BOOT / "vendor-data"
"""By which cloud-init starts that."""

PROGRESS = Path("/run/bang-companion-card/progress.json")
"""Says how far it is, for the page."""
PAGE = "bang-companion-card-page.service"


def install_from_card(machine: Machine, source: Path) -> None:
    """Install the sources that were unpacked from the card, and clear the card.

    It can be repeated after a pulled plug. Raises InstallError and OSError; PROGRESS tells why.
    """
    finish(machine)
    if not installed_version(machine):
        _install(machine, source)
    for done in (CARD, VENDOR_DATA):
        remove(machine.path(done))
    sync(machine.path(BOOT))


def _install(machine: Machine, source: Path) -> None:
    _tell(machine)
    machine.succeeds("systemctl", "start", PAGE)
    try:
        machine.install(source, lambda line: _tell(machine, line))
    except (InstallError, OSError) as error:
        _tell(machine, fault=str(error)[-400:])
        # The table, which may have been tried, has ended it.
        machine.succeeds("systemctl", "start", PAGE)
        raise


def _tell(machine: Machine, line: str = "", fault: str = "") -> None:
    write_json(machine, PROGRESS, {"line": line, "fault": fault})
