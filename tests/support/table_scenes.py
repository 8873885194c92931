"""Scenes at a running table: moments that a text can go on from more than once; see scenes.py."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from scenes import Words

from companion.base.refused import Problem, Refused

Steps = Mapping[str, Callable[..., object]]
"""What may happen at a table, by the first word of a step; `from` says whose phone is pressed."""
Facts = Mapping[str, Callable[[Any, list[str]], bool]]
Told = Mapping[str, Callable[[Any], object]]
"""What a table shows, which a fact says word for word."""


def spaced(values: Iterable[object]) -> str:
    """Values in a row; `-` stands for nothing."""
    return " ".join("-" if value is None else str(value) for value in values)


class Played:
    """A table, and what has happened there since it was opened."""

    def __init__(self, begin: Callable[[], Any], known: Steps, steps: Iterable[str] = ()) -> None:
        self.begin, self.known, self.table = begin, known, begin()
        self.steps: list[str] = []
        for step in steps:
            self.do(step)

    def do(self, step: str) -> None:
        self.attempt(step)
        self.steps.append(step)

    def attempt(self, step: str) -> None:
        said, _, seat = step.partition(" from ")
        word, *given = said.split()
        phone = {"seat": int(seat) if seat.isdigit() else seat} if seat else {}
        self.known[word](self.table, *given, **phone)


class Moment(NamedTuple):
    """A moment at a table, which may have gone on since."""

    played: Played
    steps: int
    told: Told

    def __str__(self) -> str:
        return "; ".join(self._tell())

    def _tell(self) -> Iterator[str]:
        """What the table shows now; not all is always there."""
        for name, tell in self.told.items():
            with suppress(AttributeError, Refused):
                yield f"{name} {tell(self.played.table)}"

    def played_again(self) -> Played:
        """A table that stands at this moment: this one, or another that came to it alike."""
        if len(self.played.steps) == self.steps:
            return self.played
        before = self.played.steps[: self.steps]
        return Played(self.played.begin, self.played.known, before)

    def after(self, step: str) -> "Moment":
        played = self.played_again()
        played.do(step)
        return Moment(played, self.steps + 1, self.told)

    def refused(self, step: str) -> str:
        """Why a step is refused; `(forbidden)` on this phone, unless nobody could do it now."""
        with pytest.raises(Refused) as caught:
            self.played_again().attempt(step)
        problem, reason = caught.value.problem, caught.value.reason
        return str(reason) if problem is Problem.ILLEGAL else f"{reason} ({problem})"


def table_words(
    scene: Callable[[str], Callable[[], Any]], steps: Steps, facts: Facts, told: Told
) -> Words:
    """The words of scenes; scene: what opens the table that the line of a scene describes."""
    says: dict[str, Callable[[Any, list[str]], bool]] = {
        name: lambda table, words, tell=tell: str(tell(table)) == " ".join(words)
        for name, tell in told.items()
    }
    every = {
        name: lambda moment, words, fact=fact: fact(moment.played.table, words)
        for name, fact in (says | dict(facts)).items()
    }
    return Words(
        lambda text: [Moment(Played(scene(text), steps), 0, told)],
        Moment.after,
        Moment.refused,
        every,
    )
