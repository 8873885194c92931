"""Answers that players give before their turn to answer comes: kept, made in order, or dropped."""

import pytest
from card_evening import CALM

from companion.base.refused import Problem, Refused
from companion.games.cards.rules.moves import CardAction, End, Flip, Pass, Play
from companion.games.cards.rules.titles import SIGNS, Title
from companion.table import moves
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus, PileVerdict

pytestmark = pytest.mark.pictures

T = Title


@pytest.fixture
def starts(card_evenings):
    """Start a game of five with phones, in which Ann has played a card."""

    def start(card=T.GATLING, characters=CALM, watched=False):
        evening = card_evenings(characters, phones=5, watched=watched)
        evening.tap(Play(0, card))
        return evening

    return start


@pytest.fixture
def gatling(starts):
    return starts()


@pytest.fixture
def watched(starts):
    return starts(watched=True)


def early(evening, *made, person=None):
    """Answer early from the phone of the seat, or from that of `person`."""
    for move in made:
        evening.do(moves.answer_early, move, person=person or move.seat + 1)


def made_by(evening):
    """Who made each move after the first, and its kind."""
    moments = evening.table.scene.history.moments[2:]
    return [(moment.move.seat, str(moment.move.action)) for moment in moments]


def test_all_who_are_asked_may_answer_at_once_and_results_come_in_order(gatling):
    early(gatling, Play(4, T.MISSED), Pass(3), Play(2, T.MISSED))
    assert made_by(gatling) == []
    gatling.tap(Pass(1), person=2)
    assert made_by(gatling) == [(1, "pass"), (2, "play"), (3, "pass"), (4, "play")]
    assert gatling.state.open is None
    surface = gatling.table.scene.surface
    assert (surface.early, surface.dropped) == ({}, frozenset())


def test_an_early_answer_changes_nothing_that_others_see(gatling):
    before = {person: gatling.table.view(person) for person in (None, 1, 2, 4, 5)}
    early(gatling, Play(2, T.MISSED))
    assert {person: gatling.table.view(person) for person in before} == before
    own = gatling.table.view(3).early
    assert (own.given, own.questions) == ({2: Play(2, T.MISSED)}, {})


def test_each_phone_asks_its_own_seat_early(starts):
    evening = starts(T.INDIANS)
    assert evening.table.view(2).early.questions == evening.table.view().early.questions == {}
    question = evening.table.view(5).early.questions[4]
    assert (question.seat, question.plays) == (4, {T.BANG: ()})
    assert question.actions == (CardAction.PLAY, CardAction.PASS)


def test_an_early_answer_can_be_changed_and_taken_back(gatling):
    early(gatling, Play(2, T.MISSED), Pass(2))
    gatling.do(moves.take_early_back, 2, person=3)
    early(gatling, Pass(3))
    assert gatling.refused(moves.take_early_back, 3, person=3) is Problem.FORBIDDEN
    gatling.tap(Pass(1), person=2)
    assert made_by(gatling) == [(1, "pass")]
    assert gatling.state.awaited == 2


def test_after_an_undo_early_answers_are_dropped_with_a_word_to_their_players(gatling):
    early(gatling, Play(4, T.MISSED))
    gatling.undo()
    assert [gatling.table.view(person).early.dropped for person in (5, 2)] == [(4,), ()]
    gatling.tap(Play(0, T.BEER))
    assert gatling.table.view(5).early.dropped == ()


def test_an_early_answer_with_a_title_that_is_used_up_meanwhile_is_dropped(starts):
    evening = starts(T.BEER)
    while evening.state.unseen[T.MISSED] > 1:
        seat = evening.state.turn
        target = (seat + 1) % 5
        evening.tap(Play(seat, T.BANG, target), Play(target, T.MISSED), End(seat))
    evening.tap(Play(evening.state.turn, T.GATLING))
    asked = [evening.state.open.on, *evening.state.open.waiting]
    early(evening, Play(asked[1], T.MISSED), Pass(asked[2]))
    evening.tap(Play(asked[0], T.MISSED))
    assert evening.table.scene.surface.dropped == {asked[1]}
    # Each of them was hit, and nothing is left to decide.
    assert evening.state.open is None


