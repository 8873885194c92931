"""Correcting a card of some moves ago, its title or sign: what followed is played again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from card_evening import CALM, CardEvening

from companion.base.refused import Message, Problem, Refused
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.moves import CardMove, Draw, End, Flip, Pass, Play
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.game import OTHER_COUNTS
from companion.table.history import Quoted, Retitled
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus, PileVerdict
from web.games.cards.moments import moments as moments_of
from web.games.cards.pages import CARD_PAGES
from web.games.cards.story import last_move

T = Title
Starts = Callable[..., CardEvening]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    made: list[CardEvening] = []

    def start(characters: tuple[str, ...] = CALM, *, phones: int = 1) -> CardEvening:
        evening = CardEvening(tmp_path / str(len(made)), characters=characters, phones=phones)
        made.append(evening)
        return evening.start(watched=False)

    yield start
    for evening in made:
        evening.close()


def retitle(evening: CardEvening, number: int, card: str, person: int = 1, place: int = 0) -> None:
    evening.table.do(laying.retitle, evening.press_of(person), number, card, place)


def assert_whole(evening: CardEvening) -> None:
    """The record replays to the state, and so does the journal."""
    *_, last = replay(line.encode() for line in evening.lines)
    assert last == evening.state
    before, view = evening.state, evening.view
    evening.reopen()
    assert evening.state == before
    assert evening.view.story == view.story
    assert evening.view.statuses == view.statuses


def test_a_title_is_corrected_and_what_followed_is_played_again(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER), Play(0, T.BANG, 1), Pass(1), End(0), Play(1, T.SALOON))
    life = evening.state.life
    retitle(evening, 1, T.STAGECOACH)
    assert '"stagecoach"' in evening.lines[1]
    # Two more cards, of which one more is beyond the limit.
    assert evening.state.life == life
    assert evening.state.unseen[T.BEER] == 6
    assert evening.state.unseen[T.STAGECOACH] == 1
    assert_whole(evening)


def test_the_target_stays_where_the_other_title_has_one(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BANG, 1), Pass(1))
    retitle(evening, 1, T.DUEL)
    assert evening.state.bangs == 0
    assert '"target": 1' in evening.lines[1] or '"target":1' in evening.lines[1]
    assert_whole(evening)


def test_a_correction_that_makes_a_later_move_illegal_says_which(starts: Starts) -> None:
    evening = starts()
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


def test_a_correction_that_is_illegal_itself_says_why(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER))
    with pytest.raises(Refused, match="needs a target"):
        retitle(evening, 1, T.BANG)
    with pytest.raises(Refused, match="only an answer"):
        retitle(evening, 1, T.MISSED)


@pytest.mark.parametrize(("number", "title"), [(0, T.BEER), (1, T.BEER), (2, T.BEER), (9, T.BEER)])
def test_only_a_played_card_gets_another_title(starts: Starts, number: int, title: str) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER), End(0))
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, number, title)


def test_an_unknown_title_is_refused(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER))
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, 1, "joker")


def test_the_story_tells_the_correction_and_what_followed_again(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER), Play(0, T.WELLS_FARGO))
    told = len(evening.view.story)
    retitle(evening, 1, T.SALOON)
    story, statuses = evening.view.story, evening.view.statuses
    assert story[told] == Retitled(1, 0, 0, T.BEER, T.SALOON)
    assert [status.undone for status in statuses] == [
        status.moves > 0 for status in statuses[:told]
    ] + [False] * (len(statuses) - told)
    assert all(status.again for status in statuses[told + 1 :])
    history = evening.table.scene.history
    assert history is not None
    assert tuple(story[told + 1 :]) == tuple(
        event for moment in history.moments[1:] for event in moment.state.events
    )


def test_pages_tell_a_correction_once_and_nothing_twice(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER), Play(0, T.BANG, 1), Pass(1))
    before = len(evening.view.story)
    retitle(evening, 1, T.SALOON)
    view = evening.view
    assert last_move(view).undone == Retitled(1, 0, 0, T.BEER, T.SALOON)
    for language, said in (
        ("en", "Ann corrects what Ann played: Saloon, not Beer."),
        ("fr", "Ann corrige la carte jouée par Ann : Saloon, et non Bière."),
    ):
        words = CARD_GAME.terms(view.selection.ruleset, language)
        heard = CARD_PAGES.audio(view, words)
        assert [one.says for one in heard if one.number > before] == [said]
        assert heard[-1].undoes
    assert [moment.kind for moment in moments_of(view) if moment.number > before] == ["undone"]
    evening.tap(Play(0, T.STAGECOACH))
    assert [type(event).__name__ for event in last_move(evening.view).events] == [
        "CardPlayed",
        "Drawn",
    ]


def test_what_follows_from_one_press_is_told_together(starts: Starts) -> None:
    evening = starts()
    evening.see(PileVerdict.NONE)
    evening.lay(T.BANG, T.MISSED)
    evening.tap(Play(0, T.BANG, 1))
    told = [type(event).__name__ for event in last_move(evening.view).events]
    assert told == ["CardPlayed", "CardAnswered", "Cancelled"]


def test_undo_after_a_correction_takes_back_the_last_move(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.BEER), Play(0, T.WELLS_FARGO))
    retitle(evening, 1, T.SALOON)
    evening.undo()
    assert len(evening.lines) == 2
    assert_whole(evening)
    evening.undo()
    assert evening.state.unseen[T.SALOON] == 1
    assert_whole(evening)


def test_only_the_host_and_the_player_on_turn_correct_titles(starts: Starts) -> None:
    evening = starts(phones=5)
    evening.tap(Play(0, T.BEER), End(0), person=1)
    with pytest.raises(Refused) as refused:
        retitle(evening, 1, T.SALOON, person=4)
    assert refused.value.problem is Problem.FORBIDDEN
    retitle(evening, 1, T.SALOON, person=2)
    assert_whole(evening)


def test_a_used_up_card_that_really_lies_there_counts_once_the_wrong_title_is_corrected(
    starts: Starts,
) -> None:
    evening = starts()
    evening.see(PileVerdict.NONE)
    evening.lay(T.SALOON)
    evening.lay(T.SALOON)
    assert (evening.pile.status, evening.pile.copies) == (PileStatus.ILLEGAL, (1,))
    retitle(evening, 1, T.BEER)
    assert len(evening.lines) == 3
    assert evening.pile.status is PileStatus.WAITING
    assert evening.state.unseen[T.SALOON] == 0
    assert_whole(evening)


def test_a_correction_can_take_back_the_end_of_a_game_but_not_more(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.INDIANS))
    while evening.state.open:
        evening.table.press_red()
    retitle(evening, 1, T.GATLING)
    assert evening.state.unseen[T.INDIANS] == 2
    assert_whole(evening)


# Signs


DUKE = ("lucky_duke", *CALM[1:])
JACK = ("black_jack", *CALM[1:])


def flip(*signs: str) -> Flip:
    return Flip(0, tuple(SIGNS[sign] for sign in signs))


def round_with_jail(evening: CardEvening) -> None:
    """Ann, who is the Sheriff, has a Dynamite to flip for; five moves."""
    evening.tap(Play(0, T.DYNAMITE), *[End(seat) for seat in range(5)])


def test_a_sign_is_corrected_and_what_followed_is_played_again(starts: Starts) -> None:
    evening = starts()
    round_with_jail(evening)
    evening.tap(flip("10S"), Play(0, T.STAGECOACH))
    retitle(evening, 7, "9S")
    assert evening.state.life[0] == 2
    assert evening.state.unseen[T.STAGECOACH] == 1
    assert T.DYNAMITE in evening.state.pile
    assert_whole(evening)


def test_a_sign_that_ends_the_turn_leaves_no_later_card_legal(starts: Starts) -> None:
    evening = starts()
    evening.tap(Play(0, T.JAIL, 1), End(0), Flip(1, (SIGNS["4H"],)), Play(1, T.BEER))
    before = evening.state
    with pytest.raises(Refused, match="would be against the rules"):
        retitle(evening, 3, "4S")
    assert evening.state == before
    evening.undo()
    retitle(evening, 3, "4S")
    assert evening.state.turn == 2
    assert_whole(evening)


@pytest.mark.parametrize("card", ["4H", "11S", T.BEER, ""])
def test_only_another_sign_corrects_a_sign(starts: Starts, card: str) -> None:
    evening = starts()
    round_with_jail(evening)
    evening.tap(flip("4H"))
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, 7, card)


@pytest.mark.parametrize("place", [-1, 1, 2])
def test_only_a_card_that_the_move_names_is_corrected(starts: Starts, place: int) -> None:
    evening = starts()
    round_with_jail(evening)
    evening.tap(flip("4H"))
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, 7, "5H", place=place)


def test_a_sign_that_the_deck_has_no_more_of_is_refused(starts: Starts) -> None:
    evening = starts(DUKE)
    round_with_jail(evening)
    evening.tap(flip("4H", "5H"))
    with pytest.raises(Refused, match="4H was shown before"):
        retitle(evening, 7, "4H", place=1)


def test_each_of_two_flipped_cards_is_corrected_by_its_place(starts: Starts) -> None:
    evening = starts(DUKE)
    round_with_jail(evening)
    evening.tap(flip("4H", "5H"))
    retitle(evening, 7, "6H", place=1)
    retitle(evening, 7, "AH")
    assert evening.state.pile[-2:] == (SIGNS["AH"], SIGNS["6H"])
    told = [entry for entry in evening.view.story if isinstance(entry, Retitled)]
    assert [(one.before, one.after) for one in told] == [("5H", "6H"), ("4H", "AH")]
    assert_whole(evening)


def test_the_other_of_two_flipped_cards_counts_where_they_were_laid_in_swapped_order(
    starts: Starts,
) -> None:
    evening = starts(DUKE)
    round_with_jail(evening)
    evening.tap(flip("4S", "5H"))
    assert evening.state.life[0] == 2
    retitle(evening, 7, OTHER_COUNTS)
    assert evening.state.life[0] == 5
    assert evening.state.pile[-2:] == (SIGNS["5H"], SIGNS["4S"])
    assert evening.state.in_play[1] == (T.DYNAMITE,)
    assert next(one for one in evening.view.story if isinstance(one, Retitled)) == Retitled(
        7, 0, 0, "4S", "5H", other_counts=True
    )
    said = "Ann corrects which of Ann’s two cards counts: 5 of hearts, not 4 of spades."
    assert said in str(CARD_PAGES.just_happened(evening.view))
    assert_whole(evening)
    retitle(evening, 7, OTHER_COUNTS)
    assert evening.state.life[0] == 2
    assert_whole(evening)


@pytest.mark.parametrize("made", [flip("4H"), Play(0, T.BEER)])
def test_the_other_card_counts_only_where_two_were_flipped(starts: Starts, made: CardMove) -> None:
    evening = starts()
    round_with_jail(evening)
    evening.tap(made) if isinstance(made, Flip) else evening.tap(flip("4H"), made)
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, len(evening.lines) - 1, OTHER_COUNTS)


def test_two_flipped_cards_alike_are_the_same_in_either_order(starts: Starts) -> None:
    evening = starts(DUKE)
    round_with_jail(evening)
    evening.tap(flip("9H", "9H"))
    with pytest.raises(Refused, match="can’t be corrected so"):
        retitle(evening, 7, OTHER_COUNTS)


def test_the_card_that_black_jack_shows_is_corrected(starts: Starts) -> None:
    evening = starts(JACK)
    evening.tap(Draw(0, None, SIGNS["4S"]))
    hand = evening.state.hands[0]
    retitle(evening, 1, "4D")
    assert evening.state.hands[0] == hand + 1
    assert_whole(evening)
    assert "corrects which card Ann turned up: 4 of diamonds, not 4 of spades" in str(
        CARD_PAGES.just_happened(evening.view)
    )
