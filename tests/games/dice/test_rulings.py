"""One test for each ruling, in the order of the rulings; how scenes are written: scenario.py."""

from dataclasses import fields, replace

import pytest
from scenario import (
    at,
    dice,
    discard_from,
    drink,
    ended,
    events,
    game,
    heal,
    play,
    put_back,
    reached,
    refusal,
    reroll,
    roll,
    shoot,
    stop,
    take,
    throw,
)

from companion.games.common.endings import Result, Side
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.common.players import SetupError
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import question
from companion.games.dice.rules.events import (
    ArrowsDiscarded,
    ArrowsTaken,
    Cause,
    DynamiteExploded,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import ALL_DICE, Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action, Beer, Roll, Shoot, Shot, Stop, TakeArrows
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS, Ruleset
from companion.games.dice.rules.state import Player, Setup, State
from companion.games.dice.rules.views import view

OTHER_RULESETS = ("base-fr", "walking-dead")
"""Those that never count eliminated players, for any number of players."""


def deal(ruleset: str, roles: str, first_character: int = 0) -> Setup:
    characters = list(CHARACTERS.values())[first_character:]
    words = {"S": "sheriff", "D": "deputy", "O": "outlaw", "R": "renegade"}
    return Setup(
        RULESETS[ruleset],
        tuple(
            Player(f"P{seat}", Role(words[letter]), character)
            for seat, (letter, character) in enumerate(zip(roles, characters, strict=False))
        ),
    )


# Rulesets


@pytest.mark.parametrize(
    ("ruleset", "language", "least", "most"),
    [
        ("base", "en", 3, 8),
        ("base-fr", "fr", 3, 8),
        ("walking-dead", "en", 3, 8),
        ("quick", "en", 4, 4),
    ],
)
def test_rulesets_have_a_language_and_numbers_of_players(
    ruleset: str, language: str, least: int, most: int
) -> None:
    assert RULESETS[ruleset].language == language
    assert (RULESETS[ruleset].players[0], RULESETS[ruleset].players[-1]) == (least, most)


def test_rulesets_are_four() -> None:
    assert set(RULESETS) == {"base", "base-fr", "walking-dead", "quick"}


def test_faces_and_roles_have_the_names_of_every_ruleset() -> None:
    assert list(Face) == ["arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling"]
    assert set(Role) == {"sheriff", "deputy", "outlaw", "renegade"}


def test_characters_are_sixteen_with_their_life_points() -> None:
    assert {character.id: character.life for character in CHARACTERS.values()} == {
        "bart_cassidy": 8, "black_jack": 8, "calamity_janet": 8, "el_gringo": 7, "jesse_jones": 9,
        "jourdonnais": 7, "kit_carlson": 7, "lucky_duke": 8, "paul_regret": 9, "pedro_ramirez": 8,
        "rose_doolan": 9, "sid_ketchum": 8, "slab_the_killer": 8, "suzy_lafayette": 8,
        "vulture_sam": 9, "willy_the_kid": 8,
    }  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_every_ruleset_lists_the_sixteen(ruleset: Ruleset) -> None:
    assert set(ruleset.characters) == set(CHARACTERS)
    assert len(ruleset.characters) == len(CHARACTERS)


# Set-up


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize("roles", ["DOR", "SROO", "SROOD", "SROODO", "SROODOD", "SROODODR"])
def test_roles_are_dealt_by_the_number_of_players(ruleset: str, roles: str) -> None:
    assert len(deal(ruleset, roles).players) == len(roles)
    for wrong in ("S" * len(roles), roles[1:] + ("D" if roles[0] == "S" else "R")):
        with pytest.raises(SetupError, match="players have the roles"):
            deal(ruleset, wrong)


def test_roles_of_the_quick_game_are_one_sheriff_two_outlaws_one_renegade() -> None:
    assert len(deal("quick", "OSRO").players) == 4
    with pytest.raises(SetupError, match="quick is for 4 players, not 5"):
        deal("quick", "SROOD")


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize("roles", ["SR", "SROODODRO"])
def test_players_are_three_to_eight(ruleset: str, roles: str) -> None:
    with pytest.raises(SetupError, match="for 3 to 8 players"):
        deal(ruleset, roles)


def test_roles_of_three_players_are_all_public() -> None:
    seen = view(start(deal("base", "DOR")), 0).players
    assert [player.role for player in seen] == ["deputy", "outlaw", "renegade"]
    seen = view(start(deal("base", "OSRO")), 0).players
    assert [player.role for player in seen] == ["outlaw", "sheriff", None, None]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sheriff_has_two_life_points_more_than_their_character_and_begins(ruleset: str) -> None:
    state = start(deal(ruleset, "ROSO"))
    assert state.life == state.setup.max_life == (8, 8, 8 + 2, 7)
    assert state.awaits == (2, "roll")


def test_sheriffs_extra_life_points_are_their_maximum() -> None:
    state = throw(game("S:black_jack R O O", life={0: 9}), "BBBAA")
    assert play(state, drink(0, 0, 0)).life[0] == 8 + 2


def test_nobody_of_three_players_has_extra_life_points_and_the_deputy_begins() -> None:
    state = start(deal("base", "ORD"))
    assert state.life == state.setup.max_life == (8, 8, 8)
    assert state.awaits == (2, "roll")


@pytest.mark.parametrize("roles", ["DOR", "SROODODR"])
def test_nine_arrows_lie_in_the_pile(roles: str) -> None:
    state = start(deal("base", roles))
    assert state.pile == 9
    assert not any(state.arrows)


def test_a_setup_is_what_was_dealt_and_nothing_worked_out_of_it() -> None:
    setup = deal("base", "SROO")
    dealt = ["ruleset", "players", "house_rules"]
    for part in ("init", "compare", "repr"):
        assert [entry.name for entry in fields(setup) if getattr(entry, part)] == dealt


def test_a_state_is_the_same_whatever_led_to_it() -> None:
    state = start(deal("base", "SROO"))
    elsewhere = replace(state, log=())
    assert (elsewhere, repr(elsewhere)) == (state, repr(state))


# Start of a turn


def test_sid_ketchum_chooses_a_living_player_before_they_roll() -> None:
    state = game("S:sid_ketchum R O O", life={0: 3, 2: 4, 3: 0})
    assert state.actions == ("heal",)
    assert play(state, heal(2)).life == (3, 5, 5, 0)
    assert play(state, heal(0)).life == (4, 5, 4, 0)
    assert play(state, heal(2)).actions == ("roll",)
    assert refusal(state, heal(3)) == "seat 3 is eliminated"
    assert refusal(state, heal(4)) == "there is no seat 4"
    assert refusal(state, roll("BBBBB")) == "expected heal, not roll"


def test_sid_ketchums_choice_of_a_player_at_their_maximum_is_wasted() -> None:
    state = game("S:sid_ketchum R:bart_cassidy O O", life={1: 8})
    assert play(state, heal(1)).life[1] == 8


def test_sid_ketchum_chooses_on_each_of_their_turns_and_on_no_other() -> None:
    state = throw(game("S R:sid_ketchum O O"), "DDAAA")
    assert state.awaits == (1, "heal")
    assert throw(play(state, heal(1)), "DDAAA").awaits == (2, "roll")


# Rolling


def test_rolling_is_over_after_three_rolls() -> None:
    state = play(game("S R O O"), roll("BBBBB"))
    assert state.actions == ("roll", "stop")
    state = play(state, reroll({0: "B"}))
    assert state.actions == ("roll", "stop")
    state = play(state, reroll({0: "B"}))
    assert (state.rolls, state.actions) == (3, ("beer",))


def test_lucky_duke_may_roll_four_times() -> None:
    state = play(game("S:lucky_duke R O O"), roll("BBBBB"), reroll({0: "B"}), reroll({0: "B"}))
    assert state.actions == ("roll", "stop")
    assert play(state, reroll({0: "B"})).actions == ("beer",)


def test_first_roll_throws_all_dice_and_cannot_be_passed() -> None:
    state = game("S R O O")
    assert refusal(state, stop) == "expected roll, not stop"
    named = Roll(0, dice("BBBBB"), (0, 1, 2, 3, 4))
    assert refusal(state, lambda _: named) == 'the first roll throws all dice: omit "rerolled"'


def test_a_refusal_names_who_decides_what_and_what_was_tried_instead() -> None:
    state = game("S R O O")
    decides = {"seat": 0, "action": Action.ROLL}
    for wrong, particulars in (
        (Stop(0), {"awaited": "roll", "other": Action.STOP}),
        (Roll(2, dice("BBBBB")), {"other": 2}),
    ):
        refused = check(state, wrong)
        assert refused is not None
        assert refused.particulars == decides | particulars


def test_a_roll_has_five_dice() -> None:
    for letters in ("BBBB", "BBBBBB"):
        wrong = Roll(0, dice(letters))
        assert refusal(game("S R O O"), lambda _, wrong=wrong: wrong) == (
            f"a roll has 5 dice, not {len(letters)}"
        )


def test_reroll_names_dice_and_at_least_one() -> None:
    state = play(game("S R O O"), roll("BBBBB"))
    for thrown, reason in (
        (None, "every later roll names the dice that were thrown again"),
        ((), "every later roll names the dice that were thrown again"),
        ((0, 5), "dice are numbered 0 to 4"),
        ((-1, 0), "dice are numbered 0 to 4"),
        ((1, 0), "rerolled dice are listed in ascending order, each once"),
        ((1, 1), "rerolled dice are listed in ascending order, each once"),
    ):
        again = Roll(0, dice("BBBBB"), thrown)
        assert refusal(state, lambda _, again=again: again) == reason


def test_reroll_may_name_dice_kept_earlier() -> None:
    state = play(game("S R O O"), roll("1BBBB"), reroll({1: "2"}), reroll({0: "G", 4: "1"}))
    assert state.dice == dice("G2BB1")


def test_kept_dice_show_what_they_showed() -> None:
    state = play(game("S R O O"), roll("12BGG"))
    wrong = Roll(0, dice("11BGB"), (4,))
    assert refusal(state, lambda _: wrong) == (
        "die 1 was kept: it must still show bullseye2, not bullseye1"
    )


def test_dynamite_is_never_rolled_again() -> None:
    state = play(game("S R O O"), roll("BDBDB"))
    for thrown, die in (({1: "B"}, 1), ({0: "B", 3: "B"}, 3)):
        never = f"die {die} shows dynamite, which can't be rolled again"
        assert refusal(state, reroll(thrown)) == never
    assert play(state, reroll({0: "B", 2: "B"})).actions == ("roll", "stop")


def test_black_jack_rolls_dynamite_again_while_fewer_than_three_show() -> None:
    state = play(game("S:black_jack R O O"), roll("DDBBB"), reroll({0: "B", 1: "D"}))
    assert state.dice == dice("BDBBB")
    state = play(state, reroll({1: "B"}))
    assert state.actions == ("beer",)


def test_black_jack_with_three_dynamites_follows_the_usual_rules() -> None:
    state = play(game("S:black_jack R O O"), roll("DDBBB"))
    for three in (play(state, reroll({2: "D"})), play(game("S:black_jack R O O"), roll("DDDBB"))):
        assert three.actions == ("beer",)
        assert three.life[0] == 4


def test_arrows_are_taken_for_the_dice_just_rolled_only() -> None:
    state = play(game("S R O O"), roll("AABBB"))
    assert (state.arrows[0], state.pile) == (2, 7)
    state = play(state, reroll({2: "B"}))
    assert state.arrows[0] == 2
    assert play(state, reroll({0: "A", 3: "A"})).arrows[0] == 4


def test_indian_attack_in_the_middle_of_a_roll_then_the_rest_is_taken() -> None:
    state = game("S R O O", life=6, arrows={0: 1, 1: 3, 2: 2, 3: 2})
    state = play(state, roll("AAABB"))
    assert state.life == (6 - 2, 6 - 3, 6 - 2, 6 - 2)
    assert state.arrows == (2, 0, 0, 0)
    assert (state.awaits, state.actions) == ((0, "roll"), ("roll", "stop"))


def test_indian_attack_that_eliminates_the_roller_ends_their_turn_and_their_arrows() -> None:
    state = game("O S R O", life={0: 2}, arrows={0: 1, 1: 4, 2: 3})
    state = play(state, roll("AAA1B"))
    assert state.life == (0, 1, 2, 5)
    assert state.pile == 9
    assert (state.awaits, state.dice, state.rolls) == ((1, "roll"), (), 0)


def test_indian_attack_that_ends_the_game_leaves_the_rest_of_the_roll() -> None:
    state = game("O S R O", life={1: 1}, arrows={1: 4, 2: 4})
    state = play(state, roll("AAA1B"))
    assert ended(state) == ("outlaws", (0, 3))
    assert (state.turn, state.rolls, state.dice) == (0, 1, dice("AAA1B"))
    assert state.pile == 9


def test_arrows_come_before_dynamite() -> None:
    scene = game("O S R O", life={0: 2}, arrows={1: 4, 2: 4})
    lost = [event for event in events(scene, roll("AADDD")) if isinstance(event, LifeLost)]
    assert [event.cause for event in lost if event.seat == 0] == [Cause.INDIANS, Cause.DYNAMITE]
    assert play(scene, roll("AADDD")).pile == 9, "their second arrow came back as they fell"


def test_three_dynamites_end_the_rolling() -> None:
    assert play(game("S R O O"), roll("DDDBB")).actions == ("beer",)
    two = play(game("S R O O"), roll("DDBBB"))
    assert two.actions == ("roll", "stop")
    assert play(two, reroll({4: "D"})).actions == ("beer",)


def test_the_roller_may_stop_after_any_roll() -> None:
    state = play(game("S R O O"), roll("BBBBB"))
    assert play(state, stop).actions == ("beer",)
    assert play(state, reroll({0: "G"}), stop).actions == ("beer",)


# Dynamite


@pytest.mark.parametrize("letters", ["DDD1B", "DDDD1", "1DDDD"])
def test_three_dynamites_or_more_cost_one_life_point_and_the_other_dice_count(letters: str) -> None:
    state = play(game("S R O O"), roll(letters))
    assert state.life == (4, 5, 5, 5)
    assert state.actions == ("shoot",)


def test_two_dynamites_cost_nothing() -> None:
    assert throw(game("S R O O"), "DD1BB").life == (5, 5, 5, 5)


def test_dynamite_that_eliminates_the_roller_ends_their_turn_and_nothing_else_counts() -> None:
    state = play(game("O S R O", life={0: 1}, arrows={0: 2}), roll("DDDGG"))
    assert state.life == (0, 5, 5, 5)
    assert state.awaits == (1, "roll")
    assert state.pile == 9
    assert play(game("O S R O", life={0: 1}), roll("DDD1B")).awaits == (1, "roll")


# Bull's eyes


def test_bullseyes_are_all_assigned_then_resolved_as_one_event() -> None:
    state = throw(game("O S:el_gringo R:vulture_sam O", life={2: 1, 3: 1}), "112AA")
    after = play(state, shoot(1, 3, 2))
    assert after.life == (5, 4, 0, 0)
    assert after.arrows[0] == 2 + 1


def test_bullseyes_are_assigned_one_each_in_the_order_of_the_dice() -> None:
    state = throw(game("S R O O"), "B12AA")
    for dice_shot in ((1,), (2, 1), (1, 2, 2), ()):
        shots = Shoot(0, tuple(Shot(die, 1) for die in dice_shot))
        assert refusal(state, lambda _, shots=shots: shots) == (
            "the bull's eyes are dice [1, 2]: one shot each, in this order"
        )


def test_a_shot_may_be_assigned_beyond_the_life_points() -> None:
    state = throw(game("S R O O", life={1: 1}), "111AA")
    assert play(state, shoot(1, 1, 1)).life == (5, 0, 5, 5)


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize(
    ("players", "turn", "letter", "seats"),
    [
        ("S R O O", 0, "1", {1, 3}),
        ("S R O O", 1, "2", {3}),
        ("S R O O D", 4, "1", {0, 3}),
        ("S R O O D", 0, "2", {2, 3}),
        ("S R O O D O", 5, "2", {1, 3}),
        ("S R O O D O D", 3, "2", {1, 5}),
        ("S R O O D O D R", 7, "1", {0, 6}),
        ("S R O O D O D R", 1, "2", {3, 7}),
    ],
)
def test_distance_is_the_smaller_count_of_places_both_ways(
    ruleset: str, players: str, turn: int, letter: str, seats: set[int]
) -> None:
    state = game(players, ruleset=ruleset, turn=turn)
    assert reached(throw(state, f"{letter}BBBB")) == seats


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize(("letter", "seats"), [("1", {2, 5}), ("2", {3, 4})])
def test_players_eliminated_on_an_earlier_turn_are_no_places(
    ruleset: str, letter: str, seats: set[int]
) -> None:
    state = game("S O R O D O", ruleset=ruleset, life={1: 0})
    assert reached(throw(state, f"{letter}BBBB")) == seats


def fallen_on_this_turn(players: str, *seats: int, ruleset: str, letters: str) -> State:
    """A turn whose first arrow was the last one: `seats` have just been eliminated by Indians."""
    count = len(players.split())
    arrows = dict.fromkeys(seats, 1)
    others = [seat for seat in range(1, count) if seat not in seats]
    for index in range(8 - len(seats)):
        seat = others[index % len(others)]
        arrows[seat] = arrows.get(seat, 0) + 1
    state = game(players, ruleset=ruleset, life=dict.fromkeys(seats, 1), arrows=arrows)
    state = throw(state, f"A{letters}")
    assert [seat for seat in range(count) if not state.life[seat]] == sorted(seats)
    return state


@pytest.mark.parametrize(
    ("ruleset", "letter", "seats"),
    [
        ("base", "1", {5}),
        ("base", "2", {2, 4}),
        *[(ruleset, "1", {2, 5}) for ruleset in OTHER_RULESETS],
        *[(ruleset, "2", {3, 4}) for ruleset in OTHER_RULESETS],
    ],
)
def test_players_eliminated_on_this_turn_are_places_in_the_base_ruleset_only(
    ruleset: str, letter: str, seats: set[int]
) -> None:
    state = fallen_on_this_turn("S O R O D O", 1, ruleset=ruleset, letters=f"{letter}BBB")
    assert reached(state) == seats


def test_players_eliminated_on_this_turn_are_no_places_on_the_next() -> None:
    state = fallen_on_this_turn("S O R O D O", 1, ruleset="base", letters="DDBB")
    state = play(state, drink(0, 0))
    assert state.turn == 2
    assert reached(throw(state, "1BBBB")) == {0, 3}


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
@pytest.mark.parametrize("letter", ["1", "2"])
def test_bullseye2_with_two_or_three_alive_is_a_bullseye1(ruleset: str, letter: str) -> None:
    three = game("S R O O D", ruleset=ruleset, life={1: 0, 4: 0})
    assert reached(throw(three, f"{letter}BBBB")) == {2, 3}
    two = game("S R O O D", ruleset=ruleset, life={1: 0, 3: 0, 4: 0})
    assert reached(throw(two, f"{letter}BBBB")) == {2}
    assert reached(throw(game("D R O", ruleset=ruleset), f"{letter}BBBB")) == {1, 2}


def test_calamity_janet_uses_each_bullseye_as_the_other() -> None:
    state = game("S:calamity_janet R O O D")
    one, two = throw(state, "1BBBB"), throw(state, "2BBBB")
    assert reached(one) == reached(one, "1") == reached(two, "1") == {1, 4}
    assert reached(two) == reached(two, "2") == reached(one, "2") == {2, 3}
    mixed = play(throw(state, "112BB"), shoot(at(2, used_as="2"), 1, at(4, used_as="1")))
    assert mixed.life == (5, 4, 4, 5, 4)


def test_calamity_janet_uses_a_bullseye_as_nothing_else() -> None:
    state = throw(game("S:calamity_janet R O O D"), "1BBBB")
    assert refusal(state, shoot(at(1, used_as="B"))) == "die 0 can't be used as beer"


def test_nobody_else_uses_a_bullseye_as_the_other() -> None:
    state = throw(game("S R:calamity_janet O O D"), "1BBBB")
    as_it_is = "die 0: this character can't use a bull's eye as the other one"
    assert refusal(state, shoot(at(2, used_as="2"))) == as_it_is
    assert refusal(state, shoot(at(1, used_as="1"))) == as_it_is


@pytest.mark.parametrize(
    ("players", "ones", "twos"),
    [
        ("S:rose_doolan R O O D O D R", {1, 2, 6, 7}, {2, 3, 5, 6}),
        ("S:rose_doolan R O O D O", {1, 2, 4, 5}, {2, 3, 4}),
        ("S:rose_doolan R O O D", {1, 2, 3, 4}, {2, 3}),
        ("D:rose_doolan R O", {1, 2}, {1, 2}),
    ],
)
def test_rose_doolan_reaches_one_place_further_as_well(
    players: str, ones: set[int], twos: set[int]
) -> None:
    assert reached(throw(game(players), "1BBBB")) == ones
    assert reached(throw(game(players), "2BBBB")) == twos


def test_rose_doolan_with_four_alive_counts_the_smaller_distance() -> None:
    state = game("S:rose_doolan R O O")
    assert reached(throw(state, "1BBBB")) == {1, 2, 3}
    assert reached(throw(state, "2BBBB")) == {2}


def test_a_living_target_in_reach_must_be_chosen() -> None:
    state = throw(game("S R O O D"), "1BBBB")
    assert refusal(state, shoot(None)) == "die 0 must hit one of the seats [1, 4]"
    assert refusal(state, shoot(2)) == "die 0 does not reach seat 2, only [1, 4]"
    assert refusal(state, shoot(7)) == "there is no seat 7"
    dead = throw(game("S R O O D", life={1: 0}), "1BBBB")
    assert refusal(dead, shoot(1)) == "seat 1 is eliminated"


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("base", {None}), *[(ruleset, {2, 5}) for ruleset in OTHER_RULESETS]]
)
def test_a_bullseye_that_reaches_nobody_is_lost_in_the_base_ruleset_only(
    ruleset: str, seats: set[int | None]
) -> None:
    state = fallen_on_this_turn("S O O R O D D", 1, 6, ruleset=ruleset, letters="1BBD")
    assert reached(state) == seats
    if None in seats:
        assert refusal(state, shoot(2)) == "die 1 reaches nobody, not even seat 2"


