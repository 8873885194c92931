"""The rulings: most are scenes of rulings.txt and house_rules.txt, the others are tests here."""

from dataclasses import fields, replace

import pytest
from dice_scenes import DICE_WORDS, dice, game, play, reached, throw
from scenes import each_scene

from companion.games.common.events import TurnBegan
from companion.games.common.players import SetupError
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import question
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import CONTRADICTORY
from companion.games.dice.rules.moves import Action, Roll, Stop
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Setup
from companion.games.dice.rules.views import view

OTHER_RULESETS = ("base-fr", "walking-dead")
"""Those that never count eliminated players, for any number of players."""


def deal(ruleset: str, players: str) -> Setup:
    """Players clockwise, as in a scene; letters alone are their roles."""
    return game(players if " " in players else " ".join(players), ruleset=ruleset).setup


@each_scene(__file__, "rulings.txt")
def test_a_scene_goes_as_its_ruling_says(ruling):
    ruling.check(DICE_WORDS)


# Rulesets


def test_rulesets_are_four_with_a_language_and_numbers_of_players():
    found = {name: (one.language, one.players) for name, one in RULESETS.items()}
    assert found == {
        "base": ("en", range(3, 9)), "base-fr": ("fr", range(3, 9)),
        "walking-dead": ("en", range(3, 9)), "quick": ("en", range(4, 5)),
    }  # fmt: skip


def test_faces_and_roles_have_the_names_of_every_ruleset():
    assert list(Face) == ["arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling"]
    assert set(Role) == {"sheriff", "deputy", "outlaw", "renegade"}


def test_characters_are_sixteen_with_their_life_points():
    assert {character.id: character.life for character in CHARACTERS.values()} == {
        "bart_cassidy": 8, "black_jack": 8, "calamity_janet": 8, "el_gringo": 7, "jesse_jones": 9,
        "jourdonnais": 7, "kit_carlson": 7, "lucky_duke": 8, "paul_regret": 9, "pedro_ramirez": 8,
        "rose_doolan": 9, "sid_ketchum": 8, "slab_the_killer": 8, "suzy_lafayette": 8,
        "vulture_sam": 9, "willy_the_kid": 8,
    }  # fmt: skip


def test_every_ruleset_lists_the_sixteen():
    for ruleset in RULESETS.values():
        assert sorted(ruleset.characters) == sorted(CHARACTERS)


# Set-up


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize("roles", ["DOR", "SROO", "SROOD", "SROODO", "SROODOD", "SROODODR"])
def test_roles_are_dealt_by_the_number_of_players(ruleset, roles):
    assert len(deal(ruleset, roles).players) == len(roles)
    for wrong in ("S" * len(roles), roles[1:] + ("D" if roles[0] == "S" else "R")):
        with pytest.raises(SetupError, match="players have the roles"):
            deal(ruleset, wrong)


def test_roles_of_the_quick_game_are_one_sheriff_two_outlaws_one_renegade():
    assert len(deal("quick", "OSRO").players) == 4
    with pytest.raises(SetupError, match="quick is for 4 players, not 5"):
        deal("quick", "SROOD")


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize("roles", ["SR", "SROODODRO"])
def test_players_are_three_to_eight(ruleset, roles):
    with pytest.raises(SetupError, match="for 3 to 8 players"):
        deal(ruleset, roles)


def test_roles_of_three_players_are_all_public():
    seen = view(start(deal("base", "DOR")), 0).players
    assert [player.role for player in seen] == ["deputy", "outlaw", "renegade"]
    seen = view(start(deal("base", "OSRO")), 0).players
    assert [player.role for player in seen] == ["outlaw", "sheriff", None, None]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sheriff_has_two_life_points_more_than_their_character_and_begins(ruleset):
    state = start(deal(ruleset, "R:bart_cassidy O:black_jack S:calamity_janet O:el_gringo"))
    assert state.life == state.setup.max_life == (8, 8, 8 + 2, 7)
    assert state.awaits == (2, "roll")


def test_nobody_of_three_players_has_extra_life_points_and_the_deputy_begins():
    state = start(deal("base", "O:bart_cassidy R:black_jack D:calamity_janet"))
    assert state.life == state.setup.max_life == (8, 8, 8)
    assert state.awaits == (2, "roll")


@pytest.mark.parametrize("roles", ["DOR", "SROODODR"])
def test_nine_arrows_lie_in_the_pile(roles):
    state = start(deal("base", roles))
    assert (state.pile, sum(state.arrows)) == (9, 0)


def test_a_setup_is_what_was_dealt_and_nothing_worked_out_of_it():
    setup = deal("base", "SROO")
    dealt = ["ruleset", "players", "house_rules"]
    for part in ("init", "compare", "repr"):
        assert [entry.name for entry in fields(setup) if getattr(entry, part)] == dealt


def test_a_state_is_the_same_whatever_led_to_it():
    state = start(deal("base", "SROO"))
    elsewhere = replace(state, log=())
    assert (elsewhere, repr(elsewhere)) == (state, repr(state))


def test_a_refusal_names_who_decides_what_and_what_was_tried_instead():
    state = game("S R O O")
    decides = {"seat": 0, "action": Action.ROLL}
    for wrong, particulars in (
        (Stop(0), {"awaited": "roll", "other": Action.STOP}),
        (Roll(2, dice("BBBBB")), {"other": 2}),
    ):
        refused = check(state, wrong)
        assert refused is not None
        assert refused.particulars == decides | particulars


# Bull's eyes


@pytest.mark.parametrize("character", ["paul_regret", "calamity_janet", "rose_doolan"])
@pytest.mark.parametrize("dead", [(), (1,), (1, 2), (1, 2, 3)])
def test_nobody_may_shoot_themselves(character, dead):
    state = game(f"S:{character} O R D O", life=dict.fromkeys(dead, 0))
    for letter in "12":
        assert 0 not in reached(throw(state, f"{letter}BBBB"))


def test_slab_the_killer_is_offered_their_beers_while_they_shoot():
    state = throw(game("S:slab_the_killer R O O"), "1BBAA")
    asked, afterwards = question(state), question(play(state, "shoot 1"))
    assert asked
    assert afterwards
    assert (asked.beers, afterwards.beers) == ((1, 2), ())


def test_the_first_turn_is_told():
    assert start(deal("base", "ROSO")).events == (TurnBegan(2),)


# House rules: each switch turns its ruling round, and nothing else


def test_contradictory_switches_are_refused():
    setup = game("S O R O").setup
    with pytest.raises(SetupError, match="contradict each other"):
        replace(setup, house_rules=CONTRADICTORY)
    for rule in CONTRADICTORY:
        replace(setup, house_rules=frozenset({rule}))


@each_scene(__file__, "house_rules.txt")
def test_a_scene_goes_as_its_switch_says(ruling):
    ruling.check(DICE_WORDS)
