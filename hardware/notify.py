"""Talks to systemd: readiness, watchdog heartbeats, and the priority of log lines.

The protocol is a datagram to a socket that the environment names. systemd promises to keep it
(sd_notify(3), "Standalone Implementations"), so a package for it isn't worth the dependency.
"""

import logging
import os
import socket

_PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""Levels of Python and of syslog(3), most severe first; anything less severe is 7."""


def notify(**variables: str) -> bool:
    """Send variables such as `READY="1"` to systemd; return False if it doesn't run the table.

    An unreachable manager doesn't stop the game: its watchdog will act.
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
    """Return the seconds within which systemd expects a heartbeat; None if it doesn't."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None


class JournalFormatter(logging.Formatter):
    """Formats log lines for systemd's journal: `<4>where: text` is a warning (sd-daemon(3)).

    The journal adds time, process and unit itself.
    """

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its priority before each of its lines."""
        priority = next((p for level, p in _PRIORITIES if record.levelno >= level), 7)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())


def in_journal() -> bool:
    """Return whether standard error goes to the journal (systemd.exec(5), JOURNAL_STREAM)."""
    try:
        to = os.fstat(2)
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{to.st_dev}:{to.st_ino}"