def test_a_lost_bullseye_hits_nobody_and_the_turn_goes_on() -> None:
    state = fallen_on_this_turn("S O O R O D D", 1, 6, ruleset="base", letters="12BD")
    after = play(state, shoot(None, 2))
    assert after.life == (*state.life[:2], state.life[2] - 1, *state.life[3:])
    assert play(state, shoot(None, 2)).actions == ("beer",)
    lost = fallen_on_this_turn("S O O R O D D", 1, 6, ruleset="base", letters="1BDD")
    assert play(lost, shoot(None)).life == lost.life
    assert play(lost, shoot(None)).actions == ("beer",)


def test_calamity_janets_lost_bullseye_is_judged_as_the_face_she_uses_it_as() -> None:
    players = "S:calamity_janet O O R O D D"
    one = fallen_on_this_turn(players, 1, 6, ruleset="base", letters="1BBD")
    assert reached(one) == reached(one, "1") == {None}
    assert reached(one, "2") == {2, 5}
    two = fallen_on_this_turn(players, 1, 6, ruleset="base", letters="2BBD")
    assert reached(two) == {2, 5}
    assert reached(two, "1") == {None}


def test_a_lost_bullseye_cannot_be_doubled() -> None:
    players = "S:slab_the_killer O O R O D D"
    state = fallen_on_this_turn(players, 1, 6, ruleset="base", letters="12BD")
    assert refusal(state, shoot(at(None, beer=3), 2)) == "die 1 hits nobody: nothing to double"
    assert play(state, shoot(None, at(2, beer=3))).life[2] == state.life[2] - 2


