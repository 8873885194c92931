"""Who would win if the game were played on by chance, told by what everybody knows.

The roles that nobody has shown are dealt anew for each game that is played on, all ways of dealing
them being as likely as each other; whoever knows them himself learns nothing here. Players then
shoot whom their own role and the shown ones tell them to, drink their own beers and leave the rest
to chance: a beginner's table, not a forecast.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from companion.chance.play import random_move
from companion.dicegame.choices import aims
from companion.dicegame.events import Side
from companion.dicegame.moves import Action, Beer, Heal, Move, Shoot, Shot
from companion.dicegame.roles import OPEN_ROLES, PREY, Role
from companion.dicegame.rules import apply
from companion.dicegame.state import Setup, State
from companion.dicegame.targets import beer_dice
from companion.dicegame.views import Audience, knows_role, view

GAMES = 400
"""Games that are played on for one answer: a share is then off by 0.05 at most, 19 times in 20."""

SHARE = 0.25
"""The part of one processor's time that the odds may take."""

TEAMS: Mapping[Role, Side] = {
    Role.SHERIFF: Side.LAW,
    Role.DEPUTY: Side.LAW,
    Role.OUTLAW: Side.OUTLAWS,
    Role.RENEGADE: Side.RENEGADE,
}
"""Who wins together in the game with secret roles."""

ALONE: Mapping[Role, Side] = {
    Role.DEPUTY: Side.DEPUTY,
    Role.OUTLAW: Side.OUTLAW,
    Role.RENEGADE: Side.RENEGADE,
}
"""Who wins in the game with open roles."""


class Odds(NamedTuple):
    """How often each side won, as a share of so many games; sides that can win come in order."""

    shares: Mapping[Side, float]
    games: int


class Bookmaker:
    """Works the odds out in a thread of its own, game by game, resting longer than it works."""

    def __init__(
        self,
        wanted: Callable[[], State | None],
        show: Callable[[State, Odds], None],
        games: int = GAMES,
        share: float = SHARE,
    ) -> None:
        """wanted: the state of which odds are wanted now, without secrets; show: takes them."""
        self._wanted, self._show = wanted, show
        self._games, self._rest = games, 1 / share - 1
        self._changed = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="odds", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for that."""
        self._stopped.set()
        self._changed.set()
        self._thread.join()

    def look(self) -> None:
        """Hear that the game may have moved on; returns at once."""
        self._changed.set()

    def _work(self) -> None:
        done = None
        while self._changed.wait() and not self._stopped.is_set():
            self._changed.clear()
            state = self._wanted()
            if state is not None and state != done:
                done = state
                found = self._played(state)
                if found is not None:
                    self._show(state, found)

    def _played(self, state: State) -> Odds | None:
        """Return the odds, None if they are not wanted any more."""
        chance, won = seeded(state), Counter[Side]()
        for _ in range(self._games):
            before = time.thread_time()
            won[played_on(state, chance)] += 1
            if self._stopped.wait((time.thread_time() - before) * self._rest):
                return None
            if self._changed.is_set():
                self._changed.clear()
                if self._wanted() != state:
                    self._changed.set()
                    return None
        return tallied(state, won)


def sides(roles: Sequence[Role]) -> tuple[Side, ...]:
    """Return the sides that may win a game with these roles, in the order of `Side`."""
    of = ALONE if len(roles) == OPEN_ROLES else TEAMS
    able = {of[role] for role in roles} | ({Side.NONE} if len(roles) == OPEN_ROLES else set())
    return tuple(side for side in Side if side in able)


def without_secrets(state: State) -> State:
    """Return the same moment with the hidden roles dealt in a fixed order: nothing can be learned
    from it that the table does not show.
    """
    return _dealt(state, sorted(_hidden(state)))


def played_on(state: State, chance: Random) -> Side:
    """Deal the hidden roles of `state` anew, play the game to its end, and return who won.

    Raises ValueError if the game is over.
    """
    hidden = sorted(_hidden(state))
    chance.shuffle(hidden)
    state = _dealt(state, hidden)
    while state.result is None:
        state = apply(state, beginners_move(state, chance))
    return state.result.side


def seeded(state: State) -> Random:
    """Return chance that depends on nothing but what everybody sees of `state`."""
    return Random(repr(view(state, Audience.TABLE)))


def tallied(state: State, won: Counter[Side]) -> Odds:
    """Return the odds after games that were won so often."""
    games = won.total()
    return Odds({side: won[side] / games for side in sides(state.setup.roles)}, games)


def beginners_move(state: State, chance: Random) -> Move:
    """Return a legal move of somebody who knows his own role and those that are shown."""
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
    """Return whom `seat` would rather hit, by its own role and those that all know."""
    roles, living = state.setup.roles, state.living
    own, others = roles[seat], {other for other in living if other != seat}
    if state.setup.roles_open:
        return {other for other in others if roles[other] is PREY[own]}
    sheriff = {roles.index(Role.SHERIFF)}
    if own is Role.OUTLAW:
        return others & sheriff
    # A Renegade needs the Sheriff to fall last of all.
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
