"""What the doctor prints: a report to read on a terminal, and JSON lines for programs."""

import json
import os
import shutil
import sys
import textwrap
from collections import Counter

from companion.app.doctor.checks import CHECKS, SECTIONS
from companion.app.doctor.findings import Finding, Level

_WORDS = {Level.OK: "ok", Level.NOTE: "note", Level.WRONG: "wrong", Level.STOP: "stop"}

_SUM = {
    Level.OK: "ok",
    Level.NOTE: "could be better",
    Level.WRONG: "not working",
    Level.STOP: "stopping the table",
}
"""The same words, after a number."""

_COLOURS = {Level.OK: 32, Level.NOTE: 33, Level.WRONG: 31, Level.STOP: 31}
"""The colours of ECMA-48: green, yellow, red."""

_TITLES = {checks[0].name: title for title, checks in SECTIONS.items()}
"""The titles of sections, by the check that begins each."""

_INDENT = 7
"""Columns before the name of a check."""

_WIDTH = max(len(check.name) for check in CHECKS) + 2
"""Columns of a name."""

_LONGEST = 100
"""Columns of a line on a wide terminal."""


class JsonLines:
    """Prints a JSON line for each check, and what to fix on standard error."""

    def __init__(self) -> None:
        self._checks = 0
        self._mended: list[tuple[str, Finding]] = []

    def add(self, name: str, finding: Finding) -> None:
        """Print a line."""
        line = {"check": name, "ok": finding.ok, "detail": finding.detail, "mend": finding.mend}
        print(json.dumps(line, ensure_ascii=False))
        self._checks += 1
        if finding.mend:
            self._mended.append((name, finding))

    def end(self) -> None:
        """Repeat what can be fixed or improved."""
        for name, finding in self._mended:
            print(f"{name}: {finding.detail}\n    {finding.mend}", file=sys.stderr)
        print(f"{self._checks} checks, {len(self._mended)} to look at", file=sys.stderr)


class TextReport:
    """Prints a report in sections: for each check its level, name, finding, and how to fix it."""

    def __init__(self) -> None:
        self._levels: Counter[Level] = Counter()
        self._columns = min(shutil.get_terminal_size().columns, _LONGEST)
        self._coloured = (
            sys.stdout.isatty()
            and "NO_COLOR" not in os.environ
            and os.environ.get("TERM") != "dumb"
        )

    def add(self, name: str, finding: Finding) -> None:
        """Print a finding, under the title of its section."""
        if name in _TITLES:
            print(f"\n{_TITLES[name]}" if self._levels else _TITLES[name])
        self._levels[finding.level] += 1
        word = f"{_WORDS[finding.level]:5}"
        if self._coloured:
            word = f"\033[{_COLOURS[finding.level]}m{word}\033[0m"
        print(f"{word}  {self._wrap(finding.detail, name)}")
        if finding.mend:
            advice = "Tip" if finding.ok else "Fix"
            print(" " * _INDENT + self._wrap(f"{advice}: {finding.mend}"))

    def end(self) -> None:
        """Say how many checks ended how, and whether the table can run."""
        counts = ", ".join(
            f"{self._levels[level]} {word}" for level, word in _SUM.items() if self._levels[level]
        )
        runs = "can't run until that is fixed" if self._levels[Level.STOP] else "can run"
        print(f"\n{self._levels.total()} checks: {counts}. The table {runs}.")

    def _wrap(self, text: str, name: str = "") -> str:
        """Return a text in its column, behind the name; commands in it are not broken in words."""
        # A narrow terminal wraps by itself.
        columns = max(self._columns - _INDENT - _WIDTH, 30)
        lines = textwrap.wrap(text, columns, break_long_words=False, break_on_hyphens=False)
        return f"{name:{_WIDTH}}" + f"\n{' ' * (_INDENT + _WIDTH)}".join(lines)
