"""Correcting a card of some moves ago, its title or sign: what followed is played again."""

import pytest
from card_evening import CALM

from companion.base.refused import Message, Problem, Refused
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.moves import Draw, End, Flip, Pass, Play
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.game import OTHER_COUNTS
from companion.table.history import Quoted, Retitled
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus
from web.games.cards.moments import moments as moments_of
from web.games.cards.pages import CARD_PAGES
from web.games.cards.story import last_move

T = Title


@pytest.fixture
def evening(card_evenings):
    return card_evenings(watched=False)


def retitle(evening, number, card, person=1, place=0):
    evening.do(laying.retitle, number, card, place, person=person)


def refuse(evening, number, card, place=0, said="can’t be corrected so"):
    with pytest.raises(Refused, match=said):
        retitle(evening, number, card, place=place)


def assert_whole(evening):
    """The record replays to the state, and so does the journal."""
    *_, last = replay(line.encode() for line in evening.lines)
    assert last == evening.state
    before, view = evening.state, evening.view
    evening.reopen()
    assert evening.state == before
    assert (evening.view.story, evening.view.statuses) == (view.story, view.statuses)


def test_a_title_is_corrected_and_what_followed_is_played_again(evening):
    evening.tap(Play(0, T.BEER), Play(0, T.BANG, 1), Pass(1), End(0), Play(1, T.SALOON))
    life = evening.state.life
    retitle(evening, 1, T.STAGECOACH)
    assert '"stagecoach"' in evening.lines[1]
    # Two more cards, of which one more is beyond the limit.
    assert evening.state.life == life
    assert (evening.state.unseen[T.BEER], evening.state.unseen[T.STAGECOACH]) == (6, 1)
    assert_whole(evening)


def test_the_target_stays_where_the_other_title_has_one(evening):
    evening.tap(Play(0, T.BANG, 1), Pass(1))
    retitle(evening, 1, T.DUEL)
    assert evening.state.bangs == 0
    assert '"target":1' in evening.lines[1].replace(" ", "")
    assert_whole(evening)


def test_a_correction_that_makes_a_later_move_illegal_says_which(evening):
    evening.tap(Play(0, T.DUEL, 1), Pass(1), Play(0, T.BANG, 1), Pass(1))
    before = evening.state
    with pytest.raises(Refused) as refused:
        retitle(evening, 1, T.BANG)
    assert refused.value.problem is Problem.ILLEGAL
    reason = refused.value.reason
    assert isinstance(reason, Message)
    assert str(reason).endswith("would be against the rules: only one BANG! a turn")
    assert reason.particulars["line"] == Quoted(CardPlayed(0, T.BANG, 1))
    assert evening.state == before


def test_only_a_played_card_gets_another_title_that_can_be_played_so(evening):
    evening.tap(Play(0, T.BEER), End(0))
    refuse(evening, 1, T.BANG, said="needs a target")
    refuse(evening, 1, T.MISSED, said="only an answer")
    for number, title in ((0, T.BEER), (1, T.BEER), (2, T.BEER), (9, T.BEER), (1, "joker")):
        refuse(evening, number, title)


def test_the_story_tells_the_correction_and_what_followed_again(evening):
    evening.tap(Play(0, T.BEER), Play(0, T.WELLS_FARGO))
    told = len(evening.view.story)
    retitle(evening, 1, T.SALOON)
    story, statuses = evening.view.story, evening.view.statuses
    assert story[told] == Retitled(1, 0, 0, T.BEER, T.SALOON)
    struck = [status.moves > 0 for status in statuses[:told]]
    assert [status.undone for status in statuses] == struck + [False] * (len(statuses) - told)
    assert all(status.again for status in statuses[told + 1 :])
    moments = evening.table.scene.history.moments[1:]
    assert list(story[told + 1 :]) == [event for each in moments for event in each.state.events]


def test_pages_tell_a_correction_once_and_nothing_twice(evening):
    evening.tap(Play(0, T.BEER), Play(0, T.BANG, 1), Pass(1))
    before = len(evening.view.story)
    retitle(evening, 1, T.SALOON)
    view = evening.view
    assert last_move(view).undone == Retitled(1, 0, 0, T.BEER, T.SALOON)
    for language, said in (
        ("en", "Ann corrects what Ann played: Saloon, not Beer."),
        ("fr", "Ann corrige la carte jouée par Ann : Saloon, et non Bière."),
    ):
        heard = CARD_PAGES.audio(view, CARD_GAME.terms(view.selection.ruleset, language))
        assert [one.says for one in heard if one.number > before] == [said]
        assert heard[-1].undoes
    assert [moment.kind for moment in moments_of(view) if moment.number > before] == ["undone"]
    evening.tap(Play(0, T.STAGECOACH))
    assert told_last(evening) == ["CardPlayed", "Drawn"]


