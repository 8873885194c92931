"""Errors that end a command, with their exit status."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.camera.interface import Frame


class CommandError(Exception):
    """The input is wrong; the message is one line, `WHERE: what is wrong`."""

    status = 2


class FaultError(CommandError):
    """A temporary fault, such as a port in use, after which the service is restarted."""

    status = 1


def compare_sizes(
    earlier: str | None, before: "Frame | None", name: object, picture: "Frame"
) -> None:
    """Raise CommandError where a picture isn't as large as the one before."""
    if before is not None and before.shape != picture.shape:
        (height, width, _), (tall, wide, _) = before.shape, picture.shape
        raise CommandError(f"{earlier}: {width} x {height} pixels, but {name} has {wide} x {tall}")


@contextmanager
def complain_of(kind: type[Exception], where: str = "") -> Iterator[None]:
    """Raise errors of a kind as CommandError; where: the option that they are about."""
    try:
        yield
    except kind as error:
        raise CommandError(f"{where}: {error}" if where else str(error)) from None
