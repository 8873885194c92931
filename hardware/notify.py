"""Talks to systemd, where it runs the table: that it is ready, that it lives, how loud a line is.

The protocol is a datagram to a socket that the environment names; systemd promises to keep it
(sd_notify(3), "Standalone Implementations"), so a package for it would bring more than it saves.
"""

import logging
import os
import socket

_PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""Levels of Python and of syslog(3), loudest first; what is quieter is 7."""


def notify(**variables: str) -> bool:
    """Tell systemd `READY="1"`, `STATUS="…"` and the like; False where nobody wants to know.

    A manager that can't be reached is no reason to stop a game: its watchdog will act.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address[0] == "@":
        # An abstract socket, whose name begins with a zero byte.
        address = "\0" + address[1:]
    message = "\n".join(f"{name}={value}" for name, value in variables.items())
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.connect(address)
            to.sendall(message.encode())
    except OSError:
        return False
    return True


def watchdog_s() -> float | None:
    """Seconds within which systemd wants to hear of this process again; None: it does not."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None


class JournalFormatter(logging.Formatter):
    """Lines as the journal wants them: `<4>where: text` is a warning (sd-daemon(3)).

    The journal keeps time, process and unit itself.
    """

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its priority before each of its lines."""
        priority = next((p for level, p in _PRIORITIES if record.levelno >= level), 7)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())


def in_journal() -> bool:
    """Whether standard error is read by the journal (systemd.exec(5), JOURNAL_STREAM)."""
    try:
        to = os.fstat(2)
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{to.st_dev}:{to.st_ino}"
