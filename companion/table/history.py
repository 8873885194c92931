"""The game on the table, with what undo, save and restore need, as immutable values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.games.game import (
    OTHER_COUNTS,
    AnyEvent,
    AnyMove,
    AnySetup,
    AnyState,
    CardRules,
    Correction,
    CorrectionKind,
    Game,
    Reason,
    RecordOrigin,
    Selection,
    Standing,
)
from companion.table.journal.saved import Line, LineKind
from companion.table.surface.cards.state import LaidCard
from companion.table.surface.dice.state import Place, TrayDie


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a move."""

    state: AnyState
    """The state of the game."""
    standing: Standing
    """The game's standing in this state."""
    lying: tuple[TrayDie, ...]
    """The dice as they were last accepted."""
    move: AnyMove | None
    """The move that led here; None at the start."""
    kind: LineKind
    """Who made the move: a player, or the table if there was no choice."""
    line: str
    """The move as the table keeps it, a line of the record if all is public; first, the header."""
    corrected: tuple[Correction, ...] = ()
    """What players corrected in the dice that the move accepted."""
    cards: tuple[LaidCard, ...] = ()
    """The cards that the camera saw of this move, in order; only their signs survive a restart."""


class Undone(NamedTuple):
    """An undo, as the story tells it."""

    moves: int
    """How many moves were taken back."""
    by: int
    """The seat that asked for it."""
    whose: int
    """The seat that made the first of these moves."""
    action: str
    """The kind of that move."""
    decisions: int = 1
    """How many of these moves players made; the others followed automatically."""


KEPT = -1
"""The number of a picture that was kept before a restart."""


class Retitled(NamedTuple):
    """A correction of a card of some moves ago, as the story tells it: its title, sign or player.

    In the story, everything since that move is undone and told again after this entry.
    """

    move: int
    """The number of the move."""
    by: int
    """The seat that corrected it."""
    whose: int
    """The seat that played or flipped the card."""
    before: str
    """The title or sign that it had; empty if the card was forgotten, and is put in."""
    after: str
    """The title or sign that it got."""
    other_counts: bool = False
    """Whether the other one of two flipped cards counts now: `before` counted until then."""
    to: int | None = None
    """The seat whose card it really was; None if that doesn't change."""
    picture: int = 0
    """The watcher's number for the card's picture, or KEPT; 0 if there is none."""


class EntryStatus(NamedTuple):
    """When an entry of the story happened, and whether it still counts."""

    moves: int
    """How many moves had been made then, its own included."""
    undone: bool = False
    """Whether an undo took it back, or it is told again because a card was corrected."""
    again: bool = False
    """Whether it was told before, when a card had another title or sign."""


@dataclass(frozen=True, slots=True)
class History:
    """A game from its start to now. It is never empty and holds all secrets of the game."""

    number: int
    """The number of the game, unique at this table."""
    game: Game
    """Which game it is."""
    selection: Selection
    """By which rules it is played."""
    moments: tuple[Moment, ...]
    """The start, then the game after each move that wasn't undone."""
    story: tuple[AnyEvent | Undone | Retitled | Correction, ...]
    """Everything that happened, including what was undone later."""
    statuses: tuple[EntryStatus, ...]
    """What became of each entry of the story."""
    lines: tuple[Line, ...] = ()
    """What the journal must save of it."""
    guesses: Mapping[int, str] = field(default_factory=dict)
    """The side that each eliminated player expects to win, by seat."""
    resumed: bool = False
    """Whether an undo resumed it after its end, when all roles had been shown."""

    @property
    def state(self) -> AnyState:
        """The game as it stands."""
        return self.moments[-1].state

    @property
    def standing(self) -> Standing:
        """Where the game stands."""
        return self.moments[-1].standing

    @property
    def lying(self) -> tuple[TrayDie, ...]:
        """The dice as they were last accepted."""
        return self.moments[-1].lying

    @property
    def undoable(self) -> bool:
        """Whether a player has made a move."""
        return any(moment.kind is LineKind.MOVE for moment in reversed(self.moments))

    @property
    def landings(self) -> tuple[int, ...]:
        """The numbers of moves that an undo may leave: those after which a player decided."""
        return tuple(n for n, moment in enumerate(self.moments[1:]) if moment.kind is LineKind.MOVE)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """What happened and wasn't undone."""
        return tuple(event for moment in self.moments for event in self.game.events(moment.state))

    @property
    def record(self) -> str:
        """The record of the game so far, with what players corrected in the dice."""
        line_of = self.game.record_line
        lines: Sequence[str] = [line_of(moment.state, moment.line) for moment in self.moments]
        corrected = {
            n: moment.corrected for n, moment in enumerate(self.moments) if moment.corrected
        }
        if corrected:
            lines = self.game.with_corrections(lines, corrected)
        return "".join(line + "\n" for line in lines if line)


