"""Work out what statistics keep of a game, by playing its record again."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from companion.cardgame.events import CardPlayed
from companion.cardgame.record import NAME as CARD_NAME
from companion.cardgame.record import header_line as card_header_line
from companion.cardgame.record import replay as card_replay
from companion.cardgame.titles import Title
from companion.common.endings import TEAMS
from companion.common.events import TurnBegan
from companion.dicegame.events import Rolled, ShotsFired
from companion.dicegame.faces import Face
from companion.dicegame.record import NAME, header_line, parse_origin, replay
from companion.dicegame.roles import OPEN_ROLES
from companion.dicegame.sides import ALONE
from companion.dicegame.state import Setup, State

COUNTED = NAME
"""The dice game, by the name in its records: the one that is counted in all figures."""

COUNTED_CARDS = CARD_NAME
"""The card game, by the name in its records: its games are counted apart."""

FACES: Sequence[Face] = tuple(Face)
"""The faces, in the order of all counts here."""

_SHOTS = (Title.BANG, Title.MISSED)
"""The cards that are aimed at somebody as a BANG!: Calamity Janet plays both so."""

_PLACES = {face: place for place, face in enumerate(FACES)}


class SeatSummary(NamedTuple):
    """What a player did in a game."""

    name: str
    """The name in the record."""
    role: str
    """The role."""
    team: str
    """The side that this role wins with."""
    character: str
    """The character's id."""
    place: int
    """How many places after the first player they sat, clockwise."""
    won: bool
    """Whether they won; False in a game that was stopped."""
    alive: bool
    """Whether they were in the game at its end."""
    thrown: tuple[int, ...]
    """How often each face came up among the dice that they threw."""


class GameSummary(NamedTuple):
    """What statistics keep of a game."""

    ruleset: str
    """The ruleset's id."""
    date: str
    """When it began, as in the record; empty if unknown."""
    side: str
    """The side that won; empty if the game was stopped before its end."""
    turns: int
    """How many turns began."""
    actions: int
    """How many actions the record has."""
    seats: tuple[SeatSummary, ...]
    """The players, by seat."""
    shots: Mapping[tuple[int, int], int]
    """How often a seat shot at another; a doubled shot counts twice."""
    digest: str
    """The same for the same deal with the same actions, whatever else the records say."""


class CardSeatSummary(NamedTuple):
    """What came of a player in a card game."""

    name: str
    """The name in the record."""
    role: str
    """The role."""
    character: str
    """The character's id."""
    place: int
    """How many places after the first player they sat, clockwise."""
    won: bool
    """Whether they won; False in a game that was stopped."""


class CardGameSummary(NamedTuple):
    """What statistics keep of a card game, whose records have no date."""

    side: str
    """The side that won; empty if the game was stopped before its end."""
    turns: int
    """How many turns began."""
    seats: tuple[CardSeatSummary, ...]
    """The players, by seat."""
    shots: Mapping[tuple[int, int], int]
    """How often a seat aimed a BANG! at another."""
    digest: str
    """The same for the same deal with the same actions, whatever else the records say."""


def game_of(record: bytes) -> str:
    """Return which game a record is of, as its first line says; empty if it says nothing."""
    try:
        header = json.loads(record.partition(b"\n")[0])
        name = header["record"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""


def summarise(record: bytes) -> GameSummary:
    """Return the summary of a record. Raises RecordError, which names the first wrong line."""
    lines = record.split(b"\n")
    if not lines[-1]:
        lines.pop()
    thrown: list[Counter[int]] = []
    shots: Counter[tuple[int, int]] = Counter()
    turns = 0
    state = None
    for state in replay(lines):
        if not thrown:
            thrown = [Counter() for _ in state.life]
        for kind, *fields in state.log:
            if kind is Rolled:
                seat, dice, dice_thrown = fields
                thrown[seat].update(_PLACES[dice[die]] for die in dice_thrown)
            elif kind is ShotsFired:
                seat, fired = fields
                for shot in fired:
                    if shot.target is not None:
                        shots[seat, shot.target] += 1 if shot.beer is None else 2
            elif kind is TurnBegan:
                turns += 1
    assert state is not None
    setup = state.setup
    origin = parse_origin(lines[0])
    return GameSummary(
        ruleset=setup.ruleset.id,
        date=origin.date if origin else "",
        side=state.result.side if state.result else "",
        turns=turns,
        actions=len(lines) - 1,
        seats=tuple(_seat(setup, state, seat, thrown[seat]) for seat in range(len(state.life))),
        shots=shots,
        digest=_digest(header_line(setup), lines[1:]),
    )


def summarise_cards(record: bytes) -> CardGameSummary:
    """Return the summary of a record of the card game. Raises RecordError."""
    lines = record.split(b"\n")
    if not lines[-1]:
        lines.pop()
    shots: Counter[tuple[int, int]] = Counter()
    turns = 0
    state = None
    for state in card_replay(lines):
        for kind, *fields in state.log:
            if kind is CardPlayed:
                seat, card, target = fields
                if card in _SHOTS:
                    shots[seat, target] += 1
            elif kind is TurnBegan:
                turns += 1
    assert state is not None
    setup, result = state.setup, state.result
    return CardGameSummary(
        side=result.side if result else "",
        turns=turns,
        seats=tuple(
            CardSeatSummary(
                player.name,
                player.role,
                player.character.id,
                (seat - setup.sheriff) % len(setup.players),
                result is not None and seat in result.winners,
            )
            for seat, player in enumerate(setup.players)
        ),
        shots=shots,
        digest=_digest(card_header_line(setup), lines[1:]),
    )


def _seat(setup: Setup, state: State, seat: int, thrown: Mapping[int, int]) -> SeatSummary:
    name, role, character = setup.players[seat]
    count = len(setup.players)
    return SeatSummary(
        name=name,
        role=role,
        team=(ALONE if count == OPEN_ROLES else TEAMS)[role],
        character=character.id,
        place=(seat - setup.first) % count,
        won=state.result is not None and seat in state.result.winners,
        alive=state.life[seat] > 0,
        thrown=tuple(thrown.get(face, 0) for face in range(len(FACES))),
    )


def _digest(header: str, actions: Iterable[bytes]) -> str:
    digest = sha256(header.encode())
    for line in actions:
        digest.update(b"\n" + line.strip())
    return digest.hexdigest()
