"""What `systemd/install` and `systemd/uninstall` call, and systemd for changes and updates."""

import argparse
import json
import os
import signal
import socket
import sys
import tomllib
from pathlib import Path
from typing import NoReturn

from installer import places
from installer.archive import ArchiveError, Fault, inspect, news, numbers
from installer.card import PROGRESS, install_from_card
from installer.card_page import serve
from installer.change import change_over, finish, installed_version, settle, state
from installer.files import Content, write_whole
from installer.hotspot import close_hotspot, is_name, open_hotspot
from installer.machine import InstallError, Machine, User, say
from installer.packages import check_machine, install_packages, install_user
from installer.settings import change_settings
from installer.uninstall import uninstall
from installer.update import note_way_back, update, write_code
from installer.version import new_version, try_version
from installer.wifi import change_wifi

INSTALL = """
Installs the table as a service, or brings an installed one up to date: sudo systemd/install

Run it again whenever something is amiss, or after `git pull`: what is in place stays, what is
missing comes. Each run builds its version beside the one that runs and changes over only when it
works; if it does not, the old one goes on. Games, taught dice and settings are kept. The network is
needed now, and never again.

Without a network: PIP_NO_INDEX=1 PIP_FIND_LINKS=DIR sudo -E systemd/install, where DIR holds the
wheels, and the Debian packages are installed already.
"""

UNINSTALL = """
Removes the service: sudo systemd/uninstall

Games, taught dice and settings stay, for the next installation. Debian packages stay too: other
programs may use them.
"""


def install(
    machine: Machine,
    source: Path,
    hotspot: str | None,
    *,
    no_hotspot: bool = False,
    no_packages: bool = False,
) -> None:
    """Install a version from a folder of sources. Raises InstallError with things as they were.

    hotspot: the name of the Wi-Fi to open; empty for the one that it has; None to change nothing.
    """
    check_machine(machine)
    finish(machine)
    if not no_packages:
        install_packages(machine, hotspot=hotspot is not None)
    install_user(machine)
    _install_settings(machine, source)
    write_code(machine, anew=False)
    with new_version(machine, source) as folder:
        say("checking it")
        try_version(machine, folder)
        change_over(machine, folder)
    note_way_back(machine)
    if hotspot is not None:
        open_hotspot(machine, source, hotspot)
    elif no_hotspot:
        close_hotspot(machine)


def _install_settings(machine: Machine, source: Path) -> None:
    settings = machine.path(places.SETTINGS)
    if settings.exists():
        return
    settings.parent.mkdir(parents=True, exist_ok=True)
    text = (source / "systemd/settings.toml").read_text(encoding="utf-8")
    owner = User(machine.owner().uid, machine.service_user().gid)
    write_whole(settings, Content(text, 0o640, owner))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            message = f"{unknown.split()[0]}: no such option"
        print(f"bang-companion: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


def _arguments() -> argparse.Namespace:
    command = sys.argv[1]
    described = argparse.RawDescriptionHelpFormatter
    text = {"install": INSTALL, "uninstall": UNINSTALL}.get(command, "")
    parser = _Parser(
        prog=f"systemd/{command}", usage=argparse.SUPPRESS, description=text,
        formatter_class=described, allow_abbrev=False,
    )  # fmt: skip
    if command == "install":
        one = parser.add_mutually_exclusive_group()
        one.add_argument(
            "--hotspot", nargs="?", const="", metavar="NAME",
            help="let the Pi open a Wi-Fi of its own where it knows none (name: the one that it "
            'has, or "BANG")',
        )  # fmt: skip
        one.add_argument("--no-hotspot", action="store_true", help="take that away again")
        parser.add_argument(
            "--no-packages", action="store_true",
            help="leave Debian's packages to apt, which runs this for the package bang-companion",
        )  # fmt: skip
    elif command == "uninstall":
        parser.add_argument(
            "--purge", action="store_true",
            help="remove games, taught dice, settings and the service's user as well",
        )  # fmt: skip
    arguments = parser.parse_args(sys.argv[2:])
    arguments.command = command
    if command == "install" and arguments.hotspot and not is_name(arguments.hotspot):
        parser.error("--hotspot: a name of at most 32 letters, digits, spaces and hyphens")
    return arguments


def perform(machine: Machine, source: Path, arguments: argparse.Namespace) -> int:
    """Run a command; return its exit status. A signal ends it with nothing left half done."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        if arguments.command == "settle":
            settle(machine)
        elif arguments.command == "update":
            update(machine)
        elif arguments.command == "card":
            install_from_card(machine, source)
        elif arguments.command == "settings":
            change_settings(machine)
        elif arguments.command == "wifi":
            change_wifi(machine)
        elif arguments.command == "uninstall":
            uninstall(machine, purge=arguments.purge)
        else:
            install(
                machine, source, arguments.hotspot,
                no_hotspot=arguments.no_hotspot, no_packages=arguments.no_packages,
            )  # fmt: skip
            say(f"ready: {_addresses(machine)}")
    except (InstallError, OSError) as error:
        print(f"bang-companion: {error}", file=sys.stderr)
        if arguments.command == "install" and installed_version(machine) and state(machine) is None:
            say("the version that was installed stays")
        return 1
    return 0


def _addresses(machine: Machine) -> str:
    own = f"http://{socket.gethostname()}.local/"
    try:
        shown = machine.run("systemctl", "show", "-P", "StatusText", places.SERVICE).strip()
    except InstallError:
        return own
    return f"{shown}, or {own}"


def describe(path: Path, since: str) -> dict[str, object]:
    """Return what the host is to know of an upload, or why it can't be installed.

    since: the version that runs.
    """
    try:
        release = inspect(path, Path(__file__).resolve().parents[1] / places.KEY)
        if numbers(release.version) <= numbers(since):
            raise ArchiveError(Fault.OLDER)
    except ArchiveError as error:
        return {"fault": error.fault}
    return release._asdict() | {"changes": news(release.changes, since)}


def _serve_card_page(source: Path) -> None:
    """Show how far the installation is, at the port that the table will have."""
    settings = tomllib.loads((source / "systemd/settings.toml").read_text(encoding="utf-8"))
    serve(settings["port"], PROGRESS, source / "web/translations")


def main() -> int:
    """Run the command of the command line."""
    source = Path(__file__).resolve().parents[2]
    if sys.argv[1] == "describe":
        print(json.dumps(describe(Path(sys.argv[2]), sys.argv[3])))
        return 0
    if sys.argv[1] == "card-page":
        _serve_card_page(source)
        return 0
    arguments = _arguments()
    if os.geteuid():
        print(f"bang-companion: only root may do that: sudo systemd/{arguments.command}",
              file=sys.stderr)  # fmt: skip
        return 1
    # They are for us alone, not for the programs that we run.
    for variable in ("PYTHONPATH", "PYTHONSAFEPATH"):
        os.environ.pop(variable, None)
    os.umask(0o022)
    return perform(Machine(), source, arguments)


if __name__ == "__main__":
    sys.exit(main())