def begin(
    number: int, game: Game, setup: AnySetup, origin: RecordOrigin, *, ask_always: bool
) -> History:
    """Return a game at its start and, unless `ask_always`, after the moves that are forced there.

    origin: where its record says it comes from.
    """
    header = game.header_line(setup, origin)
    history = _start_history(number, game, setup, Line(LineKind.HEADER, header, at=origin.date))
    return history if ask_always else _make_forced_moves(history)


def play(
    history: History,
    move: AnyMove,
    lying: tuple[TrayDie, ...],
    corrected: tuple[Correction, ...] = (),
    cards: tuple[LaidCard, ...] = (),
    *,
    ask_always: bool,
) -> History:
    """Return the game after a move and, unless `ask_always`, the forced moves that follow.

    lying: where the dice lie afterwards; corrected: what players corrected in them; cards: those
    that the camera saw of the move. Raises ValueError if the move is illegal.
    """
    game = history.game
    if corrected:
        history = _note_corrections(history, corrected, Line(LineKind.SAID, json.dumps(corrected)))
    rolled = game.rolled(move) is not None
    places = _places_json(lying) if rolled else _signs_json(game, move, cards)
    line = Line(LineKind.MOVE, game.move_line(move), places)
    history = _make_move(history, move, lying, line, cards)
    return history if ask_always else _make_forced_moves(history)


def _note_corrections(history: History, corrected: tuple[Correction, ...], line: Line) -> History:
    """Return the game with corrections of the dice of the move to come."""
    return replace(
        history,
        story=history.story + corrected,
        statuses=history.statuses + (EntryStatus(len(history.moments)),) * len(corrected),
        lines=(*history.lines, line),
    )


def _signs_json(game: Game, move: AnyMove, cards: tuple[LaidCard, ...]) -> str:
    """Return the signs of cards that were laid as titles; empty if none is sure.

    Those of flipped cards stand in the move itself.
    """
    signs = [card.sign if card.sign_sure else None for card in cards]
    return json.dumps(signs) if {*signs} - {None, *game.named(move)} else ""


def _make_forced_moves(history: History) -> History:
    """Return the game after the forced moves that are due now."""
    game = history.game
    while (move := game.only_move(history.state)) is not None:
        history = _make_move(
            history, move, history.lying, Line(LineKind.FORCED, game.move_line(move))
        )
    return history


def to_undo(history: History, by: int) -> Undone:
    """Return what `undo` takes back: the last move that a player made, with what followed.

    by: the seat that asks for it; `history` must be undoable.
    """
    moves = 1
    while history.moments[-moves].kind is LineKind.FORCED:
        moves += 1
    return _build_undo(history, moves, by)


def undo(history: History, by: int) -> History:
    """Return the game without the last move that a player made, see `to_undo`."""
    return _take_moves_back(history, to_undo(history, by))


def go_back(history: History, by: int, moves: int) -> History:
    """Return the game as it was after this many moves, one of its `landings`."""
    return _take_moves_back(history, _build_undo(history, len(history.moments) - 1 - moves, by))


class Quoted(NamedTuple):
    """An entry of the story that a message quotes."""

    entry: AnyEvent
    """The entry, which pages tell in the words of the game."""


class LaterIllegalError(ValueError):
    """A card can't be corrected, because its move or a later one would be illegal."""

    def __init__(self, number: int, reason: Reason) -> None:
        """number: of the move that would be illegal; reason: why."""
        super().__init__(str(reason))
        self.number, self.reason = number, reason


