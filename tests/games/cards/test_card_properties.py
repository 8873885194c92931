"""What holds in every game of cards, no matter who plays and what they claim."""

import random
from collections import Counter
from dataclasses import FrozenInstanceError, replace

import pytest
from card_strategies import (
    SEATS,
    any_move,
    deal,
    games,
    moments,
    openings,
    play_on,
    setups,
)
from game_properties import (
    check_frozen,
    check_named,
    check_no_more_seats,
    check_roles_shown,
    swapped,
)
from hypothesis import given, settings
from strategies import chances
from tiers import later

from companion.games.cards.players import play_game, random_move
from companion.games.cards.rules import views
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.check import check
from companion.games.cards.rules.choices import question
from companion.games.cards.rules.claims import awaiting, regainer, takes
from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.deck import CARDS, COPIES, KINDS, SIGN_COPIES, WEAPONS
from companion.games.cards.rules.distance import distance, seats_within, weapon_reach
from companion.games.cards.rules.events import (
    CardAnswered,
    CardEvent,
    CardPlayed,
    Discarded,
    Drawn,
    DrawnFromPile,
    Hurt,
    Inherited,
    Occasion,
    Regained,
    Removed,
    SecondShown,
    Shuffled,
    Taken,
)
from companion.games.cards.rules.moves import (
    HAND,
    CardAction,
    CardMove,
    Draw,
    DrawSource,
    End,
    Pass,
    Play,
    Regain,
)
from companion.games.cards.rules.record import (
    header_line,
    move_line,
    parse_header,
    parse_move,
    replay,
)
from companion.games.cards.rules.rules import apply, make, start
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.common.endings import TEAMS, Side
from companion.games.common.events import Eliminated, TurnBegan
from companion.games.common.roles import Role

pytestmark = pytest.mark.tables


@given(games)
def test_deck_pile_hands_and_cards_in_play_make_80(game):
    for state in game.states:
        in_play = sum(map(len, state.in_play))
        assert state.deck + len(state.pile) + sum(state.hands) + in_play == CARDS
        assert min(state.deck, *state.hands) >= 0
        assert state.deck or not state.pile


@given(games)
def test_no_title_is_seen_more_often_than_the_deck_holds_it(game):
    for state in game.states:
        seen = Counter(card for card in state.pile if isinstance(card, Title))
        for titles in state.in_play:
            seen.update(titles)
            assert len(set(titles)) == len(titles)
            assert len(WEAPONS.keys() & set(titles)) <= 1
        assert state.unseen == {title: n - seen[title] for title, n in COPIES.items()}
        assert min(state.unseen.values()) >= 0
        assert all(state.shown.count(sign) <= SIGN_COPIES[sign] for sign in state.shown)


@given(games)
def test_life_stays_within_bounds_and_nobody_is_dying_while_nothing_is_open(game):
    for state in game.states:
        for seat, (life, most) in enumerate(zip(state.life, state.setup.max_life, strict=True)):
            assert life <= most
            dying = state.open is not None and state.open.points and state.open.on == seat
            assert (life > 0) is (seat in state.living and not dying)
            if dying:
                assert state.open.needed == 1 - life
                assert 1 <= state.open.points <= 3
            elif seat not in state.living:
                assert (life, state.hands[seat], state.in_play[seat]) == (0, 0, ())


@given(games)
def test_the_eliminated_never_come_back_and_are_never_awaited(game):
    living = set(game.states[0].living)
    for state in game.states:
        assert set(state.living) <= living
        living = set(state.living)
        assert state.awaited is None or state.awaited in living
        assert state.result or state.turn in living or state.open


@given(games)
def test_each_moment_awaits_one_seat_that_has_a_legal_move(game):
    for state in game.states[:-1]:
        waiting = awaiting(state)
        assert waiting is not None
        assert waiting.actions
        only_pass = waiting.actions == (CardAction.PASS,)
        assert not only_pass or regainer(state) == waiting.seat
        assert (CardAction.PLAY in waiting.actions) is bool(waiting.plays)
        if state.open is None:
            assert waiting.seat == state.turn
            assert state.phase is not TurnPhase.START


@given(games)
def test_suzy_lafayette_holds_a_card_whenever_nothing_is_open(game):
    seat = game.states[0].setup.drawer
    for state in game.states[1:]:
        if seat in state.living and not state.open and not state.result:
            assert state.hands[seat] or not state.deck


@given(games)
def test_hands_are_within_the_limit_after_each_turn(game):
    for before, after in zip(game.states, game.states[1:], strict=False):
        seat = before.turn
        if after.turn != seat and not before.open:
            # A player who draws from an empty hand may draw that card after the discards.
            assert after.hands[seat] <= max(after.life[seat], 1)


@given(games)
def test_states_never_change(game):
    check_frozen((game.states[0], game.states[-1]))
    again = [game.states[0]]
    for move in game.moves:
        again.append(apply(again[-1], move))
    assert tuple(again) == game.states


