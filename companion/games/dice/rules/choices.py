"""What can be decided now: pages offer only that, and skip questions with a single answer."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations_with_replacement, product
from math import comb, prod
from typing import NamedTuple

from companion.games.dice.rules.events import BULLSEYE
from companion.games.dice.rules.faces import BULLSEYE1, Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Shoot,
    Shot,
    TakeArrows,
)
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import (
    beer_dice,
    in_reach,
    max_arrows_for_hits,
    max_discards_when_hurt,
    places_away,
    uses,
)


class Aim(NamedTuple):
    """A way to use a bull's-eye die."""

    face: Face
    """The face that the die counts as."""
    targets: tuple[int, ...]
    """The seats it reaches; if empty, the shot is lost."""


def aims(state: State) -> dict[int, tuple[Aim, ...]]:
    """Return the ways to use each bull's-eye die; the face that it shows comes first."""
    near, far = in_reach(state)
    return {
        die: tuple(Aim(face, near if face is BULLSEYE1 else far) for face in uses(state, die))
        for die in state.hand.shooting
    }


def doubling_beers(state: State) -> tuple[int, ...]:
    """Return the beer dice, one of which may double a shot; empty if none may."""
    able = state.setup.abilities[state.turn].doubles_with_beer
    return state.hand.beers if able else ()


class Question(NamedTuple):
    """A decision that the game waits for, with everything that can be answered. All is public."""

    seat: int
    """The seat that decides."""
    action: Action
    """The kind of decision."""
    targets: tuple[int, ...]
    """The seats that can be chosen: to heal, to drink, or to lose an arrow."""
    most: int
    """The most arrows that can be chosen, or the number of beers to hand out."""
    aims: dict[int, tuple[Aim, ...]]
    """For `SHOOT`, the ways to use each bull's-eye die; otherwise empty."""
    beers: tuple[int, ...]
    """For `SHOOT`, the beer dice that can double a shot; otherwise empty."""
    away: dict[int, tuple[int, int]]
    """The distance of each other seat, clockwise and counterclockwise; see `places_away`."""


def question(state: State) -> Question | None:
    """Return the decision that the game waits for; None once the game is over."""
    if state.awaits is None:
        return None
    seat, action = state.awaits
    targets, most = state.living, 0
    match action:
        case Action.TAKE_ARROWS if state.aside.damage:
            most = max_arrows_for_hits(state, *state.aside.damage, seat)
        case Action.DISCARD_ARROWS if state.aside.damage:
            most = max_discards_when_hurt(state, state.aside.damage.hits, seat)
        case Action.BEER:
            most = beer_dice(state)
        case Action.DISCARD_FROM:
            targets = tuple(seat for seat in state.living if state.arrows[seat])
            most = min(state.hand.gatlings, sum(state.arrows))
    shooting = action is Action.SHOOT
    return Question(
        seat=seat,
        action=action,
        targets=targets,
        most=most,
        aims=aims(state) if shooting else {},
        beers=doubling_beers(state) if shooting else (),
        away=places_away(state) if state.turn in state.living else {},
    )


class Volleys(NamedTuple):
    """Ways to aim all shots of a turn at once, so that one tap answers the question."""

    offered: tuple[tuple[Shot, ...], ...]
    """The shots of each; empty if the question is answered by one tap anyway."""
    complete: bool
    """Whether these are all ways that differ in effect, so that no shot need be asked about."""


MOST_VOLLEYS = 6
"""The most volleys offered at once: more would take longer to read than to tap shot by shot."""


def volleys(asked: Question) -> Volleys:
    """Return the ways to aim all shots at once.

    Dice that reach the same seats are alike, and only how many of them hit each seat matters. If
    all ways are too many, those that aim like dice at one seat are offered; if these are too many
    as well, those that aim every shot at one seat.
    """
    uses = {
        die: {seat: aim.face for aim in reversed(ways) for seat in aim.targets}
        for die, ways in asked.aims.items()
    }
    alike: dict[tuple[int, ...], list[int]] = {}
    for die, faces in uses.items():
        if faces:
            alike.setdefault(_clockwise(faces, asked.seat), []).append(die)
    dice = list(chain(*alike.values()))
    free = sum(len(group) for seats, group in alike.items() if len(seats) > 1)
    if free + bool(asked.beers) < 2:
        return Volleys((), complete=False)
    groups = [(seats, len(group)) for seats, group in alike.items()]
    open_groups = [set(seats) for seats, _ in groups if len(seats) > 1]
    common = set.intersection(*open_groups) if open_groups else set()
    loses_shots = any(not aim.targets for die in dice for aim in asked.aims[die])
    every = (
        product(*(combinations_with_replacement(seats, count) for seats, count in groups))
        if prod(comb(len(seats) + count - 1, count) for seats, count in groups) <= MOST_VOLLEYS
        else ()
    )
    alike_at_one = product(*([(seat,) * count for seat in seats] for seats, count in groups))
    all_at_one = (
        [(seat,) * count if seat in seats else seats * count for seats, count in groups]
        for seat in _clockwise(common, asked.seat)
    )
    for number, tried in enumerate((every, alike_at_one, all_at_one)):
        offered = [
            shots
            for hits in tried
            for shots in _aimed(asked, uses, dict(zip(dice, chain(*hits), strict=True)))
        ]
        if 0 < len(offered) <= MOST_VOLLEYS:
            return Volleys(tuple(offered), complete=number == 0 and not loses_shots)
    return Volleys((), complete=False)


