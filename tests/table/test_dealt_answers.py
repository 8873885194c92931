"""Answers that players with dealt hands give before their turn to answer comes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dealt_table import DealtTable

from companion.base.refused import Problem, Refused
from companion.games.cards.dealt.moves import TurnUp
from companion.games.cards.dealt.views import HeldHand
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.views import hand_at


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[DealtTable]:
    table = DealtTable(tmp_path)
    table.begin()
    yield table
    table.close()


def hand(dealt: DealtTable, seat: int) -> HeldHand:
    held = hand_at(dealt.table.scene, dealt.table.scene.people[seat].id, seat)
    assert isinstance(held, HeldHand)
    return held


def answers(dealt: DealtTable, seat: int) -> list[Play]:
    """The cards with which a seat can answer early."""
    return [Play(seat, title) for title in hand(dealt, seat).plays]


def everybody(dealt: DealtTable, *but: int) -> dict[int | None, object]:
    """What all phones see but those of these seats."""
    people = [entry.id for seat, entry in enumerate(dealt.table.scene.people) if seat not in but]
    return {person: dealt.table.view(person) for person in (None, *people)}


def test_all_who_are_asked_may_answer_at_once_and_results_come_in_order(dealt: DealtTable) -> None:
    first, *others = dealt.ask_all()
    begun, pile = len(dealt.history.moments), len(dealt.state.pile)
    given = {seat: next(iter(answers(dealt, seat)), Pass(seat)) for seat in reversed(others)}
    for seat, answer in given.items():
        before = everybody(dealt, seat)
        dealt.answer_early(answer)
        assert everybody(dealt, seat) == before
        assert dealt.table.view(dealt.table.scene.people[seat].id).early.given == {seat: answer}
    dealt.decide(Pass(first))
    made = [moment.move for moment in dealt.history.moments[begun:]]
    assert [move for move in made if move in given.values()] == [given[seat] for seat in others]
    played = [move for move in given.values() if isinstance(move, Play)]
    assert played
    assert len(dealt.state.pile) >= pile + len(played)


def test_early_answers_survive_a_restart_and_nobody_elses_phone_gives_them(
    dealt: DealtTable,
) -> None:
    _, second, *_ = dealt.ask_all()
    dealt.answer_early(Pass(second))
    dealt.reopen()
    person = dealt.table.scene.people[second].id
    assert dealt.table.view(person).early.given == {second: Pass(second)}
    for change, said in ((moves.answer_early, Pass(second)), (moves.take_early_back, second)):
        with pytest.raises(Refused, match="another phone"):
            dealt.press(change, said, person=(second + 1) % 4)
    dealt.press(moves.take_early_back, second, person=second)
    assert dealt.table.view(person).early.given == {}


def test_only_a_card_in_hand_or_passing_can_be_an_early_answer(dealt: DealtTable) -> None:
    first, second, *_ = dealt.ask_all()
    held = set(hand(dealt, second).plays)
    missing = next(title for title in Title if title not in held)
    for made in (Play(second, missing), TurnUp(second), Pass(first)):
        with pytest.raises(Refused) as refused:
            dealt.answer_early(made)
        assert refused.value.problem is Problem.ILLEGAL


def test_an_undo_drops_early_answers_with_a_word_and_a_new_game_without(dealt: DealtTable) -> None:
    for change, told in ((moves.undo, True), (rounds.new_game, False)):
        _, second, *_ = dealt.ask_all()
        dealt.answer_early(next(iter(answers(dealt, second)), Pass(second)))
        dealt.press(change)
        person = dealt.table.scene.people[second].id
        assert dealt.table.view(person).early.dropped == ((second,) if told else ())


def test_who_is_not_asked_sees_nothing_to_play(dealt: DealtTable) -> None:
    asked = dealt.ask_all()
    for seat in set(range(4)) - set(asked):
        assert hand(dealt, seat).plays == {}
    question = DEALT_GAME.question(dealt.state)
    assert question.seat == asked[0]


def test_a_stale_page_answers_nothing_early(dealt: DealtTable) -> None:
    _, second, *_ = dealt.ask_all()
    scene = dealt.table.scene
    stale = Press(scene.people[second].id, scene.version, scene.reading)
    dealt.decide(Pass(dealt.state.decider or 0))
    with pytest.raises(Refused) as refused:
        dealt.table.do(moves.answer_early, stale, Pass(second))
    assert refused.value.problem in (Problem.STALE, Problem.ILLEGAL)
