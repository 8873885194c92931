"""The dice game behind the table's interface."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from companion.dicegame import record
from companion.dicegame.characters import CHARACTERS
from companion.dicegame.check import check
from companion.dicegame.choices import Question, only_move, question
from companion.dicegame.corrections import RecordedCorrection, RecordedCorrectionKind, check_seats
from companion.dicegame.events import Event
from companion.dicegame.faces import ALL_DICE, DICE, DYNAMITE, Face
from companion.dicegame.hand import DYNAMITES
from companion.dicegame.house import CONTRADICTORY, HouseRule
from companion.dicegame.moves import Action, Move, Roll, Stop
from companion.dicegame.reasons import Reason, Refusal, refuse
from companion.dicegame.record import NAME, header_line, move_line, parse_header, parse_move
from companion.dicegame.roles import ROLES, Role, first_role
from companion.dicegame.rules import apply, start
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.sides import sides
from companion.dicegame.state import Player, Setup, State
from companion.dicegame.targets import throwable
from companion.dicegame.terms import Terms, terms
from companion.dicegame.views import Audience, View, view
from companion.table.game import AnyRuleset, Deck, Outcome, RecordOrigin, Seat, Selection, Standing
from companion.table.tray.corrections import Correction, CorrectionKind


@cache
def _deck(players: int, characters: tuple[str, ...]) -> Deck:
    roles = ROLES[players]
    return Deck(
        roles=roles,
        role_kinds=tuple(role for role in Role if role in roles),
        first_role=first_role(players),
        characters=characters,
    )


class DiceGame:
    """The dice game; see `table.game.Game`."""

    record_name = NAME
    stand_ins = True
    rulesets: Mapping[str, AnyRuleset] = RULESETS
    house_rules: Sequence[str] = tuple(HouseRule)
    cards = None

    def __init__(self) -> None:
        self.dice = _Dice()

    def select(self, ruleset: str, house_rules: Iterable[str] = ()) -> Selection:
        """Return the dice game with a ruleset and house rules, by id. Raises ValueError."""
        if ruleset not in RULESETS:
            raise ValueError(f"{ruleset}: no such ruleset")
        chosen = frozenset(map(HouseRule, house_rules))
        if chosen >= CONTRADICTORY:
            raise ValueError(f"{' and '.join(sorted(CONTRADICTORY))} contradict each other")
        return Selection(self, RULESETS[ruleset], chosen)

    def deck(self, ruleset: AnyRuleset, players: int) -> Deck:
        """Return the roles for this many players, and the characters of the ruleset."""
        return _deck(players, RULESETS[ruleset.id].characters)

    def setup(self, selection: Selection, seats: Sequence[Seat]) -> Setup:
        """Return the setup of a game that was dealt. Raises SetupError."""
        return Setup(
            RULESETS[selection.ruleset.id],
            tuple(
                [Player(name, Role(role), CHARACTERS[character]) for name, role, character in seats]
            ),
            frozenset(map(HouseRule, selection.house_rules)),
        )

    def selection(self, setup: Setup) -> Selection:
        """Return the ruleset and house rules of a game."""
        return Selection(self, setup.ruleset, setup.house_rules)

    def start(self, setup: Setup) -> State:
        """Return the state before the first decision."""
        return start(setup)

    def check(self, state: State, move: Move) -> Refusal[Reason] | None:
        """Return why a move is illegal; None if it is legal."""
        return check(state, move)

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a move. Raises IllegalMove."""
        return apply(state, move)

    def only_move(self, state: State) -> Move | None:
        """Return the move if all legal moves have the same effect; None otherwise."""
        return only_move(state)

    def standing(self, state: State) -> Standing:
        """Return where the game stands."""
        awaits, result = state.awaits, state.result
        return Standing(
            turn=state.turn,
            awaited=awaits.seat if awaits else None,
            rolling=awaits is not None and awaits.action is Action.ROLL,
            alive=tuple(life > 0 for life in state.life),
            outcome=Outcome(*result) if result else None,
        )

    def events(self, state: State) -> tuple[Event, ...]:
        """Return what the last move caused, in order."""
        return state.events

    def public_view(self, state: State) -> View:
        """Return what everybody may see."""
        return view(state, Audience.TABLE)

    def open_view(self, state: State) -> View:
        """Return what everybody may see once the game is over."""
        return view(state, Audience.RECORD)

    def question(self, state: State) -> Question | None:
        """Return the decision that the game waits for; None once it is over."""
        return question(state)

    def roles(self, state: State) -> tuple[Role, ...]:
        """Return the role of each seat."""
        return state.setup.roles

    def sides(self, players: int) -> tuple[str, ...]:
        """Return the sides that can win a game of this many players."""
        return sides(ROLES[players])

    def names(self, setup: Setup) -> tuple[str, ...]:
        """Return the players' names by seat."""
        return tuple(player.name for player in setup.players)

    def header_line(self, setup: Setup, origin: RecordOrigin) -> str:
        """Return the first line of the record, without the line feed."""
        return header_line(setup, record.Origin(*origin))

    def parse_header(self, line: bytes) -> Setup:
        """Return the setup from the first line of a record. Raises FormatError."""
        return parse_header(line)

    def move_line(self, move: Move) -> str:
        """Return a move as a line of the record, without the line feed."""
        return move_line(move)

    def parse_move(self, line: bytes) -> Move:
        """Return the move on a line of a record. Raises FormatError."""
        return parse_move(line)

    def terms(self, ruleset: AnyRuleset, language: str) -> Terms:
        """Return the names and sentences of the game in a language."""
        return terms(RULESETS[ruleset.id], language)


