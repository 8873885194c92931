"""Processes that work for the table at the lowest priority, and die with it."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

NICENESS = 19
"""Everything else on the machine goes first."""

_SETPRIV = shutil.which("setpriv")
_DYING_WITH_US = (_SETPRIV, "--pdeathsig", "KILL") if _SETPRIV else ()
"""A pipe that closes would tell only a process that runs, not one that was stopped."""


def start_child(module: str, *given: str, **streams: Any) -> subprocess.Popen[Any]:
    """Start a module as a process, which must call `begin_child` first. Raises OSError.

    It is killed as soon as the thread that calls this has ended.
    """
    command = [sys.executable, "-m", module, str(os.getpid()), *given]
    return subprocess.Popen([*_DYING_WITH_US, *command], **streams)


def begin_child() -> list[str]:
    """Become a process that dies with the table; return what it was given."""
    # Ctrl-C is for the table, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(NICENESS)
    parent, *given = sys.argv[1:]
    if os.getppid() != int(parent):
        # The table has died meanwhile.
        os._exit(0)
    return given
