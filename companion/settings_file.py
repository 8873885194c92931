"""A settings file as a page shows and changes it, by the same fields that the start reads.

As a program, for systemd/installer/settings.py: `python -m companion.settings_file FILE` reads
changes (JSON, by key) from standard input, and prints what the file is to hold then.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from companion.base.codec import MisfitError
from companion.base.refused import Message
from companion.base.setting import Entry, Section, about
from companion.base.whole_file import read_whole
from companion.settings import TABLE, Settings, check, parse

MOST_LETTERS = 200
"""The longest text of a setting that a page takes."""


def read_sections(text: str) -> tuple[Section, ...]:
    """Return what pages show of the text of a settings file. Raises MisfitError."""
    values = parse(text)
    sections = _sections(check(values))
    return tuple(one for one in sections if one.about.opened or one.name in values)


def rewrite(text: str, changes: Mapping[str, Any]) -> str:
    """Return the text of a settings file with changes, by key; all else in it stays as it was.

    Raises MisfitError, with the key, if the start couldn't read it or no page may change it.
    """
    known = {entry.key: entry for section in read_sections(text) for entry in section.entries}
    for key, value in changes.items():
        _check_change(key, value, known.get(key))
    # Read for changes only.
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    wanted = parse(text)
    try:
        document = tomlkit.parse(text)
        for key, value in changes.items():
            for whole in (document, wanted):
                *section, name = key.split(".")
                for each in section:
                    whole = whole.setdefault(each, {})
                whole[name] = value
        changed = tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError):
        raise MisfitError("", _BY_HAND) from None
    check(wanted)
    if parse(changed) != wanted:
        raise MisfitError("", _BY_HAND)
    return changed


_BY_HAND = Message("it is written in a way that only a person can change")


def is_owners(changes: Mapping[str, Any]) -> bool:
    """Return whether some of the changes take the owner's code."""
    sections = {key.rpartition(".")[0] for key in changes}
    return any(one.about.owner for one in _sections(Settings()) if one.name in sections)


def _sections(settings: Settings) -> Iterator[Section]:
    yield Section("", TABLE, tuple(_entries(settings, "")))
    for known in fields(settings):
        value = getattr(settings, known.name)
        if (shown := about(known)) and not isinstance(value, str | int):
            yield Section(known.name, shown, tuple(_entries(value, f"{known.name}.")))


def _entries(values: Any, prefix: str) -> Iterator[Entry]:
    for known in fields(values):
        value = getattr(values, known.name)
        if (shown := about(known)) and isinstance(value, str | int):
            yield Entry(prefix + known.name, shown, bool(value) if shown.secret else value)


def _check_change(key: str, value: Any, entry: Entry | None) -> None:
    if entry is None:
        raise MisfitError(key, Message("can’t be changed on a page"))
    if entry.about.choices and str(value) not in entry.about.choices:
        raise MisfitError(key, Message("choose one of the list"))
    if entry.about.pattern and not re.fullmatch(entry.about.pattern, str(value)):
        raise MisfitError(key, Message("too short, too long, or with other than plain letters"))
    if isinstance(value, str) and (len(value) > MOST_LETTERS or not value.isprintable()):
        raise MisfitError(key, Message("choose up to %(most)s letters", most=MOST_LETTERS))


def main() -> None:
    """Print the changed text, and whether the changes take the owner's code; or the mistake."""
    try:
        changes = json.load(sys.stdin)
        text = rewrite(read_whole(Path(sys.argv[1])).decode(), changes)
        print(json.dumps({"text": text, "owner": is_owners(changes)}))
    except MisfitError as error:
        print(json.dumps({"fault": error.key or str(error.reason)}))


if __name__ == "__main__":
    main()