def test_bullseye2_with_three_alive_and_one_fallen_this_turn_counts_four_places_in_base() -> None:
    for letter in "12":
        letters = f"{letter}BDD"
        base = fallen_on_this_turn("S O R O", 1, ruleset="base", letters=letters)
        assert reached(base) == {3}
        opposite = fallen_on_this_turn("S O R O", 2, ruleset="base", letters=letters)
        assert reached(opposite) == {1, 3}
        for ruleset in (*OTHER_RULESETS, "quick"):
            other = fallen_on_this_turn("S O R O", 1, ruleset=ruleset, letters=letters)
            assert reached(other) == {2, 3}


@pytest.mark.parametrize("character", ["paul_regret", "calamity_janet", "rose_doolan"])
@pytest.mark.parametrize("dead", [(), (1,), (1, 2), (1, 2, 3)])
def test_nobody_may_shoot_themselves(character: str, dead: tuple[int, ...]) -> None:
    state = game(f"S:{character} O R D O", life=dict.fromkeys(dead, 0))
    for letter in "12":
        assert 0 not in reached(throw(state, f"{letter}BBBB"))


def test_slab_the_killer_doubles_one_shot_with_a_beer_that_heals_nobody() -> None:
    state = throw(game("S:slab_the_killer R O O"), "1BBAA")
    after = play(state, shoot(at(1, beer=2)))
    assert after.life == (5, 3, 5, 5)
    assert refusal(after, drink(0, 0)) == "there are 1 beers to drink, not 2"
    assert play(after, drink(0)).life == (6, 3, 5, 5)
    assert play(throw(game("S:slab_the_killer R O O"), "1BAAA"), shoot(at(1, beer=1))).turn == 1


