"""Changes of the settings file from the host's page. Root writes them where a service runs us."""

import hashlib
import json
import logging
import re
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from companion.base.codec import MisfitError
from companion.base.refused import Message, Problem, Refused
from companion.base.setting import Entry, Section
from companion.base.whole_file import read_whole, write_whole
from companion.setup.machine.helper import RootHelper, refuse_faults
from companion.table.changes import Press
from companion.table.table import Table

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
        helper: RootHelper,
        read_sections: ReadSections,
        rewrite: Rewrite,
    ) -> None:
        """path: the file; None if there is none. helper: writes it, where it works."""
        self._table, self._path, self._helper = table, path, helper
        self._read_sections, self._rewrite = read_sections, rewrite
        self._lock = threading.Lock()
        self._saved = False
        self._mistakes: Mapping[str, str] = {}
        self._sent: Mapping[str, str] = {}
        self.listeners = helper.listeners
        """Told whenever the page is to show something else."""

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
            self._helper.works, self._helper.is_running, self.outcome,
        )  # fmt: skip

    def notice(self) -> str:
        """Return what everybody is to read; empty while nothing is saved."""
        return _RUNNING if self._helper.is_running else ""

    @property
    def outcome(self) -> SettingsOutcome | None:
        """How the last change ended; None if there was none, or it is being saved."""
        if self._saved:
            return SettingsOutcome(_LATER, True)
        ended = self._helper.status
        if "fault" not in ended or self._helper.is_running:
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
        if section is None or (section.about.owner and not self._helper.works):
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
        if self._helper.works:
            self._helper.ask({"changes": json.dumps(changes), "code": code})
            return
        with refuse_faults():
            write_whole(self._path.resolve(), changed.encode(), _mode(self._path))
        self._saved, self._sent = True, {}

    def _text(self) -> str:
        if self._path is None:
            raise Refused(Problem.ILLEGAL, "this table was started without a settings file")
        with refuse_faults():
            try:
                return read_whole(self._path).decode()
            except FileNotFoundError:
                # The first change makes it.
                return ""
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
