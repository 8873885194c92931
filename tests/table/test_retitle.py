"""What is told of a card that is corrected some moves later; what follows is in pile.txt."""

import pytest

from companion.base.refused import Refused
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.moves import Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table.history import Quoted, Retitled
from companion.table.surface.cards import laying
from web.games.cards.moments import moments as moments_of
from web.games.cards.pages import CARD_PAGES
from web.games.cards.story import last_move

T = Title


@pytest.fixture
def evening(card_evenings):
    return card_evenings(watched=False)


def retitle(evening, number, card):
    evening.do(laying.retitle, number, card)


def test_a_correction_that_makes_a_later_move_illegal_says_which(evening):
    evening.tap(Play(0, T.DUEL, 1), Pass(1), Play(0, T.BANG, 1), Pass(1))
    before = evening.state
    with pytest.raises(Refused, match="against the rules: only one BANG! a turn") as refused:
        retitle(evening, 1, T.BANG)
    assert refused.value.reason.particulars["line"] == Quoted(CardPlayed(0, T.BANG, 1))
    assert evening.state == before


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
