"""Changes of the settings file from the host's page. Root writes them where a service runs us."""

import hashlib
import json
import logging
import re
import secrets
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from companion.base.codec import MisfitError
from companion.base.listeners import Listeners
from companion.base.refused import Message, Problem, Refused
from companion.base.setting import Entry, Section
from companion.base.whole_file import read_whole, write_whole
from companion.base.worker import Worker, WorkerThread
from companion.table.changes import Press
from companion.table.scene import Trouble
from companion.table.table import Table

REQUEST = "settings"
"""In the folder of the service: what systemd waits for."""

OUTCOMES = {
    "": Message("Saved: the table runs with these settings."),
    "code": Message("The owner’s code was wrong. Nothing has changed."),
    "mistake": Message("The file has changed meanwhile, and they don’t fit. Nothing has changed."),
    "busy": Message("The table is being updated. Try again afterwards."),
    "failed": Message("The table can’t run with them, so everything is as it was before."),
}
"""How a change ended, by the word that the installer has for it."""

_RUNNING = Message("The table restarts with other settings, and comes back. The game is saved.")
_LATER = Message("Saved: they count from the next start of the table.")

_log = logging.getLogger(__name__)

ReadSections = Callable[[str], tuple[Section, ...]]
"""Returns what pages show of the text of a settings file. Raises MisfitError."""

Rewrite = Callable[[str, Mapping[str, Any]], str]
"""Returns the text of a settings file with changes, by key. Raises MisfitError."""


class SettingsPlaces(NamedTuple):
    """Where the table and systemd leave things for each other."""

    asked: Path
    """The folder of the service, in memory."""
    outcome: Path = Path("/run/bang-companion-settings/outcome.json")
    """Where the installer says how a change ended, in memory."""
    waits: Path = Path("/etc/systemd/system/multi-user.target.wants/bang-companion-settings.path")
    """Is there where systemd waits for REQUEST."""


class SettingsOutcome(NamedTuple):
    """How the last change of the settings ended."""

    told: str
    """What the page says of it."""
    is_well: bool
    """Whether the settings are saved."""


class SettingsView(NamedTuple):
    """What the page shows."""

    fault: str = ""
    """Why nothing can be changed."""
    sections: tuple[Section, ...] = ()
    """The settings as the file has them."""
    digest: str = ""
    """Of the file."""
    mistakes: Mapping[str, str] = {}
    """What is wrong with the values that were sent last, by key."""
    sent: Mapping[str, str] = {}
    """Those values, as far as they aren't secret."""
    restarts: bool = False
    """Whether the table restarts with what is saved, and takes an owner's code."""
    running: bool = False
    """Whether a change is being saved."""
    outcome: SettingsOutcome | None = None
    """How the last change ended; None if there was none."""

    def drawing(self, section: Section) -> str:
        """Return a name of what a form shows: what is typed there stays until it is another."""
        keys = [entry.key for entry in section.entries]
        said = [(key, self.sent.get(key), self.mistakes.get(key)) for key in keys]
        return f"{self.digest[:8]}-{zlib.crc32(repr(said).encode()):x}"


