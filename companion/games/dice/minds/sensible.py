"""The level `sensible`: good rules of thumb, and a memory for who shot the Sheriff."""

from collections.abc import Mapping, Sequence
from random import Random

from companion.games.common.beliefs import Memory
from companion.games.dice.minds.choice import Choice, Throw
from companion.games.dice.minds.known import Known, world
from companion.games.dice.rules.faces import ALL_DICE, BEER, BULLSEYE1, BULLSEYES, DYNAMITE, GATLING
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.roles import PREY, Role
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
)


def sensible(known: Known, memory: Memory, chance: Random) -> Choice:
    """Decide as a sensible player does: by rules of thumb."""
    return decide_sensibly(world(known), known.roles, deeds(memory, known.roles), chance)


def decide_sensibly(
    state: State, roles: Sequence[Role | None], against: Mapping[int, int], chance: Random
) -> Choice:
    """Decide for the seat that `state` awaits.

    roles: those that it knows, by seat; against: `deeds`. Nothing else of the roles in `state` is
    used.
    """
    assert state.awaits is not None
    seat, action = state.awaits
    enemies, friends = sides_by_deeds(roles, state.living, against, seat)
    match action:
        case Action.ROLL:
            return _throw_or_stop(state, seat, enemies)
        case Action.SHOOT:
            return _shoot(state, seat, enemies, friends, chance)
        case Action.BEER:
            return Beer(seat, tuple(_thirsty(state, seat, friends, beer_dice(state))))
        case Action.HEAL:
            return Heal(seat, _thirsty(state, seat, friends, 1)[0])
        case Action.TAKE_ARROWS:
            assert state.aside.damage is not None
            most = max_arrows_for_hits(state, *state.aside.damage, seat)
            return TakeArrows(seat, min(most, max(0, 4 - state.arrows[seat])))
        case Action.DISCARD_ARROWS:
            assert state.aside.damage is not None
            return DiscardArrows(seat, max_discards_when_hurt(state, state.aside.damage.hits, seat))
        case _:
            count = min(state.hand.gatlings, state.arrows[seat])
            return DiscardFrom(seat, (seat,) * count)


def deeds(memory: Memory, roles: Sequence[Role | None]) -> Mapping[int, int]:
    """Return how often each seat shot the Sheriff, less how often it gave them a beer."""
    return memory.deeds_against(roles.index(Role.SHERIFF) if Role.SHERIFF in roles else None)


def sides_by_deeds(
    roles: Sequence[Role | None], living: Sequence[int], against: Mapping[int, int], seat: int
) -> tuple[set[int], set[int]]:
    """Return the enemies and friends of `seat`, by the roles that it knows and by `deeds`."""
    own = roles[seat]
    others = set(living) - {seat}
    if Role.SHERIFF not in roles:
        return {other for other in others if own and roles[other] is PREY[own]}, set()
    sheriff = roles.index(Role.SHERIFF)
    bad = {other for other in others - {sheriff} if against.get(other, 0) > 0}
    good = {other for other in others - {sheriff} if against.get(other, 0) < 0}
    if own is Role.OUTLAW:
        return {sheriff} & others or good, bad
    if own is Role.RENEGADE:
        return others - {sheriff} or others, set()
    return bad or others - {sheriff} - good, good | ({sheriff} & others)


def _throw_or_stop(state: State, seat: int, enemies: set[int]) -> Choice:
    if not state.rolls:
        return Throw(seat, ALL_DICE)
    near, far = in_reach(state)
    dice, thirst = state.dice, state.setup.max_life[seat] - state.life[seat]
    gatlings = dice.count(GATLING)
    thrown = []
    for die, face in enumerate(dice):
        if face is DYNAMITE:
            continue
        if face in BULLSEYES:
            keep = bool(enemies.intersection(near if face is BULLSEYE1 else far))
        elif face is BEER:
            keep = thirst > 0
            thirst -= 1
        else:
            keep = face is GATLING and gatlings >= state.ability.gatlings_needed - 1
        if not keep:
            thrown.append(die)
    risky = dice.count(DYNAMITE) == 2 and len(thrown) < 3
    return Throw(seat, tuple(thrown)) if thrown and not risky else Stop(seat)


def _shoot(state: State, seat: int, enemies: set[int], friends: set[int], chance: Random) -> Shoot:
    near, far = in_reach(state)
    shots = []
    for die in state.hand.shooting:
        targets = near if state.dice[die] is BULLSEYE1 else far
        wanted: Sequence[int] = [target for target in targets if target in enemies]
        wanted = wanted or [target for target in targets if target not in friends] or targets
        weakest = min((state.life[target] for target in wanted), default=0)
        wanted = [target for target in wanted if state.life[target] == weakest]
        shots.append(Shot(die, wanted[int(chance.random() * len(wanted))] if wanted else None))
    return Shoot(seat, tuple(shots))


def _thirsty(state: State, seat: int, friends: set[int], beers: int) -> list[int]:
    """Return who drinks: first oneself, then the weakest friend."""
    life, most = list(state.life), state.setup.max_life
    drinkers = []
    for _ in range(beers):
        hurt = [other for other in sorted(friends) if life[other] < most[other]]
        drinker = seat
        if life[seat] >= most[seat] and hurt:
            drinker = min(hurt, key=life.__getitem__)
        life[drinker] += 1
        drinkers.append(drinker)
    return drinkers
