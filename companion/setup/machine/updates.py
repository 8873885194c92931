"""Updates from the host's page: the table takes a release, and asks systemd to install it."""

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.base.piece_file import append_piece
from companion.base.refused import Message, Problem, Refused
from companion.setup.machine.helper import HelperPlaces, RootHelper, read_json, refuse_faults
from companion.table.changes import Press, check_host
from companion.table.scene import Phase
from companion.table.table import Table

UPLOAD = "release.tar.gz"
"""The archive, in the folder of the service."""

WAY_BACK = "way-back.json"
"""Where the installer says what the way back is, beside what it says of updates."""

MOST_UPLOAD = 24 << 20
"""The most bytes of an archive."""

DESCRIBE_S = 60.0
"""Seconds that checking an upload may take."""

FAULTS = {
    "size": Message("it is too large for a release"),
    "damaged": Message("it is damaged, or no release"),
    "content": Message("it holds something else than a release"),
    "signature": Message("its signature is wrong"),
    "older": Message("it isn’t newer than the version that runs"),
    "changed": Message("it has changed since it was checked"),
    "code": Message("the owner’s code was wrong"),
    "failed": Message("it didn’t work here"),
    "": Message("it was interrupted"),
}
"""Why a release isn't installed, by the word that the installer has for it."""

PLAYING = Message("the table can be updated once the game is over")
"""Why nothing is uploaded or installed during a game."""

_RUNNING = Message("The table is being updated, and comes back by itself. The game is saved.")

_log = logging.getLogger(__name__)


class Upload(NamedTuple):
    """A release that was uploaded and checked."""

    version: str
    """Which one it is."""
    sha256: str
    """The SHA-256 of the whole file, in hexadecimal digits."""
    signed: bool
    """Whether those who made the version that runs have signed it."""
    changes: str
    """What is new since that version, in English."""


class WayBack(NamedTuple):
    """The version before this one, which is still there."""

    version: str
    """Which one it is."""
    opens_all: bool
    """Whether it can open everything that is saved now; otherwise it goes on from before."""
    games: int
    """How many games it has then."""


class UpdateProgress(NamedTuple):
    """How far the last update is, or how it ended."""

    version: str
    """The version that was asked for."""
    running: bool
    """Whether it runs."""
    step: str = ""
    """While it runs: how the installer calls what it does."""
    fault: Message | None = None
    """Why it ended without success; None if it didn't."""
    why: str = ""
    """What the installer says about that, in English."""


Describe = Callable[[Path], Mapping[str, Any]]
"""Returns what the installer says of an upload. Raises OSError and ValueError."""


