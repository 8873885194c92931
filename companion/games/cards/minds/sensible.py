"""The turn of the level `sensible`: rules of thumb, and a memory for who attacked the Sheriff."""

from collections.abc import Sequence
from random import Random

from companion.games.cards.dealt.moves import DealtMove, EndTurn
from companion.games.cards.minds.enmity import Enmities
from companion.games.cards.minds.keep import worst
from companion.games.cards.minds.known import SeatKnowledge
from companion.games.cards.minds.memory import BURDENS
from companion.games.cards.rules import claims
from companion.games.cards.rules.deck import KINDS, WEAPONS
from companion.games.cards.rules.distance import weapon_reach
from companion.games.cards.rules.moves import HAND, Play, Take
from companion.games.cards.rules.titles import Title

_ALWAYS = (
    Title.WELLS_FARGO,
    Title.STAGECOACH,
    Title.GENERAL_STORE,
    Title.BARREL,
    Title.MUSTANG,
    Title.SCOPE,
)
"""What is played as soon as it is held."""

_AT_ENEMIES = (Title.PANIC, Title.CAT_BALOU, Title.JAIL, Title.BANG, Title.MISSED, Title.DUEL)
"""What is played if an enemy is in reach, in this order."""

_AT_ALL = (Title.INDIANS, Title.GATLING)
"""What hits friends as well as enemies."""

_HARMFUL = -2.0
"""The sum of enmities up to which attacks on all do more harm than good."""


def take_simple_turn(known: SeatKnowledge, enmities: Enmities, chance: Random) -> DealtMove:
    """Decide on a seat's own turn."""
    seat, game, plays = known.seat, known.game, known.plays
    assert seat is not None
    for title in _ALWAYS:
        if title in plays:
            return Play(seat, title)
    for title, reach in WEAPONS.items():
        if title in plays and reach > weapon_reach(game, seat):
            return Play(seat, title)
    if Title.BEER in plays and _is_hurt(known) and len(game.living) >= claims.BEER_PLAYERS:
        return Play(seat, Title.BEER)
    if Title.SALOON in plays and _is_hurt(known):
        return Play(seat, Title.SALOON)
    for title in _AT_ALL:
        if title in plays and sum(enmities) > _HARMFUL:
            return Play(seat, title)
    return _attack(known, enmities, chance) or EndTurn(seat, worst(known, claims.excess(game)))


def _is_hurt(known: SeatKnowledge) -> bool:
    assert known.seat is not None
    return known.game.life[known.seat] < known.game.setup.max_life[known.seat]


def _attack(known: SeatKnowledge, enmities: Enmities, chance: Random) -> Play | None:
    """Return an attack on the worst enemy in reach; None if there is nothing to attack with."""
    assert known.seat is not None
    for title in _AT_ENEMIES:
        targets = [seat for seat in known.plays.get(title, ()) if enmities[seat] > 0]
        if KINDS[title].takes:
            targets = [seat for seat in targets if _takes(known, seat)]
        if targets:
            most = max(enmities[seat] for seat in targets)
            wanted = [seat for seat in targets if enmities[seat] == most]
            target = wanted[int(chance.random() * len(wanted))]
            take = _takes(known, target)[0] if KINDS[title].takes else None
            return Play(known.seat, title, target, take)
    return None


def _takes(known: SeatKnowledge, target: int) -> Sequence[Take]:
    """Return what may be taken from a player to their harm: cards in play first."""
    found = claims.takes(known.game, target)
    return sorted([take for take in found if take not in BURDENS], key=lambda take: take == HAND)
