"""The machine to install on, and what is asked of its programs."""

import pwd
import select
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from installer import places

STOP_S = 10.0
"""Seconds that a program may take to end before it is killed."""


class InstallError(Exception):
    """What went wrong, in a sentence for the person who installs."""


class User(NamedTuple):
    """A user and their group, by number."""

    uid: int
    gid: int


def say(text: str) -> None:
    """Tell the person who installs."""
    print(f"bang-companion: {text}", flush=True)


class Machine:
    """The machine that we run on. Tests derive one whose files lie in a folder."""

    def path(self, place: Path) -> Path:
        """Return where a place is."""
        return place

    def owner(self) -> User:
        """Return who owns what is installed."""
        return User(0, 0)

    def service_user(self) -> User:
        """Return the user that the service runs as."""
        entry = pwd.getpwnam(places.SERVICE_USER)
        return User(entry.pw_uid, entry.pw_gid)

    def run(self, *command: object, env: Mapping[str, str] | None = None, given: str = "") -> str:
        """Run a program, and return what it printed. Raises InstallError if it fails.

        env: the environment; None for the one that we have. given: its standard input.
        """
        words = [str(word) for word in command]
        try:
            done = subprocess.run(
                words, input=given, capture_output=True, text=True, env=env, cwd="/"
            )
        except OSError as error:
            raise InstallError(f"{words[0]}: {error.strerror}") from None
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
            raise InstallError("\n".join([f"failed: {' '.join(words)}", *last]))
        return done.stdout

    def succeeds(self, *command: object) -> bool:
        """Run a program, and return whether it succeeded."""
        try:
            self.run(*command)
        except InstallError:
            return False
        return True

    def install(self, source: Path, told: Callable[[str], None]) -> None:
        """Let another release install itself. told: is given each line that it says.

        Raises InstallError if it fails.
        """
        program = subprocess.Popen(
            [source / "systemd/install"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        last: deque[str] = deque(maxlen=3)
        with program:
            assert program.stdout is not None
            for line in program.stdout:
                last.append(line.removeprefix("bang-companion: ").strip())
                told(last[-1])
        if program.returncode:
            raise InstallError("\n".join(last))

    def first_line(
        self, command: list[object], user: User, folder: Path, timeout: float
    ) -> tuple[str, str]:
        """Run a program as a user until it prints a line, and end it; return the line, or "".

        timeout: seconds to wait for the line. The second text is the end of what it complained.
        """
        with tempfile.TemporaryFile() as complaints:
            program = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints, cwd=folder,
                user=user.uid, group=user.gid, extra_groups=[], umask=0o077,
                env={"PATH": "/usr/bin:/bin", "GPIOZERO_PIN_FACTORY": "mock"},
            )  # fmt: skip
            with program, _stop_at_exit(program):
                assert program.stdout is not None
                ready, _, _ = select.select([program.stdout], [], [], timeout)
                line = program.stdout.readline() if ready else b""
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().splitlines()[-3:]
        return line.decode(errors="replace").strip(), "\n".join(said)

    def page_answers(self, host: str, port: int) -> bool:
        """Return whether the first page of the table comes."""
        named = f"[{host}]" if ":" in host else host
        with suppress(OSError, urllib.error.URLError):
            # A proxy in the environment is for the internet.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(f"http://{named}:{port}/", timeout=STOP_S) as answer:
                return bool(answer.status == 200)
        return False

    def pause(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


@contextmanager
def _stop_at_exit(program: "subprocess.Popen[bytes]") -> Iterator[None]:
    try:
        yield
    finally:
        program.terminate()
        try:
            program.wait(STOP_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