def told_last(evening):
    return [type(event).__name__ for event in last_move(evening.view).events]


def test_what_follows_from_one_press_is_told_together(card_evenings):
    evening = card_evenings()
    evening.lay(T.BANG, T.MISSED)
    evening.tap(Play(0, T.BANG, 1))
    assert told_last(evening) == ["CardPlayed", "CardAnswered", "Cancelled"]


def test_undo_after_a_correction_takes_back_the_last_move(evening):
    evening.tap(Play(0, T.BEER), Play(0, T.WELLS_FARGO))
    retitle(evening, 1, T.SALOON)
    evening.undo()
    assert len(evening.lines) == 2
    assert_whole(evening)
    evening.undo()
    assert evening.state.unseen[T.SALOON] == 1
    assert_whole(evening)


def test_only_the_host_and_the_player_on_turn_correct_titles(card_evenings):
    evening = card_evenings(phones=5, watched=False)
    evening.tap(Play(0, T.BEER), End(0), person=1)
    assert evening.refused(laying.retitle, 1, T.SALOON, 0, person=4) is Problem.FORBIDDEN
    retitle(evening, 1, T.SALOON, person=2)
    assert_whole(evening)


def test_a_used_up_card_that_lies_there_counts_once_the_wrong_title_is_corrected(card_evenings):
    evening = card_evenings()
    evening.lay(T.SALOON, T.SALOON)
    assert (evening.status, evening.pile.copies) == (PileStatus.ILLEGAL, (1,))
    retitle(evening, 1, T.BEER)
    assert (evening.status, len(evening.lines)) == (PileStatus.WAITING, 3)
    assert evening.state.unseen[T.SALOON] == 0
    assert_whole(evening)


def test_what_everybody_answered_is_corrected_too(evening):
    evening.tap(Play(0, T.INDIANS))
    while evening.state.open:
        evening.table.press_red()
    retitle(evening, 1, T.GATLING)
    assert evening.state.unseen[T.INDIANS] == 2
    assert_whole(evening)


# Signs


def flip(*signs):
    return Flip(0, tuple(SIGNS[sign] for sign in signs))


def flipped(evening, *signs):
    """Ann, who is the Sheriff, flips for her Dynamite: the seventh move."""
    evening.tap(Play(0, T.DYNAMITE), *[End(seat) for seat in range(5)], flip(*signs))
    return evening


@pytest.fixture
def duke(card_evenings):
    return card_evenings(("lucky_duke", *CALM[1:]), watched=False)


def test_a_sign_is_corrected_and_what_followed_is_played_again(evening):
    flipped(evening, "10S").tap(Play(0, T.STAGECOACH))
    retitle(evening, 7, "9S")
    assert (evening.state.life[0], evening.state.unseen[T.STAGECOACH]) == (2, 1)
    assert T.DYNAMITE in evening.state.pile
    assert_whole(evening)


def test_a_sign_that_ends_the_turn_leaves_no_later_card_legal(evening):
    evening.tap(Play(0, T.JAIL, 1), End(0), Flip(1, (SIGNS["4H"],)), Play(1, T.BEER))
    before = evening.state
    refuse(evening, 3, "4S", said="would be against the rules")
    assert evening.state == before
    evening.undo()
    retitle(evening, 3, "4S")
    assert evening.state.turn == 2
    assert_whole(evening)


def test_only_a_sign_that_the_move_names_is_corrected_by_another(evening):
    flipped(evening, "4H")
    for card in ("4H", "11S", T.BEER, "", OTHER_COUNTS):
        refuse(evening, 7, card)
    for place in (-1, 1, 2):
        refuse(evening, 7, "5H", place=place)
    evening.tap(Play(0, T.BEER))
    refuse(evening, 8, OTHER_COUNTS)


