"""`bang-companion doctor`: say what works here, what doesn't, and how to fix it."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.arguments import add_table_arguments, overrides

if TYPE_CHECKING:
    from companion.app.doctor.findings import Finding
    from companion.app.doctor.installation import Installation

SUMMARY = "say what works here and what doesn't, and how to fix it"
DESCRIPTION = (
    "Check camera, buttons, light, files, power and network. Prints a report on a terminal, and a "
    "JSON line for each check elsewhere. Nothing is changed. Status 1 if the table could not run."
)
EXAMPLE = "bang-companion doctor --buttons"

REPORT = Path("bang-companion-report.txt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the settings to check, and for the output."""
    add_table_arguments(parser)
    parser.add_argument(
        "--buttons", action="store_true", help="then try both buttons and the light by hand"
    )
    parser.add_argument(
        "--report",
        type=Path,
        nargs="?",
        const=REPORT,
        metavar="FILE",
        help="then measure what only a real Pi can show, and write all of it to a file to send; "
        f"default: {REPORT}",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--text", action="store_true", help="print the readable report, terminal or not"
    )
    form.add_argument("--json", action="store_true", help="print JSON lines, terminal or not")


def run(arguments: argparse.Namespace) -> int:
    """Print what each check finds."""
    import logging

    from companion.app.doctor.checks import examine
    from companion.app.doctor.findings import Finding, Level
    from companion.app.doctor.installation import Installation
    from companion.app.doctor.output import JsonLines, TextReport
    from companion.app.interrupts import interrupt_on_signals
    from hardware.machine import Machine

    # The findings already say what the parts would log.
    logging.disable(logging.CRITICAL)
    readable = arguments.text or (sys.stdout.isatty() and not arguments.json)
    output = TextReport() if readable else JsonLines()
    examined = Installation(Machine(), arguments.config, overrides(arguments))
    found: list[tuple[str, Finding]] = []
    with interrupt_on_signals():
        for name, finding in examine(examined):
            found.append((name, finding))
            output.add(name, finding)
        if arguments.buttons:
            for name, finding in _try_by_hand(examined):
                found.append((name, finding))
                output.add(name, finding)
        output.end()
        if arguments.report is not None:
            _write_report(arguments.report, examined, found)
    return int(any(finding.level is Level.STOP for _, finding in found))


def _write_report(
    path: Path, examined: "Installation", found: Sequence[tuple[str, "Finding"]]
) -> None:
    from companion.app.doctor.report import report

    _message("Measuring the camera: half a minute")
    path.write_text(report(examined, found), encoding="utf-8")
    _message(f"Written: {path}")


def _try_by_hand(examined: "Installation") -> Iterator[tuple[str, "Finding"]]:
    """Try buttons and light by hand; yield names and findings."""
    from companion.app.doctor.findings import Finding, Level
    from companion.app.doctor.trial import try_buttons, try_light
    from hardware.pins import HardwareError

    if examined.table is not None:
        mend = "sudo systemctl stop bang-companion; or try them on the page: Set up the table"
        yield "buttons tried", Finding(Level.NOTE, "the running table uses the pins", mend)
        return
    if not examined.pins.real:
        yield (
            "buttons tried",
            Finding(Level.NOTE, "this machine has no GPIO pins", "see the check pin library"),
        )
        return
    wired, factory = examined.settings, examined.pins.factory
    try:
        yield from try_buttons(wired.pins, factory, _message)
        yield from try_light(wired.pins, wired.pixels, factory, _ask)
    except HardwareError as error:
        yield "buttons tried", Finding(Level.WRONG, str(error), "see the checks of the pins")


def _message(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() if sys.stdin is not None else ""
