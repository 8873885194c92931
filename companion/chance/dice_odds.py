"""The dice game, played to its end by simulated beginners.

Each game first deals the hidden roles again; every deal is equally likely. Players then shoot at
the enemies that follow from their own role and the open ones, drink their own beers, and decide
everything else at random. So the odds describe a table of beginners and are not a forecast.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from companion.chance.dice_players import random_move
from companion.dicegame.choices import aims
from companion.dicegame.events import Side
from companion.dicegame.moves import Action, Beer, Heal, Move, Shoot, Shot
from companion.dicegame.roles import PREY, Role
from companion.dicegame.rules import apply
from companion.dicegame.sides import sides
from companion.dicegame.state import Setup, State
from companion.dicegame.targets import beer_dice
from companion.dicegame.views import Audience, knows_role, view


class DiceSimulator:
    """Simulates the dice game for `companion.chance.odds`."""

    def without_secrets(self, state: State) -> State:
        """Return the same state with the hidden roles dealt in a fixed order."""
        return without_secrets(state)

    def seeded(self, state: State) -> Random:
        """Return a random generator seeded only with what everybody sees of `state`."""
        return seeded(state)

    def play_on(self, state: State, chance: Random) -> Side:
        """Deal the hidden roles again, play the game to its end and return who won."""
        return play_on(state, chance)

    def sides(self, state: State) -> tuple[Side, ...]:
        """Return the sides that can win."""
        return sides(state.setup.roles)


def without_secrets(state: State) -> State:
    """Return the same state with the hidden roles dealt in a fixed order.

    It contains nothing that the table page doesn't show.
    """
    return _dealt(state, sorted(_hidden(state)))


def play_on(state: State, chance: Random) -> Side:
    """Deal the hidden roles of `state` again, play the game to its end, and return who won.

    Raises ValueError if the game is over.
    """
    hidden = sorted(_hidden(state))
    chance.shuffle(hidden)
    state = _dealt(state, hidden)
    while state.result is None:
        state = apply(state, beginners_move(state, chance))
    return state.result.side


def seeded(state: State) -> Random:
    """Return a random generator seeded only with what everybody sees of `state`."""
    return Random(repr(view(state, Audience.TABLE)))


def beginners_move(state: State, chance: Random) -> Move:
    """Return a legal move by a player who knows only their own role and the open ones."""
    if state.awaits is not None:
        seat, action = state.awaits
        if action is Action.SHOOT:
            return _shoot(state, seat, chance)
        if action is Action.BEER:
            return Beer(seat, (seat,) * beer_dice(state))
        if action is Action.HEAL:
            return Heal(seat, seat)
    return random_move(state, chance)


def _shoot(state: State, seat: int, chance: Random) -> Shoot:
    enemies = _enemies(state, seat)
    shots = []
    for die, ways in aims(state).items():
        reached = [(way, target) for way in ways for target in way.targets]
        if not reached:
            shots.append(Shot(die, None))
            continue
        wanted = [(way, target) for way, target in reached if target in enemies] or reached
        way, target = wanted[int(chance.random() * len(wanted))]
        used_as = None if way.face is state.dice[die] else way.face
        shots.append(Shot(die, target, used_as))
    return Shoot(seat, tuple(shots))


def _enemies(state: State, seat: int) -> set[int]:
    """Return the seats that `seat` wants to hit, given its own role and the open ones."""
    roles, living = state.setup.roles, state.living
    own, others = roles[seat], {other for other in living if other != seat}
    if state.setup.roles_open:
        return {other for other in others if roles[other] is PREY[own]}
    sheriff = {roles.index(Role.SHERIFF)}
    if own is Role.OUTLAW:
        return others & sheriff
    # A Renegade must eliminate the Sheriff last.
    return others - sheriff or others


def _hidden(state: State) -> list[Role]:
    return [
        role
        for seat, role in enumerate(state.setup.roles)
        if not knows_role(state, Audience.TABLE, seat)
    ]


def _dealt(state: State, hidden: Sequence[Role]) -> State:
    left = iter(hidden)
    players = tuple(
        player if knows_role(state, Audience.TABLE, seat) else player._replace(role=next(left))
        for seat, player in enumerate(state.setup.players)
    )
    return replace(state, setup=Setup(state.setup.ruleset, players, state.setup.house_rules))
