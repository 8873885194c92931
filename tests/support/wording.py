"""How texts are set and which words are their own: what tests of terms and pages look for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from string import Formatter

from cases import cases

from companion.games.dice.rules.rulesets import Edition


def texts(part: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a table, with the place where it stands."""
    if isinstance(part, str):
        yield path, part
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from texts(value, f"{path}.{key}")
    elif is_dataclass(part):
        for entry in fields(part):
            yield from texts(getattr(part, entry.name), f"{path}.{entry.name}")
    elif isinstance(part, tuple):
        for number, value in enumerate(part):
            yield from texts(value, f"{path}.{number}")


def places(text: str) -> list[str]:
    """What is put into a sentence, by name."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def places_of(table: object) -> dict[str, list[str]]:
    """What is put into each text of a table."""
    return {place: places(text) for place, text in texts(table)}


SAID = ("aria-label", "aria-description", "alt", "title", "placeholder", "data-unheard")
"""Attributes that somebody reads or hears."""


class Texts(HTMLParser):
    """What of a page is read or heard."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._tag = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.found += [value for name, value in attrs if name in SAID and value]

    def handle_data(self, data: str) -> None:
        if self._tag not in ("script", "style"):
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""


OWN = {
    (Edition(edition), language): words
    for edition, language, words in cases("games/dice/own_words.txt", "Words")
}
"""The words that an edition alone has in a language, as a pattern."""


def ill_set(text: str) -> bool:
    """Whether a French text has other spaces or apostrophes than French has."""
    wrong = (
        "['\"]",
        "(?<!\u00a0):",
        "(?<!\u202f)[;!?]",
        "«(?!\u00a0)|(?<!\u00a0)»",
        # A number stays with what it counts, also where a colon follows.
        r"\b(dé|tir) ([{\d]|%\()",
        "(?<!«)(?<!dé)(?<!tir)[\u00a0\u202f](?![:;!?»])",
        r"(?<!-)\b([dlnjs]e|que) [aeiouyéèêàâîôû]",
        # Many names, of people and of cards, would need an apostrophe there.
        r"\b([dlnjsmtc]e|la|(jus|lors|puis)?que) ({(who|by|card)|%\((names?|title|record|host)\))",
    )
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in wrong)
