"""A game on the table, with what undoing, saving and restoring take: values that never change."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.dicegame.choices import only_move
from companion.dicegame.events import Event, Rolled, Side
from companion.dicegame.faces import Face
from companion.dicegame.moves import Action, Move, Roll
from companion.dicegame.record import Origin, header_line, move_line, parse_header, parse_move
from companion.dicegame.rules import apply, start
from companion.dicegame.state import Setup, State
from companion.table.journal import Kind, Line
from companion.table.tray import Place, TrayDie


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a move: the state, where the dice lie, and the line of the record."""

    state: State
    lying: tuple[TrayDie, ...]
    kind: Kind
    line: str


class Undone(NamedTuple):
    """Something in the story: so many moves were taken back.

    by: the seat that asked for it; whose, action: of the first of these moves, the one decision
    among them; the others followed by themselves.
    """

    moves: int
    by: int
    whose: int
    action: Action


@dataclass(frozen=True, slots=True)
class Game:
    """A game, never empty: its moments, and its story with what was undone.

    guesses: which side wins, as fallen players think, by seat.
    """

    number: int
    moments: tuple[Moment, ...]
    story: tuple[Event | Undone, ...]
    guesses: Mapping[int, Side] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self.moments[-1].state

    @property
    def lying(self) -> tuple[TrayDie, ...]:
        """The dice as they were last accepted."""
        return self.moments[-1].lying

    @property
    def undoable(self) -> bool:
        """Whether somebody has made a move."""
        return len(self.moments) > 1

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened and was not undone."""
        return tuple(event for moment in self.moments for event in moment.state.events)

    @property
    def record(self) -> str:
        """The record of the game so far."""
        return "".join(moment.line + "\n" for moment in self.moments)


class Change(NamedTuple):
    """A game after something happened to it, and the lines that the journal must hold for that."""

    game: Game
    lines: tuple[Line, ...]


def begin(number: int, setup: Setup, origin: Origin) -> Change:
    """Begin the game `number`; origin: what its record says of where it comes from."""
    header = header_line(setup, origin)
    game = _add(Game(number, (), ()), start(setup), (), Kind.HEADER, header)
    return Change(game, (Line(Kind.HEADER, header),))


def play(game: Game, move: Move, lying: tuple[TrayDie, ...], *, ask_always: bool) -> Change:
    """Make a move, and unless `ask_always` those that follow because nothing else is legal.

    lying: where the dice lie after it. Raises IllegalMove.
    """
    kind, lines = Kind.MOVE, []
    places = _places_json(lying) if isinstance(move, Roll) else ""
    following: Move | None = move
    while following is not None:
        line = move_line(following)
        game = _add(game, apply(game.state, following), lying, kind, line)
        lines.append(Line(kind, line, places))
        following = None if ask_always else only_move(game.state)
        kind = Kind.FORCED
    return Change(game, tuple(lines))


def to_undo(game: Game, by: int) -> Undone:
    """Return what `undo` takes back: the last move that somebody made, with what followed.

    by: the seat that asks for it; `game` must be undoable.
    """
    moves = 1
    while game.moments[-moves].kind is Kind.FORCED:
        moves += 1
    return _undone(game, moves, by)


def undo(game: Game, by: int) -> Change:
    """Take back the last move that somebody made, see `to_undo`."""
    moves = to_undo(game, by).moves
    return Change(_taken_back(game, moves, by), (Line(Kind.UNDO, f"{moves} {by}"),))


def guess(game: Game, seat: int, side: Side) -> Change:
    """Note which side wins, as the fallen player at `seat` thinks."""
    return Change(_guessed(game, seat, side), (Line(Kind.GUESS, f"{seat} {side}"),))


def restore(number: int, lines: Sequence[Line]) -> Game:
    """Return the game as its lines left it. Raises ValueError where they make no sense."""
    game = Game(number, (), ())
    try:
        for line in lines:
            body = line.body.encode()
            if line.kind is Kind.UNDO:
                moves, by = map(int, line.body.split())
                game = _taken_back(game, moves, by)
            elif line.kind is Kind.GUESS:
                seat, side = line.body.split()
                game = _guessed(game, int(seat), Side(side))
            elif line.kind is Kind.HEADER:
                game = _add(game, start(parse_header(body)), (), line.kind, line.body)
            else:
                state = apply(game.state, parse_move(body))
                lying = game.lying
                if line.places and isinstance(state.events[0], Rolled):
                    lying = _placed(state.events[0].dice, line.places)
                game = _add(game, state, lying, line.kind, line.body)
        game.state  # noqa: B018 (a game is never empty)
    except (IndexError, TypeError) as error:
        raise ValueError(str(error)) from None
    return game


def restore_sound(number: int, lines: Sequence[Line]) -> tuple[Game | None, int]:
    """Return the game of as many of its first lines as make sense, and how many these are."""
    for count in range(len(lines), 0, -1):
        with suppress(ValueError):
            return restore(number, lines[:count]), count
    return None, 0


def _add(game: Game, state: State, lying: tuple[TrayDie, ...], kind: Kind, line: str) -> Game:
    moment = Moment(state, lying, kind, line)
    return replace(game, moments=(*game.moments, moment), story=game.story + state.events)


def _undone(game: Game, moves: int, by: int) -> Undone:
    before, first = game.moments[-moves - 1], game.moments[-moves]
    awaited = before.state.awaits
    assert awaited is not None
    seat, action = awaited
    if action is Action.ROLL and not any(isinstance(e, Rolled) for e in first.state.events):
        action = Action.STOP
    return Undone(moves, by, seat, action)


def _taken_back(game: Game, moves: int, by: int) -> Game:
    story = (*game.story, _undone(game, moves, by))
    left = game.moments[:-moves]
    life = left[-1].state.life
    # Who lives again has better things to do than to guess.
    guesses = {seat: side for seat, side in game.guesses.items() if not life[seat]}
    return replace(game, moments=left, story=story, guesses=guesses)


def _guessed(game: Game, seat: int, side: Side) -> Game:
    return replace(game, guesses={**game.guesses, seat: side})


def _places_json(lying: Sequence[TrayDie]) -> str:
    return json.dumps(
        [die.place and [die.place.x, die.place.y, die.place.size, die.read] for die in lying]
    )


def _placed(faces: Sequence[Face], places: str) -> tuple[TrayDie, ...]:
    lying = []
    for face, entry in zip(faces, json.loads(places), strict=True):
        die = TrayDie(face, thrown=False, sure=True)
        if entry is not None:
            x, y, size, read = entry
            die = replace(die, place=Place(x, y, size), read=Face(read))
        lying.append(die)
    return tuple(lying)
