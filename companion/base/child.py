"""Processes that work for the table at the lowest priority, and die with it."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import Any

NICENESS = 19
"""Everything else on the machine goes first."""

_SETPRIV = shutil.which("setpriv")
"""A pipe that closes would tell only a process that runs, not one that was stopped."""


@cache
def dying_with_us() -> tuple[str, ...]:
    """Return what to put before a command; nothing where that is missing, or not allowed.

    Raises OSError if it can't be tried now.
    """
    if _SETPRIV is None:
        return ()
    command = (_SETPRIV, "--pdeathsig", "KILL")
    tried = subprocess.run([*command, _SETPRIV, "--version"], capture_output=True)
    return command if tried.returncode == 0 else ()


def start_child(module: str, *given: str, **streams: Any) -> subprocess.Popen[Any]:
    """Start a module as a process, which must call `begin_child` first. Raises OSError.

    It is killed as soon as the thread that calls this has ended.
    """
    command = [sys.executable, "-m", module, str(os.getpid()), *given]
    return subprocess.Popen([*dying_with_us(), *command], **streams)


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