def test_only_those_who_are_asked_later_answer_early_and_never_by_a_flip(starts):
    evening = starts(T.GATLING, ("kit_carlson", "rose_doolan", "jourdonnais", *CALM[2:4]))
    for move, person, said in (
        (Pass(0), 1, "isn’t asked"),
        (Pass(1), 2, "isn’t asked"),
        (Play(2, T.BANG), 3, "no answer now"),
        (Pass(3), 3, "another phone"),
        (Flip(2, (SIGNS["4H"],)), 3, "only a card, or passing"),
    ):
        with pytest.raises(Refused, match=said):
            early(evening, move, person=person)


def test_early_answers_survive_a_restart(gatling):
    early(gatling, Play(3, T.MISSED))
    gatling.reopen()
    assert gatling.table.scene.surface.early == {3: Play(3, T.MISSED)}
    gatling.tap(Pass(1), Pass(2))
    assert made_by(gatling) == [(1, "pass"), (2, "pass"), (3, "play")]


def test_the_card_of_an_early_answer_is_laid_when_its_turn_comes(watched):
    early(watched, Play(2, T.MISSED))
    watched.lay(T.GATLING)
    watched.tap(Pass(1))
    assert made_by(watched) == [(1, "pass"), (2, "play")]
    assert watched.owed == (T.MISSED,)
    watched.lay(T.MISSED)
    assert (watched.state.awaited, watched.owed) == (3, ())
    watched.see(PileVerdict.MOVED)


def test_a_card_that_several_may_have_laid_is_asked_about(watched):
    watched.lay(T.GATLING, T.MISSED)
    assert watched.pile.moves == (Play(1, T.MISSED),)
    assert watched.pile.others == tuple(Play(seat, T.MISSED) for seat in (2, 3, 4))
    with pytest.raises(Refused, match="put it aside"):
        watched.tap(Pass(1))
    watched.do(laying.say_whose, 3)
    with pytest.raises(Refused, match="can’t be this player’s"):
        watched.do(laying.say_whose, 3)
    watched.reopen()
    watched.see(PileVerdict.NONE)
    watched.tap(Pass(1), Pass(2))
    assert made_by(watched) == [(1, "pass"), (2, "pass"), (3, "play")]
    assert watched.owed == ()
    # Eve is the last one asked: the next card can only be hers.
    watched.lay(T.MISSED)
    assert made_by(watched)[-1] == (4, "play")


def test_who_answered_early_takes_the_card_first(watched):
    watched.lay(T.GATLING)
    early(watched, Play(3, T.MISSED))
    watched.lay(T.MISSED)
    assert watched.status is PileStatus.WAITING
    watched.lay(T.MISSED)
    assert {move.seat for move in watched.pile.others} == {2, 4}
    # By the answer of a phone, too, while the card waits.
    early(watched, Play(2, T.MISSED))
    assert watched.status is PileStatus.WAITING
    # Whose answer is taken back leaves the card.
    watched.do(moves.take_early_back, 3, person=4)
    assert (watched.status, watched.pile.title) == (PileStatus.CHOOSE, T.MISSED)
    watched.tap(Play(1, T.MISSED))
    assert made_by(watched) == [(1, "play"), (2, "play")]


def test_an_early_answer_waits_while_somebody_else_is_dying(starts):
    evening = starts(T.BEER)
    for _ in range(3):
        evening.tap(Play(0, T.DUEL, 1), Pass(1))
    evening.tap(Play(0, T.INDIANS))
    early(evening, Play(4, T.BANG))
    evening.tap(Pass(1))
    assert evening.state.open.points == 1
    assert evening.table.scene.surface.early == {4: Play(4, T.BANG)}
    evening.tap(Pass(1), Pass(2), Pass(3))
    assert 1 not in evening.state.living
    assert made_by(evening)[-1] == (4, "play")
    assert evening.state.open is None


def test_a_corrected_title_keeps_early_answers_that_still_fit(gatling):
    early(gatling, Pass(3), Play(4, T.MISSED))
    gatling.do(laying.retitle, 1, T.INDIANS)
    assert gatling.table.scene.surface.early.keys() == {3, 4}
    gatling.tap(Pass(1), Pass(2))
    # Eve's Missed! is no answer to Indians!.
    assert gatling.table.scene.surface.dropped == {4}
    assert gatling.state.awaited == 4