@given(games)
def test_a_course_makes_the_same_game_in_place(game):
    """What `apply` returns move by move, with the same events, and the first state untouched."""
    first = replace(game.states[0])
    course = CardCourse.of(game.states[0])
    for move, after in zip(game.moves, game.states[1:], strict=True):
        make(course, move)
        seen = CardCourse.of(course)
        seen.log = list(course.log)
        assert (seen.ended(), course.events) == (after, after.events)
    assert game.states[0] == first
    with pytest.raises(FrozenInstanceError):
        course.ended().turn = 0


@given(games)
def test_every_game_ends_with_a_result_that_its_living_players_bear_out(game):
    last = game.states[-1]
    assert last.result is not None
    assert (last.open, last.awaited, awaiting(last), question(last)) == (None,) * 4
    roles = last.setup.roles
    living = {roles[seat] for seat in last.living}
    winners = [roles[seat] for seat in last.result.winners]
    assert list(last.result.winners) == sorted(last.result.winners)
    if last.result.side is Side.LAW:
        assert Role.SHERIFF in living <= {Role.SHERIFF, Role.DEPUTY}
        assert len(winners) == 1 + roles.count(Role.DEPUTY)
    elif last.result.side is Side.RENEGADE:
        assert [roles[seat] for seat in last.living] == winners == [Role.RENEGADE]
    else:
        assert Role.SHERIFF not in living
        assert winners == [Role.OUTLAW] * roles.count(Role.OUTLAW)
    with pytest.raises(ValueError, match="the game is over"):
        random_move(last, random.Random(0))


@pytest.mark.parametrize("seeds", [range(500), *later(range(500, 2000))])
def test_thousands_of_random_games_end(seeds):
    longest = 0
    for seed in seeds:
        chance = random.Random(seed)
        played = play_game(deal(4 + seed % 4, chance), chance)
        assert played.end.result is not None
        longest = max(longest, len(played.moves))
    assert 100 < longest < 2000


@given(games)
def test_events_account_for_every_change_of_life_and_hands(game):
    for before, after in zip(game.states, game.states[1:], strict=False):
        life, hands = list(before.life), list(before.hands)
        for event in after.events:
            match event:
                case Hurt(seat, count):
                    life[seat] -= count
                case Regained(seat, count):
                    life[seat] += count
                case Eliminated(seat):
                    assert life[seat] <= 0
                    life[seat] = 0
                case Drawn(seat, count):
                    hands[seat] += count
                case DrawnFromPile(seat) | SecondShown(seat):
                    hands[seat] += 1
                case CardPlayed(seat) | CardAnswered(seat):
                    hands[seat] -= 1
                case Taken(seat, source, take, count):
                    hands[seat] += count
                    hands[source] -= count if take == HAND else 0
                case Removed(seat, take):
                    hands[seat] -= take == HAND
                case Discarded(seat, count, Occasion.TURN | Occasion.ABILITY):
                    hands[seat] -= count
                case Discarded(seat, count):
                    assert hands[seat] <= count
                    hands[seat] = 0
                case Inherited(seat, source, count):
                    assert hands[source] <= count
                    hands[seat] += count
                    hands[source] = 0
                case Shuffled(count):
                    assert count > 0
        assert (tuple(life), tuple(hands)) == (after.life, after.hands)


@given(openings, chances)
def test_the_same_chance_gives_the_same_game(state, chance):
    seed = chance.random()
    one, other = (play_on(state, random.Random(seed), most=40) for _ in range(2))
    assert one == other


# Records


@settings(max_examples=30)
@given(setups, chances)
def test_a_record_replays_to_the_same_states(setup, chance):
    game = play_on(start(setup), chance)
    lines = [header_line(setup), *map(move_line, game.moves)]
    assert tuple(replay(line.encode() for line in lines)) == game.states
    assert parse_header(lines[0].encode()) == setup
    assert [parse_move(line.encode()) for line in lines[1:]] == list(game.moves)
    # Undo: a record without its last lines replays to the state before.
    kept = chance.randrange(len(lines))
    *_, before = replay(line.encode() for line in lines[: kept + 1])
    assert before == game.states[kept]


# Legality


@settings(max_examples=150)
@given(moments(), chances)
def test_an_illegal_move_names_its_reason_and_leaves_the_state(state, chance):
    seats = (state.awaited if chance.random() < 0.9 else chance.choice(SEATS) for _ in range(40))
    check_named(check, apply, state, (any_move(state, seat, chance) for seat in seats))


