"""What a seat may do now, as far as everybody can see: which cards it may claim to play, on whom.

A claim is all that a player says of their hand: "I play Missed!". The companion never knows a hand,
so a claim is legal if everything that lies open allows it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.games.cards.rules.deck import KINDS, OWN, SIGN_COPIES, TARGETED, UNLIMITED, Targeting
from companion.games.cards.rules.distance import seats_within, weapon_reach
from companion.games.cards.rules.moves import HAND, CardAction, DrawSource, Take
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Sign, Title

_BANG, _MISSED, _BEER, _JAIL = Title.BANG, Title.MISSED, Title.BEER, Title.JAIL

REGAIN_CARDS = 2
"""How many cards a life point costs by the ability to trade them."""

BEER_PLAYERS = 3
"""With fewer living players, a Beer has no effect."""

_SWAPPED: Mapping[Title, tuple[Title, ...]] = {
    _BANG: (_BANG, _MISSED),
    _MISSED: (_BANG, _MISSED),
}
"""What may be played as BANG! or as Missed! by a character that swaps them."""


class Awaiting(NamedTuple):
    """The decision that the game waits for."""

    seat: int
    """The seat that decides."""
    actions: tuple[CardAction, ...]
    """The kinds of moves that it can choose from."""
    plays: Mapping[Title, tuple[int, ...]]
    """The titles that it may claim, each with its targets; empty where none is named."""


def awaiting(state: CardState) -> Awaiting | None:
    """Return the decision that the game waits for; None once it is over."""
    seat = state.awaited
    if seat is None:
        return None
    claims = plays(state)
    actions = []
    if may_flip(state):
        actions.append(CardAction.FLIP)
    if not state.open and state.phase is TurnPhase.DRAW:
        actions.append(CardAction.DRAW)
    if claims:
        actions.append(CardAction.PLAY)
    if state.open:
        if state.open.needed:
            actions.append(CardAction.PASS)
    elif state.phase is TurnPhase.PLAY:
        actions.append(CardAction.END)
    return Awaiting(seat, tuple(actions), claims)


def regainer(state: CardState) -> int | None:
    """Return the seat that may trade two cards for a life point now, if any."""
    seat = state.setup.trader
    if (
        seat is None
        or state.result
        or state.hands[seat] < REGAIN_CARDS
        or state.life[seat] >= state.setup.max_life[seat]
        or seat not in state.living
    ):
        return None
    return seat


def excess(state: CardState) -> int:
    """Return how many cards the player whose turn it is holds beyond their limit."""
    return max(0, state.hands[state.turn] - state.life[state.turn])


# Flipping and drawing


def may_flip(state: CardState) -> bool:
    """Return whether the awaited seat may flip a card, and there is one."""
    card = state.open
    return card is not None and state.deck > 0 and (card.barrels > 0 or not card.needed)


def flips(state: CardState) -> int:
    """Return how many cards the awaited seat flips."""
    assert state.open is not None
    wanted = state.setup.abilities[state.open.on].flips
    return min(wanted, state.deck + len(state.pile))


def flipped_too_often(state: CardState, signs: tuple[Sign, ...]) -> Sign | None:
    """Return one of these signs that the deck can't hold any more, if any.

    Nothing is known if it is shuffled between two of them: nobody says which came first.
    """
    if len(signs) > 1 and state.deck == 1:
        return None
    shown = state.shown + signs
    return next((sign for sign in signs if shown.count(sign) > SIGN_COPIES[sign]), None)


def may_be_shown(state: CardState, sign: Sign) -> bool:
    """Return whether the second card of a turn can have this sign."""
    # If the first card is the last of the deck, the second comes from a deck shuffled anew.
    return state.deck == 1 or _left(state, sign)


def spent_signs(state: CardState) -> tuple[Sign, ...]:
    """Return the signs that no card which is flipped or shown now can have."""
    if state.deck == 1 and (state.open is None or flips(state) > 1):
        return ()
    return tuple([sign for sign in dict.fromkeys(state.shown) if not _left(state, sign)])


def _left(state: CardState, sign: Sign) -> bool:
    return state.shown.count(sign) < SIGN_COPIES[sign]


def sources(state: CardState) -> tuple[DrawSource | int, ...]:
    """Return where the first card of a turn may come from; empty if there is no choice."""
    ability, turn = state.ability, state.turn
    if ability.draws_from_hands:
        others = tuple(seat for seat in state.living if seat != turn and state.hands[seat])
        return (DrawSource.DECK, *others) if others else ()
    if ability.draws_from_pile and state.pile:
        return (DrawSource.DECK, DrawSource.DISCARD)
    return ()


def shows_second(state: CardState) -> bool:
    """Return whether the second card of a turn is shown, and there is one."""
    return state.ability.shows_second and state.deck + len(state.pile) > 1


# Cards


def plays(state: CardState) -> Mapping[Title, tuple[int, ...]]:
    """Return the titles that the awaited seat may claim to play, each with its legal targets."""
    if state.open:
        return dict.fromkeys(answers(state), ())
    if state.phase is not TurnPhase.PLAY or state.result or not state.hands[state.turn]:
        return {}
    return {
        title: found
        for title in KINDS
        if may_claim(state, title) and ((found := targets(state, title)) or title not in TARGETED)
    }


def answers(state: CardState) -> tuple[Title, ...]:
    """Return the titles that the awaited seat may claim as an answer."""
    card = state.open
    if card is None or not state.hands[card.on]:
        return ()
    if card.answer is _BEER and len(state.living) < BEER_PLAYERS:
        return ()
    return tuple([title for title in answering(state) if state.unseen[title]])


def answering(state: CardState) -> tuple[Title, ...]:
    """Return the titles that answer what is open, whether or not the awaited seat may have one."""
    card = state.open
    if card is None or card.answer is None:
        return ()
    if state.setup.abilities[card.on].swaps_bang_and_missed:
        return _SWAPPED.get(card.answer, (card.answer,))
    return (card.answer,)


def used_as(state: CardState, title: Title) -> Title:
    """Return the title that a card acts as on its player's own turn."""
    return _BANG if title is _MISSED and state.ability.swaps_bang_and_missed else title


