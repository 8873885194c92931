"""Dealing: by chance or in turn, entered from real cards, chosen of two; and what is refused."""

import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dicegame.roles import ROLES, Role, first_role
from companion.dicegame.rulesets import RULESETS
from companion.table.dealing import (
    CHOICE,
    Characters,
    Dealing,
    Fallen,
    Options,
    Roles,
    Sheriff,
    Wrong,
    begin,
)
from companion.table.refused import Refused

BASE = RULESETS["base"]
COUNTS = range(3, 9)
IDS = BASE.characters
CARDS = Options(roles=Roles.CARDS, characters=Characters.CARDS)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")

options = st.builds(
    Options,
    st.sampled_from(Roles),
    st.sampled_from(Characters),
    st.sampled_from(Sheriff),
    st.sampled_from([None, *Fallen]),
)


def from_cards(roles, characters=IDS) -> Dealing:
    """All have entered what they hold; nothing is checked yet."""
    dealing = begin(1, BASE, len(roles), random.Random(1), CARDS)
    for seat, role in enumerate(roles):
        dealing = dealing.enter(seat, role, characters[seat])
    return dealing


@given(options)
def test_options_are_saved_as_they_are(chosen):
    assert Options.from_json(chosen.to_json()) == chosen


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [("roles", "choice", "'choice' is not a valid Roles"), ("joker", "dealt", "no such option")],
)
def test_what_is_no_option_is_refused(name, value, reason):
    with pytest.raises(ValueError, match=reason):
        Options().changed(name, value)


@given(options, st.sampled_from(COUNTS), st.integers(0, 99), st.data())
def test_a_half_entered_deal_is_saved_as_it_is(chosen, count, seed, data):
    dealing = begin(7, BASE, count, random.Random(seed), chosen)
    seat = data.draw(st.integers(0, count - 1))
    role = data.draw(st.sampled_from(dealing.choice)) if dealing.roles[seat] is None else None
    offer = dealing.offers[seat]
    dealing = dealing.enter(seat, role, data.draw(st.sampled_from(offer)) if offer else None)
    assert Dealing.from_json(dealing.to_json()) == dealing


@pytest.mark.parametrize("count", COUNTS)
def test_all_by_chance_asks_nobody(count):
    dealing = begin(1, BASE, count, random.Random(count), Options())
    assert dealing.complete
    setup = dealing.setup(BASE, NAMES[:count], frozenset())
    assert Counter(setup.roles) == Counter(ROLES[count])


@pytest.mark.parametrize("characters", Characters)
def test_only_characters_of_the_ruleset_are_dealt_and_offered(characters):
    few = replace(BASE, characters=IDS[3:9])
    for seed in range(20):
        dealing = begin(1, few, 3, random.Random(seed), Options(characters=characters))
        dealt = {*dealing.characters, *itertools.chain(*dealing.offers)} - {None}
        assert dealt <= set(few.characters)
        assert len(dealt) >= 3


@pytest.mark.parametrize("count", COUNTS)
def test_in_turn_the_first_role_is_where_it_is_told_and_the_others_fall_by_chance(count):
    seen = set()
    for seed in range(40):
        dealing = begin(1, BASE, count, random.Random(seed), Options(), first=count - 2)
        assert dealing.roles[count - 2] is first_role(count)
        assert Counter(dealing.roles) == Counter(ROLES[count])
        seen.add(dealing.roles)
    assert len(seen) > 1


@pytest.mark.parametrize("count", COUNTS)
def test_each_chooses_one_of_two_that_nobody_else_is_offered(count):
    dealing = begin(1, BASE, count, random.Random(count), Options(characters=Characters.CHOICE))
    offered = [character for offer in dealing.offers for character in offer]
    assert [len(offer) for offer in dealing.offers] == [CHOICE] * count
    assert len(set(offered)) == CHOICE * count
    for seat in range(count):
        other = dealing.offers[(seat + 1) % count][0]
        with pytest.raises(Refused, match="no such character"):
            dealing.enter(seat, None, other)
        assert not dealing.complete
        dealing = dealing.enter(seat, None, dealing.offers[seat][seat % CHOICE])
    assert dealing.checked(2) == dealing
    chosen = [offer[seat % CHOICE] for seat, offer in enumerate(dealing.offers)]
    setup = dealing.setup(BASE, NAMES[:count], frozenset())
    assert [player.character.id for player in setup.players] == chosen


