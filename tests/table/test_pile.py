"""Cards laid in the tray of a running card game, in scenes of pile.txt and where text won't do."""

import pytest
from card_evening import CardEvening
from pile_scenes import pile_words
from scenes import each_scene
from stand_ins import dice_game

from companion.base.refused import Problem, Refused
from companion.games.cards.rules.moves import End, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.games.game import Owed
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.journal.facts import with_facts
from companion.table.journal.journal import JournalError
from companion.table.scene import Trouble
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PILE_MOVING, PileStatus, PileVerdict

T = Title


@each_scene(__file__, "pile.txt")
def test_a_scene_at_the_pile_goes_as_it_is_told(ruling, card_evenings):
    ruling.check(pile_words(card_evenings))


@pytest.fixture
def evening(card_evenings):
    return card_evenings()


# Presses


def test_a_press_on_an_outdated_pile_is_refused(evening):
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    press = evening.press()
    evening.see(PileVerdict.MOVED)
    evening.lay(T.PANIC)
    with pytest.raises(Refused) as refused:
        evening.table.do(laying.name_title, Press(1, press.version, press.reading - 1), T.BEER)
    assert refused.value.problem is Problem.STALE


def test_only_the_phone_that_decides_says_what_was_laid(card_evenings):
    evening = card_evenings(phones=5)
    evening.tap(End(0))
    evening.ignore()
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    for person in (3, 4, 5):
        assert evening.refused(laying.name_title, T.BEER, by=person) is Problem.FORBIDDEN
    evening.do(laying.name_title, T.BEER, by=2)
    assert evening.last_move == Play(1, T.BEER)


def test_cards_are_nothing_to_a_table_without_a_card_game(tmp_path):
    evening = CardEvening(tmp_path)
    evening.lay(T.BEER)
    assert evening.status is PileStatus.UNWATCHED
    for name, text in (("pile", '{"due": [null]}'), ("early", "[]")):
        assert with_facts(evening.table.scene, {name: text})[1] == [name]
    evening.start(watched=False)
    assert (evening.status, len(evening.lines)) == (PileStatus.WAITING, 1)
    evening.do(rounds.new_game)
    evening.selection = dice_game()
    evening.reopen()
    evening.do(rounds.start_game)
    with pytest.raises(Refused, match="no cards in the tray"):
        evening.ignore()


# Answers given early


def test_a_phone_is_asked_early_and_told_what_became_of_its_answer_alone(card_evenings):
    evening = card_evenings(phones=5, watched=False)
    evening.tap(Play(0, T.GATLING))
    asked = [set(evening.table.view(person).early.questions) for person in (5, 2, None)]
    assert asked == [{4}, set(), set()]
    evening.do(moves.answer_early, Play(4, T.MISSED), by=5)
    evening.undo()
    assert [evening.table.view(person).early.dropped for person in (5, 2)] == [(4,), ()]


def test_an_early_answer_with_a_title_that_is_used_up_meanwhile_is_dropped(card_evenings):
    evening = card_evenings(phones=5, watched=False)
    evening.tap(Play(0, T.BEER))
    while evening.state.unseen[T.MISSED] > 1:
        seat = evening.state.turn
        target = (seat + 1) % 5
        evening.tap(Play(seat, T.BANG, target), Play(target, T.MISSED), End(seat))
    evening.tap(Play(evening.state.turn, T.GATLING))
    asked = [evening.state.open.on, *evening.state.open.waiting]
    for answer in (Play(asked[1], T.MISSED), Pass(asked[2])):
        evening.do(moves.answer_early, answer, by=answer.seat + 1)
    evening.tap(Play(asked[0], T.MISSED))
    assert evening.table.scene.surface.dropped == {asked[1]}
    # Each of them was hit, and nothing is left to decide.
    assert evening.state.open is None


# What is saved


def test_a_card_that_cant_be_saved_waits_until_it_can(evening, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(evening.journal, "save", full)
        patch.setattr(evening.journal, "fault", "the disk is full")
        evening.lay(T.BEER)
        assert len(evening.lines) == 1
        assert (evening.status, evening.pile.moves) == (PileStatus.CHOOSE, (Play(0, T.BEER),))
        assert Trouble.SAVING in evening.view.troubles
        evening.table.see(PILE_MOVING)
        assert evening.status is PileStatus.CHOOSE
    evening.see(PileVerdict.NONE)
    assert evening.last_move == Play(0, T.BEER)
    assert (evening.view.troubles, len(evening.lines)) == ({}, 2)


def test_what_an_earlier_version_saved_is_still_owed(evening):
    text = '{"due": [null, "beer"], "counted": [["saloon"], true, null, false, false, false]}'
    after, senseless = with_facts(evening.table.scene, {"pile": text})
    assert senseless == []
    assert after.surface.state.owed == (Owed(None, None), Owed(None, T.BEER))


def test_a_senseless_pile_is_left_out_and_named(evening):
    scene = evening.table.scene
    for text in (
        "[]",
        '{"laid": [["beer"]]}',
        '{"laid": [[["joker"], true, null, false, true, false]]}',
        '{"laid": [[["beer"], 1, null, false, true, false]]}',
        '{"laid": [[["beer"], true, "1S", false, true, false]]}',
        '{"due": ["joker"]}',
        '{"due": 3}',
        '{"shown": [null]}',
        '{"owed": [{"seat": 0, "card": "joker"}]}',
        '{"drawing": "yes"}',
    ):
        after, senseless = with_facts(scene, {"pile": text, "muted": "yes"})
        assert senseless == ["pile"], text
        assert after.surface.state == scene.surface.state
        assert after.choices.muted


def test_senseless_early_answers_are_left_out_and_named(evening):
    evening.lay(T.GATLING)
    for text in (
        '[[1, "{}"]]',
        '[[1, "{\\"action\\": \\"pass\\", \\"seat\\": 1}"]]',
        '[[0, "{\\"action\\": \\"pass\\", \\"seat\\": 0}"]]',
        '[[2, "{\\"action\\": \\"pass\\", \\"seat\\": 3}"]]',
        '[["2", "{\\"action\\": \\"pass\\", \\"seat\\": 2}"]]',
        "[[2, 7]]",
    ):
        after, senseless = with_facts(evening.table.scene, {"early": text})
        assert (after.surface.early, senseless) == ({}, ["early"]), text