def may_claim(state: CardState, title: Title) -> bool:
    """Return whether the player whose turn it is may claim to play `title`, target aside."""
    if not state.unseen[title]:
        return False
    if title is _BANG:
        return not bangs_spent(state)
    if title is _MISSED:
        return state.ability.swaps_bang_and_missed and not bangs_spent(state)
    return not is_second_copy(state, title)


def bangs_spent(state: CardState) -> bool:
    """Return whether no more BANG! cards may be played on this turn."""
    return (
        state.bangs > 0
        and not state.ability.any_number_of_bangs
        and UNLIMITED not in state.in_play[state.turn]
    )


def is_second_copy(state: CardState, title: Title) -> bool:
    """Return whether the player whose turn it is has this card in front of them already."""
    return title in OWN and title in state.in_play[state.turn]


def targets(state: CardState, title: Title) -> tuple[int, ...]:
    """Return the seats that the player whose turn it is may play `title` on, ascending."""
    targeting = KINDS[used_as(state, title)].targeting
    return _TARGETS[targeting](state) if targeting in _TARGETS else ()


def takes(state: CardState, target: int) -> tuple[Take, ...]:
    """Return what Panic! and Cat Balou may take from a seat."""
    in_play = state.in_play[target]
    from_hand = target != state.turn and state.hands[target]
    return (HAND, *in_play) if from_hand else in_play


def _in_reach(state: CardState) -> tuple[int, ...]:
    return seats_within(state, state.turn, weapon_reach(state, state.turn))


def _others(state: CardState) -> tuple[int, ...]:
    return tuple([seat for seat in state.living if seat != state.turn])


def _with_cards_near(state: CardState) -> tuple[int, ...]:
    near = (*seats_within(state, state.turn, 1), state.turn)
    return tuple([seat for seat in state.living if seat in near and takes(state, seat)])


def _with_cards(state: CardState) -> tuple[int, ...]:
    return tuple([seat for seat in state.living if takes(state, seat)])


def _prisoners(state: CardState) -> tuple[int, ...]:
    return tuple(
        [
            seat
            for seat in _others(state)
            if seat != state.setup.sheriff and _JAIL not in state.in_play[seat]
        ]
    )


_TARGETS: Mapping[Targeting | None, Callable[[CardState], tuple[int, ...]]] = {
    Targeting.IN_REACH: _in_reach,
    Targeting.OTHER: _others,
    Targeting.CARDS_NEAR: _with_cards_near,
    Targeting.CARDS: _with_cards,
    Targeting.PRISONER: _prisoners,
}
