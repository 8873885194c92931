import os
import pty
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from waiting import PATIENCE_S

from hardware.keys import Keys

PROGRAM = """
import fcntl, os, signal, subprocess, sys, termios, threading
from hardware.keys import Keys

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
# As in a foreground shell, whatever runs the tests ignores.
signal.signal(signal.SIGINT, signal.default_int_handler)

def say(word):
    print(word, flush=True)

def fail():
    raise ValueError("no such roll")

def wait():
    threading.Event().wait()

actions = {"g": lambda: say("green"), "r": lambda: say("red"), "f": fail}
"""

LISTEN = """
with Keys(actions) as keys:
    say(keys.is_listening)
    """


class Terminal:
    """A program with a terminal of its own: what we type, what it prints, what the terminal echoes.

    Its standard output is a pipe, so that an echo is not taken for output.
    """

    def __init__(self, body: str) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM + body], stdin=self.slave, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.output = self.process.stdout.fileno()

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def line(self) -> str:
        return self._read(self.output, "\n").strip()

    def echoed(self, last: str) -> str:
        """What the terminal shows, as far as `last`."""
        return self._read(self.master, last)

    def end(self) -> int:
        return self.process.wait(PATIENCE_S)

    @property
    def restored(self) -> bool:
        return termios.tcgetattr(self.slave) == self.before

    def _read(self, fd: int, last: str) -> str:
        text = ""
        while not text.endswith(last) and select.select([fd], [], [], PATIENCE_S)[0]:
            byte = os.read(fd, 1)
            if not byte:
                break
            text += byte.decode()
        return text


@contextmanager
def running(body: str) -> Iterator[Terminal]:
    terminal = Terminal(body)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.communicate()
        for fd in (terminal.master, terminal.slave):
            os.close(fd)


@contextmanager
def listening(body: str = "wait()", before: str = "") -> Iterator[Terminal]:
    """The program has begun to listen, and goes on with `body`."""
    with running(before + LISTEN + body) as terminal:
        assert terminal.line() == "True"
        yield terminal


def test_keys_act_without_enter_and_are_not_echoed():
    with listening() as terminal:
        terminal.type("grxG")
        assert [terminal.line() for _ in range(3)] == ["green", "red", "green"]
        # What the program writes now comes after any echo of the keys that it was told of.
        os.write(terminal.slave, b"|")
        assert terminal.echoed("|") == "|"
        # An error in an action does not end the listening.
        terminal.type("fg")
        assert terminal.line() == "green"


def test_the_terminal_and_sigterm_are_as_before_when_the_block_ends():
    found = "signal.getsignal(signal.SIGTERM) is signal.SIG_DFL"
    with listening(f"say(sys.stdin.readline.__name__)\nsay({found})\nwait()") as terminal:
        assert [terminal.line() for _ in range(2)] == ["readline", "True"]
        assert terminal.restored
        terminal.type("g")
        assert terminal.echoed("g") == "g"


@pytest.mark.parametrize(
    ("before", "body", "act", "status"),
    [
        ("", "wait()", lambda terminal: terminal.type("\x03"), -signal.SIGINT),
        ("", "raise SystemExit(3)", lambda terminal: None, 3),
        ("", "wait()", lambda terminal: terminal.process.terminate(), -signal.SIGTERM),
        ("signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))", "wait()",
         lambda terminal: terminal.process.terminate(), 7),
    ],
    ids=["ctrl-c", "an error", "sigterm", "sigterm that the program handles itself"],
)  # fmt: skip
def test_whatever_ends_the_program_the_terminal_is_restored(before, body, act, status):
    with listening(body, before) as terminal:
        assert status == 3 or not terminal.restored
        act(terminal)
        assert terminal.end() == status
        assert terminal.restored


def test_a_terminal_that_is_closed_ends_the_listening_quietly():
    body = """
    for thread in threading.enumerate():
        if thread.name == "keys":
            thread.join()
    say("deaf")
"""
    with listening(body, "signal.signal(signal.SIGHUP, signal.SIG_IGN)") as terminal:
        os.close(terminal.master)
        terminal.master = os.dup(terminal.slave)
        assert terminal.line() == "deaf"
        assert terminal.end() == 0


def test_in_the_background_nothing_is_touched():
    body = """
child = "from hardware.keys import Keys\\nwith Keys({}) as k: print(k.is_listening, flush=True)"
subprocess.run([sys.executable, "-c", child], process_group=0)
"""
    with running(body) as terminal:
        assert terminal.line() == "False"
        assert terminal.end() == 0
        assert terminal.restored


def test_a_program_sent_to_the_background_leaves_the_keys_to_others():
    body = """
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    other = subprocess.Popen(["sleep", "60"], process_group=0)
    os.tcsetpgrp(0, other.pid)
    front, looked = os.tcgetpgrp, threading.Event()
    # The keys look who is in the foreground once something is typed.
    os.tcgetpgrp = lambda fd: looked.set() or front(fd)
    say("background")
    looked.wait()
    os.tcgetpgrp = front
    say("foreground")
    os.tcsetpgrp(0, os.getpgrp())
    other.kill()
    wait()
"""
    with listening(body) as terminal:
        assert terminal.line() == "background"
        terminal.type("g")
        assert [terminal.line() for _ in range(2)] == ["foreground", "green"]


def test_without_a_terminal_nothing_is_read(tmp_path):
    (tmp_path / "input").write_text("g")
    said: list[str] = []
    stream = (tmp_path / "input").open()
    with stream, Keys({"g": lambda: said.append("g")}, stream) as keys:
        assert not keys.is_listening
        assert stream.read() == "g"
    for nothing in (stream, None):
        with Keys({}, nothing) as keys:
            assert not keys.is_listening
    assert said == []
