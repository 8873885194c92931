"""A game that needs the dice alone: everybody throws five of them once, and the most pips win."""

import json
from collections import namedtuple
from collections.abc import Mapping
from types import SimpleNamespace

from companion.games.game import Game, Outcome, Selection, Standing

FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")  # one to six pips
ONE_THROW = namedtuple("OneThrow", "id language players")("one-throw", "en", range(2, 5))
Throw = namedtuple("Throw", "seat dice action", defaults=["throw"])
State = namedtuple("State", "names pips", defaults=[()])


class Words:
    faces: Mapping[str, str] = {face: f"{n} pips" for n, face in enumerate(FACES, 1)}
    roles: Mapping[str, str] = {}
    characters: Mapping[str, str] = {}
    sides: Mapping[str, str] = {"pips": "most pips"}
    number = str
    join = ", ".join


class Thrown(namedtuple("Thrown", "seat pips")):
    def __str__(self) -> str:
        return f"Seat {self.seat + 1} throws {self.pips} pips."


WORDS = Words()
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


MOST_PIPS = Game(
    record_name="most-pips",
    rulesets={"one-throw": ONE_THROW},
    dice=DICE,
    setup=lambda selection, seats: State(tuple(seat.name for seat in seats)),
    selection=lambda setup: Selection(MOST_PIPS, ONE_THROW),
    start=lambda setup: setup,
    check=check,
    apply=apply,
    rolled=lambda move: move.dice,
    thrown=lambda move: tuple(range(5)),
    standing=standing,
    events=lambda state: (Thrown(len(state.pips) - 1, state.pips[-1]),) if state.pips else (),
    view=lambda state, viewer: state,
    roles=lambda state: ("",) * len(state.names),
    sides=lambda players: ("pips",),
    names=lambda setup: setup.names,
    header_line=lambda setup, _: json.dumps({"record": "most-pips", "players": setup.names}),
    parse_header=lambda line: State(tuple(json.loads(line)["players"])),
    move_line=json.dumps,
    parse_move=lambda line: Throw(*json.loads(line)),
    terms=lambda ruleset, language: WORDS,
)
