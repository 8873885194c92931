"""The turn of the level `strong`: what each card is worth now, by how likely each role is.

Cards are played in the order in which they help each other: those that draw first, then what makes
others reachable or defenceless, then shots. Each is played only if it gains something, measured in
life points of one's own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.cards.dealt.moves import DealtMove, EndTurn, Trade
from companion.games.cards.minds.enmity import Enmities
from companion.games.cards.minds.keep import worst
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.minds.memory import BURDENS
from companion.games.cards.minds.unseen import chance_of_none, chance_to_hit
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import BARE_REACH, DYNAMITE_POINTS, KINDS, UNLIMITED, WEAPONS
from companion.games.cards.rules.distance import seats_within
from companion.games.cards.rules.moves import HAND, Play, Take
from companion.games.cards.rules.titles import Title


class Outlook(NamedTuple):
    """What a seat goes by on its turn."""

    known: SeatKnowledge
    """What it knows."""
    seat: int
    """The seat."""
    enmities: Enmities
    """What a life point of each seat is worth to it."""

    def loss(self, seat: int, points: int = 1) -> float:
        """Return what it is worth that a seat loses life points: more the fewer are left."""
        left = self.known.game.life[seat]
        worth = sum(1 + _SCARCE / (left - lost) for lost in range(min(points, left)))
        fall = _FALL if points >= left else 0.0
        return self.enmities[seat] * (worth + fall)

    def holds(self, title: Title) -> int:
        """Return how many cards of a title the seat holds."""
        return sum(card.title is title for card in self.known.hand)


_SCARCE = 0.6
"""How much more a life point counts the fewer are left: the last one by this, of two by half."""

_FALL = 0.8
"""What it counts beyond the last life point that a player is out."""

_CARD = 0.3
"""What a card in hand is worth, in life points."""

_EXPLODES, _STAYS_IN_JAIL = 0.125, 0.75
"""How often the Dynamite explodes at each turn, and how often a jailed player loses one."""

_TURN = 0.9
"""What a turn is worth, in life points."""

_TAKES: Mapping[Title | str, float] = {
    HAND: 0.9,
    Title.BARREL: 1.2,
    Title.MUSTANG: 1.0,
    Title.SCOPE: 0.8,
    Title.VOLCANIC: 1.0,
    Title.SCHOFIELD: 0.8,
    Title.REMINGTON: 0.9,
    Title.REV_CARABINE: 1.0,
    Title.WINCHESTER: 1.0,
    Title.JAIL: -_TURN * _STAYS_IN_JAIL / _CARD,
    Title.DYNAMITE: -_EXPLODES * DYNAMITE_POINTS / _CARD,
}
"""What it costs a player to lose each card, in cards."""


def take_turn(known: SeatKnowledge, enmities: Enmities) -> DealtMove:
    """Decide on a seat's own turn: play a card that gains something, or end the turn."""
    seat, game = known.seat, known.game
    assert seat is not None
    outlook = Outlook(known, seat, enmities)
    plays = known.plays
    for title in _ORDER:
        if title in plays:
            gain, move = _best_play(outlook, title, plays[title])
            if gain > 0:
                return move
    spare = claims.excess(game)
    if claims.regainer(game) == seat and (spare or game.life[seat] < 3):
        return Trade(seat, worst(known, claims.REGAIN_CARDS))
    return EndTurn(seat, worst(known, spare))


def _best_play(outlook: Outlook, title: Title, targets: Sequence[int]) -> tuple[float, Play]:
    """Return what a title gains at its best target, and that move."""
    used_as = claims.used_as(outlook.known.game, title)
    found = [(_GAINS[used_as](outlook, move), move) for move in _all_plays(outlook, title, targets)]
    return max(found, key=lambda each: each[0])


def _all_plays(outlook: Outlook, title: Title, targets: Sequence[int]) -> Iterator[Play]:
    if not targets:
        yield Play(outlook.seat, title)
    for target in targets:
        if KINDS[title].takes:
            for take in claims.takes(outlook.known.game, target):
                yield Play(outlook.seat, title, target, take)
        else:
            yield Play(outlook.seat, title, target)


# What each card gains


def _always(outlook: Outlook, move: Play) -> float:
    return 1.0


def _weapon(outlook: Outlook, move: Play) -> float:
    own = outlook.known.game.in_play[outlook.seat]
    now = next((title for title in own if title in WEAPONS), None)
    return _arms(outlook, move.card) - _arms(outlook, now) - 0.05


def _arms(outlook: Outlook, weapon: Title | None) -> float:
    """Return what a weapon is worth: by whom it reaches."""
    reach = WEAPONS[weapon] if weapon else BARE_REACH
    near = seats_within(outlook.known.game, outlook.seat, reach)
    wanted = [outlook.enmities[seat] for seat in near if outlook.enmities[seat] > 0]
    worth = max(wanted, default=0.0) + 0.2 * sum(wanted)
    if weapon is UNLIMITED and not outlook.known.game.ability.any_number_of_bangs:
        worth *= 1 + 0.5 * max(0, outlook.holds(Title.BANG) - 1)
    return worth


