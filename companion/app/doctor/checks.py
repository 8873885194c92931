"""All checks, ordered so that a fault explains those after it."""

from collections.abc import Iterator, Mapping

from companion.app.doctor import board, broker, camera, files, network, pins, software, speaker
from companion.app.doctor.findings import Check, Finding
from companion.app.doctor.installation import Installation

SECTIONS: Mapping[str, tuple[Check, ...]] = {
    "This machine": board.CHECKS,
    "Files": files.CHECKS,
    "Software": software.CHECKS,
    "Camera": camera.CHECKS,
    "Buttons and light": pins.CHECKS,
    "Loudspeaker": speaker.CHECKS,
    "Network": network.CHECKS,
    "Message broker": broker.CHECKS,
}

CHECKS = tuple(check for section in SECTIONS.values() for check in section)


def examine(examined: Installation) -> Iterator[tuple[str, Finding]]:
    """Yield each check's name and finding."""
    for check in CHECKS:
        yield check.name, check.find(examined)
