"""Cards that players named or corrected: what the reader may learn of them, and what is told."""

from functools import partial

import numpy as np
import pytest
from card_evening import CALM

from companion.base.refused import Refused
from companion.camera.pictures import card_jpeg
from companion.camera.pile_reader import PileReader
from companion.camera.roll_pictures import RollPictures
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.moves import End, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.table.history import Quoted, Retitled
from companion.table.lessons import find_kept, picture_retitled
from companion.table.past.replays import Replay
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileVerdict
from companion.table.surface.cards.surface import CardSurface, NamedCard
from web.games.cards.moments import moments as moments_of
from web.games.cards.pages import CARD_PAGES
from web.games.cards.story import last_move
from web.games.moments import TelevisionMoment
from web.play.log import latest

T = Title


class Learned(list):
    """What a learner was told."""

    def learn(self, named, game, moment):
        self.append((tuple(named), moment))

    def take_back(self, game, moment):
        self.append(("back", moment))

    def forget(self):
        self.append("forget")


@pytest.fixture
def evening(card_evenings):
    return card_evenings()


def taught(evening):
    learner = Learned()
    evening.table.lessons.teach(CardSurface, learner)
    assert learner == [("back", 1)]
    learner.clear()
    return learner


@pytest.fixture
def learned(evening):
    return taught(evening)