def test_slab_the_killer_need_not_double() -> None:
    state = throw(game("S:slab_the_killer R O O"), "1BBAA")
    assert play(state, shoot(1), drink(0, 0)).life == (7, 4, 5, 5)


def test_slab_the_killer_doubles_once_a_turn() -> None:
    state = throw(game("S:slab_the_killer R O O"), "11BBA")
    for beer in (2, 3):
        twice = shoot(at(1, beer=2), at(1, beer=beer))
        assert refusal(state, twice) == "only one shot a turn can be doubled"


def test_slab_the_killer_doubles_with_a_beer_die_only() -> None:
    state = throw(game("S:slab_the_killer R O O"), "1BBAA")
    for die in (0, 3, 5, -4):
        assert refusal(state, shoot(at(1, beer=die))) == f"die {die} shows no beer"


def test_slab_the_killer_is_offered_their_beers_while_they_shoot() -> None:
    state = throw(game("S:slab_the_killer R O O"), "1BBAA")
    asked, afterwards = question(state), question(play(state, shoot(1)))
    assert asked
    assert afterwards
    assert (asked.beers, afterwards.beers) == ((1, 2), ())


def test_nobody_else_doubles_a_shot() -> None:
    state = throw(game("S R:slab_the_killer O O"), "1BBAA")
    cannot = "die 0: this character can't double a shot"
    assert refusal(state, shoot(at(1, beer=1))) == cannot


# Beers


def test_beers_are_assigned_to_living_players_themselves_included() -> None:
    state = throw(game("S R O O", life={3: 0}), "BBBAA")
    assert play(state, drink(2, 0, 2)).life == (6, 5, 7, 0)
    assert refusal(state, drink(0, 0, 3)) == "seat 3 is eliminated"
    assert refusal(state, drink(0, 0, 4)) == "there is no seat 4"


@pytest.mark.parametrize("count", [0, 2, 4])
def test_beers_are_all_to_be_used(count: int) -> None:
    state = throw(game("S R O O"), "BBBAA")
    assert refusal(state, lambda _: Beer(0, (0,) * count)) == (
        f"there are 3 beers to drink, not {count}"
    )


def test_beers_are_applied_in_order_and_capped_at_the_starting_life_points() -> None:
    state = throw(game("S R:black_jack O O", life={1: 7}), "BBBAA")
    gains = [event for event in events(state, drink(1, 0, 1)) if isinstance(event, LifeGained)]
    assert gains == [
        LifeGained(1, 1, Cause.BEER), LifeGained(0, 1, Cause.BEER), LifeGained(1, 0, Cause.BEER)
    ]  # fmt: skip


@pytest.mark.parametrize(("life", "after"), [(1, 5), (3, 7), (4, 8), (5, 7), (8, 9)])
def test_jesse_jones_with_four_or_less_before_the_beers_gains_two_for_each(
    life: int, after: int
) -> None:
    state = throw(game("O:jesse_jones R S O", life={0: life}), "BBAAA")
    assert play(state, drink(0, 0)).life[0] == after


def test_jesse_jones_gains_two_only_by_their_own_beers_for_themselves() -> None:
    state = throw(game("O:jesse_jones R S O", life={0: 4}), "BBBAA")
    assert play(state, drink(1, 0, 2)).life == (6, 6, 6, 5)
    others = throw(game("O R:jesse_jones S O", life={1: 4}), "BAAAA")
    assert play(others, drink(1)).life[1] == 5


def test_jesse_jones_with_four_or_less_after_their_shots_is_thirsty() -> None:
    state = game("S:jesse_jones R:el_gringo O O", arrows={2: 4, 3: 4})
    state = play(throw(state, "1DDBB"), shoot(1))
    assert state.life[0] == 4, "el Gringo's arrow was the last one"
    assert play(state, drink(0, 0)).life[0] == 8


# Gatling


@pytest.mark.parametrize(
    ("letters", "hits"), [("GGDAA", 0), ("GGGDA", 1), ("GGGGD", 1), ("GGGGG", 1)]
)
def test_gatling_hits_every_other_player_once_with_three_or_more(letters: str, hits: int) -> None:
    state = throw(game("S R O O", life={3: 0}), letters)
    assert state.life == (5, 5 - hits, 5 - hits, 0)


def test_gatling_discards_all_arrows_of_the_shooter() -> None:
    assert throw(game("S R O O", arrows={0: 3, 1: 2}), "GGGAA").arrows == (0, 2, 0, 0)
    assert throw(game("S R O O", arrows={0: 3, 1: 2}), "GGDDA").arrows == (4, 2, 0, 0)


def test_gatling_never_hits_paul_regret() -> None:
    assert throw(game("S R:paul_regret O O"), "GGGAA").life == (5, 5, 4, 4)
    alone = throw(game("S R:paul_regret O O", life={2: 0, 3: 0}, arrows={0: 1}), "GGGDD")
    assert (alone.life, alone.arrows, alone.turn) == ((5, 5, 0, 0), (0, 0, 0, 0), 1)


