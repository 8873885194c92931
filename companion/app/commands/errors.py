"""Errors that end a command, with their exit status."""


class CommandError(Exception):
    """The input is wrong; the message is one line, `WHERE: what is wrong`."""

    status = 2


class FaultError(CommandError):
    """A temporary fault, such as a port in use, after which the service is restarted."""

    status = 1
