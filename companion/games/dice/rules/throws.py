"""The exact chances of the throws to come: what a player needs, and what threatens them.

Each chance is that of the dice alone, over all ways in which they can fall: the player keeps what
helps, and throws everything else again as often as the rules allow. Everything here is public.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from math import comb
from typing import NamedTuple

from companion.games.dice.rules.characters import CHARACTERS, Ability
from companion.games.dice.rules.faces import (
    ARROW,
    BEER,
    BULLSEYE1,
    BULLSEYE2,
    DICE,
    DYNAMITE,
    GATLING,
    Face,
)
from companion.games.dice.rules.hand import DYNAMITES
from companion.games.dice.rules.targets import CLOSE_RANGE
from companion.games.dice.rules.views import View

FACES = len(Face)

THIRSTY = 4
"""With so many life points or fewer, a beer is worth waiting for."""


class StakeKind(StrEnum):
    """What is at stake."""

    GATLING = "gatling"
    """The player fires the Gatling."""
    SHOT = "shot"
    """The player's bull's eyes eliminate somebody."""
    BEER = "beer"
    """The player drinks."""
    DYNAMITE = "dynamite"
    """Dynamite ends the rolling, with the next throw."""
    INDIANS = "indians"
    """The last arrow is taken, with the next throw."""


class Stake(NamedTuple):
    """Something that the throws to come decide."""

    kind: StakeKind
    """What it is."""
    faces: tuple[Face, ...]
    """The faces that count for it."""
    needed: int
    """How many dice must show them, those that do already included."""
    whom: tuple[int, ...]
    """The seats that it would eliminate."""
    chance: float
    """How likely it is, from 0 to 1."""


@lru_cache(maxsize=256)
def reached(need: int, shown: int, dynamite: int, left: int, sixths: int, again: bool) -> float:
    """Return the chance that at least `need` dice show what counts when rolling is over.

    shown: how many do now; dynamite: how many show dynamite; left: how many throws are left;
    sixths: how many of the six faces count, dynamite not among them; again: whether dynamite may be
    thrown again.
    """
    if shown >= need:
        return 1.0
    if not left or dynamite >= DYNAMITES:
        return 0.0
    held = 0 if again else dynamite
    thrown = DICE - shown - held
    total = 0.0
    for hits in range(thrown + 1):
        for bad in range(thrown - hits + 1):
            rest = thrown - hits - bad
            ways = comb(thrown, hits) * comb(thrown - hits, bad)
            ways *= sixths**hits * (FACES - 1 - sixths) ** rest
            total += ways * reached(need, shown + hits, held + bad, left - 1, sixths, again)
    return float(total / FACES**thrown)


def at_least(need: int, dice: int) -> float:
    """Return the chance that at least `need` of so many thrown dice show a certain face."""
    ways = sum(comb(dice, hits) * (FACES - 1) ** (dice - hits) for hits in range(need, dice + 1))
    return ways / FACES**dice if need <= dice else 0.0


def stakes(seen: View, away: Mapping[int, tuple[int, int]], either_way: bool) -> tuple[Stake, ...]:
    """Return what the throws to come decide, in order; nothing while no dice are awaited.

    away: the distance of each other living seat, both ways round (`targets.places_away`);
    either_way: whether both count.
    """
    player = seen.players[seen.turn]
    ability = CHARACTERS[player.character].ability
    dice = seen.dice or ()
    left = ability.max_rolls - seen.rolls
    dynamite = dice.count(DYNAMITE)
    again = ability.rerolls_dynamite
    if left < 1 or dynamite >= DYNAMITES or seen.awaited_seat != seen.turn:
        return ()

    def chance(need: int, faces: Sequence[Face]) -> float:
        shown = sum(face in faces for face in dice)
        return reached(need, shown, dynamite, left, len(faces), again)

    found = []
    gatlings = ability.gatlings_needed
    found.append(Stake(StakeKind.GATLING, (GATLING,), gatlings, (), chance(gatlings, (GATLING,))))
    for faces, seats in _reached_by(seen, ability, away, either_way):
        life = min((seen.players[seat].life for seat in seats), default=DICE + 1)
        if life <= DICE:
            weakest = tuple(seat for seat in seats if seen.players[seat].life == life)
            found.append(Stake(StakeKind.SHOT, faces, life, weakest, chance(life, faces)))
    if player.life < player.max_life and player.life <= THIRSTY:
        found.append(Stake(StakeKind.BEER, (BEER,), 1, (), chance(1, (BEER,))))
    thrown = DICE if again or not dice else DICE - dynamite
    missing = DYNAMITES - (0 if again else dynamite)
    found.append(Stake(StakeKind.DYNAMITE, (DYNAMITE,), missing, (), at_least(missing, thrown)))
    if seen.pile <= thrown:
        found.append(Stake(StakeKind.INDIANS, (ARROW,), seen.pile, (), at_least(seen.pile, thrown)))
    return tuple(found)


def _reached_by(
    seen: View, ability: Ability, away: Mapping[int, tuple[int, int]], either_way: bool
) -> list[tuple[tuple[Face, ...], tuple[int, ...]]]:
    """Return the bull's eyes that count together, and whom they reach."""
    near, far = (
        tuple(
            seat
            for seat, ways in sorted(away.items())
            if seen.players[seat].alive
            and any(way in reach for way in (ways if either_way else (min(ways),)))
        )
        for reach in ability.reach
    )
    both = (BULLSEYE1, BULLSEYE2)
    if sum(player.alive for player in seen.players) <= CLOSE_RANGE:
        return [(both, near)]
    if ability.swaps_bullseyes:
        return [(both, tuple(sorted({*near, *far})))]
    shared = tuple(seat for seat in near if seat in far)
    # Who is in reach of either is hit by both.
    return [
        (both, shared),
        ((BULLSEYE1,), tuple(seat for seat in near if seat not in shared)),
        ((BULLSEYE2,), tuple(seat for seat in far if seat not in shared)),
    ]