def test_paul_regret_is_hit_by_bullseyes_all_the_same() -> None:
    assert play(throw(game("S R:paul_regret O O"), "1AADD"), shoot(1)).life[1] == 4


@pytest.mark.parametrize(("letters", "hits"), [("GDDAA", 0), ("GGDAA", 1), ("GGGGD", 1)])
def test_willy_the_kid_needs_two_gatlings_and_fires_once_a_turn(letters: str, hits: int) -> None:
    state = throw(game("S:willy_the_kid R O O", arrows={0: 2}), letters)
    assert state.life == (5, 5 - hits, 5 - hits, 5 - hits)
    assert (state.arrows[0] == 0) is bool(hits)


def test_gatling_is_one_damage_event() -> None:
    state = throw(game("R O S O", life=1), "GGGDD")
    assert state.life == (1, 0, 0, 0)
    assert ended(state) == ("renegade", (0,)), "all fell together"


def test_gatling_discards_the_shooters_arrows_before_the_hits() -> None:
    state = throw(game("S R:el_gringo O O", arrows={0: 3}), "GGGDD")
    assert state.arrows[0] == 1, "el Gringo's arrow stays"


@pytest.mark.parametrize("gatlings", [1, 2])
def test_kit_carlson_takes_away_an_arrow_for_each_gatling_also_with_fewer_than_three(
    gatlings: int,
) -> None:
    state = game("S:kit_carlson R O O", arrows={0: 1, 1: 3, 2: 1})
    state = throw(state, "G" * gatlings + "D" * 2 + "B" * (3 - gatlings))
    state = play(state, drink(*[0] * (3 - gatlings)))
    assert state.awaits == (0, "discard_from")
    assert play(state, discard_from(*[1] * gatlings)).arrows == (1, 3 - gatlings, 1, 0)
    assert play(state, discard_from(0)).arrows == (0, 3, 1, 0)
    assert play(state, discard_from()).arrows == (1, 3, 1, 0)
    assert refusal(state, discard_from(*[1] * (gatlings + 1))) == (
        f"at most {gatlings} arrows, one for each Gatling die"
    )
    assert play(state, discard_from()).life == (6 if gatlings == 2 else 7, 5, 5, 5)


def test_kit_carlson_takes_away_no_more_than_is_held() -> None:
    state = throw(game("S:kit_carlson R O O", life={3: 0}, arrows={0: 1, 1: 3, 2: 1}), "GGDDA")
    assert refusal(state, discard_from(2, 2)) == "seat 2 holds only 1 arrows"
    assert refusal(state, discard_from(3)) == "seat 3 is eliminated"
    assert refusal(state, discard_from(4)) == "there is no seat 4"


def test_kit_carlson_is_not_asked_where_nobody_holds_an_arrow() -> None:
    assert throw(game("S:kit_carlson R O O"), "GGDDG").turn == 1
    assert throw(game("S:kit_carlson R O O", arrows={0: 4}), "GGDDG").turn == 1
    assert throw(game("S:kit_carlson R O O", arrows={0: 4}), "GGDDA").actions == ("discard_from",)
    assert throw(game("S:kit_carlson R O O", arrows={1: 4}), "DDDAA").turn == 1


def test_kit_carlson_acts_after_the_discard_and_before_the_hits() -> None:
    state = game("S:kit_carlson R:bart_cassidy O O", arrows={0: 1, 1: 2, 2: 5})
    state = throw(state, "GGGDD")
    assert state.arrows == (0, 2, 5, 0)
    assert state.life == (5, 5, 5, 5)
    state = play(state, discard_from(1, 2, 2))
    assert state.arrows == (0, 1, 3, 0)
    assert (state.awaits, state.life) == ((1, "take_arrows"), (5, 5, 5, 5))
    assert play(state, take(1)).life == (5, 5, 4, 4)


def test_kit_carlsons_discards_let_bart_cassidy_take_arrows() -> None:
    state = game("S:kit_carlson R:bart_cassidy O O", arrows={1: 4, 2: 4})
    state = throw(state, "GGGDD")
    assert play(state, discard_from()).life == (5, 4, 4, 4), "one arrow in the pile is not enough"
    assert play(state, discard_from(2)).awaits == (1, "take_arrows")


def test_nobody_else_takes_arrows_away_by_gatling_dice() -> None:
    assert throw(game("S R:kit_carlson O O", arrows={1: 2}), "GGDDA").turn == 1


# End of a turn


def test_suzy_lafayette_gains_two_if_no_final_die_is_a_bullseye() -> None:
    scene = game("S:suzy_lafayette R O O")
    assert throw(scene, "DDAAA").life[0] == 7
    assert play(scene, roll("12DDA"), reroll({0: "A", 1: "A"}), stop).life[0] == 7
    assert play(throw(scene, "1DDAA"), shoot(1)).life[0] == 5
    assert play(throw(scene, "2DDAA"), shoot(2)).life[0] == 5


def test_suzy_lafayette_gains_after_everything_else_and_never_beyond_her_maximum() -> None:
    scene = game("O:suzy_lafayette R S O", life={0: 7})
    assert throw(scene, "DDDAA").life[0] == 8, "one lost to dynamite, two gained"
    assert throw(scene, "DDAAA").life[0] == 8


def test_suzy_lafayettes_lost_bullseye_is_still_a_bullseye() -> None:
    players = "S:suzy_lafayette O O R O D D"
    state = fallen_on_this_turn(players, 1, 6, ruleset="base", letters="1DDA")
    assert play(state, shoot(None)).life[0] == state.life[0]


def test_suzy_lafayette_gains_nothing_on_the_turn_of_another_nor_once_eliminated() -> None:
    assert throw(game("S R:suzy_lafayette O O"), "DDAAA").life == (5, 5, 5, 5)
    assert play(game("O:suzy_lafayette R S O", life={0: 1}), roll("DDDAA")).life[0] == 0


def test_play_passes_to_the_next_living_player_on_the_left() -> None:
    assert throw(game("S R O O"), "DDAAA").awaits == (1, "roll")
    assert throw(game("S R O O", life={1: 0, 2: 0}), "DDAAA").awaits == (3, "roll")
    last = throw(game("S R O O", turn=2, life={3: 0}), "DDAAA")
    assert (last.awaits, last.turn, last.dice, last.rolls) == ((0, "roll"), 0, (), 0)


@pytest.mark.parametrize("letters", ["1BGGG", "1BBGG"])
def test_elimination_on_ones_own_turn_ends_it_with_no_further_step(letters: str) -> None:
    state = game("O R:el_gringo S O", life={0: 1}, arrows={2: 4, 3: 4})
    state = play(throw(state, letters), shoot(1))
    assert state.life == (0, 4, 1, 1), "el Gringo's arrow was the last one"
    assert state.awaits == (1, "roll")
    assert state.pile == 9


# A damage event: Bart Cassidy


def test_bart_cassidy_may_take_arrows_instead_of_life_points() -> None:
    state = play(throw(game("S R:bart_cassidy O O"), "11DDB"), shoot(1, 1))
    assert state.awaits == (1, "take_arrows")
    for count in (0, 1, 2):
        after = play(state, take(count))
        assert (after.life[1], after.arrows[1]) == (5 - 2 + count, count)
        assert after.awaits == (0, "beer")
    assert refusal(state, take(3)) == "0 to 2 arrows, not 3"
    assert refusal(state, take(-1)) == "0 to 2 arrows, not -1"
    assert refusal(state, lambda _: TakeArrows(0, 1)) == "seat 1 decides now, not seat 0"


