"""What phones are shown of answers given early; what becomes of these is told in pile.txt."""

import pytest

from companion.games.cards.rules.moves import CardAction, End, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves

T = Title


@pytest.fixture
def evening(card_evenings):
    """A game of five with phones."""
    return card_evenings(phones=5, watched=False)


def early(evening, *made):
    """Answer early, each from the phone of the seat."""
    for move in made:
        evening.do(moves.answer_early, move, person=move.seat + 1)


def test_an_early_answer_changes_nothing_that_others_see(evening):
    evening.tap(Play(0, T.GATLING))
    before = {person: evening.table.view(person) for person in (None, 1, 2, 4, 5)}
    early(evening, Play(2, T.MISSED))
    assert {person: evening.table.view(person) for person in before} == before
    own = evening.table.view(3).early
    assert (own.given, own.questions) == ({2: Play(2, T.MISSED)}, {})


def test_each_phone_asks_its_own_seat_early(evening):
    evening.tap(Play(0, T.INDIANS))
    assert evening.table.view(2).early.questions == evening.table.view().early.questions == {}
    question = evening.table.view(5).early.questions[4]
    assert (question.seat, question.plays) == (4, {T.BANG: ()})
    assert question.actions == (CardAction.PLAY, CardAction.PASS)


def test_a_phone_is_told_what_became_of_its_answer_alone(evening):
    evening.tap(Play(0, T.GATLING))
    early(evening, Play(4, T.MISSED))
    evening.undo()
    assert [evening.table.view(person).early.dropped for person in (5, 2)] == [(4,), ()]


def test_an_early_answer_with_a_title_that_is_used_up_meanwhile_is_dropped(evening):
    evening.tap(Play(0, T.BEER))
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