class SettingsEditor:
    """Shows and changes the settings file of a table. Any thread may call."""

    def __init__(
        self,
        table: Table,
        path: Path | None,
        places: SettingsPlaces | None,
        read_sections: ReadSections,
        rewrite: Rewrite,
    ) -> None:
        """path: the file; None if there is none. places: None if no service runs the table."""
        self._table, self._path, self._service = table, path, places
        self._read_sections, self._rewrite = read_sections, rewrite
        self._lock = threading.Lock()
        self._asked = ""
        self._saved = False
        self._mistakes: Mapping[str, str] = {}
        self._sent: Mapping[str, str] = {}
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""

    @property
    def _places(self) -> SettingsPlaces | None:
        # An update puts the unit there while the table runs already.
        found = self._service
        return found if found and found.waits.is_symlink() else None

    def view(self) -> SettingsView:
        """Return the settings, or why there are none to change."""
        try:
            text = self._text()
            sections = self._read_sections(text)
        except Refused as refused:
            return SettingsView(cast(Message, refused.reason))
        except MisfitError as error:
            return SettingsView(Message("the settings file has a mistake, to be mended on the Pi "
                                        "(%(mistake)s)", mistake=str(error)))  # fmt: skip
        return SettingsView(
            "", sections, _digest(text), self._mistakes, self._sent,
            self._places is not None, self.is_running, self.outcome,
        )  # fmt: skip

    @property
    def is_running(self) -> bool:
        """Whether root saves a change, or is asked to."""
        return bool(self._asked) and self._ended().get("id") != self._asked

    @property
    def outcome(self) -> SettingsOutcome | None:
        """How the last change ended; None if there was none, or it is being saved."""
        if self._saved:
            return SettingsOutcome(_LATER, True)
        ended = self._ended()
        if "fault" not in ended or self.is_running:
            return None
        word = str(ended["fault"])
        return SettingsOutcome(OUTCOMES.get(word, OUTCOMES["failed"]), word == "")

    def save(self, press: Press, section: str, digest: str, given: Mapping[str, str]) -> None:
        """Save what a form says of a section. Raises Refused, with the mistakes at their fields.

        digest: of the file that the form shows. given: each setting by its key, the owner's `code`.
        """
        self._table.check_host(press)
        with self._lock:
            text = self._text()
            if digest != _digest(text):
                raise Refused(Problem.STALE, "the settings have changed meanwhile: look again")
            try:
                self._save(text, section, given)
            finally:
                self.listeners.tell()

    def _save(self, text: str, name: str, given: Mapping[str, str]) -> None:
        section = next((one for one in self._sections(text) if one.name == name), None)
        if section is None or (section.about.owner and self._places is None):
            raise Refused(Problem.ILLEGAL, "this can’t be changed here")
        self._sent = {entry.key: given.get(entry.key, "") for entry in section.entries
                      if not entry.about.secret}  # fmt: skip
        self._mistakes = {}
        try:
            changes = _changes(section, given)
            changed = self._rewrite(text, changes)
        except MisfitError as error:
            self._mistakes = {error.key: error.reason}
            shown = error.key in (entry.key for entry in section.entries)
            told = error.reason if shown else Message("%(key)s: %(mistake)s", key=error.key,
                                                      mistake=error.reason)  # fmt: skip
            raise Refused(Problem.ILLEGAL, told) from None
        if not changes:
            raise Refused(Problem.ILLEGAL, "nothing is different")
        self._write(changes, changed, given.get("code", "")[:40])
        _log.info("settings: %s", ", ".join(_described(section, changes)))

    def _sections(self, text: str) -> tuple[Section, ...]:
        try:
            return self._read_sections(text)
        except MisfitError as error:
            raise Refused(Problem.ILLEGAL, str(error)) from None

    def _write(self, changes: Mapping[str, Any], changed: str, code: str) -> None:
        assert self._path is not None, "a page without a file shows no form"
        places = self._places
        if places is None:
            with _refuse_faults():
                write_whole(self._path.resolve(), changed.encode(), _mode(self._path))
            self._saved, self._sent = True, {}
            return
        asked = secrets.token_hex(8)
        told = {"id": asked, "changes": json.dumps(changes), "code": code}
        part = places.asked / f"{REQUEST}.part"
        with _refuse_faults():
            write_whole(part, json.dumps(told).encode())
            part.replace(places.asked / REQUEST)
        self._asked = asked

    def _text(self) -> str:
        if self._path is None:
            raise Refused(Problem.ILLEGAL, "this table was started without a settings file")
        with _refuse_faults():
            try:
                return read_whole(self._path).decode()
            except FileNotFoundError:
                # The first change makes it.
                return ""

    def _ended(self) -> Mapping[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(read_whole(self._service.outcome)) if self._service else {}
            return found if isinstance(found, dict) else {}
        return {}


@contextmanager
def _refuse_faults() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Problem.FAILED, "the disk refuses: %(error)s", error=reason) from error
    except UnicodeDecodeError:
        raise Refused(Problem.FAILED, "the settings file is not UTF-8 text") from None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else 0o600


def _changes(section: Section, given: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form says that is different, by key. Raises MisfitError."""
    said = ((entry, _value(entry, given)) for entry in section.entries)
    return {entry.key: value for entry, value in said if value != entry.value}


def _value(entry: Entry, given: Mapping[str, str]) -> Any:
    text = given.get(entry.key, "").strip()
    if entry.about.secret:
        # Left empty, it stays.
        return "" if f"forget {entry.key}" in given and entry.value else text or entry.value
    if isinstance(entry.value, bool):
        return bool(text)
    if entry.key not in given:
        return entry.value
    if not isinstance(entry.value, int):
        return text
    if not re.fullmatch(r"[0-9]{1,6}", text, re.ASCII):
        raise MisfitError(entry.key, Message("choose a whole number"))
    return int(text)


def _described(section: Section, changes: Mapping[str, Any]) -> Iterator[str]:
    for entry in section.entries:
        if entry.key in changes:
            secret = entry.about.secret
            yield f"{entry.key} is another" if secret else f"{entry.key} = {changes[entry.key]!r}"


class SettingsFollower(Worker):
    """Tells everybody that the table restarts with other settings, and the host how it ended."""

    def __init__(self, editor: SettingsEditor, table: Table) -> None:
        super().__init__("settings", every_s=1.0)
        self._editor, self._table = editor, table
        self._told: tuple[bool, SettingsOutcome | None] = False, None

    def catch_up(self, thread: WorkerThread) -> bool:
        """Tell whether a restart runs, and how it ended."""
        now = self._editor.is_running, self._editor.outcome
        if now != self._told:
            if now[0] != self._told[0]:
                self._table.report(Trouble.POWER, _RUNNING if now[0] else "")
            self._told = now
            self._editor.listeners.tell()
        return False
