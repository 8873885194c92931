"""Nobody is asked what changes nothing, and a player who isn't asked would have changed nothing."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest
from scenario import discard_from, drink, game, play, put_back, shoot, throw

from companion.games.dice.game import DICE_GAME
from companion.games.dice.players import random_move
from companion.games.dice.rules.choices import only_move, question
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
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.state import State
from companion.table.dealing import deal

COMPATIBLE = set(HouseRule) - {HouseRule.FALLEN_LEAVE_PLACES}
"""House rules that contradict no other."""


def ruled(state: State, *rules: HouseRule) -> State:
    return replace(state, setup=replace(state.setup, house_rules=frozenset(rules)))


def test_suzy_lafayette_who_gains_two_anyway_is_not_asked_who_drinks():
    most = game("S:suzy_lafayette O R O").setup.max_life
    for lacks, hurt, asked in ((1, 0, False), (2, 0, False), (3, 0, True), (2, 1, True)):
        life = {seat: most[seat] - (lacks, hurt, 0, 0)[seat] for seat in range(4)}
        state = throw(game("S:suzy_lafayette O R O", life=life), "BBDDA")
        assert state.actions == (Action.BEER,)
        assert (only_move(state) is None) is asked, (lacks, hurt)
    # With a bull's eye among her dice she gains nothing at the end, so the beers count.
    life = {seat: most[seat] - (2, 0, 0, 0)[seat] for seat in range(4)}
    state = play(throw(game("S:suzy_lafayette O R O", life=life), "BBDD1"), shoot(1))
    assert only_move(state) is None


GATLING = {"kit": "GGGDD", "pedro": "GGG1D"}


def kit(life: dict[int, int], arrows: dict[int, int], *others: str) -> State:
    seats = " ".join(others or ("O", "R", "O"))
    return throw(game(f"S:kit_carlson {seats}", life=life, arrows=arrows), GATLING["kit"])


def test_kit_carlson_is_not_asked_whose_arrows_go_if_they_go_with_their_owners():
    """A player with one life point falls to the Gatling, and their arrows go back to the pile."""
    assert only_move(kit({1: 1}, {1: 2})) == DiscardFrom(0, ())
    # One who survives, or may, keeps theirs.
    assert only_move(kit({1: 2}, {1: 2})) is None
    assert only_move(kit({1: 1}, {1: 2, 2: 1})) is None
    assert only_move(kit({1: 1}, {1: 2}, "O:paul_regret", "R", "O")) is None
    assert only_move(kit({1: 1}, {1: 2}, "O:vulture_sam", "R", "O")) is None
    assert only_move(kit({1: 1}, {1: 2}, "O:bart_cassidy", "R", "O")) is None
    # El Gringo's arrow might be the last one in the pile.
    assert only_move(kit({1: 1}, {1: 7}, "O", "R:el_gringo", "O")) is None
    assert only_move(kit({1: 1}, {1: 2}, "O", "R:el_gringo", "O")) is not None


def test_kit_carlson_is_not_asked_about_arrows_that_a_house_rule_takes_from_him_afterwards():
    own = game("S:kit_carlson O R O", arrows={0: 2})
    last = throw(ruled(own, HouseRule.GATLING_DISCARD_LAST), GATLING["kit"])
    assert only_move(last) == DiscardFrom(0, ())
    after = game("S:kit_carlson O R O", arrows={1: 2})
    late = throw(ruled(after, HouseRule.KIT_DISCARDS_LAST), GATLING["kit"])
    assert only_move(late) is None


def pedro(dice: str, *, life: int, other: str = "O") -> State:
    state = game(f"S O:pedro_ramirez R {other}", life={1: life}, arrows={1: 2})
    return play(throw(state, dice), shoot(1))


def test_pedro_ramirez_is_not_asked_what_to_put_back_before_the_gatling_takes_his_last_point():
    assert pedro("GGG1D", life=2).actions == (Action.DISCARD_ARROWS,)
    assert only_move(pedro("GGG1D", life=2)) == DiscardArrows(1, 0)
    assert only_move(pedro("GGG1D", life=3)) is None
    # No Gatling, a beer that may save him, or Bart Cassidy, who counts the pile.
    assert only_move(pedro("GGD1D", life=2)) is None
    assert only_move(pedro("GGG1B", life=2)) is None
    assert only_move(pedro("GGG1D", life=2, other="O:bart_cassidy")) is None
    assert play(pedro("GGG1D", life=2), put_back(0)) == play(pedro("GGG1D", life=2), put_back(1))
    assert play(kit({1: 1}, {1: 2}), discard_from()) == play(kit({1: 1}, {1: 2}), discard_from(1))
    spared = throw(game("S:suzy_lafayette O R O", life=20), "BBDDA")
    assert play(spared, drink(1, 2)).turn == 1


def test_who_aims_is_not_asked_if_each_shot_has_one_target_and_no_beer_may_double_it():
    assert only_move(throw(game("S O R O"), "2BDDA")) == Shoot(0, (Shot(0, 2),))
    assert only_move(throw(game("S O R O"), "1BDDA")) is None
    assert only_move(throw(game("S:slab_the_killer O R O"), "2BDDA")) is None
    assert only_move(throw(game("S:slab_the_killer O R O"), "2GDDA")) is not None


def bart(life: int) -> State:
    state = game("S O:bart_cassidy R O", life={1: life}, arrows={2: 7})
    return play(throw(state, "11DDB"), shoot(1, 1))


def test_bart_cassidy_is_not_asked_about_arrows_that_cannot_save_him():
    assert bart(1).actions == (Action.TAKE_ARROWS,)
    assert only_move(bart(1)) == TakeArrows(1, 0)
    assert only_move(bart(2)) is None


def answers(state: State) -> Iterator[Move]:
    """Every answer to a question but that of whom to shoot."""
    asked = question(state)
    assert asked is not None
    seat, most = asked.seat, asked.most
    match asked.action:
        case Action.HEAL:
            yield from (Heal(seat, target) for target in asked.targets)
        case Action.BEER:
            yield from (Beer(seat, to) for to in product(asked.targets, repeat=most))
        case Action.TAKE_ARROWS:
            yield from (TakeArrows(seat, count) for count in range(most + 1))
        case Action.DISCARD_ARROWS:
            yield from (DiscardArrows(seat, count) for count in range(most + 1))
        case Action.DISCARD_FROM:
            held = [other for other in state.living for _ in range(state.arrows[other])]
            for count in range(most + 1):
                yield from (DiscardFrom(seat, taken) for taken in set(combinations(held, count)))


@pytest.mark.tables
@pytest.mark.parametrize("seed", range(3))
def test_in_random_games_every_question_that_is_asked_changes_something(seed: int):
    chance = random.Random(seed)
    settled = 0
    for number in range(150):
        rules = [rule for rule in sorted(COMPATIBLE) if number % 2 and chance.random() < 0.3]
        names = [f"P{seat}" for seat in range(3 + number % 6)]
        state = start(deal(DICE_GAME.select("base", rules), names, chance))
        while state.result is None:
            only = only_move(state)
            if state.actions[0] not in (Action.ROLL, Action.SHOOT):
                after = {apply(state, answer) for answer in answers(state)}
                assert (only is None) is (len(after) > 1), state
                settled += only is not None
            state = apply(state, only or random_move(state, chance))
    assert settled > 10