def retitle(history: History, by: int, number: int, card: str, place: int = 0) -> History:
    """Return the game with a card of a move corrected; what followed is kept.

    by: the seat that corrects it; card: as `Game.correction` takes it; place: which of the cards
    that the move names. Raises LaterIllegalError if a move would become illegal, and ValueError if
    the move names no other card there.
    """
    game = history.game
    if not 0 < number < len(history.moments):
        raise ValueError("no card")
    played = [(moment.move, moment.state) for moment in history.moments]
    corrected = game.correction(played, number, place, card)
    if not corrected:
        raise ValueError("no other card")
    moments = _play_again(history, corrected)
    moment, to = history.moments[number], int(card) if card.isdecimal() else None
    was = moment.move
    assert was is not None
    before = game.named(was)[place]
    after = before if to is not None else game.named(corrected[number])[place]
    seen = (card.number for card in moment.cards if before in (card.title, card.sign))
    picture, other = next(seen, 0), card == OTHER_COUNTS
    told = Retitled(min(corrected), by, was.seat, before, after, other, to, picture)
    line = Line(LineKind.RETITLE, f"{number} {by} {card}" + (f" {place}" if place else ""))
    return _retell(history, moments, told, line)


def insert(history: History, by: int, move: AnyMove, after: int) -> History:
    """Return the game with a move that was forgotten put in after so many; what followed is kept.

    by: the seat that says so. Raises LaterIllegalError if a move would be illegal.
    """
    game, number = history.game, after + 1
    line, moments = game.move_line(move), history.moments
    said = replace(moments[after], move=move, kind=LineKind.MOVE, line=line, corrected=(), cards=())
    room = replace(history, moments=(*moments[:number], said, *moments[number:]))
    try:
        played = _play_again(room, {number: move})
    except LaterIllegalError as error:
        raise LaterIllegalError(error.number - 1, error.reason) from None
    told = Retitled(number, by, move.seat, "", game.named(move)[0])
    return _retell(history, played, told, Line(LineKind.INSERT, f"{after} {by} {line}"))


def _play_again(history: History, corrected: Mapping[int, AnyMove]) -> tuple[Moment, ...]:
    """Return the moments of a game with other moves, by number. Raises LaterIllegalError.

    Two moves exchange the cards that the camera saw of them.
    """
    game, moments = history.game, list(history.moments[: min(corrected)])
    seen = dict(zip(corrected, reversed([*corrected]), strict=True))
    for number in range(len(moments), len(history.moments)):
        later = history.moments[number]
        move = corrected.get(number, later.move)
        assert move is not None
        if refusal := game.check(moments[-1].state, move):
            raise LaterIllegalError(number, refusal)
        state = game.apply(moments[-1].state, move)
        moments.append(
            replace(
                later,
                state=state,
                standing=game.standing(state),
                move=move,
                line=game.move_line(move),
                cards=history.moments[seen.get(number, number)].cards,
            )
        )
    return tuple(moments)


def _retell(history: History, moments: tuple[Moment, ...], told: Retitled, line: Line) -> History:
    """Return the game with other moments since a move of which a card was corrected."""
    statuses = [
        status._replace(undone=True)
        if status.moves >= told.move and not isinstance(entry, Undone | Retitled)
        else status
        for entry, status in zip(history.story, history.statuses, strict=True)
    ]
    again: list[AnyEvent] = []
    for number in range(told.move, len(moments)):
        events = history.game.events(moments[number].state)
        again += events
        statuses += [EntryStatus(number, again=True)] * len(events)
    statuses.insert(len(history.statuses), EntryStatus(len(moments) - 1))
    alive = moments[-1].standing.alive
    return replace(
        history,
        moments=moments,
        story=(*history.story, told, *again),
        statuses=tuple(statuses),
        lines=(*history.lines, line),
        guesses={seat: side for seat, side in history.guesses.items() if not alive[seat]},
        resumed=history.resumed or history.standing.outcome is not None,
    )


