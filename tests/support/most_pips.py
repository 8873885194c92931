"""A game that needs the dice alone: everybody throws five of them once, and the most pips win."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import NamedTuple

from companion.games.game import Game, Outcome, Selection, Standing, TypedGame

FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")  # one to six pips
ONE_THROW = SimpleNamespace(id="one-throw", language="en", players=range(2, 5))
NAMES = {face: f"{n} pips" for n, face in enumerate(FACES, 1)}
KNOWN = {"faces": NAMES, "roles": {}, "characters": {}, "sides": {"pips": "most pips"}}
WORDS = type("Words", (), {**KNOWN, "number": str, "join": ", ".join})()  # hashable, as words are


class State(NamedTuple):
    names: tuple[str, ...]
    pips: tuple[int, ...] = ()


class Throw(NamedTuple):
    seat: int
    dice: Sequence[str]
    action: str = "throw"


DICE = SimpleNamespace(
    faces=lambda: FACES,
    lying=lambda state: (),
    throwable=lambda state: tuple(range(5)),
    check_throw=lambda state, die: None,
    fixed_faces=lambda state: frozenset(),
    roll=lambda seat, faces, thrown: Throw(seat, tuple(faces)),
    stop=lambda seat: Throw(-1, ()),
    goes_on=lambda state, faces: False,
)


def check(state: State, move: Throw) -> str | None:
    return None if move.seat == len(state.pips) else f"seat {len(state.pips)} throws"


def apply(state: State, move: Throw) -> State:
    if reason := check(state, move):
        raise ValueError(reason)
    return state._replace(pips=(*state.pips, sum(FACES.index(face) + 1 for face in move.dice)))


def standing(state: State) -> Standing:
    count, thrown = len(state.names), len(state.pips)
    if thrown < count:
        return Standing(thrown, thrown, True, (True,) * count, None)
    best = tuple(seat for seat, pips in enumerate(state.pips) if pips == max(state.pips))
    return Standing(count - 1, None, False, (True,) * count, Outcome("pips", best))


MOST_PIPS: Game = TypedGame[State, State, Throw, str](
    record_name="most-pips",
    rulesets={"one-throw": ONE_THROW},
    dice=DICE,
    setup=lambda selection, seats: State(tuple(seat.name for seat in seats)),
    selection=lambda setup: Selection(MOST_PIPS, ONE_THROW),
    start=lambda setup: setup,
    check=check,
    apply=apply,
    rolled=lambda move: move and move.dice,
    thrown=lambda move: tuple(range(5)),
    standing=standing,
    events=lambda state: tuple(
        f"Seat {seat + 1} throws {pips} pips." for seat, pips in list(enumerate(state.pips))[-1:]
    ),
    view=lambda state, viewer: state,
    roles=lambda state: ("",) * len(state.names),
    sides=lambda players: ("pips",),
    names=lambda setup: setup.names,
    header_line=lambda setup, _: json.dumps({"record": "most-pips", "players": setup.names}),
    parse_header=lambda line: State(tuple(json.loads(line)["players"])),
    move_line=json.dumps,
    parse_move=lambda line: Throw(*json.loads(line)),
    terms=lambda ruleset, language: WORDS,
).opaque
