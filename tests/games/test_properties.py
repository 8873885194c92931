"""What holds in both games: random games, legal moves, views and records."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

import card_strategies
import dealt_hands
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import BIASES, chances, loaded, swapped
from tiers import later

from companion.games.cards import players as card_players
from companion.games.cards.dealt.rules import make as make_dealt
from companion.games.cards.minds.levels import MINDS as CARD_MINDS
from companion.games.cards.minds.match import play_match as play_cards
from companion.games.cards.rules import choices as card_choices
from companion.games.cards.rules import record as card_record
from companion.games.cards.rules import rules as card_rules
from companion.games.cards.rules import views as card_views
from companion.games.cards.rules.check import check as check_cards
from companion.games.cards.rules.course import CardCourse
from companion.games.common.audience import Audience
from companion.games.common.lines import FormatError
from companion.games.common.refusals import IllegalMove
from companion.games.common.roles import Role
from companion.games.dice import players
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.minds.match import play_match
from companion.games.dice.rules import choices, record, rules, views
from companion.games.dice.rules.check import check
from companion.games.dice.rules.rulesets import RULESETS

pytestmark = pytest.mark.tables


class Kind(NamedTuple):
    """A game: random games, moments and set-ups of it, and its rules."""

    strategies: ModuleType
    setups: st.SearchStrategy[Any]
    rules: ModuleType
    check: Callable[[Any, Any], Any]
    course: type[Any]
    make: Callable[[Any, Any], None]
    ask: Callable[[Any], object]
    """What is asked of whom."""
    views: ModuleType
    record: ModuleType
    random_move: Callable[[Any, random.Random], Any]
    deal: Callable[[random.Random], Any]
    """Deals to five players."""
    minds: Mapping[str, Any]
    play_match: Callable[..., Any]


def random_dice_move(state: Any, chance: random.Random) -> Any:
    return players.random_move(state, chance, loaded(chance.choice(BIASES)))


DICE = Kind(
    strategies, strategies.setups(), rules, check, rules.Course, rules.Course.make,
    lambda state: (choices.question(state), choices.only_move(state)), views, record,
    random_dice_move, lambda chance: strategies.deal(RULESETS["base"], 5, chance), MINDS,
    play_match,
)  # fmt: skip
CARDS = Kind(
    card_strategies, card_strategies.setups, card_rules, check_cards, CardCourse, card_rules.make,
    card_choices.question, card_views, card_record, card_players.random_move,
    lambda chance: card_strategies.deal(5, chance), CARD_MINDS, play_cards,
)  # fmt: skip
both_games = pytest.mark.parametrize("kind", [DICE, CARDS], ids=["dice", "cards"])


@pytest.mark.parametrize(
    ("kind", "apply"),
    [(strategies, rules.apply), (card_strategies, card_rules.apply), (dealt_hands, make_dealt)],
    ids=["dice", "cards", "dealt"],
)
@given(data=st.data())
def test_states_never_change_so_that_undo_is_the_earlier_one(kind, apply, data):
    game = data.draw(kind.games)
    for state, field in product((game.states[0], game.states[-1]), fields(game.states[0])):
        with pytest.raises(FrozenInstanceError):
            setattr(state, field.name, None)
        with pytest.raises(FrozenInstanceError):
            delattr(state, field.name)
    again = [game.states[0]]
    for move in game.moves:
        again.append(apply(again[-1], move))
    assert tuple(again) == game.states


@both_games
@given(data=st.data())
def test_a_course_makes_the_same_game_in_place(kind, data):
    """What `apply` returns move by move, with the same events, and the first state untouched."""
    game = data.draw(kind.strategies.games)
    first = replace(game.states[0])
    course = kind.course.of(game.states[0])
    for move, after in zip(game.moves, game.states[1:], strict=True):
        kind.make(course, move)
        seen = kind.course.of(course)
        seen.log = list(course.log)
        assert (seen.ended(), course.events) == (after, after.events)
    assert game.states[0] == first
    with pytest.raises(FrozenInstanceError):
        course.ended().turn = 0


@both_games
@settings(max_examples=30)
@given(data=st.data(), chance=chances)
def test_a_record_replays_to_the_same_states(kind, data, chance):
    state = kind.rules.start(data.draw(kind.setups))
    states = [state]
    lines = [kind.record.header_line(state.setup)]
    while states[-1].result is None:
        move = kind.random_move(states[-1], chance)
        lines.append(kind.record.move_line(move))
        states.append(kind.rules.apply(states[-1], move))
    assert list(kind.record.replay(line.encode() for line in lines)) == states
    assert kind.ask(states[-1]) in (None, (None, None))
    with pytest.raises(ValueError, match="the game is over"):
        kind.random_move(states[-1], chance)
    # Undo: a record without its last lines replays to the state before.
    kept = chance.randrange(1, len(lines))
    *_, before = kind.record.replay(line.encode() for line in lines[:kept])
    assert before == states[kept - 1]


@both_games
@settings(max_examples=150)
@given(data=st.data(), chance=chances)
def test_an_illegal_move_names_its_reason_and_leaves_the_state(kind, data, chance):
    """And what can be read at all is read as it was written, whether it is legal or not."""
    state = data.draw(kind.strategies.moments())
    before = repr(state)
    for _ in range(30):
        move = kind.strategies.any_move(state, chance)
        with suppress(FormatError):
            assert kind.record.parse_move(kind.record.move_line(move).encode()) == move
        reason = kind.check(state, move)
        if reason is None:
            assert kind.rules.apply(state, move) != state
            continue
        with pytest.raises(IllegalMove) as illegal:
            kind.rules.apply(state, move)
        assert illegal.value.refusal == reason
        assert str(illegal.value) == str(reason) != ""
        assert "\n" not in str(reason)
    assert repr(state) == before


@pytest.mark.parametrize(
    ("kind", "better", "worse", "games", "more"),
    [
        (DICE, "strong", "random", 60, 1.4),
        (CARDS, "strong", "random", 60, 1.4),
        *later(
            (DICE, "sensible", "random", 60, 1.4),
            (CARDS, "sensible", "random", 60, 1.4),
            (CARDS, "strong", "sensible", 200, 1),
        ),
    ],
)
def test_higher_levels_win_more(kind, better, worse, games, more):
    """Clearly: what separates the levels closely takes a benchmark."""
    chance, wins = random.Random(7), Counter[str]()
    for number in range(games):
        levels = [(better, worse)[(seat + number) % 2] for seat in range(5)]
        minds = [kind.minds[level] for level in levels]
        end = kind.play_match(kind.deal(chance), minds, chance).end
        assert end.result is not None
        wins.update(levels[seat] for seat in end.result.winners)
    assert wins[better] > more * wins[worse]


# Secrets


@both_games
@given(data=st.data(), chance=chances)
def test_what_a_viewer_sees_depends_on_nothing_they_may_not_know(kind, data, chance):
    setup = data.draw(kind.setups)
    viewer = chance.choice([*range(len(setup.players)), Audience.TABLE])
    one = kind.rules.start(setup)
    other_setup, hidden = swapped(setup, one, kind.views, viewer, chance)
    other = kind.rules.start(other_setup)
    while not (one.result or other.result) and hidden <= set(one.living):
        assert kind.views.view(one, viewer) == kind.views.view(other, viewer)
        assert one.events == other.events
        assert kind.ask(one) == kind.ask(other)
        move = kind.random_move(one, chance)
        assert kind.check(other, move) is None
        one, other = kind.rules.apply(one, move), kind.rules.apply(other, move)


@both_games
@given(data=st.data())
def test_roles_are_shown_to_whom_the_rules_show_them(kind, data):
    states = data.draw(kind.strategies.games).states
    for state in (*states[:: max(1, len(states) // 10)], states[-1]):
        seats = range(len(state.life))
        open_to_all = state.result is not None or len(seats) == 3
        for viewer in (*seats, Audience.TABLE, Audience.RECORD):
            for seat, player in enumerate(kind.views.view(state, viewer).players):
                role = state.player(seat).role
                known = viewer in (seat, Audience.RECORD) or role is Role.SHERIFF or open_to_all
                assert player.role == (role if known or seat not in state.living else None)
                assert player.name == state.player(seat).name
        for seat in (-1, len(seats)):
            with pytest.raises(ValueError, match=f"there is no seat {seat}"):
                kind.views.view(state, seat)