def test_bart_cassidy_may_take_arrows_when_the_gatling_hits_them() -> None:
    state = throw(game("S R:bart_cassidy O O"), "GGGDD")
    assert state.awaits == (1, "take_arrows")
    assert play(state, take(1)).life == (5, 5, 4, 4)


def test_bart_cassidy_never_takes_the_last_arrow() -> None:
    three_hits = throw(game("S R:bart_cassidy O O", arrows={2: 4, 3: 3}), "111DD")
    state = play(three_hits, shoot(1, 1, 1))
    assert refusal(state, take(2)) == "0 to 1 arrows, not 2"
    assert play(state, take(1)).pile == 1
    one_left = throw(game("S R:bart_cassidy O O", arrows={2: 4, 3: 4}), "111DD")
    assert play(one_left, shoot(1, 1, 1)).life[1] == 2


def test_bart_cassidy_may_take_arrows_for_more_hits_than_life_points() -> None:
    state = play(throw(game("S R:bart_cassidy O O", life={1: 1}), "111DD"), shoot(1, 1, 1))
    assert play(state, take(3)).life[1] == 1
    fallen = play(state, take(2))
    assert (fallen.life[1], fallen.arrows[1], fallen.pile) == (0, 0, 9)


def test_bart_cassidy_does_not_count_arrows_that_come_back_in_the_same_event() -> None:
    state = game("S R:bart_cassidy O O", life={3: 1}, arrows={2: 4, 3: 4})
    state = throw(state, "GGGDD")
    assert state.life == (5, 4, 4, 0)
    assert state.pile == 5


def test_bart_cassidy_has_no_say_with_dynamite() -> None:
    state = play(game("S:bart_cassidy R O O"), roll("DDDBA"))
    assert (state.life[0], state.actions) == (4, ("beer",))


# A damage event: losses and eliminations


def test_all_hit_players_lose_together_and_fall_together() -> None:
    state = throw(game("S R O O", life={1: 1, 3: 1}, arrows={1: 2, 3: 1}), "112DD")
    after = play(state, shoot(1, 3, 2))
    assert after.life == (5, 0, 4, 0)
    assert after.pile == 9
    assert [player.role for player in view(after, 2).players] == [
        "sheriff", "renegade", "outlaw", "outlaw"
    ]  # fmt: skip


def test_the_eliminated_neither_roll_nor_hold_arrows() -> None:
    state = throw(game("S R O O", life={1: 1}, arrows={1: 2}), "1DDAA")
    after = play(state, shoot(1))
    assert (after.awaits, after.arrows) == ((2, "roll"), (2, 0, 0, 0))


def test_the_eliminated_are_chosen_for_nothing() -> None:
    healing = game("O S:sid_ketchum R O", turn=1, life={0: 0})
    assert refusal(healing, heal(0)) == "seat 0 is eliminated"
    assert refusal(healing, heal(-1)) == "there is no seat -1"


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS, "quick"])
def test_vulture_sam_gains_two_for_each_other_player_eliminated(ruleset: str) -> None:
    scene = game("S O:vulture_sam R O", ruleset=ruleset, life={2: 1, 3: 1})
    assert play(throw(scene, "1DDAA"), shoot(3)).life == (5, 7, 1, 0)
    assert play(throw(scene, "12DDA"), shoot(3, 2)).life == (5, 9, 0, 0)
    own = game("O:vulture_sam S R O", ruleset=ruleset, life={3: 1})
    assert play(throw(own, "1DDAA"), shoot(3)).life == (7, 5, 5, 0)


def test_vulture_sam_gains_by_indians_and_dynamite_too_and_is_capped() -> None:
    indians = game("S O:vulture_sam R O", life={1: 8, 3: 1}, arrows={1: 1, 2: 4, 3: 3})
    assert play(indians, roll("ABBBB")).life == (4, 9, 1, 0)
    dynamite = game("O O:vulture_sam R S", life={0: 1, 1: 8})
    assert play(dynamite, roll("DDDBB")).life == (0, 9, 5, 5)


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS, "quick"])
def test_vulture_sam_falling_together_with_others_gains_nothing(ruleset: str) -> None:
    state = throw(game("S O:vulture_sam R O", ruleset=ruleset, life={1: 1, 3: 1}), "GGGDD")
    assert state.life == (5, 0, 4, 0)


def test_vulture_sam_gains_before_the_game_ends() -> None:
    state = play(throw(game("O S O:vulture_sam R", life={1: 1}), "1DDAA"), shoot(1))
    assert ended(state) == ("outlaws", (0, 2))
    assert state.life == (5, 0, 7, 5)


def test_a_game_that_is_over_asks_nobody_and_gives_no_arrow() -> None:
    state = game("O S R:pedro_ramirez O:el_gringo", life={1: 1}, arrows={2: 2})
    state = play(throw(state, "112DD"), shoot(1, 3, 2))
    assert ended(state) == ("outlaws", (0, 3))
    assert state.arrows == (0, 0, 2, 0)
    assert refusal(state, lambda _: Roll(0, dice("BBBBB"))) == "the game is over"


# A damage event: Pedro Ramirez and El Gringo


@pytest.mark.parametrize(
    ("letters", "arrows", "most"), [("1AADD", 3, 1), ("11ADD", 3, 2), ("111DD", 2, 2)]
)
def test_pedro_ramirez_may_put_back_as_many_arrows_as_they_lost_life_points(
    letters: str, arrows: int, most: int
) -> None:
    state = throw(game("S R:pedro_ramirez O O", arrows={1: arrows}), letters)
    hits = letters.count("1")
    state = play(state, shoot(*[1] * hits))
    assert state.awaits == (1, "discard_arrows")
    for count in range(most + 1):
        after = play(state, put_back(count))
        assert (after.life[1], after.arrows[1]) == (5 - hits, arrows - count)
    assert refusal(state, put_back(most + 1)) == f"0 to {most} arrows, not {most + 1}"


def test_pedro_ramirez_is_asked_after_the_gatling_and_dynamite() -> None:
    state = throw(game("S R:pedro_ramirez O O", arrows={1: 2}), "GGGDD")
    assert state.awaits == (1, "discard_arrows")
    state = play(game("S:pedro_ramirez R O O", arrows={0: 2}), roll("DDD1B"))
    assert (state.awaits, state.life[0]) == ((0, "discard_arrows"), 4)
    assert play(state, put_back(1)).actions == ("shoot",)


def test_pedro_ramirez_is_not_asked_without_arrows_or_life() -> None:
    assert play(throw(game("S R:pedro_ramirez O O"), "1DDAA"), shoot(1)).turn == 1
    fallen = throw(game("S R:pedro_ramirez O O", life={1: 1}, arrows={1: 2}), "1DDAA")
    assert play(fallen, shoot(1)).awaits == (2, "roll")


def test_pedro_ramirez_puts_arrows_back_before_el_gringos_arrow() -> None:
    state = game("S R:pedro_ramirez O:el_gringo O", arrows={1: 4, 3: 4})
    state = play(throw(state, "12DDB"), shoot(1, 2))
    assert state.life == (5, 4, 4, 5)
    assert play(state, put_back(1)).arrows == (1, 3, 0, 4)
    attacked = play(state, put_back(0))
    assert (attacked.life, attacked.arrows) == ((4, 0, 4, 1), (0, 0, 0, 0))


def test_el_gringos_attacker_takes_one_arrow_for_the_whole_event() -> None:
    state = play(throw(game("S R:el_gringo O O"), "111DD"), shoot(1, 1, 1))
    assert (state.life[1], state.arrows) == (2, (1, 0, 0, 0))


