"""`bang-companion hall`: show all tables on a broker on one page, and run tournaments."""

import argparse
import re
from pathlib import Path

from companion.app.commands.arguments import existing_file, port_number
from companion.app.commands.errors import CommandError, FaultError

SUMMARY = "show all tables of a club on one page, and run tournaments"
DESCRIPTION = (
    "Show all tables that publish to a message broker on one page: who plays, which table needs "
    "help, results, standings, tournaments. Prints its address once the page answers; stop "
    "it with Ctrl-C."
)
EXAMPLE = "bang-companion hall --broker 192.168.1.20 --password-file organiser.txt"

_BROKER = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:/@]+)(:(?P<port>\d{1,5}))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that override the hall's settings."""
    parser.add_argument(
        "--broker",
        type=_broker,
        metavar="HOST",
        help="the machine that runs the broker, with a port if it isn't the usual one (HOST:1884); "
        "default: host in [mqtt] of the settings",
    )
    parser.add_argument(
        "--config", type=existing_file, metavar="FILE", help="settings (TOML); default: none"
    )
    parser.add_argument(
        "--prefix", metavar="P", help="of the tables' topics; default: bang-companion"
    )
    parser.add_argument(
        "--password-file",
        type=Path,
        metavar="FILE",
        help="a file with the organiser's password; without a password, the hall only shows",
    )
    parser.add_argument("--host", metavar="H", help="address to serve on; default: all")
    parser.add_argument(
        "--port", type=port_number, metavar="N", help="port; default: 8001, 0: any free one"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder for results and tournaments"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the hall until SIGINT or SIGTERM."""
    import logging
    import sys
    from dataclasses import replace

    from companion.settings import ConfigError, load_for_hall
    from hardware.notify import JournalFormatter, in_journal

    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    if in_journal():
        logging.getLogger().handlers[0].setFormatter(JournalFormatter())
    try:
        settings = load_for_hall(arguments.config, host=arguments.host, data=arguments.data)
    except ConfigError as error:
        raise CommandError(str(error)) from None
    mqtt, hall = settings.mqtt, settings.hall
    try:
        if arguments.prefix is not None:
            mqtt = replace(mqtt, prefix=arguments.prefix)
        if arguments.port is not None:
            hall = replace(hall, port=arguments.port)
        if arguments.password_file is not None:
            hall = replace(hall, password="", password_file=str(arguments.password_file))
    except ConfigError as error:
        raise CommandError(f"--{error}") from None
    host, port = arguments.broker or (mqtt.host, mqtt.port)
    if not host:
        raise CommandError("--broker: name the machine that runs the broker")

    from companion.app.hall import run_hall
    from companion.club.hall.store import StoreError
    from web.serving.server import ServerError

    try:
        return run_hall(replace(settings, mqtt=mqtt, hall=hall), host, port)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CommandError(f"--password-file: not UTF-8 text: {error.reason}") from None
    except (StoreError, ServerError) as error:
        raise FaultError(str(error)) from None


def _broker(text: str) -> tuple[str, int]:
    """Return the host and the port of a broker; port 0 is the usual one."""
    found = _BROKER.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not a machine; give HOST or HOST:PORT")
    port = port_number(found["port"]) if found["port"] else 0
    return found["host"].strip("[]"), port