class _Dice:
    """The rules of throwing dice; see `table.game.DiceRules`."""

    def faces(self) -> Sequence[Face]:
        """Return the names of the faces."""
        return tuple(Face)

    def lying(self, state: State) -> Sequence[Face]:
        """Return the faces accepted so far this turn; empty before the first roll."""
        return state.dice

    def throwable(self, state: State) -> tuple[int, ...]:
        """Return the numbers of the dice that may be thrown now."""
        return throwable(state)

    def check_throw(self, state: State, die: int) -> Refusal[Reason] | None:
        """Return why a die may not be thrown again now; None if it may."""
        if not 0 <= die < DICE:
            return refuse(Reason.NO_SUCH_DIE, last=DICE - 1)
        if die not in throwable(state):
            return refuse(Reason.DYNAMITE_STAYS, die=die)
        return None

    def fixed_faces(self, state: State) -> frozenset[str]:
        """Return the faces that must stay: a die that shows one may not be thrown again."""
        return frozenset() if state.ability.rerolls_dynamite else frozenset({DYNAMITE})

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> Roll:
        """Return the move of a roll."""
        return Roll(seat, tuple(Face(face) for face in faces), thrown)

    def stop(self, seat: int) -> Stop:
        """Return the move that ends the rolling."""
        return Stop(seat)

    def goes_on(self, state: State, faces: Sequence[str]) -> bool:
        """Return whether dice may be thrown again once these are accepted, by the dice alone."""
        exploded = faces.count(DYNAMITE) >= DYNAMITES
        return not exploded and state.rolls + 1 < state.ability.max_rolls

    def rolled(self, move: Move) -> Sequence[Face] | None:
        """Return the faces that a move rolled; None for any other move."""
        return move.dice if isinstance(move, Roll) else None

    def thrown(self, move: Move) -> tuple[int, ...]:
        """Return the numbers of the dice that a move threw; empty for a move that rolled none."""
        if not isinstance(move, Roll):
            return ()
        return ALL_DICE if move.rerolled is None else move.rerolled

    def with_corrections(
        self, lines: Sequence[str], corrected: Mapping[int, Sequence[Correction]]
    ) -> Sequence[str]:
        """Return the lines of a record with what players corrected in the dice, by line."""
        said = {number: [_said(each) for each in made] for number, made in corrected.items()}
        return record.with_corrections(lines, said)

    def corrections(self, header: bytes, line: bytes, players: int) -> tuple[Correction, ...]:
        """Return what players corrected in the dice of a line of a record. Raises FormatError."""
        said = record.parse_corrections(line)
        if said:
            # Not every version of the format has them.
            parse_move(line, record.parse_version(header))
        check_seats(said, players)
        return tuple(map(_correction, said))


_NAMES_A_FACE = (RecordedCorrectionKind.FACE, RecordedCorrectionKind.ADDED)


def _said(correction: Correction) -> RecordedCorrection:
    """Return a correction as records have it."""
    kind = RecordedCorrectionKind[correction.kind.name]
    return RecordedCorrection(
        kind,
        correction.by,
        None if kind is RecordedCorrectionKind.ADDED else correction.die,
        Face(correction.before) if correction.before else None,
        Face(correction.after) if correction.after and kind in _NAMES_A_FACE else None,
    )


def _correction(said: RecordedCorrection) -> Correction:
    """Return a correction from a record as the table has it."""
    kind = CorrectionKind[said.kind.name]
    return Correction(kind, said.seat, said.die, said.read, said.face)


DICE_GAME = DiceGame()
"""The dice game."""