def guess(history: History, seat: int, side: str) -> History:
    """Return the game with an eliminated player's guess about which side wins.

    Only the last guess counts. It isn't a line of the game, so guessing can't make that long.
    """
    return replace(history, guesses={**history.guesses, seat: side})


class UnreadableRecordError(ValueError):
    """A record breaks the format or the rules."""

    def __init__(self, line: int, reason: Reason, before: "History | None") -> None:
        """line: the first wrong one, from 1; reason: what is wrong; before: the game up to it."""
        super().__init__(str(reason))
        self.line, self.reason, self.before = line, reason, before


def read_record(lines: Sequence[bytes], games: Mapping[str, Game]) -> History:
    """Return the game of a record, over or not. Its number is 0.

    lines: those of the file, split at line feeds only; games: by the name in their records'
    headers. Raises UnreadableRecordError.
    """
    history = None
    for number, line in enumerate(lines or [b""], start=1):
        try:
            if history is None:
                game = _game_of(line, games)
                setup = game.parse_header(line)
                history = _start_history(
                    0, game, setup, Line(LineKind.HEADER, line.decode().strip())
                )
            else:
                move = history.game.parse_move(line)
                if refusal := history.game.check(history.state, move):
                    raise UnreadableRecordError(number, refusal, history)
                said = history.game.corrections(lines[0], line, len(history.standing.alive))
                if said:
                    history = _note_corrections(
                        history, said, Line(LineKind.SAID, json.dumps(said))
                    )
                body = line.decode().strip()
                history = _make_move(history, move, (), Line(LineKind.MOVE, body))
        except UnreadableRecordError:
            raise
        except (ValueError, RecursionError) as error:
            raise UnreadableRecordError(number, str(error), history) from None
    assert history is not None
    return history