@settings(max_examples=100)
@given(moments())
def test_what_is_offered_is_legal_and_what_is_legal_is_offered(state):
    waiting, asked = awaiting(state), question(state)
    assert waiting is not None
    assert asked is not None
    seat = waiting.seat
    assert (asked.seat, asked.actions, asked.plays) == waiting

    def legal(move: CardMove) -> bool:
        return check(state, move) is None

    offered = {
        Play(seat, title, target, take)
        for title, targets in waiting.plays.items()
        for target in targets or (None,)
        for take in (takes(state, target) if target is not None and KINDS[title].takes else (None,))
    }
    for title in Title:
        for target in (None, *SEATS):
            for take in (None, HAND, *Title):
                move = Play(seat, title, target, take)
                assert legal(move) is (move in offered), move
    assert legal(Pass(seat)) is (CardAction.PASS in waiting.actions)
    assert legal(End(seat)) is (CardAction.END in waiting.actions)
    assert {who for who in SEATS if legal(Regain(who))} == {regainer(state)} - {None}
    sources = {source for source in (*DrawSource, *SEATS) if legal(Draw(seat, source))}
    assert sources == set(asked.sources)
    if asked.shows_second:
        assert any(legal(Draw(seat, shown=sign)) for sign in SIGNS.values())
    assert bool(asked.flips) is (CardAction.FLIP in waiting.actions)
    if CardAction.END in waiting.actions:
        assert asked.refused.keys() == set(Title) - waiting.plays.keys()
        assert asked.distances.keys() == set(state.living) - {seat}


# Distances, counted again by walking round the table


def walked(state: CardState, seat: int, target: int) -> int:
    """Count the steps both ways round the table, past the eliminated."""
    ways = []
    for step in (1, -1):
        at, steps = seat, 0
        while at != target:
            at = (at + step) % len(state.life)
            steps += at in state.living
        ways.append(steps)
    seen_farther = {"paul_regret": 1}.get(state.player(target).character.id, 0)
    sees_nearer = {"rose_doolan": 1}.get(state.player(seat).character.id, 0)
    away = min(ways) + seen_farther - sees_nearer
    away += "mustang" in state.in_play[target]
    away -= "scope" in state.in_play[seat]
    return max(away, 1)


@given(moments())
def test_distances_and_reach_are_those_of_a_walk_round_the_table(state):
    guns = {"schofield": 2, "remington": 3, "rev_carabine": 4, "winchester": 5}
    for seat in state.living:
        others = [one for one in state.living if one != seat]
        for target in others:
            assert distance(state, seat, target) == walked(state, seat, target)
        gun = max([guns.get(title, 1) for title in state.in_play[seat]], default=1)
        assert weapon_reach(state, seat) == gun
        for reach in range(1, 6):
            near = tuple(one for one in others if walked(state, seat, one) <= reach)
            assert seats_within(state, seat, reach) == near
    waiting = awaiting(state)
    assert waiting is not None
    shots = waiting.plays.get(Title.BANG)
    if shots and not state.open:
        reach = weapon_reach(state, state.turn)
        assert shots == seats_within(state, state.turn, reach)


# Secrets


@given(setups, chances)
def test_what_a_viewer_sees_depends_on_nothing_they_may_not_know(setup, chance):
    viewers = [*range(len(setup.players)), Audience.TABLE]
    viewer = chance.choice(viewers)
    one = start(setup)
    other_setup, hidden = swapped(setup, one, views, viewer, chance)
    other = start(other_setup)
    while not (one.result or other.result) and hidden <= set(one.living):
        assert view(one, viewer) == view(other, viewer)
        assert one.events == other.events
        assert question(one) == question(other)
        move = random_move(one, chance)
        assert check(other, move) is None
        one, other = apply(one, move), apply(other, move)


@given(games)
def test_roles_are_shown_to_whom_the_rules_show_them(game):
    check_roles_shown(game.states, views)


@given(setups)
def test_no_seat_beyond_the_table_sees_anything(setup):
    check_no_more_seats(start(setup), views)


# The random player


def test_random_games_bring_up_every_rarity():
    """What the properties above promise is worth nothing for what no game ever comes to."""
    seen: Counter[object] = Counter()
    chance = random.Random(1)
    for index in range(300):
        game = play_on(start(deal(4 + index % 4, chance)), chance)
        for state, move in zip(game.states, game.moves, strict=False):
            seen[move.action] += 1
            seen[state.player(move.seat).character.id] += 1
            if isinstance(move, Play):
                seen[move.card] += 1
                seen["oneself"] += move.target == move.seat
            if state.open:
                seen["dying", state.open.card] += state.open.points > 0
                seen["two beers"] += state.open.points > 0 and state.open.needed > 1
        for event in (event for state in game.states for event in state.events):
            seen[type(event)] += 1
        seen[game.states[-1].result.side] += 1
    wanted: set[object] = {*CardAction, *Title, *CHARACTERS, *TEAMS.values(), *CardEvent.__args__}
    deadly = (Title.BANG, Title.GATLING, Title.INDIANS, Title.DUEL, Title.DYNAMITE)
    wanted |= {"oneself", "two beers", TurnBegan, *(("dying", title) for title in deadly)}
    assert {what for what in wanted if not seen[what]} == set()
