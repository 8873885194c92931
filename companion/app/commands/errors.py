"""What a command says when it can't go on, and with which exit status."""


class CommandError(Exception):
    """Wrong input: one line, `WHERE: what is wrong`, for standard error."""

    status = 2


class FaultError(CommandError):
    """A fault that may pass, such as a port in use: the service is then started again."""

    status = 1
