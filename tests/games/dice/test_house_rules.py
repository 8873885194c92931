"""House rules: each switch turns its ruling round, and nothing else."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenario import (
    discard_from,
    drink,
    ended,
    game,
    play,
    put_back,
    reached,
    roll,
    shoot,
    stop,
    throw,
)
from strategies import BIASES, chances, deal, play_on

from companion.games.common.players import SetupError
from companion.games.dice.rules.house import CONTRADICTORY, HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.record import header_line, move_line, parse_header, replay
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import ARROWS, State

OTHER_RULESETS = ("base-fr", "walking-dead")


def house(state: State, *rules: HouseRule) -> State:
    return replace(state, setup=replace(state.setup, house_rules=frozenset(rules)))


def test_switches_have_the_names_of_settings_and_records() -> None:
    assert list(HouseRule) == [
        "fallen_keep_places", "fallen_leave_places", "places_either_way", "thirst_at_each_beer",
        "vulture_outlives", "gatling_discard_last", "kit_discards_last", "one_arrow_a_turn",
    ]  # fmt: skip


@pytest.mark.parametrize("ruleset", OTHER_RULESETS)
def test_fallen_keep_places_in_every_ruleset(ruleset: str) -> None:
    state = game("S O R O D", ruleset=ruleset, life={1: 1}, arrows={1: 8})
    state = throw(state, "A1DBB")
    assert state.aside.fallen == (1,)
    assert reached(state) == {2, 4}
    assert reached(house(state, HouseRule.FALLEN_KEEP_PLACES)) == {4}


def test_fallen_leave_places_in_no_ruleset() -> None:
    state = throw(game("S O R O D", life={1: 1}, arrows={1: 8}), "A1DBB")
    assert reached(state) == {4}
    assert reached(house(state, HouseRule.FALLEN_LEAVE_PLACES)) == {2, 4}


def test_places_either_way_let_rose_doolan_reach_her_neighbours_with_a_2_of_four() -> None:
    state = throw(game("S:rose_doolan O R O"), "2DDBB")
    assert reached(state) == {2}
    assert reached(house(state, HouseRule.PLACES_EITHER_WAY)) == {1, 2, 3}


@pytest.mark.parametrize("letter", "12")
def test_places_either_way_change_nothing_for_others_of_four(letter: str) -> None:
    state = throw(game("S O R O"), f"{letter}DDBB")
    assert reached(house(state, HouseRule.PLACES_EITHER_WAY)) == reached(state)


def test_thirst_at_each_beer_counts_jesse_jones_life_points_anew() -> None:
    state = throw(game("S:jesse_jones O R O", life={0: 3}), "BBBAA")
    assert play(state, drink(0, 0, 0)).life[0] == 9
    assert play(house(state, HouseRule.THIRST_AT_EACH_BEER), drink(0, 0, 0)).life[0] == 7


@pytest.mark.parametrize(("life", "after"), [(2, 2 + 2 + 2), (4, 4 + 2 + 1), (5, 5 + 1 + 1)])
def test_thirst_at_each_beer_is_four_life_points_or_less(life: int, after: int) -> None:
    state = house(game("S:jesse_jones O R O", life={0: life}), HouseRule.THIRST_AT_EACH_BEER)
    assert play(throw(state, "BBDDA"), drink(0, 0)).life[0] == after


def test_vulture_outlives_those_who_fall_with_them() -> None:
    state = game("S O:vulture_sam R O D", life={1: 1, 2: 1}, arrows={1: 4, 2: 4})
    assert not throw(state, "ABBBB").life[1]
    saved = throw(house(state, HouseRule.VULTURE_OUTLIVES), "ABBBB")
    assert (saved.life[1], saved.life[2]) == (2, 0)
    assert saved.living == (0, 1, 3, 4)
    assert saved.aside.fallen == (2,)


def test_vulture_outlives_nobody_when_they_fall_alone() -> None:
    state = house(game("S O:vulture_sam R O", life={1: 1}), HouseRule.VULTURE_OUTLIVES)
    after = play(throw(state, "1DDAA"), shoot(1))
    assert (after.life[1], after.living) == (0, (0, 2, 3))


def test_vulture_outlives_the_last_others_and_wins() -> None:
    state = game("D O:vulture_sam R", life=1, arrows={0: 1, 1: 4, 2: 3})
    assert ended(throw(state, "ABBBB")) == ("none", ())
    assert ended(throw(house(state, HouseRule.VULTURE_OUTLIVES), "ABBBB")) == ("outlaw", (1,))


def test_gatling_discard_last_voids_el_gringos_arrow() -> None:
    state = game("S O:el_gringo R O", arrows={0: 3})
    assert throw(state, "GGGDD").arrows[0] == 1
    assert throw(house(state, HouseRule.GATLING_DISCARD_LAST), "GGGDD").arrows[0] == 0


def test_gatling_discard_last_comes_too_late_for_an_attack() -> None:
    state = game("S O:el_gringo R O", arrows={0: 3, 2: 5}, life=9)
    assert throw(state, "GGGDD").life[0] == 9
    late = throw(house(state, HouseRule.GATLING_DISCARD_LAST), "GGGDD")
    assert late.life[0] == 9 - 4
    assert late.pile == ARROWS


def test_gatling_discard_last_waits_for_pedro_ramirez() -> None:
    state = house(
        game("S O:pedro_ramirez R O", arrows={0: 2, 1: 1}), HouseRule.GATLING_DISCARD_LAST
    )
    state = throw(state, "GGGDD")
    assert (state.awaits, state.arrows[0]) == ((1, "discard_arrows"), 2)
    assert play(state, put_back(1)).arrows == (0, 0, 0, 0)


def test_gatling_discard_last_is_no_discard_without_three() -> None:
    state = house(game("S O R O", arrows={0: 2}), HouseRule.GATLING_DISCARD_LAST)
    assert throw(state, "GGDDA").arrows[0] == 3


def test_kit_discards_last_sees_el_gringos_arrow() -> None:
    state = game("S:kit_carlson O:el_gringo R O", arrows={0: 2})
    assert throw(state, "GGGDD").awaits == (1, "roll")
    state = throw(house(state, HouseRule.KIT_DISCARDS_LAST), "GGGDD")
    assert (state.awaits, state.arrows[0]) == ((0, "discard_from"), 1)
    after = play(state, discard_from(0))
    assert (after.arrows[0], after.awaits) == (0, (1, "roll"))


def test_kit_discards_last_with_fewer_than_three_gatlings_too() -> None:
    state = house(game("S:kit_carlson O R O", arrows={2: 1}), HouseRule.KIT_DISCARDS_LAST)
    state = throw(state, "GDDAA")
    assert state.awaits == (0, "discard_from")
    after = play(state, discard_from(2))
    assert (after.arrows[2], after.awaits) == (0, (1, "roll"))


def test_kit_and_gatling_discard_last_in_this_order() -> None:
    both = (HouseRule.KIT_DISCARDS_LAST, HouseRule.GATLING_DISCARD_LAST)
    state = house(game("S:kit_carlson O R O", arrows={0: 2, 2: 1}), *both)
    state = throw(state, "GGGDD")
    assert (state.awaits, state.arrows) == ((0, "discard_from"), (0, 0, 1, 0))


def test_one_arrow_a_turn_from_el_gringo() -> None:
    state = play(game("S O:el_gringo R O", arrows={2: 1}), roll("1GGGD"), stop)
    assert play(state, shoot(1)).arrows[0] == 1
    once = play(house(state, HouseRule.ONE_ARROW_A_TURN), shoot(1))
    assert once.arrows[0] == 0, "the bull's eye's arrow went with the Gatling's discard"
    assert once.turn == 1
    assert not once.aside.avenged


def test_one_arrow_a_turn_also_where_a_beer_is_drunk_between_the_hits() -> None:
    state = house(game("S O:el_gringo R O"), HouseRule.ONE_ARROW_A_TURN)
    assert play(throw(state, "1GGGB"), shoot(1), drink(0)).arrows[0] == 0


def test_one_arrow_a_turn_is_for_each_turn_anew() -> None:
    state = house(game("S O:el_gringo R O"), HouseRule.ONE_ARROW_A_TURN)
    state = play(throw(state, "1DDGG"), shoot(1))
    state = throw(state, "DDGGA")
    state = play(throw(state, "1DDGG"), shoot(1))
    assert (state.arrows[0], state.arrows[2]) == (1, 1)


def test_contradictory_switches_are_refused() -> None:
    setup = game("S O R O").setup
    with pytest.raises(SetupError, match="contradict each other"):
        replace(setup, house_rules=CONTRADICTORY)
    for rule in CONTRADICTORY:
        replace(setup, house_rules=frozenset({rule}))


@pytest.mark.parametrize("rule", HouseRule)
def test_every_switch_makes_a_difference_in_some_game(rule: HouseRule) -> None:
    for seed in range(400):
        chance = random.Random(seed)
        ruleset = RULESETS[("base", *OTHER_RULESETS)[seed % 3]]
        setup, faces = deal(ruleset, 4 + seed % 5, chance), chance.choice(BIASES)
        plain, other = (
            play_on(start(replace(setup, house_rules=rules)), random.Random(seed), faces)
            for rules in (frozenset[HouseRule](), frozenset({rule}))
        )
        if [state.life for state in plain.states] != [state.life for state in other.states]:
            return
    pytest.fail(f"{rule} never matters")


@given(chances, st.sampled_from(tuple(HouseRule)), st.sampled_from(BIASES), st.integers(3, 8))
def test_games_by_house_rules_end_and_replay(
    chance: random.Random, rule: HouseRule, faces: tuple, players: int
) -> None:
    setup = replace(deal(RULESETS["base"], players, chance), house_rules=frozenset({rule}))
    assert parse_header(header_line(setup).encode()) == setup
    played = play_on(start(setup), chance, faces)
    assert played.states[-1].result is not None
    lines = [header_line(setup).encode(), *(move_line(move).encode() for move in played.moves)]
    assert tuple(replay(lines)) == played.states
    for state in played.states:
        assert 0 < state.pile <= ARROWS
        assert all(0 <= life <= most for life, most in zip(state.life, setup.max_life, strict=True))
        assert state.living == tuple(seat for seat, life in enumerate(state.life) if life)
        if state.awaits and state.awaits.action is Action.DISCARD_FROM:
            assert any(state.arrows)