class Updates:
    """The updates of one table. Any thread may call."""

    def __init__(self, table: Table, version: str, helper: RootHelper, describe: Describe) -> None:
        """version: the one that runs; helper: installs what is uploaded."""
        self._table, self._version, self._helper = table, version, helper
        self._describe = describe
        self._lock = threading.Lock()
        self._upload: Upload | None = None
        self.listeners = helper.listeners
        """Told whenever the page is to show something else."""

    @property
    def works(self) -> bool:
        """Whether this table can be updated from the page."""
        return self._helper.works

    @property
    def why_not(self) -> Message | None:
        """Why nothing can be uploaded or installed now; None if it can."""
        return PLAYING if self._table.scene.phase in (Phase.DEALING, Phase.PLAYING) else None

    @property
    def upload(self) -> Upload | None:
        """The release that can be installed; None before an upload."""
        return self._upload

    @property
    def way_back(self) -> WayBack | None:
        """The version that one can go back to; None if there is none."""
        places = self._helper.places
        found = read_json(places.status.with_name(WAY_BACK)) if places else {}
        with suppress(KeyError, TypeError, ValueError):
            return WayBack(str(found["version"]), found["opens"] == "all", int(found["games"]))
        return None

    @property
    def progress(self) -> UpdateProgress | None:
        """How far the last update is, or how it ended; None if there is nothing to say."""
        places, found = self._helper.places, self._helper.status
        if places and (asked := read_json(places.request)):
            return UpdateProgress(str(asked.get("version", "")), True)
        version, step, word, why = (
            str(found.get(name, "")) for name in ("version", "step", "fault", "why")
        )
        if self._helper.is_running:
            return UpdateProgress(version, True, step)
        if version == self._version and not word:
            return UpdateProgress(version, False)
        if not word and not step:
            # What was installed then is not what runs now.
            return None
        return UpdateProgress(version, False, fault=FAULTS.get(word, FAULTS["failed"]), why=why)

    def notice(self) -> str:
        """Return what everybody is to read; empty while no update runs."""
        return _RUNNING if self._helper.is_running else ""

    def receive(self, person: int | None, at: int, size: int, piece: bytes) -> None:
        """Take a piece of an archive; after the last one, have it checked. Raises Refused.

        at: where the piece begins; size: of the whole file; both in bytes.
        """
        check_host(self._table.scene, person)
        self._check_between_games()
        with self._alone() as places:
            path = places.request.with_name(UPLOAD)
            if at == 0:
                self._begin(path, size)
            if append_piece(path, at, size, piece):
                self._upload = self._check(path)
        self.listeners.tell()

    def discard(self, press: Press) -> None:
        """Delete the uploaded archive. Raises Refused."""
        self._table.check_host(press)
        with self._alone() as places:
            self._clear(places.request.with_name(UPLOAD))
        self.listeners.tell()

    def install(self, press: Press, sha256: str, code: str) -> None:
        """Have the upload installed. Raises Refused.

        sha256: of the archive that the host was shown; code: the owner's, for an unsigned one.
        """
        self._table.check_host(press)
        self._check_between_games()
        with self._alone():
            if self._upload is None or self._upload.sha256 != sha256:
                raise Refused(Problem.STALE, "The upload was interrupted. Choose the file again.")
            asked = {"do": "install", "version": self._upload.version, "sha256": sha256}
            self._ask(asked | {"code": code[:40]})
            self._upload = None

    def go_back(self, press: Press) -> None:
        """Have the version before take over again. Raises Refused."""
        self._table.check_host(press)
        way = self.way_back
        self._check_between_games()
        with self._alone():
            if way is None:
                raise Refused(Problem.ILLEGAL, "there is no version to go back to")
            self._ask({"do": "back", "version": way.version})

    def _ask(self, asked: Mapping[str, str]) -> None:
        self._helper.ask(asked)
        _log.info("asked systemd for: %s %s", asked["do"], asked["version"])

    def _begin(self, path: Path, size: int) -> None:
        self._clear(path)
        if size > MOST_UPLOAD:
            raise _unusable("size")
        if shutil.disk_usage(path.parent).free < 2 * size:
            raise Refused(Problem.FAILED, "there isn’t enough space on the disk for it")

    def _clear(self, path: Path) -> None:
        self._upload = None
        path.unlink(missing_ok=True)

    def _check(self, path: Path) -> Upload:
        try:
            found = self._describe(path)
        except (OSError, ValueError, subprocess.SubprocessError):
            _log.exception("an upload can't be checked")
            found = {"fault": "failed"}
        if word := found.get("fault"):
            self._clear(path)
            raise _unusable(str(word))
        return Upload(*(found[field] for field in Upload._fields))

    def _check_between_games(self) -> None:
        if self.why_not is not None:
            raise Refused(Problem.ILLEGAL, self.why_not)

    @contextmanager
    def _alone(self) -> Iterator[HelperPlaces]:
        """Do one thing at a time, and nothing while an update runs. Raises Refused."""
        places = self._helper.places
        if places is None or not self.works:
            raise Refused(Problem.ILLEGAL, "this table can’t be updated here")
        if not self._lock.acquire(blocking=False):
            raise Refused(Problem.ILLEGAL, "one moment: the last press isn’t done yet")
        try:
            if self._helper.is_running:
                raise Refused(Problem.ILLEGAL, "an update is running already")
            with refuse_faults():
                yield places
        finally:
            self._lock.release()


def _unusable(word: str) -> Refused:
    reason = FAULTS.get(word, FAULTS["failed"])
    return Refused(Problem.ILLEGAL, "this file can’t be used: %(why)s", why=reason)


def describe(version: str, path: Path) -> Mapping[str, Any]:
    """Ask the installer of the version that runs about an upload, in a process of its own.

    Raises OSError, ValueError and SubprocessError.
    """
    done = subprocess.run(
        [sys.executable, "-B", "-m", "installer", "describe", path, version],
        env={"PATH": os.defpath, "PYTHONPATH": sys.prefix, "PYTHONSAFEPATH": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=DESCRIBE_S,
    )  # fmt: skip
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found
