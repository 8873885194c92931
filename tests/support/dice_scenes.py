"""The words of scenes of the dice game; how a text of scenes is read: scenes.py.

A scene is a turn about to begin: players clockwise, as in `scenario.game`, and `life`, `arrows` (of
all, or seat:count), `turn`, `house` rules, and `in` which rulesets it is tried. What a move `tells`
are all events that it causes, each with what it names.
"""

from collections.abc import Callable
from dataclasses import replace

from scenario import dice, ended, game, play, reached, refusal
from scenes import Words, by_seat, numbers, options, told

from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.state import State


def reaches(state: State, words: list[str]) -> bool:
    """Whom the only bull's eye may hit: seats or `nobody`, and `as 2` which face."""
    named, _, face = " ".join(words).partition(" as ")
    wanted = {None} if named == "nobody" else {*numbers(named.split())}
    return reached(state, face) == wanted


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
    "tells": lambda state, words: told(state.events) == " ".join(words),
    "goes-on": lambda state, words: state.result is None and not words,
    "ends": lambda state, words: ended(state) == (words[0], numbers(words[1:])),
}


def scene(text: str) -> list[State]:
    """The beginnings that a line describes: one for each ruleset."""
    players, given = options(text)
    rulesets = given.pop("in", ["base"])
    rules = frozenset(map(HouseRule, given.pop("house", ())))
    turn = int(*given.pop("turn", ["0"]))
    held = {name: by_seat(words) for name, words in given.items()}
    states = [game(players, ruleset=one, turn=turn, **held) for one in rulesets]
    return [replace(one, setup=replace(one.setup, house_rules=rules)) for one in states]


DICE_WORDS = Words(scene, play, refusal, FACTS)