def _clockwise(seats: Iterable[int], first: int) -> tuple[int, ...]:
    """Return seats as they sit clockwise from `first`."""
    return tuple(sorted(seats, key=lambda seat: (seat < first, seat)))


def _aimed(
    asked: Question, uses: Mapping[int, Mapping[int, Face]], hits: Mapping[int, int]
) -> Iterator[tuple[Shot, ...]]:
    """Yield the shots at the seats that dice hit; if a beer may double one, once for each seat."""
    shots = tuple(
        Shot(die, hits.get(die), _other(ways[0].face, uses[die].get(hits.get(die, -1))))
        for die, ways in asked.aims.items()
    )
    yield shots
    if asked.beers:
        for seat in dict.fromkeys(hits.values()):
            doubled = next(number for number, shot in enumerate(shots) if shot.target == seat)
            shot = shots[doubled]._replace(beer=asked.beers[0])
            yield (*shots[:doubled], shot, *shots[doubled + 1 :])


def _other(shown: Face, used: Face | None) -> Face | None:
    """Return the face that a die is used as if it isn't the one that it shows."""
    return None if used is shown else used


def only_move(state: State) -> Move | None:
    """Return the move if all legal moves have the same effect, so that nobody need be asked.

    Each shot has one target; or nobody lacks life points that only a beer can give; or a player
    falls whether or not they take arrows; or arrows go back to the pile in any case, because the
    Gatling eliminates those who hold them. Every other decision has at least two outcomes, or
    comes from outside, like the dice. Nothing here depends on secret roles.
    """
    if state.awaits is None:
        return None
    seat, action = state.awaits
    match action:
        case Action.HEAL if _all_healthy(state):
            return Heal(seat, seat)
        case Action.BEER if _all_healthy(state, _gain_at_end(state)):
            return Beer(seat, (seat,) * beer_dice(state))
        case Action.TAKE_ARROWS if state.aside.damage:
            cause, hits = state.aside.damage
            most = max_arrows_for_hits(state, cause, hits, seat)
            return TakeArrows(seat, 0) if hits.count(seat) - most >= state.life[seat] else None
        case Action.DISCARD_ARROWS if _returns_its_arrows(state, seat):
            return DiscardArrows(seat, 0)
        case Action.DISCARD_FROM if _arrows_return(state, seat):
            return DiscardFrom(seat, ())
        case Action.SHOOT:
            return _only_shots(state, seat)
    return None


def _all_healthy(state: State, gain: int = 0) -> bool:
    """Return whether every living player has all life points.

    gain: how many the player whose turn it is may lack.
    """
    life, most = state.life, state.setup.max_life
    return all(
        life[seat] + (gain if seat == state.turn else 0) >= most[seat] for seat in state.living
    )


def _gain_at_end(state: State) -> int:
    """Return how many life points the player whose turn it is will surely gain at its end."""
    if state.hand.shooting or (_gatling_fires(state) and not _quiet(state)):
        return 0
    return state.ability.gain_without_bullseye


def _gatling_fires(state: State) -> bool:
    return state.hand.gatlings >= state.ability.gatlings_needed


def _quiet(state: State) -> bool:
    """Return whether the Gatling of this turn can neither call the Indians nor raise a question.

    El Gringo's arrows for a shot and the Gatling could; so could Bart Cassidy, who is asked.
    """
    setup, others = state.setup, set(state.living) - {state.turn}
    return others.isdisjoint(setup.arrow_takers) and (
        state.pile > _AVENGED or others.isdisjoint(setup.avengers)
    )


_AVENGED = 2
"""The most arrows that El Gringo costs in a turn."""


def _doomed(state: State) -> frozenset[int]:
    """Return the seats that the Gatling of this turn will surely eliminate.

    Empty if arrows that they put back now could matter to others.
    """
    if not (_gatling_fires(state) and _quiet(state)):
        return frozenset()
    abilities = state.setup.abilities
    return frozenset(
        seat
        for seat in state.living
        if seat != state.turn
        and state.life[seat] == 1
        and not abilities[seat].immune_to_gatling
        and not abilities[seat].gain_per_elimination
    )


def _returns_its_arrows(state: State, seat: int) -> bool:
    """Return whether `seat`, hurt by a shot, will surely fall to the Gatling of this turn."""
    damage = state.aside.damage
    return (
        damage is not None
        and damage.cause is BULLSEYE
        and seat in _doomed(state)
        and not beer_dice(state)
        and not state.ability.discards_by_gatling
    )


def _arrows_return(state: State, seat: int) -> bool:
    """Return whether all arrows will go back to the pile, whomever `seat` makes discard one."""
    if HouseRule.KIT_DISCARDS_LAST in state.setup.house_rules:
        return False
    if not (_gatling_fires(state) and _quiet(state)):
        return False
    holders = {other for other in state.living if state.arrows[other]} - _doomed(state)
    return (
        holders <= {seat}
        if HouseRule.GATLING_DISCARD_LAST in state.setup.house_rules
        else not holders
    )


def _only_shots(state: State, seat: int) -> Shoot | None:
    shots = []
    for die, ways in aims(state).items():
        targets = {target for way in ways for target in way.targets or (None,)}
        if len(targets) > 1:
            return None
        shots.append(Shot(die, targets.pop()))
    if doubling_beers(state) and any(shot.target is not None for shot in shots):
        return None
    return Shoot(seat, tuple(shots))
