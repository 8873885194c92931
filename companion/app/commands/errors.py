"""Errors that end a command, with their exit status."""

from collections.abc import Iterator
from contextlib import contextmanager


class CommandError(Exception):
    """The input is wrong; the message is one line, `WHERE: what is wrong`."""

    status = 2


class FaultError(CommandError):
    """A temporary fault, such as a port in use, after which the service is restarted."""

    status = 1


@contextmanager
def complain_of(kind: type[Exception], where: str = "") -> Iterator[None]:
    """Raise errors of a kind as CommandError; where: the option that they are about."""
    try:
        yield
    except kind as error:
        raise CommandError(f"{where}: {error}" if where else str(error)) from None
