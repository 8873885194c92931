"""The card game behind the table's interface."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NoReturn

from companion.cardgame import public
from companion.cardgame.characters import CHARACTERS
from companion.cardgame.check import check
from companion.cardgame.choices import question
from companion.cardgame.events import CardEvent
from companion.cardgame.moves import CardMove, Pass
from companion.cardgame.reasons import CardReason, CardRefusal
from companion.cardgame.record import NAME, header_line, move_line, parse_header, parse_move
from companion.cardgame.rules import apply, start
from companion.cardgame.rulesets import RULESETS
from companion.cardgame.state import CardPlayer, CardSetup, CardState
from companion.cardgame.terms import terms
from companion.cardgame.views import view
from companion.common.endings import TEAMS
from companion.common.played import Played
from companion.common.refusals import refuse
from companion.common.roles import ROLES, Role
from companion.games.card_rules import LAID_CARD_RULES
from companion.table.game import AnyRuleset, Deck, Outcome, Seat, Selection, Standing, TypedGame
from companion.table.tray.corrections import Correction


def _deck(ruleset: AnyRuleset, players: int) -> Deck:
    roles = ROLES[players]
    kinds = tuple(role for role in Role if role in roles)
    return Deck(roles, kinds, Role.SHERIFF, RULESETS[ruleset.id].characters)


def _setup(selection: Selection, seats: Sequence[Seat]) -> CardSetup:
    players = [
        CardPlayer(name, Role(role), CHARACTERS[character]) for name, role, character in seats
    ]
    return CardSetup(RULESETS[selection.ruleset.id], tuple(players))


def _standing(state: CardState) -> Standing:
    result = state.result
    return Standing(
        turn=state.turn,
        awaited=state.awaited,
        rolling=False,
        alive=tuple(seat in state.living for seat in range(len(state.life))),
        outcome=Outcome(*result) if result else None,
    )


def _play(setup: CardSetup, levels: Sequence[str], chance: Random) -> Played[CardState, CardMove]:
    from companion.chance.card_players import play_game

    return play_game(setup, chance)


class _NoDice:
    """A game without dice; see `table.game.DiceRules`."""

    def faces(self) -> Sequence[str]:
        """Return no faces."""
        return ()

    def lying(self, state: CardState) -> Sequence[str]:
        """Return no faces."""
        return ()

    def throwable(self, state: CardState) -> tuple[int, ...]:
        """Return no dice."""
        return ()

    def check_throw(self, state: CardState, die: int) -> CardRefusal:
        """Return that there is nothing to throw."""
        return refuse(CardReason.NO_DICE)

    def fixed_faces(self, state: CardState) -> frozenset[str]:
        """Return no faces."""
        return frozenset()

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> NoReturn:
        """Refuse: the game never awaits a roll. Raises ValueError."""
        raise ValueError(CardReason.NO_DICE)

    def stop(self, seat: int) -> Pass:
        """Return the move of the red button: no card as an answer."""
        return Pass(seat)

    def goes_on(self, state: CardState, faces: Sequence[str]) -> bool:
        """Return that nothing is thrown again."""
        return False

    def rolled(self, move: CardMove) -> None:
        """Return nothing: no move rolls dice."""
        return

    def thrown(self, move: CardMove) -> tuple[int, ...]:
        """Return no dice."""
        return ()

    def with_corrections(
        self, lines: Sequence[str], corrected: Mapping[int, Sequence[Correction]]
    ) -> Sequence[str]:
        """Return the lines as they are: no dice can be corrected."""
        return lines

    def corrections(self, header: bytes, line: bytes, players: int) -> tuple[Correction, ...]:
        """Return none."""
        return ()


CARD_GAME: TypedGame[CardSetup, CardState, CardMove, CardEvent] = TypedGame(
    record_name=NAME,
    title="the card game",
    rulesets=RULESETS,
    dice=_NoDice(),
    cards=LAID_CARD_RULES,
    deck=_deck,
    setup=_setup,
    selection=lambda setup: Selection(CARD_GAME, setup.ruleset),
    start=start,
    check=check,
    apply=apply,
    standing=_standing,
    events=lambda state: state.events,
    view=view,
    question=question,
    roles=lambda state: state.setup.roles,
    sides=lambda players: tuple(dict.fromkeys(TEAMS.values())),
    names=lambda setup: tuple(player.name for player in setup.players),
    # Records of cards name no origin.
    header_line=lambda setup, origin: header_line(setup),
    parse_header=parse_header,
    move_line=move_line,
    parse_move=parse_move,
    terms=lambda ruleset, language: terms(language),
    public=public,
    play=_play,
)
"""The card game."""
