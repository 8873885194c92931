"""Cards laid in the tray of a running card game: what each becomes, and what waits for a tap."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from card_evening import CALM, CardEvening
from stand_ins import dice_game

from companion.base.refused import Problem, Refused
from companion.games.cards.rules.moves import HAND, CardMove, Draw, End, Flip, Pass, Play, Regain
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.game import Owed
from companion.table import rounds
from companion.table.changes import Press
from companion.table.journal.facts import with_facts
from companion.table.journal.journal import JournalError
from companion.table.scene import CameraStatus, Signal, Trouble
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PILE_MOVING, PileStatus, PileVerdict

T = Title
Starts = Callable[..., CardEvening]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    """Start an evening; seats: 0 Ann the Sheriff, then Ben, Cat, Dan and Eve."""
    made: list[CardEvening] = []

    def start(characters: tuple[str, ...] = CALM, **options: object) -> CardEvening:
        evening = CardEvening(tmp_path / str(len(made)), characters=characters)
        made.append(evening)
        return evening.start(**options)  # type: ignore[arg-type]

    yield start
    for evening in made:
        evening.close()


@pytest.fixture
def evening(starts: Starts) -> CardEvening:
    return starts()


def status(evening: CardEvening) -> PileStatus:
    return evening.pile.status


def last_move(evening: CardEvening) -> CardMove | None:
    history = evening.table.scene.history
    assert history is not None
    move: CardMove | None = history.moments[-1].move
    return move


# A card is the move


def test_a_card_that_names_nobody_is_played_as_it_lies_there(evening: CardEvening) -> None:
    evening.lay(T.STAGECOACH)
    assert last_move(evening) == Play(0, T.STAGECOACH)
    assert status(evening) is PileStatus.WAITING
    assert evening.table.scene.signal is Signal.CERTAIN


def test_a_card_that_can_only_mean_one_move_needs_no_tap(starts: Starts) -> None:
    evening = starts(("kit_carlson", "paul_regret", *CALM[1:4]))
    evening.lay(T.BANG)
    assert last_move(evening) == Play(0, T.BANG, 4)


def test_a_card_that_names_a_player_waits_for_the_tap(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    assert status(evening) is PileStatus.CHOOSE
    assert evening.pile.title == T.BANG
    assert evening.pile.moves == (Play(0, T.BANG, 1), Play(0, T.BANG, 4))
    assert evening.table.scene.signal is Signal.UNCERTAIN
    evening.tap(Play(0, T.BANG, 4))
    assert evening.state.awaited == 4
    assert evening.owed == ()
    assert status(evening) is PileStatus.WAITING


def test_one_tap_names_whose_card_and_which(evening: CardEvening) -> None:
    evening.tap(Play(0, T.BARREL))
    evening.lay(T.CAT_BALOU)
    takes = {(move.target, move.take) for move in evening.pile.moves}
    assert takes == {(0, T.BARREL), (1, HAND), (2, HAND), (3, HAND), (4, HAND)}


def test_an_answer_is_the_card_that_is_laid(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    assert evening.table.scene.signal is Signal.WAITING
    evening.lay(T.MISSED)
    assert last_move(evening) == Play(1, T.MISSED)
    assert evening.state.open is None


def test_an_answer_laid_before_the_tap_counts_once_it_is_made(evening: CardEvening) -> None:
    evening.lay(T.BANG, T.MISSED)
    assert evening.pile.title == T.BANG
    evening.tap(Play(0, T.BANG, 1))
    assert last_move(evening) == Play(1, T.MISSED)
    assert evening.state.life[1] == evening.state.setup.max_life[1]


def test_in_a_duel_each_bang_is_that_of_the_player_who_is_awaited(evening: CardEvening) -> None:
    evening.lay(T.DUEL)
    evening.tap(Play(0, T.DUEL, 3))
    evening.lay(T.BANG, T.BANG, T.BANG)
    assert evening.state.awaited == 0
    evening.table.press_red()
    assert evening.state.life[0] == evening.state.setup.max_life[0] - 1


def test_a_blue_card_is_shown_and_taken_back(evening: CardEvening) -> None:
    evening.lay(T.STAGECOACH, T.SCHOFIELD)
    assert evening.state.in_play[0] == (T.SCHOFIELD,)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.WAITING
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.MOVED
    assert evening.state.in_play[0] == (T.SCHOFIELD,)
    evening.lay(T.BEER)
    assert status(evening) is PileStatus.WAITING


def test_a_card_seen_for_a_moment_is_asked_about_until_its_player_settles_it(
    evening: CardEvening,
) -> None:
    evening.see(PileVerdict.GONE, [T.MISSED])
    assert status(evening) is PileStatus.WAITING
    evening.see(PileVerdict.GONE, [T.BARREL, T.MISSED, T.MUSTANG])
    assert evening.pile.likely == (T.BARREL, T.MUSTANG)
    assert evening.pile.moves == (Play(0, T.BARREL), Play(0, T.MUSTANG))
    assert (status(evening), evening.table.scene.signal) == (PileStatus.GONE, Signal.UNCERTAIN)
    # Whatever moves over the tray, and while others answer, it isn't forgotten.
    evening.see(PileVerdict.NONE)
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    assert status(evening) is PileStatus.WAITING
    evening.table.press_red()
    assert status(evening) is PileStatus.GONE
    evening.tap(Play(0, T.BARREL))
    assert evening.state.in_play[0] == (T.BARREL,)
    assert status(evening) is PileStatus.WAITING
    # It may be shown once more.
    evening.lay(T.BARREL)
    assert evening.state.in_play[0] == (T.BARREL,)


@pytest.mark.parametrize("settle", [CardEvening.ignore, lambda evening: evening.tap(End(0))])
def test_a_card_seen_for_a_moment_may_have_been_none(
    evening: CardEvening, settle: Callable[[CardEvening], None]
) -> None:
    evening.see(PileVerdict.GONE, [T.BARREL])
    settle(evening)
    assert status(evening) in (PileStatus.WAITING, PileStatus.OWED)
    assert evening.state.in_play[0] == ()


def test_a_blue_card_may_be_taken_back_after_the_turn_has_ended(evening: CardEvening) -> None:
    evening.lay(T.SCHOFIELD)
    evening.tap(End(0))
    evening.see(PileVerdict.MOVED)
    # Cards beyond the limit are still to be laid.
    assert status(evening) is PileStatus.OWED
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.MOVED


def test_a_blue_card_that_another_covers_is_not_awaited_any_more(evening: CardEvening) -> None:
    evening.lay(T.SCHOFIELD)
    evening.lay(T.STAGECOACH)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.MOVED


def test_a_jail_may_be_taken_back_before_it_is_said_for_whom(evening: CardEvening) -> None:
    evening.lay(T.JAIL)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.CHOOSE
    evening.tap(Play(0, T.JAIL, 2))
    assert evening.state.in_play[2] == (T.JAIL,)


# A card that can't be played


def test_a_card_that_cant_be_played_lights_amber_and_says_why(evening: CardEvening) -> None:
    evening.lay(T.MISSED)
    assert status(evening) is PileStatus.ILLEGAL
    assert str(evening.pile.reason) == "missed is only an answer"
    assert evening.table.scene.signal is Signal.UNCERTAIN
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.WAITING
    assert evening.table.scene.signal is Signal.CERTAIN
    assert len(evening.lines) == 1


def test_a_card_laid_onto_one_that_cant_be_played_counts(evening: CardEvening) -> None:
    evening.lay(T.MISSED, T.BEER)
    assert last_move(evening) == Play(0, T.BEER)
    assert status(evening) is PileStatus.WAITING


def test_a_used_up_title_says_where_its_copies_were_counted(evening: CardEvening) -> None:
    evening.tap(Play(0, T.STAGECOACH), Play(0, T.GATLING))
    while evening.state.open:
        evening.table.press_red()
    evening.ignore()
    evening.lay(T.GATLING)
    assert status(evening) is PileStatus.ILLEGAL
    assert str(evening.pile.reason) == "every gatling lies in play or in the discard pile"
    assert evening.pile.copies == (2,)


def test_a_second_bang_says_which_one_was_counted(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.table.press_red()
    evening.lay(T.BANG)
    assert str(evening.pile.reason) == "only one BANG! a turn"
    assert evening.pile.copies == (1,)


def test_a_second_bang_names_no_bang_of_an_earlier_turn(evening: CardEvening) -> None:
    evening.tap(Play(0, T.BANG, 1), Pass(1), End(0), Play(1, T.BANG, 2), Pass(2))
    evening.see(PileVerdict.NONE)
    while evening.owed:
        evening.ignore()
    evening.lay(T.BANG)
    assert evening.pile.copies == (4,)


def test_a_second_weapon_of_a_title_names_the_one_before_its_player(evening: CardEvening) -> None:
    evening.tap(Play(0, T.SCHOFIELD), End(0), Play(1, T.SCHOFIELD), Play(1, T.BEER))
    evening.see(PileVerdict.NONE)
    while evening.owed:
        evening.ignore()
    evening.lay(T.SCHOFIELD)
    assert "already has schofield" in str(evening.pile.reason)
    assert evening.pile.copies == (3,)


def test_a_card_that_is_no_answer_blames_no_earlier_title(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BANG)
    assert str(evening.pile.reason) == "bang is no answer now"
    assert evening.pile.copies == ()


def test_a_card_that_is_no_answer_is_refused(evening: CardEvening) -> None:
    evening.lay(T.INDIANS)
    evening.lay(T.MISSED)
    assert str(evening.pile.reason) == "missed is no answer now"
    evening.table.press_red()
    assert evening.state.awaited == 2


# A card that isn't sure


def test_an_unsure_title_waits_for_a_tap_on_the_likeliest(evening: CardEvening) -> None:
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    assert status(evening) is PileStatus.UNSURE
    assert evening.pile.likely == (T.BEER, T.SALOON)
    assert evening.pile.moves == (Play(0, T.BEER), Play(0, T.SALOON))
    assert evening.table.scene.signal is Signal.UNCERTAIN
    evening.name(T.SALOON)
    assert last_move(evening) == Play(0, T.SALOON)


def test_a_named_card_may_need_a_second_tap(evening: CardEvening) -> None:
    evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL])
    evening.name(T.DUEL)
    assert status(evening) is PileStatus.CHOOSE
    assert len(evening.pile.moves) == 4


def test_the_decision_may_be_tapped_at_once(evening: CardEvening) -> None:
    evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL])
    evening.tap(Play(0, T.DUEL, 1))
    assert (status(evening), evening.owed) == (PileStatus.WAITING, ())


def test_a_title_that_the_game_doesnt_have_is_never_sure(evening: CardEvening) -> None:
    evening.see(PileVerdict.OK, ["joker"])
    assert (status(evening), evening.pile.likely) == (PileStatus.UNSURE, ())


def test_only_cards_of_the_game_can_be_named(evening: CardEvening) -> None:
    with pytest.raises(Refused, match="no card waits"):
        evening.name(T.BEER)
    evening.see(PileVerdict.UNSURE, [T.BEER])
    with pytest.raises(Refused, match="no such card"):
        evening.name("joker")


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (PileVerdict.FACEDOWN, PileStatus.FACEDOWN),
        (PileVerdict.MANY, PileStatus.MANY),
        (PileVerdict.BLOCKED, PileStatus.BLOCKED),
    ],
)
def test_what_has_to_be_put_right_is_said_and_can_be_put_aside(
    evening: CardEvening, verdict: PileVerdict, expected: PileStatus
) -> None:
    evening.see(verdict)
    assert status(evening) is expected
    assert evening.table.scene.signal is Signal.ILLEGAL
    evening.ignore()
    assert status(evening) is PileStatus.WAITING
    assert evening.table.scene.surface.state.taken_as_is == 1
    with pytest.raises(Refused, match="no card waits"):
        evening.ignore()
    assert len(evening.lines) == 1


# Flips


def shot_at(evening: CardEvening, seat: int = 1, barrel: bool = True) -> None:
    """Let a seat be shot at that has a Barrel."""
    if barrel:
        evening.tap(End(0))
        for other in range(1, seat):
            evening.tap(End(other))
        evening.tap(Play(seat, T.BARREL))
        for other in range(seat, 5):
            evening.tap(End(other))
    evening.see(PileVerdict.NONE)
    while evening.owed:
        evening.ignore()
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, seat))


def test_after_draw_the_next_card_is_a_flip(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    assert evening.pile.awaits == "title"
    evening.draw()
    assert (evening.pile.awaits, evening.pile.drawing) == ("sign", True)
    evening.flip("4H")
    assert last_move(evening) == Flip(1, (SIGNS["4H"],))
    assert evening.state.open is None


def test_a_failed_barrel_is_followed_by_a_missed(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.draw()
    evening.flip("4S")
    assert (evening.pile.awaits, evening.pile.drawing) == ("title", False)
    evening.lay(T.MISSED)
    assert evening.state.open is None


def test_an_unsure_sign_waits_for_a_tap(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.draw()
    evening.flip("9H?")
    assert (status(evening), evening.pile.sign) == (PileStatus.SIGN_UNSURE, "9H")
    evening.table.press_red()
    assert "suit and rank" in str(evening.view.notice)
    with pytest.raises(Refused, match="no such suit"):
        evening.table.do(laying.name_sign, evening.press, "1H")
    evening.table.do(laying.name_sign, evening.press, "9D")
    assert last_move(evening) == Flip(1, (SIGNS["9D"],))


def jailed(starts: Starts, characters: tuple[str, ...] = CALM) -> CardEvening:
    """A turn that begins with a flip, since Ben is in jail."""
    evening = starts(characters, watched=False)
    evening.tap(Play(0, T.JAIL, 1), End(0))
    evening.see(PileVerdict.NONE)
    return evening


def test_a_jailed_players_next_card_is_the_flip(starts: Starts) -> None:
    evening = jailed(starts)
    assert evening.pile.awaits == "sign"
    evening.flip("QS")
    assert evening.state.turn == 2
    assert evening.owed == (T.JAIL,)
    evening.lay(T.JAIL)
    assert evening.owed == ()
    assert last_move(evening) == Flip(1, (SIGNS["QS"],))


def test_a_sign_that_was_shown_before_is_refused(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.draw()
    evening.flip("2S")
    evening.lay(T.MISSED)
    evening.tap(End(0), Play(1, T.JAIL, 2), End(1))
    evening.see(PileVerdict.NONE)
    while evening.owed:
        evening.ignore()
    evening.flip("2S")
    assert status(evening) is PileStatus.ILLEGAL
    assert "shown before" in str(evening.pile.reason)
    evening.see(PileVerdict.MOVED)
    evening.flip("3S")
    assert evening.state.turn == 3


LUCKY = ("kit_carlson", "lucky_duke", *CALM[2:])


def test_lucky_dukes_two_cards_are_one_flip_if_the_choice_changes_nothing(starts: Starts) -> None:
    evening = jailed(starts, LUCKY)
    evening.flip("QS")
    assert (status(evening), evening.pile.signs) == (PileStatus.WAITING, ("QS",))
    assert evening.state.turn == 1
    evening.flip("3C")
    assert last_move(evening) == Flip(1, (SIGNS["QS"], SIGNS["3C"]))


def test_lucky_duke_chooses_where_his_two_cards_differ_in_effect(starts: Starts) -> None:
    evening = jailed(starts, LUCKY)
    evening.flip("QS", "3H")
    assert status(evening) is PileStatus.CHOOSE
    spade, heart = SIGNS["QS"], SIGNS["3H"]
    assert evening.pile.moves == (Flip(1, (spade, heart)), Flip(1, (heart, spade)))
    evening.tap(Flip(1, (heart, spade)))
    assert (evening.state.turn, evening.owed) == (1, (T.JAIL,))


def test_the_first_of_lucky_dukes_cards_survives_a_restart(starts: Starts) -> None:
    evening = jailed(starts, LUCKY)
    evening.flip("QS")
    evening.reopen()
    assert evening.pile.signs == ("QS",)
    evening.see(PileVerdict.NONE)
    evening.flip("3C")
    assert last_move(evening) == Flip(1, (SIGNS["QS"], SIGNS["3C"]))


def test_black_jack_shows_his_second_card_in_the_tray(starts: Starts) -> None:
    evening = starts(("kit_carlson", "black_jack", *CALM[2:]), watched=False)
    evening.tap(End(0))
    evening.see(PileVerdict.NONE)
    assert evening.pile.awaits == "sign"
    evening.flip("QH")
    assert last_move(evening) == Draw(1, None, SIGNS["QH"])
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.WAITING


def test_a_question_comes_before_any_card(starts: Starts) -> None:
    evening = starts(("kit_carlson", "jesse_jones", *CALM[2:]), watched=False)
    evening.tap(End(0))
    evening.see(PileVerdict.NONE)
    assert evening.pile.awaits is None
    evening.lay(T.BEER)
    assert status(evening) is PileStatus.WAITING
    evening.tap(Draw(1, 2))
    assert last_move(evening) == Play(1, T.BEER)


def test_calamity_janet_uses_either_title(starts: Starts) -> None:
    evening = starts(("kit_carlson", "calamity_janet", *CALM[2:]))
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BANG)
    assert last_move(evening) == Play(1, T.BANG)
    evening.table.press_green()
    while evening.owed:
        evening.ignore()
    evening.lay(T.MISSED)
    assert status(evening) is PileStatus.CHOOSE
    assert evening.pile.moves[0] == Play(1, T.MISSED, 0)


# Cards that count as no move


def test_a_card_that_may_be_owed_or_a_play_waits_for_the_tap(evening: CardEvening) -> None:
    evening.table.press_green()
    assert (evening.state.turn, evening.owed) == (1, (None, None))
    assert status(evening) is PileStatus.OWED
    evening.lay(T.GATLING, T.MISSED)
    assert len(evening.lines) == 2
    owed = evening.pile.may_be_owed
    assert (status(evening), evening.pile.moves) == (PileStatus.CHOOSE, (Play(1, T.GATLING),))
    assert (owed.seat, owed.card, owed.move) == (0, None, 1)
    # The second one can be nothing but a discard: nobody is asked.
    evening.lay_aside()
    assert (status(evening), evening.owed, len(evening.lines)) == (PileStatus.WAITING, (), 2)
    evening.lay(T.BEER)
    assert last_move(evening) == Play(1, T.BEER)
    with pytest.raises(Refused, match="was owed"):
        evening.lay_aside()


def test_what_is_owed_stays_owed_while_others_go_on(evening: CardEvening) -> None:
    evening.table.press_green()
    evening.tap(Play(1, T.BEER), Play(1, T.BANG, 2))
    assert evening.owed == (None, None, T.BEER, T.BANG)
    evening.lay(T.BEER)
    assert evening.owed == (None, None, T.BANG)
    evening.lay(T.MISSED)
    # Cat could have answered with it, or it is Ann's discard.
    assert evening.pile.may_be_owed.seat == 0
    assert evening.pile.moves == (Play(2, T.MISSED),)
    with pytest.raises(Refused, match="put it aside"):
        evening.tap(Pass(2))
    evening.lay_aside()
    assert (evening.state.awaited, evening.owed) == (2, (None, T.BANG))
    evening.undo()
    assert (evening.state.turn, evening.owed) == (1, (None,))
    evening.ignore()
    assert evening.owed == ()


def test_two_cards_beyond_the_limit_may_be_laid_at_once(evening: CardEvening) -> None:
    evening.table.press_green()
    evening.see(PileVerdict.MANY)
    assert status(evening) is PileStatus.MANY
    evening.ignore()
    assert (status(evening), evening.owed) == (PileStatus.WAITING, ())
    assert evening.table.scene.surface.state.taken_as_is == 1


def test_a_card_beyond_the_limit_may_lie_face_down(evening: CardEvening) -> None:
    evening.table.press_green()
    evening.see(PileVerdict.FACEDOWN)
    assert evening.owed == (None,)
    evening.see(PileVerdict.UNSURE, [T.BEER, T.PANIC])
    evening.lay_aside()
    assert evening.owed == ()


def test_cards_are_discarded_before_the_turn_ends(evening: CardEvening) -> None:
    evening.table.do(laying.discard, evening.press)
    evening.lay(T.BEER)
    assert (status(evening), evening.pile.discarded) == (PileStatus.DISCARDING, 1)
    with pytest.raises(Refused, match="you are discarding"):
        evening.tap(Play(0, T.SALOON))
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.lay(T.STAGECOACH)
    evening.table.press_green()
    assert (evening.state.turn, evening.owed) == (1, ())
    assert last_move(evening) == End(0)
    evening.tap(Play(1, T.DUEL, 2))
    with pytest.raises(Refused, match="no card needs"):
        evening.table.do(laying.discard, evening.press)


def test_who_discards_too_much_or_thinks_again_plays_on(evening: CardEvening) -> None:
    evening.table.do(laying.discard, evening.press)
    evening.lay(T.BEER, T.SALOON, T.STAGECOACH)
    evening.table.press_green()
    assert str(evening.view.notice) == "more cards lie there than are discarded"
    evening.ignore()
    assert (status(evening), evening.pile.title) == (PileStatus.CHOOSE, T.BEER)
    evening.tap(Play(0, T.BEER))
    assert last_move(evening) == Play(0, T.STAGECOACH)


def test_cards_may_be_discarded_before_the_green_button(evening: CardEvening) -> None:
    evening.lay(T.BANG, T.MISSED)
    evening.table.press_green()
    assert evening.state.turn == 1
    assert (status(evening), evening.owed) == (PileStatus.WAITING, ())


def test_several_cards_may_be_discarded_before_the_green_button(evening: CardEvening) -> None:
    evening.see(PileVerdict.MANY)
    evening.table.press_green()
    assert evening.state.turn == 1
    assert (status(evening), evening.owed) == (PileStatus.WAITING, ())


def test_the_turn_doesnt_end_over_a_card_that_waits(evening: CardEvening) -> None:
    evening.lay(T.BEER, T.BEER, T.BANG)
    before = evening.state
    evening.table.press_green()
    assert evening.state == before
    assert "put it aside" in str(evening.view.notice)
    evening.ignore()
    evening.see(PileVerdict.MANY)
    evening.table.press_green()
    assert evening.state == before
    evening.ignore()
    evening.table.press_green()
    assert evening.state.turn == 1


def test_a_card_hit_by_cat_balou_is_no_play(evening: CardEvening) -> None:
    evening.lay(T.CAT_BALOU)
    evening.tap(Play(0, T.CAT_BALOU, 2, HAND))
    assert evening.owed == (None,)
    evening.lay(T.MISSED)
    assert last_move(evening) == Play(0, T.CAT_BALOU, 2, HAND)
    assert evening.owed == ()


def test_a_card_pulled_and_laid_before_the_tap_may_be_no_play(evening: CardEvening) -> None:
    evening.lay(T.CAT_BALOU, T.GATLING)
    evening.tap(Play(0, T.CAT_BALOU, 2, HAND))
    assert last_move(evening) == Play(0, T.CAT_BALOU, 2, HAND)
    evening.lay_aside()
    assert last_move(evening) == Play(0, T.CAT_BALOU, 2, HAND)
    assert evening.owed == ()


def test_a_weapon_that_is_replaced_is_no_play(evening: CardEvening) -> None:
    evening.lay(T.SCHOFIELD)
    evening.lay(T.WINCHESTER)
    assert evening.owed == (T.SCHOFIELD,)
    evening.lay(T.SCHOFIELD)
    assert evening.state.in_play[0] == (T.WINCHESTER,)


def test_a_flip_made_before_the_others_discarded_can_be_told_from_a_discard(
    starts: Starts,
) -> None:
    evening = starts(watched=False)
    evening.tap(Play(0, T.JAIL, 1))
    evening.see(PileVerdict.NONE)
    evening.table.press_green()
    assert (evening.state.awaited, evening.owed) == (1, (None,))
    evening.flip("KS")
    assert (status(evening), evening.pile.may_be_flipped) == (PileStatus.CHOOSE, True)
    evening.draw()
    assert last_move(evening) == Flip(1, (SIGNS["KS"],))
    assert (evening.state.turn, evening.owed) == (2, (None, T.JAIL))


def test_a_card_that_was_tapped_is_laid_afterwards(evening: CardEvening) -> None:
    evening.tap(Play(0, T.BANG, 1))
    assert evening.owed == (T.BANG,)
    evening.lay(T.BANG)
    assert (evening.state.awaited, evening.owed) == (1, ())
    evening.lay(T.MISSED)
    assert last_move(evening) == Play(1, T.MISSED)


def test_a_card_that_was_tapped_need_not_be_seen(evening: CardEvening) -> None:
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.MISSED)
    assert last_move(evening) == Play(1, T.MISSED)
    assert evening.owed == (T.BANG,)


def test_a_blue_card_that_was_tapped_may_still_be_shown(evening: CardEvening) -> None:
    evening.tap(Play(0, T.SCHOFIELD))
    assert (status(evening), evening.owed) == (PileStatus.WAITING, ())
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.lay(T.SCHOFIELD)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.WAITING
    assert len(evening.lines) == 2
    evening.lay(T.SCHOFIELD)
    assert str(evening.pile.reason) == "seat 0 already has schofield in play"


def test_a_flip_that_was_tapped_is_laid_afterwards(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.tap(Flip(1, (SIGNS["4S"],)))
    assert evening.owed == (None,)
    evening.lay(T.BEER)
    assert (evening.owed, last_move(evening)) == ((), Flip(1, (SIGNS["4S"],)))
    evening.lay(T.MISSED)
    assert last_move(evening) == Play(1, T.MISSED)


def test_without_a_camera_no_card_is_due(starts: Starts) -> None:
    evening = starts(watched=False)
    evening.tap(Play(0, T.BANG, 1))
    assert (status(evening), evening.owed) == (PileStatus.UNWATCHED, ())


SID = ("kit_carlson", "rose_doolan", "sid_ketchum", *CALM[2:4])


def test_sid_trades_at_any_time_and_his_two_cards_are_no_plays(starts: Starts) -> None:
    evening = starts(SID, watched=False)
    evening.tap(Play(0, T.GATLING))
    while evening.state.open:
        evening.tap(Pass(evening.state.awaited))
    evening.see(PileVerdict.NONE)
    evening.tap(Regain(2))
    assert evening.owed == (None, None)
    evening.lay(T.BEER, T.BANG)
    assert (evening.state.turn, evening.state.life[0]) == (0, evening.state.setup.max_life[0])
    evening.lay(T.STAGECOACH)
    assert last_move(evening) == Play(0, T.STAGECOACH)


def test_a_card_that_waits_is_none_of_sids_two(starts: Starts) -> None:
    evening = starts(SID, watched=False)
    evening.tap(Play(0, T.GATLING))
    while evening.state.open:
        evening.tap(Pass(evening.state.awaited))
    evening.see(PileVerdict.NONE)
    evening.lay(T.BANG)
    evening.tap(Regain(2))
    assert (status(evening), evening.pile.title) == (PileStatus.CHOOSE, T.BANG)
    assert evening.owed == (None, None)


def test_the_cards_of_an_eliminated_player_are_no_plays(starts: Starts) -> None:
    evening = starts(("willy_the_kid", "rose_doolan", "bart_cassidy", *CALM[3:]), watched=False)
    evening.tap(Play(0, T.VOLCANIC))
    for _ in range(4):
        evening.tap(Play(0, T.BANG, 4))
        if evening.state.awaited == 4:
            evening.tap(Pass(4))
        if evening.state.awaited == 4 or 4 not in evening.state.living:
            break
    evening.see(PileVerdict.NONE)
    if evening.state.awaited == 4:
        evening.table.press_red()
    assert 4 not in evening.state.living
    # Their hand and, because Eve was a Deputy, all cards of the Sheriff.
    unnamed = [title for title in evening.owed if title is None]
    assert [title for title in evening.owed if title] == [T.VOLCANIC]
    assert len(unnamed) > 1
    evening.lay(T.VOLCANIC)
    assert evening.owed == (None,) * len(unnamed)
    evening.see(PileVerdict.MANY)
    evening.ignore()
    assert evening.owed == ()


# Buttons


def test_red_takes_the_hit_and_green_ends_the_turn(evening: CardEvening) -> None:
    evening.lay(T.GATLING)
    evening.table.press_green()
    assert "red button" in str(evening.view.notice)
    for _ in range(4):
        evening.table.press_red()
    assert evening.state.open is None
    evening.table.press_red()
    assert evening.view.notice == "there is nothing to pass on now"
    evening.table.press_green()
    assert evening.state.turn == 1


def test_nobody_passes_over_a_card_that_waits(evening: CardEvening) -> None:
    evening.lay(T.GATLING)
    for verdict, said in ((PileVerdict.MANY, "one by one"), (PileVerdict.FACEDOWN, "turn it")):
        evening.see(verdict)
        before = evening.state
        evening.table.press_red()
        assert evening.state == before
        assert said in str(evening.view.notice)
        with pytest.raises(Refused, match=said):
            evening.tap(Pass(1))
        evening.ignore()
    evening.see(PileVerdict.UNSURE, [T.MISSED, T.BEER])
    evening.table.press_red()
    assert "tap its title" in str(evening.view.notice)


# Presses


def test_a_press_on_an_outdated_pile_is_refused(evening: CardEvening) -> None:
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    press = evening.press
    evening.see(PileVerdict.MOVED)
    evening.lay(T.PANIC)
    with pytest.raises(Refused) as refused:
        evening.table.do(laying.name_title, Press(1, press.version, press.reading - 1), T.BEER)
    assert refused.value.problem is Problem.STALE


def test_only_the_phone_that_decides_says_what_was_laid(tmp_path: Path) -> None:
    evening = CardEvening(tmp_path, phones=5).start()
    try:
        evening.tap(End(0))
        evening.ignore()
        evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
        for person in (3, 4, 5):
            with pytest.raises(Refused) as refused:
                evening.table.do(laying.name_title, evening.press_of(person), T.BEER)
            assert refused.value.problem is Problem.FORBIDDEN
        evening.table.do(laying.name_title, evening.press_of(2), T.BEER)
        assert last_move(evening) == Play(1, T.BEER)
    finally:
        evening.close()


def test_no_sign_is_named_while_no_flip_waits(evening: CardEvening) -> None:
    with pytest.raises(Refused, match="no flipped card waits"):
        evening.table.do(laying.name_sign, evening.press, "4H")


def test_a_dice_game_has_no_cards_to_name(tmp_path: Path) -> None:
    evening = CardEvening(tmp_path)
    try:
        evening.selection = dice_game()
        evening.reopen()
        evening.table.do(rounds.start_game, evening.press)
        with pytest.raises(Refused, match="no cards in the tray"):
            evening.ignore()
    finally:
        evening.close()


def test_nothing_is_drawn_for_without_a_reason(evening: CardEvening) -> None:
    with pytest.raises(Refused, match="nothing is drawn for"):
        evening.draw()


def test_draw_is_tapped_with_its_sign_where_no_camera_watches(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.table.watch(CameraStatus("usb"))
    evening.table.watch(CameraStatus("usb", "unplugged"))
    assert status(evening) is PileStatus.UNWATCHED
    with pytest.raises(Refused, match="tap what was flipped"):
        evening.draw()


# What can't be saved


def test_a_card_that_cant_be_saved_waits_until_it_can(
    evening: CardEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(evening.journal, "save", full)
        patch.setattr(evening.journal, "fault", "the disk is full")
        evening.lay(T.BEER)
        assert len(evening.lines) == 1
        assert (status(evening), evening.pile.moves) == (PileStatus.CHOOSE, (Play(0, T.BEER),))
        assert Trouble.SAVING in evening.view.troubles
        evening.table.see(PILE_MOVING)
        assert status(evening) is PileStatus.CHOOSE
    evening.see(PileVerdict.NONE)
    assert last_move(evening) == Play(0, T.BEER)
    assert evening.view.troubles == {}
    assert len(evening.lines) == 2


# A flip that nobody announced


@pytest.fixture
def shot(starts: Starts) -> CardEvening:
    """Ann shoots at Ben, who has a Barrel."""
    evening = starts((CALM[0], "jourdonnais", *CALM[2:]))
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    return evening


def test_a_card_that_answers_nothing_was_flipped(shot: CardEvening) -> None:
    shot.lay(T.BEER, sign="7H")
    assert last_move(shot) == Flip(1, (SIGNS["7H"],))
    assert shot.state.open is None


def test_a_card_that_answers_nothing_was_flipped_whose_sign_a_tap_names(shot: CardEvening) -> None:
    shot.lay(T.BEER, sign="7H?")
    assert (status(shot), shot.pile.drawing) == (PileStatus.SIGN_UNSURE, True)
    shot.table.do(laying.name_sign, shot.press, "8H")
    assert last_move(shot) == Flip(1, (SIGNS["8H"],))


def test_a_card_that_answers_or_was_flipped_waits_for_a_tap(shot: CardEvening) -> None:
    shot.lay(T.MISSED, sign="10C")
    assert (status(shot), shot.pile.may_be_flipped) == (PileStatus.CHOOSE, True)
    assert shot.pile.moves == (Play(1, T.MISSED),)
    shot.draw()
    assert last_move(shot) == Flip(1, (SIGNS["10C"],))
    assert shot.state.open is not None
    shot.lay(T.MISSED, sign="2S")
    assert last_move(shot) == Play(1, T.MISSED)


def test_a_card_of_unsure_title_was_flipped_if_no_likely_title_answers(shot: CardEvening) -> None:
    shot.see(PileVerdict.UNSURE, [T.BEER, T.SALOON], "7H")
    assert last_move(shot) == Flip(1, (SIGNS["7H"],))


def test_a_card_of_unsure_title_that_may_answer_waits_for_a_tap(shot: CardEvening) -> None:
    shot.see(PileVerdict.UNSURE, [T.BEER, T.MISSED], "7H")
    assert (status(shot), shot.pile.may_be_flipped) == (PileStatus.UNSURE, True)
    shot.draw()
    assert last_move(shot) == Flip(1, (SIGNS["7H"],))


def test_a_card_of_unknown_title_waits_for_a_tap(shot: CardEvening) -> None:
    shot.flip("7H")
    assert (status(shot), shot.pile.may_be_flipped) == (PileStatus.UNSURE, True)
    shot.name(T.BEER)
    assert last_move(shot) == Flip(1, (SIGNS["7H"],))


def test_a_card_that_answers_or_was_flipped_may_be_the_answer(shot: CardEvening) -> None:
    shot.lay(T.MISSED, sign="10C")
    shot.tap(Play(1, T.MISSED))
    assert shot.state.open is None
    assert shot.state.pile[-1] is T.MISSED


def test_lucky_duke_flips_two_that_nobody_announced(starts: Starts) -> None:
    evening = starts((CALM[0], "lucky_duke", *CALM[2:]))
    evening.tap(End(0), Play(1, T.BARREL), *[End(seat) for seat in (1, 2, 3, 4)])
    while evening.owed:
        evening.ignore()
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BEER, sign="7H")
    assert (evening.pile.signs, evening.pile.drawing) == (("7H",), True)
    evening.lay(T.MISSED, sign="10C")
    assert len(evening.pile.moves) == 2


def test_a_card_laid_before_the_shot_has_a_target_was_not_flipped(starts: Starts) -> None:
    evening = starts((CALM[0], "jourdonnais", *CALM[2:]))
    evening.lay(T.BANG, T.BEER)
    evening.tap(Play(0, T.BANG, 1))
    assert (status(evening), evening.pile.title) == (PileStatus.ILLEGAL, T.BEER)
    evening.reopen()
    assert status(evening) is PileStatus.ILLEGAL


def test_an_answer_laid_before_the_shot_has_a_target_was_not_flipped(starts: Starts) -> None:
    evening = starts((CALM[0], "jourdonnais", *CALM[2:]))
    evening.lay(T.BANG, T.MISSED)
    evening.tap(Play(0, T.BANG, 1))
    assert last_move(evening) == Play(1, T.MISSED)


def test_a_title_that_is_used_up_was_not_flipped_either(shot: CardEvening) -> None:
    shot.table.press_red()
    shot.lay(T.SALOON, T.DUEL)
    shot.tap(Play(0, T.DUEL, 1))
    shot.table.press_red()
    shot.lay(T.GATLING, T.SALOON)
    assert (status(shot), shot.pile.title) == (PileStatus.ILLEGAL, T.SALOON)


# Restarts, undo, and a camera that fails


def test_a_card_that_waits_survives_a_restart_and_is_applied_once(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    evening.reopen()
    assert status(evening) is PileStatus.CHOOSE
    evening.see(PileVerdict.NONE)
    evening.tap(Play(0, T.BANG, 1))
    evening.reopen()
    assert (evening.state.bangs, evening.owed) == (1, ())
    evening.see(PileVerdict.NONE)
    assert status(evening) is PileStatus.WAITING


def test_what_is_due_survives_a_restart(evening: CardEvening) -> None:
    evening.table.press_green()
    evening.lay(T.BEER)
    evening.reopen()
    evening.see(PileVerdict.NONE)
    assert (evening.owed, evening.pile.title) == ((None, None), T.BEER)
    evening.lay_aside()
    evening.lay(T.MISSED)
    assert (evening.owed, len(evening.lines)) == ((), 2)


def test_what_an_earlier_version_saved_is_still_owed(evening: CardEvening) -> None:
    text = '{"due": [null, "beer"], "counted": [["saloon"], true, null, false, false, false]}'
    after, senseless = with_facts(evening.table.scene, {"pile": text})
    assert senseless == []
    assert after.surface.state.owed == (Owed(None, None), Owed(None, T.BEER))


def test_draw_survives_a_restart(starts: Starts) -> None:
    evening = starts(watched=False)
    shot_at(evening)
    evening.draw()
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.flip("4H")
    assert evening.state.open is None


def test_a_card_that_waits_can_be_tapped_once_the_camera_fails(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    evening.table.watch(CameraStatus("usb", "unplugged"))
    assert status(evening) is PileStatus.CHOOSE
    evening.tap(Play(0, T.BANG, 1))
    assert status(evening) is PileStatus.UNWATCHED


def test_after_an_undo_what_lies_there_counts_as_laid(evening: CardEvening) -> None:
    evening.lay(T.BEER)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.MOVED
    evening.undo()
    assert (len(evening.lines), status(evening)) == (1, PileStatus.WAITING)
    evening.lay(T.SALOON)
    assert last_move(evening) == Play(0, T.SALOON)


def test_an_undo_keeps_a_card_that_waits_for_a_tap(evening: CardEvening) -> None:
    evening.lay(T.STAGECOACH, T.BANG)
    assert status(evening) is PileStatus.CHOOSE
    evening.undo()
    assert (len(evening.lines), status(evening)) == (1, PileStatus.CHOOSE)
    evening.tap(Play(0, T.BANG, 1))
    assert last_move(evening) == Play(0, T.BANG, 1)


def test_after_an_undo_a_card_that_waits_becomes_a_move_only_by_a_tap(
    evening: CardEvening,
) -> None:
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.SALOON)
    assert status(evening) is PileStatus.ILLEGAL
    evening.undo()
    assert (len(evening.lines), status(evening)) == (1, PileStatus.CHOOSE)
    assert evening.pile.moves == (Play(0, T.SALOON),)
    evening.reopen()
    evening.see(PileVerdict.NONE)
    assert (len(evening.lines), status(evening)) == (1, PileStatus.CHOOSE)
    evening.tap(Play(0, T.SALOON))
    evening.lay(T.BEER)
    assert last_move(evening) == Play(0, T.BEER)


def test_naming_a_card_that_an_undo_kept_plays_it(evening: CardEvening) -> None:
    evening.lay(T.STAGECOACH, T.BANG)
    evening.undo()
    evening.name(T.BEER)
    assert last_move(evening) == Play(0, T.BEER)


def test_once_a_kept_card_is_put_aside_the_next_one_counts(evening: CardEvening) -> None:
    evening.lay(T.STAGECOACH, T.BANG)
    evening.undo()
    evening.ignore()
    assert (len(evening.lines), status(evening)) == (1, PileStatus.WAITING)
    evening.lay(T.BEER)
    assert last_move(evening) == Play(0, T.BEER)


def test_flipped_cards_do_not_wait_beyond_an_undo(starts: Starts) -> None:
    evening = starts(("lucky_duke", *CALM[1:]))
    evening.tap(Play(0, T.DYNAMITE), *[End(seat) for seat in range(5)])
    while evening.owed:
        evening.ignore()
    evening.flip("2H")
    assert evening.pile.signs == ("2H",)
    evening.undo()
    assert (evening.state.turn, status(evening)) == (4, PileStatus.WAITING)


def test_a_pushed_pile_is_forgotten_with_the_next_move(evening: CardEvening) -> None:
    evening.lay(T.BEER)
    evening.see(PileVerdict.MOVED)
    evening.tap(Play(0, T.SALOON))
    assert (status(evening), evening.owed) == (PileStatus.OWED, (T.SALOON,))


def test_what_is_taken_out_of_the_tray_before_the_first_card_is_the_last_games(
    evening: CardEvening,
) -> None:
    for _ in range(2):
        evening.see(PileVerdict.MOVED)
        assert status(evening) is PileStatus.WAITING
    evening.lay(T.BEER)
    evening.see(PileVerdict.MOVED)
    assert status(evening) is PileStatus.MOVED


def test_moving_things_change_no_card_that_waits(evening: CardEvening) -> None:
    evening.lay(T.BANG)
    reading = evening.view.reading
    evening.table.see(PILE_MOVING)
    evening.see(PileVerdict.BLOCKED)
    assert (status(evening), evening.view.reading) == (PileStatus.CHOOSE, reading)
    evening.tap(Play(0, T.BANG, 1))
    assert status(evening) is PileStatus.BLOCKED


def test_cards_are_nothing_to_a_table_without_a_card_game(tmp_path: Path) -> None:
    evening = CardEvening(tmp_path)
    try:
        evening.lay(T.BEER)
        assert status(evening) is PileStatus.UNWATCHED
        evening.start(watched=False)
        assert status(evening) is PileStatus.WAITING
        assert len(evening.lines) == 1
    finally:
        evening.close()


# What was saved, but makes no sense


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_a_senseless_pile_is_left_out_and_named(evening: CardEvening, text: str) -> None:
    scene = evening.table.scene
    after, senseless = with_facts(scene, {"pile": text, "muted": "yes"})
    assert senseless == ["pile"]
    assert after.surface.state == scene.surface.state
    assert after.choices.muted


@pytest.mark.parametrize(
    "text",
    [
        '[[1, "{}"]]',
        '[[1, "{\\"action\\": \\"pass\\", \\"seat\\": 1}"]]',
        '[[0, "{\\"action\\": \\"pass\\", \\"seat\\": 0}"]]',
        '[[2, "{\\"action\\": \\"pass\\", \\"seat\\": 3}"]]',
        '[["2", "{\\"action\\": \\"pass\\", \\"seat\\": 2}"]]',
        "[[2, 7]]",
    ],
)
def test_senseless_early_answers_are_left_out_and_named(evening: CardEvening, text: str) -> None:
    evening.lay(T.GATLING)
    after, senseless = with_facts(evening.table.scene, {"early": text})
    assert (after.surface.early, senseless) == ({}, ["early"])


def test_no_pile_is_restored_without_a_game_of_cards(tmp_path: Path) -> None:
    evening = CardEvening(tmp_path)
    try:
        text = '{"due": [null]}'
        assert with_facts(evening.table.scene, {"pile": text})[1] == ["pile"]
        assert with_facts(evening.table.scene, {"early": "[]"})[1] == ["early"]
    finally:
        evening.close()