def test_each_of_two_flipped_cards_is_corrected_by_its_place(duke):
    flipped(duke, "4H", "5H")
    refuse(duke, 7, "4H", place=1, said="4H was shown before")
    retitle(duke, 7, "6H", place=1)
    retitle(duke, 7, "AH")
    assert duke.state.pile[-2:] == (SIGNS["AH"], SIGNS["6H"])
    told = [entry for entry in duke.view.story if isinstance(entry, Retitled)]
    assert [(one.before, one.after) for one in told] == [("5H", "6H"), ("4H", "AH")]
    assert_whole(duke)


def test_the_other_of_two_flipped_cards_counts_where_they_were_laid_in_swapped_order(duke):
    flipped(duke, "4S", "5H")
    assert duke.state.life[0] == 2
    retitle(duke, 7, OTHER_COUNTS)
    assert duke.state.life[0] == 5
    assert duke.state.pile[-2:] == (SIGNS["5H"], SIGNS["4S"])
    assert duke.state.in_play[1] == (T.DYNAMITE,)
    told = next(one for one in duke.view.story if isinstance(one, Retitled))
    assert told == Retitled(7, 0, 0, "4S", "5H", other_counts=True)
    said = "Ann corrects which of Ann’s two cards counts: 5 of hearts, not 4 of spades."
    assert said in str(CARD_PAGES.just_happened(duke.view))
    assert_whole(duke)
    retitle(duke, 7, OTHER_COUNTS)
    assert duke.state.life[0] == 2
    assert_whole(duke)


def test_two_flipped_cards_alike_are_the_same_in_either_order(duke):
    refuse(flipped(duke, "9H", "9H"), 7, OTHER_COUNTS)


def test_the_card_that_black_jack_shows_is_corrected(card_evenings):
    evening = card_evenings(("black_jack", *CALM[1:]), watched=False)
    evening.tap(Draw(0, None, SIGNS["4S"]))
    hand = evening.state.hands[0]
    retitle(evening, 1, "4D")
    assert evening.state.hands[0] == hand + 1
    assert_whole(evening)
    said = "corrects which card Ann turned up: 4 of diamonds, not 4 of spades"
    assert said in str(CARD_PAGES.just_happened(evening.view))


@pytest.fixture
def shot_at(evening):
    """Return an evening in which Gatling was answered: Ben played Missed!, Cat and Dan took it."""
    evening.tap(Play(0, T.GATLING), Play(1, T.MISSED), Pass(2), Pass(3), Play(4, T.MISSED), End(0))
    return evening


def test_an_answer_was_the_card_of_a_player_who_passed(shot_at):
    assert shot_at.view.passes == {2: (2, 3), 5: (3, 2)}
    life, hands = shot_at.state.life, shot_at.state.hands
    retitle(shot_at, 2, "3")
    assert shot_at.table.scene.history.moments[4].move == Play(3, T.MISSED)
    gained = [now - before for now, before in zip(shot_at.state.life, life, strict=True)]
    assert gained == [0, -1, 0, 1, 0]
    # Dan, who is El Gringo, no longer takes a card of Ann's for the hit.
    more = [now - before for now, before in zip(shot_at.state.hands, hands, strict=True)]
    assert more == [0, 1, 0, -2, 0]
    told = "Ann corrects whose card it was: Missed! is Dan’s, not Ben’s."
    assert [line.text for line in CARD_PAGES.just_happened(shot_at.view)] == [told]
    assert_whole(shot_at)


def test_an_answer_is_only_given_to_who_passed_on_the_same_card(shot_at):
    shot_at.tap(Play(1, T.BANG, 2), Pass(2))
    for number, seat in ((2, "1"), (2, "4"), (2, "0"), (2, "9"), (1, "2"), (3, "1"), (7, "2")):
        refuse(shot_at, number, seat)
    refuse(shot_at, 2, "3", place=1)


def test_a_player_who_died_of_nothing_in_between_gets_a_later_answer(evening):
    evening.tap(Play(0, T.INDIANS), Play(1, T.BANG), *[Pass(seat) for seat in (2, 3, 4)], End(0))
    evening.tap(Play(1, T.INDIANS), Play(2, T.BANG), Pass(3), Pass(4), Pass(0))
    before = evening.state
    assert evening.view.passes == {2: (2, 3, 4), 8: (3, 4, 0)}
    retitle(evening, 8, "0")
    assert evening.state.life[0] == before.life[0] + 1
    assert_whole(evening)
