"""Distances and reach by what everybody can see, for pages that show them from any seat."""

from collections.abc import Mapping

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import BARE_REACH, WEAPONS
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import CardSeatView, CardView


def distances_from(view: CardView, seat: int) -> Mapping[int, int]:
    """Return the distance at which a seat sees each other living player; none if it is out."""
    if not view.players[seat].alive:
        return {}
    living = [other for other, player in enumerate(view.players) if player.alive]
    count, own = len(living), living.index(seat)
    nearer = _nearer(view.players[seat])
    seen = {}
    for place, other in enumerate(living):
        if other != seat:
            places = min((place - own) % count, (own - place) % count)
            seen[other] = max(1, places + _farther(view.players[other]) - nearer)
    return seen


def reach_of(player: CardSeatView) -> int:
    """Return how far a player's weapon shoots."""
    weapons = (WEAPONS[title] for title in player.in_play if title in WEAPONS)
    return next(weapons, BARE_REACH)


def _farther(player: CardSeatView) -> int:
    ability = CHARACTERS[player.character].ability
    return ability.farther + (Title.MUSTANG in player.in_play)


def _nearer(player: CardSeatView) -> int:
    ability = CHARACTERS[player.character].ability
    return ability.nearer + (Title.SCOPE in player.in_play)
