"""All checks, in the order in which a mistake explains those after it."""

from collections.abc import Iterator

from companion.doctor import board, camera, files, network, pins, software
from companion.doctor.patient import Finding, Patient

CHECKS = (
    *board.CHECKS,
    *files.CHECKS,
    *software.CHECKS,
    *camera.CHECKS,
    *pins.CHECKS,
    *network.CHECKS,
)


def examine(patient: Patient) -> Iterator[tuple[str, Finding]]:
    """Look at everything, one check after the other; return their names with what they found."""
    for check in CHECKS:
        yield check.name, check.find(patient)
