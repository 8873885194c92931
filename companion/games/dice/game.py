"""The dice game behind the table's interface."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from companion.games.common.played import Played
from companion.games.dice.rules import corrections, public, record
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import only_move, question
from companion.games.dice.rules.events import Event
from companion.games.dice.rules.faces import ALL_DICE, DICE, DYNAMITE, Face
from companion.games.dice.rules.hand import DYNAMITES
from companion.games.dice.rules.house import CONTRADICTORY, HouseRule
from companion.games.dice.rules.moves import Action, Move, Roll, Stop
from companion.games.dice.rules.reasons import Reason, Refusal, refuse
from companion.games.dice.rules.record import NAME, header_line, move_line, parse_header, parse_move
from companion.games.dice.rules.roles import ROLES, Role, first_role
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.sides import sides
from companion.games.dice.rules.state import Player, Setup, State
from companion.games.dice.rules.targets import throwable
from companion.games.dice.rules.views import view
from companion.games.dice.terms import terms
from companion.games.game import (
    Correction,
    CorrectionKind,
    Decision,
    Deck,
    Outcome,
    Seat,
    Selection,
    Standing,
    TypedGame,
)

if TYPE_CHECKING:
    from companion.games.dice.odds import PublicHistory


@cache
def _deck(players: int, characters: tuple[str, ...]) -> Deck:
    roles = ROLES[players]
    return Deck(
        roles=roles,
        role_kinds=tuple(role for role in Role if role in roles),
        first_role=first_role(players),
        characters=characters,
    )


def _setup(selection: Selection, seats: Sequence[Seat]) -> Setup:
    players = [Player(name, Role(role), CHARACTERS[character]) for name, role, character in seats]
    house_rules = frozenset(map(HouseRule, selection.house_rules))
    return Setup(RULESETS[selection.ruleset.id], tuple(players), house_rules)


def _standing(state: State) -> Standing:
    awaits, result = state.awaits, state.result
    return Standing(
        turn=state.turn,
        awaited=awaits.seat if awaits else None,
        rolling=awaits is not None and awaits.action is Action.ROLL,
        alive=tuple(life > 0 for life in state.life),
        outcome=Outcome(*result) if result else None,
    )


def _decide(level: str, states: Sequence[State], made: Sequence[Move], chance: Random) -> Decision:
    # It needs numpy, which takes long to load.
    from companion.games.dice.stand_ins import decide

    return decide(level, states, made, chance)


def _public_history(states: Sequence[State], moves: Sequence[Move]) -> "PublicHistory":
    from companion.games.dice.odds import public_history

    return public_history(states, moves)


def _play(setup: Setup, levels: Sequence[str], chance: Random) -> Played[State, Move]:
    if not levels:
        from companion.games.dice.players import play_game

        return play_game(setup, chance)
    from companion.games.dice.minds.levels import MINDS
    from companion.games.dice.minds.match import play_match

    return play_match(setup, [MINDS[level] for level in levels], chance)


class _Dice:
    """The rules of throwing dice; see `games.game.DiceRules`."""

    def faces(self) -> Sequence[Face]:
        """Return the faces of a die."""
        return tuple(Face)

    def lying(self, state: State) -> Sequence[Face]:
        """Return the faces of the rolls accepted in this turn; empty before its first."""
        return state.dice

    def throwable(self, state: State) -> tuple[int, ...]:
        """Return the dice that the character on turn may throw, by number."""
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
        """Return whether the turn has rolls left and these faces don't explode."""
        exploded = faces.count(DYNAMITE) >= DYNAMITES
        return not exploded and state.rolls + 1 < state.ability.max_rolls


def _rolled_faces(move: Move | None) -> Sequence[Face] | None:
    """Return the faces that a move rolled; None for any other move, and for none."""
    return move.dice if isinstance(move, Roll) else None


def _thrown_dice(move: Move) -> tuple[int, ...]:
    """Return the numbers of the dice that a move threw; empty for a move that rolled none."""
    if not isinstance(move, Roll):
        return ()
    return ALL_DICE if move.rerolled is None else move.rerolled


def _with_corrections(
    lines: Sequence[str], corrected: Mapping[int, Sequence[Correction]]
) -> Sequence[str]:
    """Return the lines of a record with what players corrected in the dice, by line."""
    said = {
        number: [_recorded_correction(each) for each in made] for number, made in corrected.items()
    }
    return record.with_corrections(lines, said)


def _corrections(header: bytes, line: bytes, players: int) -> tuple[Correction, ...]:
    """Return what players corrected in the dice of a line of a record. Raises FormatError."""
    said = record.parse_corrections(line)
    if said:
        # Not every version of the format has them.
        parse_move(line, record.parse_version(header))
    corrections.check_seats(said, players)
    return tuple(map(_correction, said))


_NAMES_A_FACE = (corrections.RecordedCorrectionKind.FACE, corrections.RecordedCorrectionKind.ADDED)


def _recorded_correction(correction: Correction) -> corrections.RecordedCorrection:
    """Return a correction as records have it."""
    kind = corrections.RecordedCorrectionKind[correction.kind.name]
    return corrections.RecordedCorrection(
        kind,
        correction.by,
        None if kind is corrections.RecordedCorrectionKind.ADDED else correction.die,
        Face(correction.before) if correction.before else None,
        Face(correction.after) if correction.after and kind in _NAMES_A_FACE else None,
    )


def _correction(said: corrections.RecordedCorrection) -> Correction:
    """Return a correction from a record as the table has it."""
    kind = CorrectionKind[said.kind.name]
    return Correction(kind, said.seat, said.die, said.read, said.face)


DICE_GAME: TypedGame[Setup, State, Move, Event] = TypedGame(
    record_name=NAME,
    title="the dice game",
    rulesets=RULESETS,
    house_rules=tuple(HouseRule),
    contradictory=CONTRADICTORY,
    dice=_Dice(),
    deck=lambda ruleset, players: _deck(players, RULESETS[ruleset.id].characters),
    setup=_setup,
    selection=lambda setup: Selection(DICE_GAME.opaque, setup.ruleset, setup.house_rules),
    start=start,
    check=check,
    apply=apply,
    only_move=only_move,
    rolled=_rolled_faces,
    thrown=_thrown_dice,
    standing=_standing,
    events=lambda state: state.events,
    view=view,
    question=question,
    roles=lambda state: state.setup.roles,
    sides=lambda players: sides(ROLES[players]),
    names=lambda setup: tuple(player.name for player in setup.players),
    header_line=lambda setup, origin: header_line(setup, record.Origin(*origin)),
    parse_header=parse_header,
    move_line=move_line,
    parse_move=parse_move,
    with_corrections=_with_corrections,
    corrections=_corrections,
    terms=lambda ruleset, language: terms(RULESETS[ruleset.id], language),
    public=public,
    decide=_decide,
    seen=_public_history,
    play=_play,
)
"""The dice game."""
