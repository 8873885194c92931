"""Answers that players give before their turn to answer comes: kept, made in order, or dropped."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from card_evening import CALM, CardEvening

from companion.base.refused import Problem, Refused
from companion.games.cards.rules.moves import CardAction, CardMove, End, Flip, Pass, Play
from companion.games.cards.rules.titles import SIGNS, Title
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus, PileVerdict

pytestmark = pytest.mark.pictures

T = Title
Starts = Callable[..., CardEvening]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    made: list[CardEvening] = []

    def start(
        card: Title = T.GATLING, characters: tuple[str, ...] = CALM, *, watched: bool = False
    ) -> CardEvening:
        evening = CardEvening(tmp_path / str(len(made)), characters=characters, phones=5)
        made.append(evening)
        evening.start(watched=watched)
        evening.tap(Play(0, card))
        return evening

    yield start
    for evening in made:
        evening.close()


def early(evening: CardEvening, made: CardMove, person: int | None = None) -> None:
    """Answer early from the phone of the seat, or from that of `person`."""
    press = evening.press_of(made.seat + 1 if person is None else person)
    evening.table.do(laying.answer_early, press, made)


def made_by(evening: CardEvening) -> list[tuple[int, str]]:
    """Who made each move, and its kind."""
    history = evening.table.scene.history
    assert history is not None
    return [(moment.move.seat, str(moment.move.action)) for moment in history.moments[1:]]


def test_all_who_are_asked_may_answer_at_once_and_results_come_in_order(starts: Starts) -> None:
    evening = starts()
    early(evening, Play(4, T.MISSED))
    early(evening, Pass(3))
    early(evening, Play(2, T.MISSED))
    assert len(made_by(evening)) == 1
    evening.tap(Pass(1), person=2)
    assert made_by(evening)[1:] == [(1, "pass"), (2, "play"), (3, "pass"), (4, "play")]
    assert evening.state.open is None
    assert (evening.table.scene.surface.early, evening.table.scene.surface.dropped) == (
        {},
        frozenset(),
    )


def test_an_early_answer_changes_nothing_that_others_see(starts: Starts) -> None:
    evening = starts()
    before = {person: evening.table.view(person) for person in (None, 1, 2, 4, 5)}
    early(evening, Play(2, T.MISSED))
    assert {person: evening.table.view(person) for person in before} == before
    own = evening.table.view(3)
    assert own.early.given == {2: Play(2, T.MISSED)}
    assert own.early.questions == {}


def test_each_phone_asks_its_own_seat_early(starts: Starts) -> None:
    evening = starts(T.INDIANS)
    assert evening.table.view(2).early.questions == {}
    assert evening.table.view().early.questions == {}
    question = evening.table.view(5).early.questions[4]
    assert (question.seat, question.plays) == (4, {T.BANG: ()})
    assert question.actions == (CardAction.PLAY, CardAction.PASS)


def test_an_early_answer_can_be_changed_and_taken_back(starts: Starts) -> None:
    evening = starts()
    early(evening, Play(2, T.MISSED))
    early(evening, Pass(2))
    evening.table.do(laying.take_early_back, evening.press_of(3), 2)
    early(evening, Pass(3))
    with pytest.raises(Refused) as refused:
        evening.table.do(laying.take_early_back, evening.press_of(3), 3)
    assert refused.value.problem is Problem.FORBIDDEN
    evening.tap(Pass(1), person=2)
    assert made_by(evening)[1:] == [(1, "pass")]
    assert evening.state.awaited == 2


def test_after_an_undo_early_answers_are_dropped_with_a_word_to_their_players(
    starts: Starts,
) -> None:
    evening = starts()
    early(evening, Play(4, T.MISSED))
    evening.undo()
    assert evening.table.view(5).early.dropped == (4,)
    assert evening.table.view(2).early.dropped == ()
    evening.tap(Play(0, T.BEER))
    assert evening.table.view(5).early.dropped == ()


def test_an_early_answer_with_a_title_that_is_used_up_meanwhile_is_dropped(
    starts: Starts,
) -> None:
    evening = starts(T.BEER)
    state = evening.state
    while state.unseen[T.MISSED] > 1:
        seat = state.turn
        target = (seat + 1) % 5
        evening.tap(Play(seat, T.BANG, target), Play(target, T.MISSED), End(seat))
        state = evening.state
    shooter = state.turn
    evening.tap(Play(shooter, T.GATLING))
    asked = [evening.state.open.on, *evening.state.open.waiting]
    early(evening, Play(asked[1], T.MISSED))
    early(evening, Pass(asked[2]))
    evening.tap(Play(asked[0], T.MISSED))
    assert evening.table.scene.surface.dropped == {asked[1]}
    # Each of them was hit, and nothing is left to decide.
    assert evening.state.open is None


def test_only_those_who_are_asked_later_answer_early(starts: Starts) -> None:
    evening = starts()
    with pytest.raises(Refused, match="isn’t asked"):
        early(evening, Pass(0))
    with pytest.raises(Refused, match="isn’t asked"):
        early(evening, Pass(1))
    with pytest.raises(Refused, match="no answer now"):
        early(evening, Play(2, T.BANG))
    with pytest.raises(Refused, match="another phone"):
        early(evening, Pass(3), person=3)


def test_a_flip_is_never_an_early_answer(starts: Starts) -> None:
    evening = starts(T.GATLING, ("kit_carlson", "rose_doolan", "jourdonnais", *CALM[2:4]))
    with pytest.raises(Refused, match="only a card, or passing"):
        early(evening, Flip(2, (SIGNS["4H"],)))


def test_early_answers_survive_a_restart(starts: Starts) -> None:
    evening = starts()
    early(evening, Play(3, T.MISSED))
    evening.reopen()
    assert evening.table.scene.surface.early == {3: Play(3, T.MISSED)}
    evening.tap(Pass(1), Pass(2))
    assert made_by(evening)[1:] == [(1, "pass"), (2, "pass"), (3, "play")]


def test_the_card_of_an_early_answer_is_laid_when_its_turn_comes(starts: Starts) -> None:
    evening = starts(watched=True)
    early(evening, Play(2, T.MISSED))
    evening.lay(T.GATLING)
    evening.tap(Pass(1))
    assert made_by(evening)[1:] == [(1, "pass"), (2, "play")]
    assert evening.owed == (T.MISSED,)
    evening.lay(T.MISSED)
    assert (evening.state.awaited, evening.owed) == (3, ())
    evening.see(PileVerdict.MOVED)


def test_a_card_that_several_may_have_laid_is_asked_about(starts: Starts) -> None:
    evening = starts(watched=True)
    evening.lay(T.GATLING, T.MISSED)
    assert evening.pile.moves == (Play(1, T.MISSED),)
    assert evening.pile.others == tuple(Play(seat, T.MISSED) for seat in (2, 3, 4))
    with pytest.raises(Refused, match="put it aside"):
        evening.tap(Pass(1))
    evening.table.do(laying.say_whose, evening.press, 3)
    with pytest.raises(Refused, match="can’t be this player’s"):
        evening.table.do(laying.say_whose, evening.press, 3)
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.tap(Pass(1), Pass(2))
    assert made_by(evening)[1:] == [(1, "pass"), (2, "pass"), (3, "play")]
    assert evening.owed == ()
    # Eve is the last one asked: the next card can only be hers.
    evening.lay(T.MISSED)
    assert made_by(evening)[-1] == (4, "play")


def test_who_answered_early_takes_the_card_first(starts: Starts) -> None:
    evening = starts(watched=True)
    evening.lay(T.GATLING)
    early(evening, Play(3, T.MISSED))
    evening.lay(T.MISSED)
    assert evening.pile.status is PileStatus.WAITING
    evening.lay(T.MISSED)
    assert {move.seat for move in evening.pile.others} == {2, 4}
    # By the answer of a phone, too, while the card waits.
    early(evening, Play(2, T.MISSED))
    assert evening.pile.status is PileStatus.WAITING
    # Whose answer is taken back leaves the card.
    evening.table.do(laying.take_early_back, evening.press_of(4), 3)
    assert (evening.pile.status, evening.pile.title) == (PileStatus.CHOOSE, T.MISSED)
    evening.tap(Play(1, T.MISSED))
    assert made_by(evening)[1:] == [(1, "play"), (2, "play")]


def test_an_early_answer_waits_while_somebody_else_is_dying(starts: Starts) -> None:
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


def test_a_corrected_title_keeps_early_answers_that_still_fit(starts: Starts) -> None:
    evening = starts(T.GATLING)
    early(evening, Pass(3))
    early(evening, Play(4, T.MISSED))
    evening.table.do(laying.retitle, evening.press, 1, T.INDIANS)
    assert evening.table.scene.surface.early.keys() == {3, 4}
    evening.tap(Pass(1), Pass(2))
    # Eve's Missed! is no answer to Indians!.
    assert evening.table.scene.surface.dropped == {4}
    assert evening.state.awaited == 4