def _take(outlook: Outlook, move: Play) -> float:
    assert move.target is not None
    assert move.take is not None
    cost = outlook.enmities[move.target] * _TAKES[move.take] * _CARD
    if move.target == outlook.seat and move.take not in BURDENS:
        return -1.0
    if move.card is Title.PANIC:
        return cost + 0.1 * _comes_to_hand(move.take)
    return cost - 0.1


def _comes_to_hand(take: Take) -> float:
    return 0.5 if take in BURDENS else 1.0


def _shot(outlook: Outlook, move: Play) -> float:
    assert move.target is not None
    needed = outlook.known.game.ability.missed_needed
    hits = chance_to_hit(outlook.known, move.target, needed)
    return hits * outlook.loss(move.target) + _reward(outlook, move.target, hits) - 0.05


def _reward(outlook: Outlook, seat: int, hits: float) -> float:
    """Return what the cards are worth that the fall of a player brings, or costs."""
    game = outlook.known.game
    if game.life[seat] > 1:
        return 0.0
    likely_outlaw = outlook.enmities[seat] > 0.5 and seat != game.setup.sheriff
    return hits * 3 * _CARD * likely_outlaw


def _gatling(outlook: Outlook, move: Play) -> float:
    known = outlook.known
    return sum(chance_to_hit(known, seat) * outlook.loss(seat) for seat in _others(outlook))


def _indians(outlook: Outlook, move: Play) -> float:
    known = outlook.known
    return sum(
        chance_of_none(known, seat, Title.BANG) * outlook.loss(seat) for seat in _others(outlook)
    )


def _others(outlook: Outlook) -> list[int]:
    return [seat for seat in outlook.known.game.living if seat != outlook.seat]


def _duel(outlook: Outlook, move: Play) -> float:
    assert move.target is not None
    none = chance_of_none(outlook.known, move.target, Title.BANG)
    bangs = outlook.holds(Title.BANG)
    if outlook.known.game.ability.swaps_bang_and_missed:
        bangs += outlook.holds(Title.MISSED)
    # The other one needs a BANG! more than oneself.
    loses = (1 - none) ** (1 + bangs) if bangs else 1 - none
    return (1 - loses) * outlook.loss(move.target) + loses * outlook.loss(outlook.seat)


def _jail(outlook: Outlook, move: Play) -> float:
    assert move.target is not None
    return outlook.enmities[move.target] * _TURN * _STAYS_IN_JAIL - 0.2


def _beer(outlook: Outlook, move: Play) -> float:
    game = outlook.known.game
    if len(game.living) < claims.BEER_PLAYERS:
        return -1.0
    return game.setup.max_life[outlook.seat] - game.life[outlook.seat] - 0.5


def _saloon(outlook: Outlook, move: Play) -> float:
    game = outlook.known.game
    hurt = [seat for seat in game.living if game.life[seat] < game.setup.max_life[seat]]
    return -sum(outlook.enmities[seat] for seat in hurt) - 0.3


def _store(outlook: Outlook, move: Play) -> float:
    # Each one gets a card, oneself the first choice, but one card less in the end.
    given = sum(outlook.enmities[seat] for seat in _others(outlook)) * _CARD
    return 0.15 - given


def _dynamite(outlook: Outlook, move: Play) -> float:
    others = _others(outlook)
    left = [seat for seat in others if seat > outlook.seat]
    # It lies before its player first, who flips for it at the next turn.
    order = [outlook.seat, *left, *others[: len(others) - len(left)]]
    return sum(
        _EXPLODES * (1 - _EXPLODES) ** place * outlook.loss(seat, DYNAMITE_POINTS)
        for place, seat in enumerate(order)
    )


_GAINS: Mapping[Title, Callable[[Outlook, Play], float]] = {
    Title.WELLS_FARGO: _always,
    Title.STAGECOACH: _always,
    Title.BARREL: _always,
    Title.MUSTANG: _always,
    Title.SCOPE: _always,
    **dict.fromkeys(WEAPONS, _weapon),
    Title.PANIC: _take,
    Title.CAT_BALOU: _take,
    Title.BEER: _beer,
    Title.JAIL: _jail,
    Title.INDIANS: _indians,
    Title.GATLING: _gatling,
    Title.BANG: _shot,
    Title.DUEL: _duel,
    Title.GENERAL_STORE: _store,
    Title.SALOON: _saloon,
    Title.DYNAMITE: _dynamite,
}
"""What each card gains, in the order in which they are played."""

_ORDER = (*_GAINS, Title.MISSED)
"""A Missed! comes last: those who may play it as BANG! would rather keep it."""