def test_el_gringos_attacker_takes_an_arrow_for_their_last_life_points_too() -> None:
    state = throw(game("S R:el_gringo O O", life={1: 1}, arrows={1: 3}), "1DDBB")
    state = play(state, shoot(1))
    assert (state.life[1], state.arrows, state.pile) == (0, (1, 0, 0, 0), 8)


def test_el_gringos_arrow_can_be_the_last_one() -> None:
    state = game("S R:el_gringo O O", arrows={2: 4, 3: 4})
    state = play(throw(state, "1DDBB"), shoot(1))
    assert (state.life, state.pile) == ((4, 4, 1, 1), 9)
    assert state.awaits == (0, "beer")


def test_el_gringo_hit_by_a_bullseye_and_the_gatling_of_one_turn_gives_two_arrows() -> None:
    state = play(throw(game("S R:el_gringo O O"), "1GGGB"), shoot(1))
    assert state.arrows[0] == 1
    happened = [
        event
        for event in events(state, drink(0))
        if isinstance(event, ArrowsTaken | ArrowsDiscarded)
    ]
    assert happened == [
        ArrowsDiscarded(0, 1, Cause.GATLING), ArrowsTaken(0, 1, Cause.ABILITY)
    ]  # fmt: skip


def test_el_gringos_own_dynamite_gives_nobody_an_arrow() -> None:
    state = play(game("S:el_gringo R O O"), roll("DDDBB"))
    assert (state.life[0], state.pile) == (4, 9)


def test_dynamite_eliminates_and_ends_the_game_like_any_loss() -> None:
    state = play(game("S O:vulture_sam R O", life={0: 1}, arrows={0: 2}), roll("DDD1B"))
    assert ended(state) == ("outlaws", (1, 3))
    assert (state.life, state.pile) == ((0, 7, 5, 5), 9)
    assert (state.turn, state.dice) == (0, dice("DDD1B"))


# Indian attack


def test_indian_attack_costs_every_living_player_a_life_point_for_each_arrow() -> None:
    state = play(game("S R O O D", arrows={0: 1, 1: 3, 2: 4}), roll("ABBBB"))
    assert state.life == (3, 2, 1, 5, 5)
    assert (state.arrows, state.pile) == ((0, 0, 0, 0, 0), 9)


@pytest.mark.parametrize(("arrows", "loss"), [(0, 0), (1, 1), (4, 1)])
def test_indian_attack_never_costs_jourdonnais_more_than_one(arrows: int, loss: int) -> None:
    scene = game("S R:jourdonnais O O", arrows={1: arrows, 2: 4, 3: 4 - arrows})
    state = play(scene, roll("ABBBB"))
    assert state.life[1] == 5 - loss
    assert state.pile == 9


@pytest.mark.parametrize("character", ["bart_cassidy", "pedro_ramirez", "el_gringo"])
def test_indian_attack_leaves_no_say(character: str) -> None:
    scene = game(f"S R:{character} O O", arrows={1: 3, 2: 4, 3: 1})
    state = play(scene, roll("ABBBB"))
    assert (state.life, state.pile) == ((4, 2, 1, 4), 9)
    assert state.awaits == (0, "roll")


def test_indian_attack_eliminates_all_together_and_ends_the_game() -> None:
    scene = game("R S O O", life={1: 1, 2: 1, 3: 1}, arrows={1: 3, 2: 3, 3: 2})
    state = play(scene, roll("ABBBB"))
    assert state.life == (4, 0, 0, 0)
    assert ended(state) == ("renegade", (0,))


# End of the game, four to eight players


def test_renegade_alone_alive_wins_when_the_sheriff_falls() -> None:
    scene = game("R S O O", life={1: 1, 2: 0, 3: 0})
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == ("renegade", (0,))


def test_outlaws_win_dead_or_alive_when_the_sheriff_falls_with_others_alive() -> None:
    scene = game("R S O O", life={1: 1, 3: 0})
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == ("outlaws", (2, 3))


def test_outlaws_win_though_all_dead_when_a_deputy_outlives_the_sheriff() -> None:
    scene = game("R S O O D", life={1: 1, 2: 0, 3: 0})
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == ("outlaws", (2, 3))


def test_outlaws_win_when_two_renegades_outlive_the_sheriff() -> None:
    life = {1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}
    scene = game("R S O O D O D R", life=life)
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == ("outlaws", (2, 3, 5))


def test_outlaws_win_when_all_fall_at_once() -> None:
    scene = game("S R O O", life=1, arrows={1: 3, 2: 3, 3: 2})
    assert ended(play(scene, roll("ABBBB"))) == ("outlaws", (2, 3))


def test_outlaws_win_when_the_sheriff_falls_with_the_last_renegade() -> None:
    scene = game("O S R O", life={0: 0, 1: 1, 2: 1, 3: 0}, turn=1, arrows={1: 4, 2: 4})
    assert ended(play(scene, roll("ABBBB"))) == ("outlaws", (0, 3))


@pytest.mark.parametrize("ruleset", ["base", *OTHER_RULESETS])
def test_sheriff_and_deputies_win_dead_or_alive_when_no_outlaw_and_no_renegade_lives(
    ruleset: str,
) -> None:
    life = {1: 1, 2: 0, 3: 0, 4: 0, 5: 0}
    scene = game("S R O O D O D", ruleset=ruleset, life=life)
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == ("law", (0, 4, 6))


def test_game_goes_on_while_a_renegade_lives() -> None:
    scene = game("S O R O D", life={1: 1, 3: 0})
    state = play(throw(scene, "1DDAA"), shoot(1))
    assert (state.result, state.awaits) == (None, (2, "roll"))


def test_game_goes_on_while_the_sheriff_and_an_outlaw_live() -> None:
    scene = game("S O R O D", life={1: 1, 2: 0, 4: 0})
    state = play(throw(scene, "1DDAA"), shoot(1))
    assert (state.result, state.awaits) == (None, (3, "roll"))


# End of the game, three players

HUNTS = [("D R O", "deputy"), ("R O D", "renegade"), ("O D R", "outlaw")]


@pytest.mark.parametrize(("players", "side"), HUNTS)
def test_eliminating_ones_target_with_a_bullseye_or_gatling_wins_at_once(
    players: str, side: str
) -> None:
    scene = game(players, life={1: 1})
    assert ended(play(throw(scene, "1DDAA"), shoot(1))) == (side, (0,))
    assert ended(throw(scene, "GGGDD")) == (side, (0,))
    both = game(players, life={1: 1, 2: 1})
    assert ended(play(throw(both, "12DDA"), shoot(1, 2))) == (side, (0,))


@pytest.mark.parametrize(("players", "side"), HUNTS)
def test_eliminating_another_than_ones_target_wins_as_the_last_one_standing(
    players: str, side: str
) -> None:
    state = play(throw(game(players, life={2: 1}), "1DDBB"), shoot(2))
    assert state.result is None
    duel = game(players, life={1: 1, 2: 0})
    assert ended(play(throw(duel, "1DDAA"), shoot(1))) == (side, (0,))


@pytest.mark.parametrize(("players", "side"), [("R D O", "renegade"), ("D O R", "deputy")])
def test_last_one_standing_wins_whomever_they_hunted(players: str, side: str) -> None:
    duel = game(players, life={1: 1, 2: 0})
    assert ended(play(throw(duel, "1DDAA"), shoot(1))) == (side, (0,))


def test_dying_to_indians_is_being_eliminated_by_nobody() -> None:
    scene = game("D R O", life={1: 1}, arrows={1: 4, 2: 4})
    state = play(scene, roll("ABBBB"))
    assert (state.life, state.result) == ((4, 0, 1), None)