@pytest.mark.parametrize("count", COUNTS)
def test_the_right_roles_in_any_order_make_a_game(count):
    roles = random.Random(count).sample(ROLES[count], count)
    dealing = from_cards(roles).checked(2)
    assert dealing.setup(BASE, NAMES[:count], frozenset()).roles == tuple(roles)


@pytest.mark.parametrize("count", COUNTS)
def test_any_other_roles_are_entered_again_by_all_whoever_was_wrong(count):
    right = ROLES[count]
    told = set()
    for seat, role in enumerate(right):
        for other in {*right} - {role}:
            checked = from_cards((*right[:seat], other, *right[seat + 1 :])).checked(2)
            assert checked.wrong == (Wrong.ROLES,)
            assert checked.roles == (None,) * count
            assert checked.characters == tuple(IDS[:count]), "those were right"
            told.add(checked)
    assert len(told) == 1, "nothing of who entered what is left"


def test_two_sheriffs_or_none_are_no_game():
    for roles in (
        (Role.SHERIFF, Role.SHERIFF, Role.OUTLAW, Role.OUTLAW),
        (Role.RENEGADE, Role.RENEGADE, Role.OUTLAW, Role.OUTLAW),
    ):
        assert from_cards(roles).checked(2).wrong == (Wrong.ROLES,)


def test_a_character_entered_twice_is_entered_again_by_all():
    told = set()
    for first in range(4):
        for second in range(first):
            held = list(IDS[:4])
            held[first] = held[second] = "willy_the_kid"
            checked = from_cards(ROLES[4], held).checked(2)
            assert (checked.wrong, checked.characters) == ((Wrong.CHARACTERS,), (None,) * 4)
            assert checked.roles == ROLES[4]
            told.add(checked)
    assert len(told) == 1


def test_both_may_be_wrong_at_once():
    checked = from_cards([Role.OUTLAW] * 4, ["willy_the_kid"] * 4).checked(2)
    assert checked.wrong == (Wrong.ROLES, Wrong.CHARACTERS)
    assert not any(checked.entered(seat) for seat in range(4))


@pytest.mark.parametrize(
    ("chosen", "role", "character"),
    [
        (CARDS, None, "willy_the_kid"),
        (CARDS, Role.OUTLAW, None),
        (CARDS, Role.OUTLAW, "nobody"),
        (Options(roles=Roles.CARDS), Role.OUTLAW, "willy_the_kid"),
        (Options(characters=Characters.CARDS), Role.OUTLAW, "willy_the_kid"),
        (Options(characters=Characters.CARDS), None, None),
    ],
)
def test_just_what_is_asked_is_entered(chosen, role, character):
    dealing = begin(1, BASE, 4, random.Random(1), chosen)
    with pytest.raises(Refused):
        dealing.enter(0, role, character)


def test_with_four_there_is_no_deputy_and_with_three_no_sheriff():
    for count, role in ((4, Role.DEPUTY), (3, Role.SHERIFF)):
        dealing = begin(1, BASE, count, random.Random(1), CARDS)
        assert role not in dealing.choice
        with pytest.raises(Refused, match="no such role"):
            dealing.enter(0, role, "willy_the_kid")


def test_what_was_entered_is_taken_back_and_what_was_dealt_stays():
    dealing = from_cards(ROLES[4]).taken_back(2)
    assert (dealing.roles[2], dealing.characters[2]) == (None, None)
    assert dealing.entered(1)
    mixed = begin(1, BASE, 4, random.Random(1), Options(characters=Characters.CARDS))
    entered = mixed.enter(0, None, "willy_the_kid")
    assert entered.taken_back(0) == mixed
