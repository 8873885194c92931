"""Check players' names: everybody must be able to tell them apart on every page.

Unicode defines which characters look alike: `lookalikes.txt` holds the tables of its security
mechanisms (UTS #39), and `skeleton` is its algorithm.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from companion.base.refused import Problem, Refused

MAX_NAME = 20
"""The most letters in a name."""

MAX_MARKS = 4
"""The most marks above, below or around a letter, as UTS #39 (section 5.4) advises: no language
writes more. They would cover the lines beside them."""

_TABLES = Path(__file__).with_name("lookalikes.txt")

_STYLES = dict.fromkeys((0xFE0E, 0xFE0F))
"""Phones append these to symbols to request the coloured variant. They mean nothing in a name."""

_PICTURES, _JOINED = "[\u2600-\u27bf\U0001f000-\U0001faff]", "[\u0600-\u0fff]"
_JOINER = re.compile(
    f"(?<={_PICTURES})\u200d(?={_PICTURES})|(?<={_JOINED})[\u200c\u200d](?={_JOINED})"
)
"""What makes one picture of several, such as a family of three people, and what shapes letters of
Persian, Sinhala and others inside a word."""

_BLANK = "\u2800"
"""Characters that are drawn blank, besides those that Unicode counts as invisible."""


class _Tables(NamedTuple):
    invisible: re.Pattern[str]
    sources: str
    """What looks like something else, in order; a dict would take half a megabyte more."""
    prototypes: list[str]
    """What each of them looks like."""

    def prototype(self, letter: str) -> str:
        place = bisect_left(self.sources, letter)
        return self.prototypes[place] if self.sources[place : place + 1] == letter else letter


def check_name(name: str, others: Iterable[str]) -> str:
    """Return a name in its stored form: composed (NFC), with single spaces.

    others: the names at the table. Raises Refused if the name is too long, is invisible or
    looks like one of those.
    """
    name = " ".join(unicodedata.normalize("NFC", name).translate(_STYLES).split())
    if not name or len(name) > MAX_NAME:
        raise Refused(Problem.ILLEGAL, "choose a name of 1 to %(most)s characters", most=MAX_NAME)
    seen = _JOINER.sub("", name)
    if not seen.isprintable() or _tables().invisible.search(seen):
        raise Refused(Problem.ILLEGAL, "choose a name without invisible characters")
    marks = "".join("M" if _is_mark(letter) else " " for letter in _decompose(name))
    if "M" * (MAX_MARKS + 1) in marks:
        raise Refused(
            Problem.ILLEGAL, "choose a name with at most %(most)s marks on a letter", most=MAX_MARKS
        )
    for other in others:
        if other.casefold() == name.casefold():
            raise Refused(
                Problem.ILLEGAL, "the name %(name)s is taken: choose another one", name=other
            )
        if _looks(name) & _looks(other):
            raise Refused(
                Problem.ILLEGAL, "this name looks like %(name)s: choose another one", name=other
            )
    return name


def _looks(name: str) -> frozenset[str]:
    """Return the skeletons of a name, as written and in lower case."""
    return frozenset({skeleton(name), skeleton(name.casefold())})


def skeleton(text: str) -> str:
    """Return the skeleton that all texts that look like `text` share (UTS #39, section 4)."""
    tables = _tables()
    seen = tables.invisible.sub("", _decompose(text))
    return _decompose("".join(map(tables.prototype, seen)))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def _decompose(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    lines = [line for line in _TABLES.read_text("utf-8").splitlines() if line[0] != "#"]
    spans = "".join("-".join(map(_letters, span.split("-"))) for span in lines[0].split())
    invisible = re.compile(f"[{_BLANK}{spans}]")
    prototypes = {}
    for line in lines[1:]:
        prototype, sources = (_letters(codes) for codes in line.split(": "))
        prototypes.update(dict.fromkeys(sources, prototype))
    found = sorted(prototypes)
    return _Tables(invisible, "".join(found), [prototypes[letter] for letter in found])


def _letters(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


def key_of(name: str) -> str:
    """Return what all spellings of a name share."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())
