"""The card game behind the table's interface."""

from collections.abc import Sequence
from random import Random

from companion.games.cards.laid import LAID_CARD_RULES
from companion.games.cards.rules import public, record
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.check import check
from companion.games.cards.rules.choices import question
from companion.games.cards.rules.events import CardEvent
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.rules import apply, start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.state import CardPlayer, CardSetup, CardState
from companion.games.cards.rules.views import view
from companion.games.cards.terms import terms
from companion.games.common.endings import TEAMS
from companion.games.common.played import Played
from companion.games.common.roles import ROLES, Role
from companion.games.game import AnyRuleset, Deck, Outcome, Seat, Selection, Standing, TypedGame


def _deck(ruleset: AnyRuleset, players: int) -> Deck:
    roles = ROLES[players]
    kinds = tuple(role for role in Role if role in roles)
    return Deck(roles, kinds, Role.SHERIFF, RULESETS[ruleset.id].characters)


def _setup(selection: Selection, seats: Sequence[Seat]) -> CardSetup:
    players = [
        CardPlayer(name, Role(role), CHARACTERS[character]) for name, role, character in seats
    ]
    return CardSetup(RULESETS[selection.ruleset.id], tuple(players))


def characters_of(setup: CardSetup) -> tuple[str, ...]:
    """Return the characters by seat; the rulebook lets survivors keep theirs."""
    return tuple([player.character.id for player in setup.players])


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
    if not levels:
        from companion.games.cards.players import play_game

        return play_game(setup, chance)
    from companion.games.cards.minds.levels import MINDS
    from companion.games.cards.minds.match import play_match

    return play_match(setup, [MINDS[level] for level in levels], chance)


CARD_GAME: TypedGame[CardSetup, CardState, CardMove, CardEvent] = TypedGame(
    record_name=record.NAME,
    title="the card game",
    rulesets=RULESETS,
    cards=LAID_CARD_RULES,
    deck=_deck,
    setup=_setup,
    characters=characters_of,
    selection=lambda setup: Selection(CARD_GAME.opaque, setup.ruleset),
    start=start,
    check=check,
    apply=apply,
    named=LAID_CARD_RULES.named,
    correction=LAID_CARD_RULES.correction,
    standing=_standing,
    events=lambda state: state.events,
    view=view,
    question=question,
    roles=lambda state: state.setup.roles,
    sides=lambda players: tuple(dict.fromkeys(TEAMS.values())),
    names=lambda setup: tuple(player.name for player in setup.players),
    # Records of cards name no origin.
    header_line=lambda setup, origin: record.header_line(setup),
    parse_header=record.parse_header,
    move_line=record.move_line,
    parse_move=record.parse_move,
    terms=lambda ruleset, language: terms(language),
    public=public,
    play=_play,
    deals_hands=True,
)
"""The card game."""
