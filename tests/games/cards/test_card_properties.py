"""What holds in every game of cards, no matter who plays and what they claim."""

import random
from collections import Counter

import pytest
from card_scenes import assert_whole
from card_strategies import SEATS, deal, games, moments, play_on
from hypothesis import given, settings
from tiers import later

from companion.games.cards.players import play_game
from companion.games.cards.rules import events, moves
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.check import check
from companion.games.cards.rules.choices import question
from companion.games.cards.rules.claims import awaiting, regainer, takes
from companion.games.cards.rules.deck import KINDS, SIGN_COPIES, WEAPONS
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.common.endings import TEAMS
from companion.games.common.events import Eliminated, TurnBegan

pytestmark = pytest.mark.tables


@given(games)
def test_every_state_is_whole(game):
    """So are cards and life points; the eliminated hold nothing, decide nothing, nor come back."""
    living = set(game.states[0].living)
    for state in game.states:
        assert_whole(state)
        assert min(state.deck, *state.hands) >= 0
        for titles in state.in_play:
            assert len(set(titles)) == len(titles)
            assert len(WEAPONS.keys() & set(titles)) <= 1
        assert all(state.shown.count(sign) <= SIGN_COPIES[sign] for sign in state.shown)
        assert set(state.living) <= living
        living = set(state.living)
        assert state.awaited is None or state.awaited in living
        assert state.result or state.turn in living or state.open
        for seat, (life, most) in enumerate(zip(state.life, state.setup.max_life, strict=True)):
            assert life <= most
            dying = state.open is not None and state.open.points and state.open.on == seat
            assert (life > 0) is (seat in living and not dying)
            if dying:
                assert state.open.needed == 1 - life
                assert 1 <= state.open.points <= 3
            elif seat not in living:
                assert (life, state.hands[seat], state.in_play[seat]) == (0, 0, ())


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
                case events.Hurt(seat, count):
                    life[seat] -= count
                case events.Regained(seat, count):
                    life[seat] += count
                case Eliminated(seat):
                    assert life[seat] <= 0
                    life[seat] = 0
                case events.Drawn(seat, count):
                    hands[seat] += count
                case events.DrawnFromPile(seat) | events.SecondShown(seat):
                    hands[seat] += 1
                case events.CardPlayed(seat) | events.CardAnswered(seat):
                    hands[seat] -= 1
                case events.Taken(seat, source, take, count):
                    hands[seat] += count
                    hands[source] -= count if take == moves.HAND else 0
                case events.Removed(seat, take):
                    hands[seat] -= take == moves.HAND
                case events.Discarded(seat, count, events.Occasion.TURN | events.Occasion.ABILITY):
                    hands[seat] -= count
                case events.Discarded(seat, count):
                    assert hands[seat] <= count
                    hands[seat] = 0
                case events.Inherited(seat, source, count):
                    assert hands[source] <= count
                    hands[seat] += count
                    hands[source] = 0
                case events.Shuffled(count):
                    assert count > 0
        assert (tuple(life), tuple(hands)) == (after.life, after.hands)


# Legality


@settings(max_examples=100)
@given(moments())
def test_what_is_offered_is_legal_and_what_is_legal_is_offered(state):
    waiting, asked = awaiting(state), question(state)
    assert waiting is not None
    assert asked is not None
    seat = waiting.seat
    assert waiting.actions
    assert waiting.actions != (moves.CardAction.PASS,) or regainer(state) == seat
    assert state.open or (seat == state.turn and state.phase is not TurnPhase.START)
    assert (asked.seat, asked.actions, asked.plays) == waiting

    def legal(move: moves.CardMove) -> bool:
        return check(state, move) is None

    offered = {
        moves.Play(seat, title, target, take)
        for title, targets in waiting.plays.items()
        for target in targets or (None,)
        for take in (takes(state, target) if target is not None and KINDS[title].takes else (None,))
    }
    for title in Title:
        for target in (None, *SEATS):
            for take in (None, moves.HAND, *Title):
                move = moves.Play(seat, title, target, take)
                assert legal(move) is (move in offered), move
    assert legal(moves.Pass(seat)) is (moves.CardAction.PASS in waiting.actions)
    assert legal(moves.End(seat)) is (moves.CardAction.END in waiting.actions)
    assert {who for who in SEATS if legal(moves.Regain(who))} == {regainer(state)} - {None}
    sources = {source for source in (*moves.DrawSource, *SEATS) if legal(moves.Draw(seat, source))}
    assert sources == set(asked.sources)
    if asked.shows_second:
        assert any(legal(moves.Draw(seat, shown=sign)) for sign in SIGNS.values())
    assert bool(asked.flips) is (moves.CardAction.FLIP in waiting.actions)
    if moves.CardAction.END in waiting.actions:
        assert asked.refused.keys() == set(Title) - waiting.plays.keys()
        assert asked.distances.keys() == set(state.living) - {seat}


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
            if isinstance(move, moves.Play):
                seen[move.card] += 1
                seen["oneself"] += move.target == move.seat
            if state.open:
                seen["dying", state.open.card] += state.open.points > 0
                seen["two beers"] += state.open.points > 0 and state.open.needed > 1
        for event in (event for state in game.states for event in state.events):
            seen[type(event)] += 1
        seen[game.states[-1].result.side] += 1
    wanted: set[object] = {
        *moves.CardAction,
        *Title,
        *CHARACTERS,
        *TEAMS.values(),
        *events.CardEvent.__args__,
    }
    deadly = (Title.BANG, Title.GATLING, Title.INDIANS, Title.DUEL, Title.DYNAMITE)
    wanted |= {"oneself", "two beers", TurnBegan, *(("dying", title) for title in deadly)}
    # People count their hands; random players know them.
    assert {what for what in wanted if not seen[what]} == {moves.CardAction.COUNT, events.Counted}
