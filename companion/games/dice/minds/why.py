"""Why a stand-in decided as it did, told by what everybody saw.

A reason is worked out from the decision and public facts alone, never from what the stand-in knows
or believes. So the same decision has the same reason whatever role lies behind it.
"""

from companion.games.common.beliefs import Memory
from companion.games.dice.minds.choice import Choice, Throw
from companion.games.dice.minds.known import Known, world
from companion.games.dice.rules.faces import BULLSEYE1, DYNAMITE
from companion.games.dice.rules.motives import Why, WhyKind
from companion.games.dice.rules.moves import Beer, DiscardFrom, Heal, Shoot, Shot, Stop
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import in_reach


def explain(public: Known, memory: Memory, choice: Choice) -> tuple[Why, ...]:
    """Return the reasons for a decision, the first one first. `public`: what everybody knows."""
    state = world(public)
    match choice:
        case Throw():
            if state.rolls:
                return (_why(WhyKind.THROWS_AGAIN, dice=list(choice.dice)),)
            return (_why(WhyKind.FIRST_THROW),)
        case Stop():
            close = state.dice.count(DYNAMITE) == 2
            return (_why(WhyKind.DYNAMITE if close else WhyKind.GOOD_ENOUGH),)
        case Shoot():
            found = [_why_shot(state, public, memory, shot) for shot in choice.shots]
        case Beer():
            found = [_why_drink(state, choice.seat, target) for target in choice.targets]
        case Heal():
            found = [_why_drink(state, choice.seat, choice.target)]
        case DiscardFrom(targets=()):
            found = []
        case _:
            found = [_why(WhyKind.ARROWS)]
    return tuple(why for number, why in enumerate(found) if why not in found[:number])


def _why(kind: WhyKind, **particulars: object) -> Why:
    return Why(kind, particulars)


def _why_shot(state: State, public: Known, memory: Memory, shot: Shot) -> Why:
    target = shot.target
    if target is None:
        return _why(WhyKind.NOBODY)
    near, far = in_reach(state)
    reach = near if (shot.used_as or state.dice[shot.die]) is BULLSEYE1 else far
    if len(reach) == 1:
        return _why(WhyKind.ONLY_ONE, target=target)
    roles = public.roles
    if roles[target] is Role.SHERIFF:
        return _why(WhyKind.SHERIFF, target=target)
    if Role.SHERIFF in roles:
        sheriff = roles.index(Role.SHERIFF)
        done = [deed for deed in memory.deeds if (deed.doer, deed.target) == (target, sheriff)]
        hurt = sum(deed.hurts for deed in done)
        if hurt:
            return _why(WhyKind.SHOT_SHERIFF, target=target, times=hurt)
        if done:
            return _why(WhyKind.HELPED_SHERIFF, target=target, times=len(done))
    if state.life[target] == min(state.life[seat] for seat in reach):
        return _why(WhyKind.WEAKEST, target=target)
    return _why(WhyKind.SOMEBODY, target=target)


def _why_drink(state: State, seat: int, target: int) -> Why:
    life, most = state.life[target], state.setup.max_life[target]
    if life == most:
        return _why(WhyKind.FULL)
    if target == seat:
        return _why(WhyKind.OWN_LIFE, life=life, most=most)
    return _why(WhyKind.THEIR_LIFE, target=target, life=life, most=most)
