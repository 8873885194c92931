"""Dealing: by chance or in turn, entered from real cards, chosen of two; and what is refused."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_ins import dice_game

from companion.base.refused import Refused
from companion.games.dice.rules.roles import ROLES, Role, first_role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.game import Deck
from companion.table.dealing import (
    CHOICE,
    CharacterSource,
    Dealing,
    DealOptions,
    EliminatedSee,
    EntryError,
    FirstTurn,
    RoleSource,
    begin,
)

BASE = dice_game()
COUNTS = range(3, 9)
IDS = RULESETS["base"].characters
CARDS = DealOptions(roles=RoleSource.CARDS, characters=CharacterSource.CARDS)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")

options = st.builds(
    DealOptions,
    st.sampled_from(RoleSource),
    st.sampled_from(CharacterSource),
    st.sampled_from(FirstTurn),
    st.sampled_from([None, *EliminatedSee]),
)


def deck(count: int) -> Deck:
    return BASE.game.deck(BASE.ruleset, count)


def dealt(
    count: int, chosen: DealOptions = CARDS, seed: int = 1, first: int | None = None
) -> Dealing:
    return begin(1, count, deck(count), random.Random(seed), chosen, first=first)


def from_cards(roles, characters=IDS) -> Dealing:
    """All have entered what they hold; nothing is checked yet."""
    dealing = dealt(len(roles))
    for seat, role in enumerate(roles):
        dealing = dealing.enter(seat, role, characters[seat])
    return dealing


@given(options)
def test_options_are_saved_as_they_are(chosen):
    assert DealOptions.from_json(chosen.to_json()) == chosen


def test_what_is_no_option_is_refused():
    with pytest.raises(ValueError, match="roles: 'choice' is not one of dealt, cards"):
        DealOptions().with_choice("roles", "choice")
    with pytest.raises(ValueError, match="joker: no such key; there are roles"):
        DealOptions().with_choice("joker", "dealt")


@given(options, st.sampled_from(COUNTS), st.integers(0, 99), st.data())
def test_a_half_entered_deal_is_saved_as_it_is(chosen, count, seed, data):
    dealing = begin(7, count, deck(count), random.Random(seed), chosen)
    seat = data.draw(st.integers(0, count - 1))
    role = data.draw(st.sampled_from(dealing.deck.role_kinds)) if not dealing.roles[seat] else None
    offer = dealing.offers[seat] or (None,)
    dealing = dealing.enter(seat, role, data.draw(st.sampled_from(offer)))
    assert Dealing.from_json(dealing.to_json(), dealing.deck) == dealing


@pytest.mark.parametrize("count", COUNTS)
def test_all_by_chance_asks_nobody(count):
    dealing = dealt(count, DealOptions(), count)
    assert dealing.complete
    setup = BASE.game.setup(BASE, dealing.seats(NAMES[:count]))
    assert Counter(setup.roles) == Counter(ROLES[count])


@pytest.mark.parametrize("characters", CharacterSource)
def test_only_characters_of_the_ruleset_are_dealt_and_offered(characters):
    few = deck(3)._replace(characters=IDS[3:9])
    for seed in range(20):
        dealing = begin(1, 3, few, random.Random(seed), DealOptions(characters=characters))
        dealt = {*dealing.characters, *itertools.chain(*dealing.offers)} - {None}
        assert dealt <= set(few.characters)
        assert len(dealt) >= 3


@pytest.mark.parametrize("count", COUNTS)
def test_in_turn_the_first_role_is_where_it_is_told_and_the_others_fall_by_chance(count):
    seen = set()
    for seed in range(40):
        dealing = dealt(count, DealOptions(), seed, first=count - 2)
        assert dealing.roles[count - 2] is first_role(count)
        assert Counter(dealing.roles) == Counter(ROLES[count])
        seen.add(dealing.roles)
    assert len(seen) > 1


@pytest.mark.parametrize("count", COUNTS)
def test_each_chooses_one_of_two_that_nobody_else_is_offered(count):
    dealing = dealt(count, DealOptions(characters=CharacterSource.CHOICE), count)
    offered = [character for offer in dealing.offers for character in offer]
    assert [len(offer) for offer in dealing.offers] == [CHOICE] * count
    assert len(set(offered)) == CHOICE * count
    for seat in range(count):
        other = dealing.offers[(seat + 1) % count][0]
        with pytest.raises(Refused, match="you can’t choose this character"):
            dealing.enter(seat, None, other)
        assert not dealing.complete
        dealing = dealing.enter(seat, None, dealing.offers[seat][seat % CHOICE])
    assert dealing.without_errors(2) == dealing
    chosen = [offer[seat % CHOICE] for seat, offer in enumerate(dealing.offers)]
    setup = BASE.game.setup(BASE, dealing.seats(NAMES[:count]))
    assert [player.character.id for player in setup.players] == chosen


@pytest.mark.parametrize("count", COUNTS)
def test_the_right_roles_in_any_order_make_a_game(count):
    roles = random.Random(count).sample(ROLES[count], count)
    dealing = from_cards(roles).without_errors(2)
    assert BASE.game.setup(BASE, dealing.seats(NAMES[:count])).roles == tuple(roles)


@pytest.mark.parametrize("count", COUNTS)
def test_wrong_cards_are_entered_again_by_all_and_right_ones_stay(count):
    """Roles are wrong with two Sheriffs or none, characters if one is there twice."""
    roles, characters, nothing = ROLES[count], tuple(IDS[:count]), (None,) * count
    others = [
        (*roles[:seat], other, *roles[seat + 1 :])
        for seat, role in enumerate(roles)
        for other in {*roles} - {role}
    ]
    doubled = [
        tuple("willy_the_kid" if seat in pair else held for seat, held in enumerate(characters))
        for pair in itertools.combinations(range(count), 2)
    ]
    for entered, wrong, left in (
        (itertools.product(others, [characters]), (EntryError.ROLES,), (nothing, characters)),
        (itertools.product([roles], doubled), (EntryError.CHARACTERS,), (roles, nothing)),
        (zip(others, doubled, strict=False), tuple(EntryError), (nothing, nothing)),
    ):
        # Nothing of who entered what is left.
        (checked,) = {from_cards(*cards).without_errors(2) for cards in entered}
        assert (checked.wrong, (checked.roles, checked.characters)) == (wrong, left)


def test_just_what_is_asked_is_entered():
    characters = DealOptions(characters=CharacterSource.CARDS)
    for chosen, role, character in (
        (CARDS, None, "willy_the_kid"), (CARDS, Role.OUTLAW, None), (CARDS, Role.OUTLAW, "nobody"),
        (DealOptions(RoleSource.CARDS), Role.OUTLAW, "willy_the_kid"),
        (characters, Role.OUTLAW, "willy_the_kid"), (characters, None, None),
    ):  # fmt: skip
        with pytest.raises(Refused):
            dealt(4, chosen).enter(0, role, character)


def test_with_four_there_is_no_deputy_and_with_three_no_sheriff():
    for count, role in ((4, Role.DEPUTY), (3, Role.SHERIFF)):
        dealing = dealt(count)
        assert role not in dealing.deck.role_kinds
        with pytest.raises(Refused, match="this role isn’t used"):
            dealing.enter(0, role, "willy_the_kid")


def test_what_was_entered_is_taken_back_and_what_was_dealt_stays():
    dealing = from_cards(ROLES[4]).take_back(2)
    assert (dealing.roles[2], dealing.characters[2]) == (None, None)
    assert dealing.has_entered(1)
    mixed = dealt(4, DealOptions(characters=CharacterSource.CARDS))
    entered = mixed.enter(0, None, "willy_the_kid")
    assert entered.take_back(0) == mixed