def test_a_card_that_was_read_without_doubt_or_only_tapped_teaches_nothing(evening, learned):
    evening.lay(T.BEER, T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.table.press_red()
    evening.tap(Play(0, T.SALOON))
    assert learned == []


SAID = {
    "named": ([T.BEER, T.SALOON], T.SALOON, None),
    "tapped with its target": ([T.BANG, T.DUEL], T.DUEL, Play(0, T.DUEL, 1)),
    "tapped for another": ([T.MISSED], T.BEER, Play(0, T.BEER)),
}


@pytest.mark.parametrize("said", SAID)
def test_a_title_that_a_player_said_is_learned_with_its_picture(evening, learned, said):
    likely, title, tapped = SAID[said]
    evening.see(PileVerdict.UNSURE if len(likely) > 1 else PileVerdict.OK, likely)
    if tapped:
        evening.tap(tapped)
    else:
        evening.name(title)
    assert learned == [((NamedCard(evening.pictures, title),), 1)]
    evening.undo()
    assert learned[1:] == [("back", 1)]


def test_a_title_that_was_corrected_later_is_learned(evening, learned):
    evening.lay(T.BEER)
    first = evening.pictures
    evening.lay(T.SALOON)
    evening.do(laying.retitle, 1, T.STAGECOACH)
    assert learned == [((NamedCard(first, T.STAGECOACH),), 1)]


def jail(evening):
    """Let the next card be flipped."""
    evening.tap(Play(0, T.JAIL, 1), End(0))
    evening.ignore_owed()


@pytest.mark.parametrize(
    ("sign", "said"), [("9H?", (laying.name_sign,)), ("9H", (laying.retitle, 3))]
)
def test_a_sign_that_was_named_or_corrected_later_is_learned(evening, learned, sign, said):
    jail(evening)
    evening.flip(sign)
    evening.do(*said, "9D")
    assert learned == [((NamedCard(evening.pictures, sign="9D"),), 3)]


def test_a_named_sign_is_learned_when_the_card_that_was_still_to_be_flipped_is_seen(card_evenings):
    evening = card_evenings(("kit_carlson", "lucky_duke", *CALM[2:]))
    learned = taught(evening)
    jail(evening)
    evening.flip("9H?")
    first = evening.pictures
    evening.do(laying.name_sign, "9D")
    assert learned == []
    evening.flip("10D")
    assert learned == [((NamedCard(first, sign="9D"),), 3)]


def test_the_host_can_have_everything_forgotten(evening, learned):
    evening.table.lessons.forget(evening.table.scene, evening.press())
    assert learned == ["forget"]


@pytest.fixture
def unwatched(card_evenings):
    return card_evenings(watched=False)


def test_a_correction_that_makes_a_later_move_illegal_says_which(unwatched):
    unwatched.tap(Play(0, T.DUEL, 1), Pass(1), Play(0, T.BANG, 1), Pass(1))
    before = unwatched.state
    with pytest.raises(Refused, match="against the rules: only one BANG! a turn") as refused:
        unwatched.do(laying.retitle, 1, T.BANG)
    assert refused.value.reason.particulars["line"] == Quoted(CardPlayed(0, T.BANG, 1))
    assert unwatched.state == before


def test_the_story_tells_the_correction_and_what_followed_again(unwatched):
    unwatched.tap(Play(0, T.BEER), Play(0, T.WELLS_FARGO))
    told = len(unwatched.view.story)
    unwatched.do(laying.retitle, 1, T.SALOON)
    story, statuses = unwatched.view.story, unwatched.view.statuses
    assert story[told] == Retitled(1, 0, 0, T.BEER, T.SALOON)
    struck = [status.moves > 0 for status in statuses[:told]]
    assert [status.undone for status in statuses] == struck + [False] * (len(statuses) - told)
    assert all(status.again for status in statuses[told + 1 :])
    moments = unwatched.table.scene.history.moments[1:]
    assert list(story[told + 1 :]) == [event for each in moments for event in each.state.events]


def test_pages_tell_a_correction_once_and_nothing_twice(unwatched):
    unwatched.tap(Play(0, T.BEER), Play(0, T.BANG, 1), Pass(1))
    before = len(unwatched.view.story)
    unwatched.do(laying.retitle, 1, T.SALOON)
    view = unwatched.view
    assert last_move(view).undone == Retitled(1, 0, 0, T.BEER, T.SALOON)
    for language, said in (
        ("en", "Ann corrects what Ann played: Saloon, not Beer."),
        ("fr", "Ann corrige la carte jouée par Ann : Saloon, et non Bière."),
    ):
        heard = CARD_PAGES.audio(view, CARD_GAME.terms(view.selection.ruleset, language))
        assert [one.says for one in heard if one.number > before] == [said]
        assert heard[-1].undoes
    (moment,) = (moment for moment in moments_of(view) if moment.number > before)
    assert moment == TelevisionMoment(before + 1, "corrected", was="beer", card="saloon")
    assert latest(view, CARD_PAGES)[0].startswith("Ann corrects")
    unwatched.tap(Play(0, T.STAGECOACH))
    assert told_last(unwatched) == ["CardPlayed", "Drawn"]


def test_a_corrected_card_is_shown_as_the_camera_saw_it_and_no_other_even_after_a_restart(
    evening, tmp_path
):
    piles = PileReader()
    for _ in range(4):
        piles.remember(np.zeros((4, 3, 3), np.uint8))
    kept = RollPictures(tmp_path / "rolls", lambda: None)
    kept.start()
    evening.table.follow(
        partial(
            picture_retitled,
            lambda game, entry, number: kept.keep_card(game, entry, piles.picture(number)),
        )
    )
    evening.lay(T.STAGECOACH)
    evening.lay(T.BEER)

    def pictured():
        """By entries of the story, whose number the last moment has."""
        picture = partial(card_jpeg, evening.table, piles, kept.picture, evening.history.number)
        return [entry for entry in range(len(evening.view.story) + 2) if picture(entry)]

    assert pictured() == []
    evening.do(laying.retitle, 1, T.WELLS_FARGO)
    *_, moment = moments_of(evening.view)
    assert pictured() == [moment.number]
    game = evening.history.number
    assert (moment.was, moment.card) == ("stagecoach", "wells_fargo")
    assert moment.picture == f"/card/{game}-{moment.number}.jpg"
    kept.stop()
    piles = PileReader()
    evening.journal.close()
    evening.open()
    assert moments_of(evening.view)[-1].picture == ""
    evening.table.amend(partial(find_kept, kept.picture))
    assert moments_of(evening.view)[-1] == moment
    assert pictured() == [moment.number]
    assert [Replay(evening.table.scene).correction(step) for step in (1, 2)] == [moment.number, 0]


def test_the_television_moves_a_corrected_answer_from_one_player_to_the_other(unwatched):
    unwatched.tap(Play(0, T.INDIANS), Play(1, T.BANG), Pass(2))
    unwatched.do(laying.retitle, 2, "2")
    *_, moment = moments_of(unwatched.view)
    assert (moment.kind, moment.by, moment.to, moment.was) == ("corrected", 1, (2,), "")


def told_last(evening):
    return [type(event).__name__ for event in last_move(evening.view).events]


def test_what_follows_from_one_press_is_told_together(card_evenings):
    evening = card_evenings()
    evening.lay(T.BANG, T.MISSED)
    evening.tap(Play(0, T.BANG, 1))
    assert told_last(evening) == ["CardPlayed", "CardAnswered", "Cancelled"]
