"""The words of scenes of the dice game; how a text of scenes is read: scenes.py.

A scene is a turn about to begin: players clockwise, as in `scenario.game`, and `life`, `arrows` (of
all, or seat:count), `turn`, `house` rules, and `in` which rulesets it is tried. What a move `tells`
are all events that it causes, each with what it names.
"""

from collections.abc import Callable
from dataclasses import replace

import scenario
from scenario import Choice, dice, ended, play, reached, refusal
from scenes import Words, by_seat, numbers, options, told

from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.state import State


def again(shown: str) -> Choice:
    """Throw again all dice but those whose place holds a dot."""
    return scenario.reroll({die: face for die, face in enumerate(shown) if face != "."})


def shot(word: str) -> Shot:
    """A seat or `-`; `1/as2` uses the die as the other face, `1/beer3` doubles with die 3."""
    target, _, twist = word.partition("/")
    used_as = twist.removeprefix("as") if twist.startswith("as") else None
    beer = int(twist.removeprefix("beer")) if twist.startswith("beer") else None
    return scenario.at(None if target == "-" else int(target), used_as=used_as, beer=beer)


MOVES: dict[str, Callable[[list[str]], Choice]] = {
    "roll": lambda words: scenario.roll(*words),
    "again": lambda words: again(*words),
    "throw-of": lambda words: scenario.roll(words[0], numbers(words[1:])),
    "stop": lambda words: scenario.stop,
    "shoot": lambda words: scenario.shoot(*map(shot, words)),
    "shots": lambda words: scenario.fire(*(Shot(*map(int, word.split(":"))) for word in words)),
    "drink": lambda words: scenario.drink(*numbers(words)),
    "heal": lambda words: scenario.heal(*numbers(words)),
    "take": lambda words: scenario.take(*numbers(words)),
    "put-back": lambda words: scenario.put_back(*numbers(words)),
    "discard-from": lambda words: scenario.discard_from(*numbers(words)),
}
"""What players do; `throw` is a roll after which they stop, unless rolling is over by itself.

`throw-of` names the dice that a roll threw, and `shots` the targets by the dice.
"""


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
    states = [scenario.game(players, ruleset=one, turn=turn, **held) for one in rulesets]
    return [replace(one, setup=replace(one.setup, house_rules=rules)) for one in states]


def make(state: State, move: str) -> State:
    word, *given = move.split()
    if word == "throw":
        return scenario.throw(state, *given)
    return play(state, MOVES[word](given))


def refused(state: State, move: str) -> str:
    word, *given = move.split()
    return refusal(state, MOVES[word](given))


DICE_WORDS = Words(scene, make, refused, FACTS)