def _game_of(header: bytes, games: Mapping[str, Game]) -> Game:
    """Return the game that a header names or, if it names none, one that says what is wrong."""
    try:
        return games[json.loads(header)["record"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return next(iter(games.values()))


def restore(number: int, lines: Sequence[Line], games: Mapping[str, Game]) -> History:
    """Return the game that its lines describe. games: by the name in their records' headers.

    Raises ValueError if the lines make no sense.
    """
    history, sound = restore_sound(number, lines, games)
    if history is None or sound < len(lines):
        raise ValueError(f"line {sound + 1} of the game makes no sense")
    return history


def restore_sound(
    number: int, lines: Sequence[Line], games: Mapping[str, Game]
) -> tuple[History | None, int]:
    """Return the game up to its last valid line, and the number of valid lines."""
    history = None
    for sound, line in enumerate(lines):
        try:
            if history is None:
                history = _restored_start(number, line, games)
            else:
                history = _replay_line(history, line)
        except (ValueError, IndexError, KeyError, TypeError, AttributeError, RecursionError):
            return history, sound
    return history, len(lines)


def _restored_start(number: int, line: Line, games: Mapping[str, Game]) -> History:
    if line.kind is not LineKind.HEADER:
        raise ValueError("a game begins with its header")
    game = games[json.loads(line.body)["record"]]
    return _start_history(number, game, game.parse_header(line.body.encode()), line)


def _replay_line(history: History, line: Line) -> History:
    """Return the game after one more of its lines."""
    match line.kind:
        case LineKind.UNDO:
            moves, by = map(int, line.body.split())
            return _take_moves_back(history, _build_undo(history, moves, by))
        case LineKind.SAID:
            return _note_corrections(history, _parse_corrections(line), line)
        case LineKind.RETITLE:
            number, seat, card, *place = line.body.split(" ")
            return retitle(history, int(seat), int(number), card, *map(int, place))
        case LineKind.INSERT:
            after, by_seat, move_line = line.body.split(" ", 2)
            forgotten = history.game.parse_move(move_line.encode())
            if not 0 <= int(after) < len(history.moments) - 1:
                raise ValueError("nothing follows this move")
            return insert(history, int(by_seat), forgotten, int(after))
        case LineKind.HEADER:
            raise ValueError("a game has one header")
    game, lying = history.game, history.lying
    move = game.parse_move(line.body.encode())
    faces = game.rolled(move)
    if line.places and faces is not None:
        lying = _parse_places(faces, line.places)
    cards = _parse_signs(game.cards, line.places) if line.places and game.cards else ()
    return _make_move(history, move, lying, line, cards)


def _parse_signs(rules: CardRules, signs: str) -> tuple[LaidCard, ...]:
    """Return the cards of a move that the camera saw before the restart."""
    cards = tuple(
        LaidCard(sign=sign, sign_sure=sign is not None, new=False) for sign in json.loads(signs)
    )
    if not {card.sign for card in cards} <= {*rules.signs(), None}:
        raise ValueError("no sign")
    return cards


def _parse_corrections(line: Line) -> tuple[Correction, ...]:
    """Return the corrections on a line; none on a line of another kind."""
    if line.kind is not LineKind.SAID:
        return ()
    return tuple(Correction(CorrectionKind(kind), *rest) for kind, *rest in json.loads(line.body))


def _start_history(number: int, game: Game, setup: AnySetup, line: Line) -> History:
    state = game.start(setup)
    start = Moment(state, game.standing(state), (), None, line.kind, line.body)
    selection = game.selection(setup)
    story = game.events(state)
    return History(
        number=number,
        game=game,
        selection=selection,
        moments=(start,),
        story=story,
        statuses=(EntryStatus(0),) * len(story),
        lines=(line,),
    )


def _make_move(
    history: History,
    move: AnyMove,
    lying: tuple[TrayDie, ...],
    line: Line,
    cards: tuple[LaidCard, ...] = (),
) -> History:
    game = history.game
    state = game.apply(history.state, move)
    corrected = _parse_corrections(history.lines[-1])
    moment = Moment(
        state=state,
        standing=game.standing(state),
        lying=lying,
        move=move,
        kind=line.kind,
        line=line.body,
        corrected=corrected,
        cards=cards,
    )
    events = game.events(state)
    return replace(
        history,
        moments=(*history.moments, moment),
        story=history.story + events,
        statuses=history.statuses + (EntryStatus(len(history.moments)),) * len(events),
        lines=(*history.lines, line),
    )


def _build_undo(history: History, moves: int, by: int) -> Undone:
    if not 0 < moves < len(history.moments):
        raise ValueError(f"{moves} moves can't be taken back")
    undone = history.moments[-moves:]
    move = undone[0].move
    assert move is not None
    decisions = sum(moment.kind is LineKind.MOVE for moment in undone)
    return Undone(moves, by, move.seat, move.action, decisions)


def _take_moves_back(history: History, undone: Undone) -> History:
    left = history.moments[: -undone.moves]
    alive, last = left[-1].standing.alive, len(left) - 1
    statuses = tuple(
        status
        if status.moves <= last or isinstance(entry, Undone | Retitled)
        else status._replace(undone=True)
        for entry, status in zip(history.story, history.statuses, strict=True)
    )
    return replace(
        history,
        moments=left,
        story=(*history.story, undone),
        statuses=(*statuses, EntryStatus(last)),
        lines=(*history.lines, Line(LineKind.UNDO, f"{undone.moves} {undone.by}")),
        # A player who is back in the game no longer guesses.
        guesses={seat: side for seat, side in history.guesses.items() if not alive[seat]},
        resumed=history.resumed or history.standing.outcome is not None,
    )


def _places_json(lying: Sequence[TrayDie]) -> str:
    return json.dumps([_place_json(die) for die in lying])


def _place_json(die: TrayDie) -> object:
    """Return what is saved of an accepted die besides its face."""
    said = [True] if die.said else []
    if die.place is None:
        return True if said else None
    return [die.place.x, die.place.y, die.place.size, die.read, *said]


def _parse_places(faces: Sequence[str], places: str) -> tuple[TrayDie, ...]:
    lying = []
    for face, entry in zip(faces, json.loads(places), strict=True):
        die = TrayDie(face, thrown=False, sure=True, said=entry is True)
        if isinstance(entry, list):
            x, y, size, read, *said = entry
            die = replace(die, place=Place(x, y, size), read=read, said=said == [True])
        lying.append(die)
    return tuple(lying)