def test_dying_to_an_attack_by_el_gringos_arrow_is_being_eliminated_by_nobody() -> None:
    scene = game("D R O:el_gringo", life={1: 1}, arrows={0: 1, 1: 4, 2: 3})
    state = play(throw(scene, "1DDBB"), shoot(2))
    assert (state.life, state.result) == ((3, 0, 1), None)


def test_dying_to_dynamite_is_being_eliminated_by_nobody() -> None:
    state = play(game("D R O", life={0: 1}), roll("DDDBB"))
    assert (state.result, state.awaits) == (None, (1, "roll"))


def test_last_one_standing_wins_after_indians_and_dynamite_too() -> None:
    scene = game("D R O", life={1: 1, 2: 1}, arrows={1: 4, 2: 4})
    assert ended(play(scene, roll("ABBBB"))) == ("deputy", (0,))
    duel = game("D R O", life={0: 1, 2: 0})
    assert ended(play(duel, roll("DDDBB"))) == ("renegade", (1,))


def test_nobody_wins_if_nobody_stands() -> None:
    scene = game("D R O", life=1, arrows={1: 4, 2: 4})
    assert ended(play(scene, roll("ABBBB"))) == ("none", ())


# What is told of it


def test_the_first_turn_is_told() -> None:
    assert start(deal("base", "ROSO")).events == (TurnBegan(2),)


def test_a_roll_tells_the_arrows_taken_and_no_others() -> None:
    scene = game("S R O O")
    assert events(scene, roll("DBBBB")) == (Rolled(0, dice("DBBBB"), ALL_DICE),)
    assert events(scene, roll("ABABB"))[1:] == (ArrowsTaken(0, 2, Cause.ROLL),)


def test_an_attack_tells_of_those_who_lose_and_nobody_else() -> None:
    scene = game("S R:vulture_sam O O", arrows={0: 1, 2: 3, 3: 4})
    assert events(scene, roll("ABBBB"))[1:] == (
        ArrowsTaken(0, 1, Cause.ROLL),
        IndiansAttacked(),
        LifeLost(0, 2, Cause.INDIANS),
        LifeLost(2, 3, Cause.INDIANS),
        LifeLost(3, 4, Cause.INDIANS),
    )


def test_an_elimination_is_told_with_the_role_and_what_it_gives() -> None:
    scene = throw(game("S R:vulture_sam O O", life={3: 2}, arrows={3: 3}), "11DDA")
    assert events(scene, shoot(3, 3)) == (
        ShotsFired(0, (Shot(0, 3), Shot(1, 3))),
        LifeLost(3, 2, Cause.BULLSEYE),
        Eliminated(3, Role.OUTLAW),
        LifeGained(1, 2, Cause.ABILITY),
        TurnBegan(1),
    )


def test_the_end_of_the_game_is_told_last() -> None:
    scene = throw(game("R S O O", life={1: 1}), "1DDAA")
    assert events(scene, shoot(1))[1:] == (
        LifeLost(1, 1, Cause.BULLSEYE),
        Eliminated(1, Role.SHERIFF),
        GameEnded(Result(Side.OUTLAWS, (2, 3))),
    )


def test_the_gatling_tells_the_arrows_put_back_and_the_hits() -> None:
    scene = play(game("S R O O", arrows={0: 3}), roll("GGGDD"))
    hits = tuple(LifeLost(seat, 1, Cause.GATLING) for seat in (1, 2, 3))
    fired = (GatlingFired(0), ArrowsDiscarded(0, 3, Cause.GATLING), *hits, TurnBegan(1))
    assert events(scene, stop) == fired
    late = replace(
        scene,
        setup=replace(scene.setup, house_rules=frozenset({HouseRule.GATLING_DISCARD_LAST})),
    )
    assert events(late, stop) == (fired[0], *hits, fired[1], fired[-1])
    without = play(game("S R O O"), roll("GGGDD"))
    assert events(without, stop) == (fired[0], *hits, fired[-1])


def test_dynamite_is_told_with_its_loss() -> None:
    assert events(game("S R O O"), roll("DDD1B"))[1:] == (
        DynamiteExploded(0),
        LifeLost(0, 1, Cause.DYNAMITE),
    )


def test_abilities_are_told_where_they_are_used_and_only_there() -> None:
    sid = game("S:sid_ketchum R O O")
    assert events(sid, heal(2)) == (LifeGained(2, 1, Cause.ABILITY),)
    suzy = play(game("S:suzy_lafayette R O O"), roll("DDAAA"))
    assert events(suzy, stop) == (LifeGained(0, 2, Cause.ABILITY), TurnBegan(1))
    bart = play(throw(game("S R:bart_cassidy O O"), "1DDBA"), shoot(1))
    assert events(bart, take(1)) == (ArrowsTaken(1, 1, Cause.ABILITY),)
    assert events(bart, take(0)) == (LifeLost(1, 1, Cause.BULLSEYE),)
    pedro = play(throw(game("S R:pedro_ramirez O O", arrows={1: 2}), "1DDBA"), shoot(1))
    assert events(pedro, put_back(1)) == (ArrowsDiscarded(1, 1, Cause.ABILITY),)
    assert events(pedro, put_back(0)) == ()
    kit = throw(game("S:kit_carlson R O O", arrows={1: 2}), "GDDAA")
    assert events(kit, discard_from(1)) == (ArrowsDiscarded(1, 1, Cause.ABILITY), TurnBegan(1))
    assert events(kit, discard_from()) == (TurnBegan(1),)
    for answered in (play(bart, take(1)), play(pedro, put_back(1))):
        assert answered.aside.damage is None


def test_all_who_fell_on_this_turn_are_remembered_until_its_end() -> None:
    scene = game("S O O R:pedro_ramirez D", life={1: 1, 4: 1}, arrows={3: 2})
    state = play(throw(scene, "1GGGB"), shoot(1), drink(0))
    assert state.awaits == (3, "discard_arrows")
    assert state.aside.fallen == (1, 4)
    assert play(state, put_back(0)).aside.fallen == ()


# The rulebook's worked examples


def test_example_of_a_turn_with_an_attack_a_shot_and_the_gatling() -> None:
    scene = game("S R O O", life={0: 6}, arrows={0: 1, 1: 3, 2: 2, 3: 2})
    state = play(scene, roll("AA1DB"))
    assert (state.life[0], state.arrows[0], state.pile) == (4, 1, 8)
    assert "dynamite" in refusal(state, reroll({3: "G"}))
    state = play(state, reroll({0: "G", 1: "G", 4: "B"}), reroll({2: "2", 4: "G"}))
    assert state.actions == ("shoot",), "the third roll must be accepted"
    before = state.life
    state = play(state, shoot(2))
    assert state.life == (4, before[1] - 1, before[2] - 2, before[3] - 1)
    assert state.arrows == (0, 0, 0, 0)


def test_example_of_jesse_jones_with_four_life_points_and_two_beers() -> None:
    state = throw(game("S:jesse_jones R O O", life={0: 4}), "BBDDA")
    assert play(state, drink(0, 0)).life[0] == 4 + 4


def test_example_of_kit_carlson_with_three_gatlings() -> None:
    state = throw(game("S:kit_carlson R O O", arrows={0: 2, 1: 2, 2: 2}), "GGGDD")
    state = play(state, discard_from(1, 1, 2))
    assert (state.arrows, state.life) == ((0, 0, 1, 0), (5, 4, 4, 4))


def test_example_of_three_players_where_the_target_fell_to_another() -> None:
    state = play(throw(game("O R D", life={1: 1}), "1DDAA"), shoot(1))
    assert state.result is None, "the Outlaw shot the Deputy's target: the Deputy has not won"
    assert state.awaits == (2, "roll")
    state = play(throw(replace(state, life=(1, 0, 5), living=(0, 2)), "1DDAA"), shoot(0))
    assert ended(state) == ("deputy", (2,))
