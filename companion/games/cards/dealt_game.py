"""The card game with dealt hands behind the table's interface."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.games.cards.dealt import record
from companion.games.cards.dealt.luck import LUCK_BITS
from companion.games.cards.dealt.moves import DealtMove, EndTurn
from companion.games.cards.dealt.options import can_only_pass, check, forced_move
from companion.games.cards.dealt.record import DealtSetup
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.dealt.views import HeldHand, hand, question, view
from companion.games.cards.game import CARD_GAME, characters_of
from companion.games.cards.laid import LAID_CARD_RULES
from companion.games.cards.rules import claims, public
from companion.games.cards.rules import record as public_record
from companion.games.cards.rules.events import CardEvent
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.game import Decision, Seat, Selection, Standing, TypedGame


class HeldHandRules:
    """The rules of hands that the companion deals; see `games.game.HandRules`."""

    def hand(self, state: DealtState, seat: int) -> HeldHand:
        """Return what a seat holds, and what it can do with it, for its player alone."""
        return hand(self.answerers(state).get(seat, state), seat)

    def answerers(self, state: DealtState) -> Mapping[int, DealtState]:
        """Return the seats that a card for all still asks; those that wait choose no card first."""
        return {
            seat: replace(state, public=game, offer=None) if game is not state.public else state
            for seat, game in LAID_CARD_RULES.answerers(state.public).items()
        }

    def plays_card(self, move: DealtMove) -> bool:
        """Return whether a decision names a card of the hand for everybody."""
        return isinstance(move, Play)

    def passing(self, state: DealtState) -> Pass | None:
        """Return the move that passes, if an answer or a last Beer is awaited."""
        card = state.public.open
        if state.offer is not None or state.public.result or card is None or not card.needed:
            return None
        return Pass(card.on)

    def ending(self, state: DealtState) -> EndTurn | None:
        """Return the move that ends the turn now, if that discards no card."""
        game = state.public
        playing = not game.result and not game.open and game.phase is TurnPhase.PLAY
        if state.offer is not None or not playing or claims.excess(game):
            return None
        return EndTurn(game.turn)

    def can_only_pass(self, state: DealtState) -> bool:
        """Return whether neither the hand nor the deck leaves the awaited seat an answer."""
        return can_only_pass(state)


def _setup(selection: Selection, seats: Sequence[Seat]) -> DealtSetup:
    return DealtSetup(CARD_GAME.setup(selection, seats), 0)


def _shuffle(setup: DealtSetup, chance: Random) -> DealtSetup:
    return setup._replace(luck=chance.getrandbits(LUCK_BITS))


def _standing(state: DealtState) -> Standing:
    return CARD_GAME.standing(state.public)._replace(awaited=state.decider)


def _record_line(state: DealtState, line: str) -> str:
    if state.made is not None:
        return public_record.move_line(state.made)
    return "" if state.told else public_record.header_line(state.public.setup)


def _decide(
    level: str, states: Sequence[DealtState], made: Sequence[DealtMove], chance: Random
) -> Decision:
    from companion.games.cards.stand_ins import decide

    return decide(level, states, chance)


DEALT_GAME: TypedGame[DealtSetup, DealtState, DealtMove, CardEvent] = TypedGame(
    record_name=record.NAME,
    recorded_as=public_record.NAME,
    title="the card game with dealt hands",
    rulesets=CARD_GAME.rulesets,
    hands=HeldHandRules(),
    deck=CARD_GAME.deck,
    setup=_setup,
    shuffle=_shuffle,
    characters=lambda setup: characters_of(setup.public),
    selection=lambda setup: Selection(DEALT_GAME.opaque, setup.public.ruleset),
    start=lambda setup: deal(*setup),
    check=check,
    apply=make,
    only_move=forced_move,
    standing=_standing,
    events=lambda state: state.events,
    view=view,
    question=question,
    roles=lambda state: state.public.setup.roles,
    sides=CARD_GAME.sides,
    names=lambda setup: CARD_GAME.names(setup.public),
    # Records of cards name no origin.
    header_line=lambda setup, origin: record.header_line(setup),
    parse_header=record.parse_header,
    move_line=record.move_line,
    parse_move=record.parse_move,
    record_line=_record_line,
    terms=CARD_GAME.terms,
    public=public,
    decide=_decide,
)
"""The card game with hands that the companion deals."""
