"""Scenes of the dice game as text, for people who know the rules and not Python.

    Sid Ketchum chooses a living player before they roll
        S:sid_ketchum R O O, life 0:3 2:4 => asks 0 heal
            heal 2 => life 3 5 5 5; asks 0 roll
            heal 4 => refused: there is no seat 4

Each line goes on from the one above it that is indented less. A scene is a turn about to begin:
players clockwise, as in `scenario.game`, and `life`, `arrows` (of all, or seat:count), `turn`,
`house` rules, and `in` which rulesets it is tried. What is done there is a move of `MOVES`, or
several with commas. What follows, after `=>`, are `FACTS`, or that the last move is refused.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import scenario
from scenario import Choice, dice, ended, play, reached, refusal

from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.state import State


def numbers(words: list[str]) -> tuple[int, ...]:
    return tuple(map(int, words))


def again(shown: str) -> Choice:
    """Throw again all dice but those whose place holds a dot."""
    return scenario.reroll({die: face for die, face in enumerate(shown) if face != "."})


def shot(word: str) -> scenario.Shot:
    """A seat or `-`; `1/as2` uses the die as the other face, `1/beer3` doubles with die 3."""
    target, _, twist = word.partition("/")
    used_as = twist.removeprefix("as") if twist.startswith("as") else None
    beer = int(twist.removeprefix("beer")) if twist.startswith("beer") else None
    return scenario.at(None if target == "-" else int(target), used_as=used_as, beer=beer)


MOVES: dict[str, Callable[[list[str]], Choice]] = {
    "roll": lambda words: scenario.roll(*words),
    "again": lambda words: again(*words),
    "stop": lambda words: scenario.stop,
    "shoot": lambda words: scenario.shoot(*map(shot, words)),
    "drink": lambda words: scenario.drink(*numbers(words)),
    "heal": lambda words: scenario.heal(*numbers(words)),
    "take": lambda words: scenario.take(*numbers(words)),
    "put-back": lambda words: scenario.put_back(*numbers(words)),
    "discard-from": lambda words: scenario.discard_from(*numbers(words)),
}
"""What players do; `throw` is a roll after which they stop, unless rolling is over by itself."""


def reaches(state: State, words: list[str]) -> bool:
    """Whom the only bull's eye may hit: seats or `nobody`, and `as 2` which face."""
    used_as = words.pop() if "as" in words else None
    seats = [word for word in words if word != "as"]
    wanted = {None} if seats == ["nobody"] else set(numbers(seats))
    return reached(state, used_as) == wanted


FACTS: dict[str, Callable[[State, list[str]], bool]] = {
    "life": lambda state, words: state.life == numbers(words),
    "arrows": lambda state, words: state.arrows == numbers(words),
    "pile": lambda state, words: [state.pile] == [*numbers(words)],
    "turn": lambda state, words: [state.turn] == [*numbers(words)],
    "rolls": lambda state, words: [state.rolls] == [*numbers(words)],
    "dice": lambda state, words: state.dice == dice("".join(words)),
    "asks": lambda state, words: state.awaits == (int(words[0]), words[1]),
    "may": lambda state, words: list(state.actions) == words,
    "living": lambda state, words: state.living == numbers(words),
    "fallen": lambda state, words: state.aside.fallen == numbers(words),
    "reaches": reaches,
    "goes-on": lambda state, words: state.result is None and not words,
    "ends": lambda state, words: ended(state) == (words[0], numbers(words[1:])),
}


def scene(text: str) -> list[State]:
    """The beginnings that a line describes: one for each ruleset."""
    players, *options = text.split(", ")
    given = {name: words.split() for name, _, words in (one.partition(" ") for one in options)}
    rulesets = given.pop("in", ["base"])
    rules = frozenset(map(HouseRule, given.pop("house", ())))
    turn = int(*given.pop("turn", ["0"]))
    held = {}
    for name, words in given.items():
        seats = [word.partition(":")[::2] for word in words]
        held[name] = int(seats[0][0]) if not seats[0][1] else {int(a): int(b) for a, b in seats}
    states = [scenario.game(players, ruleset=one, turn=turn, **held) for one in rulesets]
    return [replace(one, setup=replace(one.setup, house_rules=rules)) for one in states]


def make(state: State, move: str) -> State:
    word, *given = move.split()
    if word == "throw":
        return scenario.throw(state, *given)
    return play(state, MOVES[word](given))


def refused(state: State, move: str) -> str:
    """Why a move is refused."""
    word, *given = move.split()
    return refusal(state, MOVES[word](given))


def go_on(states: list[State], done: str, follows: str) -> list[State]:
    """What becomes of each state; all that is said to follow is asserted."""
    if done[0].isupper():
        return hold(scene(done), follows)
    assert states, "this goes on from no scene"
    *moves, last = done.split(", ")
    for move in moves:
        states = [make(state, move) for state in states]
    if follows.startswith("refused: "):
        assert {f"refused: {refused(state, last)}" for state in states} == {follows}
        return []
    return hold([make(state, last) for state in states], follows)


def hold(states: list[State], follows: str) -> list[State]:
    """Assert facts of all states, and return these."""
    for fact in filter(None, follows.split("; ")):
        word, *given = fact.split()
        for state in states:
            assert FACTS[word](state, given), f"not {fact}, but {state}"
    return states


class Ruling(NamedTuple):
    """What a title says, and the lines below it with their numbers."""

    title: str
    lines: list[tuple[int, str]]

    def check(self) -> None:
        """Go through all lines, each from the states of the line that it is indented below."""
        above: list[tuple[int, list[State]]] = []
        for number, line in self.lines:
            depth = len(line) - len(line.lstrip())
            above = [(less, states) for less, states in above if less < depth]
            done, _, follows = line.strip().partition(" => ")
            try:
                above.append((depth, go_on(above[-1][1] if above else [], done, follows)))
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
