"""House rules: each switch turns its ruling round, and nothing else."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from dice_scenes import DICE_WORDS
from hypothesis import given
from hypothesis import strategies as st
from scenario import (
    game,
)
from scenes import Ruling, rulings
from strategies import BIASES, chances, deal, play_on

from companion.games.common.players import SetupError
from companion.games.dice.rules.house import CONTRADICTORY, HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.record import header_line, move_line, parse_header, replay
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import ARROWS

SCENES = rulings(Path(__file__).with_name("house_rules.txt"))

OTHER_RULESETS = ("base-fr", "walking-dead")


def test_switches_have_the_names_of_settings_and_records() -> None:
    assert list(HouseRule) == [
        "fallen_keep_places", "fallen_leave_places", "places_either_way", "thirst_at_each_beer",
        "vulture_outlives", "gatling_discard_last", "kit_discards_last", "one_arrow_a_turn",
    ]  # fmt: skip


def test_contradictory_switches_are_refused() -> None:
    setup = game("S O R O").setup
    with pytest.raises(SetupError, match="contradict each other"):
        replace(setup, house_rules=CONTRADICTORY)
    for rule in CONTRADICTORY:
        replace(setup, house_rules=frozenset({rule}))


@pytest.mark.parametrize("ruling", SCENES, ids=lambda ruling: ruling.title)
def test_a_scene_goes_as_its_switch_says(ruling: Ruling) -> None:
    ruling.check(DICE_WORDS)


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
