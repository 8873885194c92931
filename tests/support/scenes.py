"""Scenes of a game as text, for people who know its rules and not Python.

    Sid Ketchum chooses a living player before they roll
        S:sid_ketchum R O O, life 0:3 2:4 => asks 0 heal
            heal 2 => life 3 5 5 5; asks 0 roll
            heal 4 => refused: there is no seat 4

Each line goes on from the one above it that is indented less. It is a scene (players clockwise, and
how they stand), or a move, or several with commas. What follows, after `=>`, are facts, or that the
last move is refused. `dice_scenes.py` and `card_scenes.py` have the words of both games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Words(NamedTuple):
    """What a line may say of a game."""

    scene: Callable[[str], list[Any]]
    """The states that a line begins with."""
    make: Callable[[Any, str], Any]
    """A move, and the state after it."""
    refused: Callable[[Any, str], str]
    """A move, and why it is refused."""
    facts: Mapping[str, Callable[[Any, list[str]], bool]]

    def go_on(self, states: list[Any], done: str, follows: str) -> list[Any]:
        """What becomes of each state; all that is said to follow is asserted."""
        if done[0].isupper():
            return self.hold(self.scene(done), follows)
        assert states, "this goes on from no scene"
        *moves, last = done.split(", ")
        for move in moves:
            states = [self.make(state, move) for state in states]
        if follows.startswith("refused: "):
            reasons = {self.refused(state, last) for state in states}
            assert reasons == {follows.removeprefix("refused: ")}, f"refused: {reasons}"
            return []
        return self.hold([self.make(state, last) for state in states], follows)

    def hold(self, states: list[Any], follows: str) -> list[Any]:
        """Assert facts of all states, and return these."""
        for fact in filter(None, follows.split("; ")):
            word, *given = fact.split()
            for state in states:
                assert self.facts[word](state, given), f"not {fact}, but {state}"
        return states


class Ruling(NamedTuple):
    """What a title says, and the lines below it with their numbers."""

    title: str
    lines: list[tuple[int, str]]

    def check(self, words: Words) -> None:
        """Go through all lines, each from the states of the line that it is indented below."""
        above: list[tuple[int, list[Any]]] = []
        for number, line in self.lines:
            depth = len(line) - len(line.lstrip())
            above = [(less, states) for less, states in above if less < depth]
            done, _, follows = line.strip().partition(" => ")
            try:
                above.append((depth, words.go_on(above[-1][1] if above else [], done, follows)))
            except (AssertionError, ValueError, KeyError) as error:
                raise AssertionError(f"line {number}, {line.strip()!r}: {error!r}") from error


def rulings(path: Path) -> list[Ruling]:
    """The rulings of a file; lines that begin with # are its headings."""
    found: list[Ruling] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith(" "):
            found[-1].lines.append((number, line))
        elif line and not line.startswith("#"):
            found.append(Ruling(line, []))
    return found


def each_scene(test: str, file: str) -> pytest.MarkDecorator:
    """Run a test with each `ruling` of a text beside it."""
    found = rulings(Path(test).with_name(file))
    return pytest.mark.parametrize("ruling", found, ids=lambda ruling: ruling.title)


def options(text: str) -> tuple[str, dict[str, list[str]]]:
    """The players of a scene, and what else its line says, by its first word."""
    players, *others = text.split(", ")
    return players, {word: given for word, *given in map(str.split, others)}


def by_seat(words: Sequence[str]) -> int | dict[int, int]:
    """The number of all, or `seat:number` of some."""
    if ":" not in words[0]:
        return int(*words)
    found = {int(seat): int(one) for seat, _, one in (word.partition(":") for word in words)}
    assert len(found) == len(words), "one seat is there twice"
    return found


def told(events: Sequence[object]) -> str:
    """What happened in words: of each event its kind, and what it names: `LifeLost 3 1 beer`."""
    return ", ".join(" ".join((type(event).__name__, *_named(event))) for event in events)


def _named(value: Any) -> Iterator[str]:
    """The words of a value; one that has words of its own, such as a sign, is not taken apart."""
    if is_dataclass(value):
        for entry in fields(value):
            yield from _named(getattr(value, entry.name))
    elif isinstance(value, tuple) and type(value).__str__ is object.__str__:
        for part in value:
            yield from _named(part)
    else:
        yield "-" if value is None else str(value)


def numbers(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(int, words))
