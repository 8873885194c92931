"""A game of one page: everybody throws five dice once, and the most pips win.

It shares nothing with the dice game but the dice, and shows what the table needs to know of a game.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.table.game import (
    AnyRuleset,
    Deck,
    Named,
    Outcome,
    RecordOrigin,
    Seat,
    Selection,
    Standing,
)
from companion.table.tray.corrections import Correction

FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")
"""What the reader calls one to six pips."""


@dataclass(frozen=True)
class OneThrow:
    """The only ruleset."""

    id: str = "one-throw"
    language: str = "en"
    players: range = range(2, 5)


class Throw(NamedTuple):
    """The only move."""

    seat: int
    dice: tuple[str, ...]
    action: str = "throw"


class Thrown(NamedTuple):
    """The only event."""

    seat: int
    pips: int

    def __str__(self) -> str:
        return f"Seat {self.seat + 1} throws {self.pips} pips."


class Words:
    """What is said of the game, in every language."""

    faces: Mapping[str, str] = {face: f"{n} pips" for n, face in enumerate(FACES, 1)}
    roles: Mapping[str, str] = {}
    characters: Mapping[str, Named] = {}
    sides: Mapping[str, str] = {"pips": "most pips"}

    def goal(self, role: str, players: int) -> str:
        raise KeyError(role)

    def number(self, count: int) -> str:
        return str(count)

    def listed(self, things: Sequence[str]) -> str:
        return ", ".join(things)


class State(NamedTuple):
    """Who plays, and what each has thrown so far."""

    names: tuple[str, ...]
    pips: tuple[int, ...] = ()


class MostPips:
    """The game, see `companion.table.game.Game`."""

    record_name = "most-pips"
    stand_ins = False
    cards = None
    rulesets: Mapping[str, AnyRuleset] = {"one-throw": OneThrow()}
    house_rules = ()

    @property
    def dice(self) -> "MostPips":
        return self

    def select(self, ruleset: str, house_rules: Iterable[str] = ()) -> Selection:
        if ruleset not in self.rulesets or tuple(house_rules):
            raise ValueError("no such rules")
        return Selection(self, OneThrow())

    def deck(self, ruleset: AnyRuleset, players: int) -> Deck:
        return Deck()

    def setup(self, selection: Selection, seats: Sequence[Seat]) -> State:
        return State(tuple(seat.name for seat in seats))

    def selection(self, setup: State) -> Selection:
        return Selection(self, OneThrow())

    def start(self, setup: State) -> State:
        return setup

    def check(self, state: State, move: Throw) -> str | None:
        standing = self.standing(state)
        return None if move.seat == standing.awaited else f"seat {standing.awaited} throws"

    def apply(self, state: State, move: Throw) -> State:
        if reason := self.check(state, move):
            raise ValueError(reason)
        return state._replace(pips=(*state.pips, _pips(move.dice)))

    def only_move(self, state: State) -> None:
        return None

    def standing(self, state: State) -> Standing:
        count, thrown = len(state.names), len(state.pips)
        over = thrown == count
        best = tuple(seat for seat, pips in enumerate(state.pips) if pips == max(state.pips))
        return Standing(
            turn=min(thrown, count - 1),
            awaited=None if over else thrown,
            rolling=not over,
            alive=(True,) * count,
            outcome=Outcome("pips", best) if over else None,
        )

    def events(self, state: State) -> tuple[Thrown, ...]:
        return (Thrown(len(state.pips) - 1, state.pips[-1]),) if state.pips else ()

    def public_view(self, state: State) -> State:
        return state

    def open_view(self, state: State) -> State:
        return state

    def question(self, state: State) -> None:
        return None

    def roles(self, state: State) -> tuple[str, ...]:
        return ("",) * len(state.names)

    def sides(self, players: int) -> tuple[str, ...]:
        return ("pips",)

    def names(self, setup: State) -> tuple[str, ...]:
        return setup.names

    def header_line(self, setup: State, origin: RecordOrigin) -> str:
        return json.dumps({"record": self.record_name, "players": setup.names, **origin._asdict()})

    def parse_header(self, line: bytes) -> State:
        return State(tuple(json.loads(line)["players"]))

    def move_line(self, move: Throw) -> str:
        return json.dumps(move)

    def parse_move(self, line: bytes) -> Throw:
        seat, dice, _ = json.loads(line)
        return Throw(seat, tuple(dice))

    def terms(self, ruleset: AnyRuleset, language: str) -> Words:
        return Words()

    # Its dice, see `companion.table.game.DiceRules`

    def faces(self) -> Sequence[str]:
        return FACES

    def lying(self, state: State) -> Sequence[str]:
        return ()

    def throwable(self, state: State) -> tuple[int, ...]:
        return tuple(range(5))

    def check_throw(self, state: State, die: int) -> str | None:
        return None

    def fixed_faces(self, state: State) -> frozenset[str]:
        return frozenset()

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> Throw:
        return Throw(seat, tuple(faces))

    def stop(self, seat: int) -> Throw:
        return Throw(-1, ())

    def goes_on(self, state: State, faces: Sequence[str]) -> bool:
        return False

    def rolled(self, move: Throw) -> Sequence[str] | None:
        return move.dice

    def thrown(self, move: Throw) -> tuple[int, ...]:
        return tuple(range(5))

    def with_corrections(
        self, lines: Sequence[str], corrected: Mapping[int, Sequence[Correction]]
    ) -> Sequence[str]:
        return lines

    def corrections(self, header: bytes, line: bytes, players: int) -> tuple[Correction, ...]:
        return ()


def _pips(dice: Sequence[str]) -> int:
    return sum(FACES.index(face) + 1 for face in dice)


MOST_PIPS = MostPips()
