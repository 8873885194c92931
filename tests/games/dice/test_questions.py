"""Nobody is asked what changes nothing, and a player who isn't asked would have changed nothing."""

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from dice_scenes import DICE_WORDS, FACTS, move_of
from scenes import each_scene

from companion.games.dice.game import DICE_GAME
from companion.games.dice.players import random_move
from companion.games.dice.rules import moves
from companion.games.dice.rules.choices import Volleys, only_move, question, volleys
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.state import State
from companion.table.dealing import deal

COMPATIBLE = set(HouseRule) - {HouseRule.FALLEN_LEAVE_PLACES}
"""House rules that contradict no other."""


def settled(state: State, words: list[str]) -> bool:
    return only_move(state) == move_of(state, " ".join(words))


def offered(state: State) -> Volleys:
    """The ways to aim all shots by one tap."""
    asked = question(state)
    assert asked is not None
    assert asked.action is moves.Action.SHOOT
    return volleys(asked)


def offers(state: State, words: list[str]) -> bool:
    """The dice by whom they hit: `1:03 4:1+2` for dice 0 and 3, and die 1 doubled by beer 2."""
    ways = " ".join(words).split(" | ") if words else []
    return [told(shots) for shots in offered(state).offered] == ways


def told(shots: tuple[moves.Shot, ...]) -> str:
    hit: dict[int | None, str] = {}
    for shot in shots:
        beer = "" if shot.beer is None else f"+{shot.beer}"
        hit[shot.target] = f"{hit.get(shot.target, '')}{shot.die}{beer}"
    return " ".join(f"{target}:{dice}" for target, dice in hit.items())


WORDS = DICE_WORDS._replace(
    facts={
        **FACTS,
        "settled": settled,
        "asked": lambda state, words: only_move(state) is None,
        "offers": offers,
        "all": lambda state, words: offered(state).complete,
        "some": lambda state, words: not offered(state).complete,
        "first-as": lambda state, words: (
            [str(shot.used_as or "-") for shot in offered(state).offered[0]] == words
        ),
    }
)


@each_scene(__file__, "questions.txt")
def test_a_scene_asks_only_what_changes_something(ruling):
    ruling.check(WORDS)


def answers(state: State) -> Iterator[moves.Move]:
    """Every answer to a question but that of whom to shoot."""
    asked = question(state)
    assert asked is not None
    seat, most = asked.seat, asked.most
    match asked.action:
        case moves.Action.HEAL:
            yield from (moves.Heal(seat, target) for target in asked.targets)
        case moves.Action.BEER:
            yield from (moves.Beer(seat, to) for to in product(asked.targets, repeat=most))
        case moves.Action.TAKE_ARROWS:
            yield from (moves.TakeArrows(seat, count) for count in range(most + 1))
        case moves.Action.DISCARD_ARROWS:
            yield from (moves.DiscardArrows(seat, count) for count in range(most + 1))
        case moves.Action.DISCARD_FROM:
            held = [other for other in state.living for _ in range(state.arrows[other])]
            for count in range(most + 1):
                yield from (
                    moves.DiscardFrom(seat, taken) for taken in set(combinations(held, count))
                )


@pytest.mark.tables
@pytest.mark.parametrize("seed", range(3))
def test_in_random_games_every_question_that_is_asked_changes_something(seed):
    chance = random.Random(seed)
    settled = 0
    for number in range(150):
        rules = [rule for rule in sorted(COMPATIBLE) if number % 2 and chance.random() < 0.3]
        names = [f"P{seat}" for seat in range(3 + number % 6)]
        state = start(deal(DICE_GAME.select("base", rules), names, chance))
        while state.result is None:
            only = only_move(state)
            if state.actions[0] not in (moves.Action.ROLL, moves.Action.SHOOT):
                after = {apply(state, answer) for answer in answers(state)}
                assert (only is None) is (len(after) > 1), state
                settled += only is not None
            state = apply(state, only or random_move(state, chance))
    assert settled > 10
