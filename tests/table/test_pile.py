"""Cards laid in the tray of a running card game: what each becomes, and what waits for a tap."""

import pytest
from card_evening import CALM, CardEvening
from stand_ins import dice_game

from companion.base.refused import Problem, Refused
from companion.games.cards.rules.moves import HAND, Draw, End, Flip, Pass, Play, Regain
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


@pytest.fixture
def evening(card_evenings):
    return card_evenings()


def signal(evening):
    return evening.table.scene.signal


def flip(seat, *signs):
    return Flip(seat, tuple(SIGNS[sign] for sign in signs))


# A card is the move


def test_a_card_that_names_nobody_is_played_as_it_lies_there(evening):
    evening.lay(T.STAGECOACH)
    assert evening.last_move == Play(0, T.STAGECOACH)
    assert (evening.status, signal(evening)) == (PileStatus.WAITING, Signal.CERTAIN)


def test_a_card_that_can_only_mean_one_move_needs_no_tap(card_evenings):
    evening = card_evenings(("kit_carlson", "paul_regret", *CALM[1:4]))
    evening.lay(T.BANG)
    assert evening.last_move == Play(0, T.BANG, 4)


def test_a_card_that_names_a_player_waits_for_the_tap(evening):
    evening.lay(T.BANG)
    assert (evening.status, evening.pile.title) == (PileStatus.CHOOSE, T.BANG)
    assert evening.pile.moves == (Play(0, T.BANG, 1), Play(0, T.BANG, 4))
    assert signal(evening) is Signal.UNCERTAIN
    evening.tap(Play(0, T.BANG, 4))
    assert (evening.state.awaited, evening.owed) == (4, ())
    assert (evening.status, signal(evening)) == (PileStatus.WAITING, Signal.WAITING)
    evening.lay(T.MISSED)
    assert (evening.last_move, evening.state.open) == (Play(4, T.MISSED), None)


def test_one_tap_names_whose_card_and_which(evening):
    evening.tap(Play(0, T.BARREL))
    evening.lay(T.CAT_BALOU)
    takes = {(move.target, move.take) for move in evening.pile.moves}
    assert takes == {(0, T.BARREL), (1, HAND), (2, HAND), (3, HAND), (4, HAND)}


def test_an_answer_laid_before_the_tap_counts_once_it_is_made(evening):
    evening.lay(T.BANG, T.MISSED)
    assert evening.pile.title == T.BANG
    evening.tap(Play(0, T.BANG, 1))
    assert evening.last_move == Play(1, T.MISSED)
    assert evening.state.life[1] == evening.state.setup.max_life[1]


def test_in_a_duel_each_bang_is_that_of_the_player_who_is_awaited(evening):
    evening.lay(T.DUEL)
    evening.tap(Play(0, T.DUEL, 3))
    evening.lay(T.BANG, T.BANG, T.BANG)
    assert evening.state.awaited == 0
    evening.table.press_red()
    assert evening.state.life[0] == evening.state.setup.max_life[0] - 1


def test_a_blue_card_is_shown_and_taken_back(evening):
    evening.lay(T.STAGECOACH, T.SCHOFIELD)
    for expected in (PileStatus.WAITING, PileStatus.MOVED):
        assert evening.state.in_play[0] == (T.SCHOFIELD,)
        evening.see(PileVerdict.MOVED)
        assert evening.status is expected
    assert evening.state.in_play[0] == (T.SCHOFIELD,)
    evening.lay(T.BEER)
    assert evening.status is PileStatus.WAITING


def test_a_card_seen_for_a_moment_is_asked_about_until_its_player_settles_it(evening):
    evening.see(PileVerdict.GONE, [T.MISSED])
    assert evening.status is PileStatus.WAITING
    evening.see(PileVerdict.GONE, [T.BARREL, T.MISSED, T.MUSTANG])
    assert evening.pile.likely == (T.BARREL, T.MUSTANG)
    assert evening.pile.moves == (Play(0, T.BARREL), Play(0, T.MUSTANG))
    assert (evening.status, evening.table.scene.signal) == (PileStatus.GONE, Signal.UNCERTAIN)
    # Whatever moves over the tray, and while others answer, it isn't forgotten.
    evening.see(PileVerdict.NONE)
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    assert evening.status is PileStatus.WAITING
    evening.table.press_red()
    assert evening.status is PileStatus.GONE
    evening.tap(Play(0, T.BARREL))
    assert evening.state.in_play[0] == (T.BARREL,)
    assert evening.status is PileStatus.WAITING
    # It may be shown once more.
    evening.lay(T.BARREL)
    assert evening.state.in_play[0] == (T.BARREL,)


@pytest.mark.parametrize("settle", [CardEvening.ignore, lambda evening: evening.tap(End(0))])
def test_a_card_seen_for_a_moment_may_have_been_none(evening, settle):
    evening.see(PileVerdict.GONE, [T.BARREL])
    settle(evening)
    assert evening.status in (PileStatus.WAITING, PileStatus.OWED)
    assert evening.state.in_play[0] == ()


def test_a_blue_card_may_be_taken_back_after_the_turn_has_ended(evening):
    evening.lay(T.SCHOFIELD)
    evening.tap(End(0))
    # Cards beyond the limit are still to be laid.
    for expected in (PileStatus.OWED, PileStatus.MOVED):
        evening.see(PileVerdict.MOVED)
        assert evening.status is expected


def test_a_blue_card_that_another_covers_is_no_longer_awaited(evening):
    evening.lay(T.SCHOFIELD, T.STAGECOACH)
    evening.see(PileVerdict.MOVED)
    assert evening.status is PileStatus.MOVED


def test_a_jail_may_be_taken_back_before_it_is_said_for_whom(evening):
    evening.lay(T.JAIL)
    evening.see(PileVerdict.MOVED)
    assert evening.status is PileStatus.CHOOSE
    evening.tap(Play(0, T.JAIL, 2))
    assert evening.state.in_play[2] == (T.JAIL,)


# A card that can't be played


def test_a_card_that_cant_be_played_lights_amber_and_says_why(evening):
    evening.lay(T.MISSED)
    assert (evening.status, signal(evening)) == (PileStatus.ILLEGAL, Signal.UNCERTAIN)
    assert str(evening.pile.reason) == "missed is only an answer"
    evening.see(PileVerdict.MOVED)
    assert (evening.status, signal(evening)) == (PileStatus.WAITING, Signal.CERTAIN)
    assert len(evening.lines) == 1
    evening.lay(T.MISSED, T.BEER)
    assert (evening.last_move, evening.status) == (Play(0, T.BEER), PileStatus.WAITING)


def test_a_used_up_title_says_where_its_copies_were_counted(evening):
    evening.tap(Play(0, T.STAGECOACH), Play(0, T.GATLING))
    while evening.state.open:
        evening.table.press_red()
    evening.ignore()
    evening.lay(T.GATLING)
    assert evening.status is PileStatus.ILLEGAL
    assert str(evening.pile.reason) == "every gatling lies in play or in the discard pile"
    assert evening.pile.copies == (2,)


def test_a_second_bang_says_which_one_was_counted_and_one_that_is_no_answer_none(evening):
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BANG)
    assert str(evening.pile.reason) == "bang is no answer now"
    assert evening.pile.copies == ()
    evening.see(PileVerdict.MOVED)
    evening.table.press_red()
    evening.lay(T.BANG)
    assert str(evening.pile.reason) == "only one BANG! a turn"
    assert evening.pile.copies == (1,)


@pytest.mark.parametrize(
    ("made", "card", "reason", "counted"),
    [
        (
            (Play(0, T.BANG, 1), Pass(1), End(0), Play(1, T.BANG, 2), Pass(2)),
            T.BANG,
            "only one BANG! a turn",
            (4,),
        ),
        (
            (Play(0, T.SCHOFIELD), End(0), Play(1, T.SCHOFIELD), Play(1, T.BEER)),
            T.SCHOFIELD,
            "already has schofield",
            (3,),
        ),
    ],
)
def test_a_second_card_names_the_one_of_this_turn_or_before_its_player(
    evening, made, card, reason, counted
):
    evening.tap(*made)
    evening.see(PileVerdict.NONE)
    evening.ignore_owed()
    evening.lay(card)
    assert reason in str(evening.pile.reason)
    assert evening.pile.copies == counted


def test_a_card_that_is_no_answer_is_refused(evening):
    evening.lay(T.INDIANS, T.MISSED)
    assert str(evening.pile.reason) == "missed is no answer now"
    evening.table.press_red()
    assert evening.state.awaited == 2


# A card that isn't sure


def test_an_unsure_title_waits_for_a_tap_on_the_likeliest(evening):
    with pytest.raises(Refused, match="no card waits"):
        evening.name(T.BEER)
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    assert (evening.status, signal(evening)) == (PileStatus.UNSURE, Signal.UNCERTAIN)
    assert evening.pile.likely == (T.BEER, T.SALOON)
    assert evening.pile.moves == (Play(0, T.BEER), Play(0, T.SALOON))
    with pytest.raises(Refused, match="no such card"):
        evening.name("joker")
    evening.name(T.SALOON)
    assert evening.last_move == Play(0, T.SALOON)


def test_a_named_card_may_need_a_second_tap_or_the_decision_is_tapped_at_once(evening):
    evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL])
    evening.name(T.DUEL)
    assert (evening.status, len(evening.pile.moves)) == (PileStatus.CHOOSE, 4)
    evening.ignore()
    evening.see(PileVerdict.UNSURE, [T.BANG, T.DUEL])
    evening.tap(Play(0, T.DUEL, 1))
    assert (evening.status, evening.owed) == (PileStatus.WAITING, ())


def test_a_title_that_the_game_doesnt_have_is_never_sure(evening):
    evening.see(PileVerdict.OK, ["joker"])
    assert (evening.status, evening.pile.likely) == (PileStatus.UNSURE, ())


def test_what_has_to_be_put_right_is_said_and_can_be_put_aside(evening):
    for count, kind in enumerate(("FACEDOWN", "MANY", "BLOCKED"), start=1):
        evening.see(PileVerdict[kind])
        assert (evening.status, signal(evening)) == (PileStatus[kind], Signal.ILLEGAL)
        evening.ignore()
        assert evening.status is PileStatus.WAITING
        assert evening.table.scene.surface.state.taken_as_is == count
        with pytest.raises(Refused, match="no card waits"):
            evening.ignore()
    assert len(evening.lines) == 1


# Flips


@pytest.fixture
def barrel(card_evenings):
    """Ben, who has a Barrel, is shot at; the camera watches since then."""
    evening = card_evenings(watched=False)
    evening.tap(End(0), Play(1, T.BARREL), *[End(seat) for seat in range(1, 5)])
    evening.see(PileVerdict.NONE)
    evening.ignore_owed()
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    return evening


@pytest.mark.parametrize("reopened", [False, True])
def test_after_draw_the_next_card_is_a_flip(barrel, reopened):
    assert barrel.pile.awaits == "title"
    barrel.draw()
    if reopened:
        barrel.reopen()
        barrel.see(PileVerdict.NONE)
    assert (barrel.pile.awaits, barrel.pile.drawing) == ("sign", True)
    barrel.flip("4H")
    assert (barrel.last_move, barrel.state.open) == (flip(1, "4H"), None)


def test_a_failed_barrel_is_followed_by_a_missed(barrel):
    barrel.draw()
    barrel.flip("4S")
    assert (barrel.pile.awaits, barrel.pile.drawing) == ("title", False)
    barrel.lay(T.MISSED)
    assert barrel.state.open is None


def test_an_unsure_sign_waits_for_a_tap(barrel):
    with pytest.raises(Refused, match="no flipped card waits"):
        barrel.do(laying.name_sign, "4H")
    barrel.draw()
    barrel.flip("9H?")
    assert (barrel.status, barrel.pile.sign) == (PileStatus.SIGN_UNSURE, "9H")
    barrel.table.press_red()
    assert "suit and rank" in str(barrel.view.notice)
    with pytest.raises(Refused, match="no such suit"):
        barrel.do(laying.name_sign, "1H")
    barrel.do(laying.name_sign, "9D")
    assert barrel.last_move == flip(1, "9D")


def test_a_sign_that_was_shown_before_is_refused(barrel):
    barrel.draw()
    barrel.flip("2S")
    barrel.lay(T.MISSED)
    barrel.tap(End(0), Play(1, T.JAIL, 2), End(1))
    barrel.see(PileVerdict.NONE)
    barrel.ignore_owed()
    barrel.flip("2S")
    assert barrel.status is PileStatus.ILLEGAL
    assert "shown before" in str(barrel.pile.reason)
    barrel.see(PileVerdict.MOVED)
    barrel.flip("3S")
    assert barrel.state.turn == 3


@pytest.fixture
def jailed(card_evenings):
    """A turn that begins with a flip, since Ben is in jail."""

    def start(character: str = CALM[1]) -> CardEvening:
        evening = card_evenings(("kit_carlson", character, *CALM[2:]), watched=False)
        evening.tap(Play(0, T.JAIL, 1), End(0))
        evening.see(PileVerdict.NONE)
        return evening

    return start


def test_a_jailed_players_next_card_is_the_flip(jailed):
    evening = jailed()
    assert evening.pile.awaits == "sign"
    evening.flip("QS")
    assert (evening.state.turn, evening.owed) == (2, (T.JAIL,))
    evening.lay(T.JAIL)
    assert (evening.owed, evening.last_move) == ((), flip(1, "QS"))


@pytest.mark.parametrize("reopened", [False, True])
def test_lucky_dukes_two_cards_are_one_flip_if_the_choice_changes_nothing(jailed, reopened):
    evening = jailed("lucky_duke")
    evening.flip("QS")
    if reopened:
        evening.reopen()
        assert evening.pile.signs == ("QS",)
        evening.see(PileVerdict.NONE)
    assert (evening.status, evening.pile.signs) == (PileStatus.WAITING, ("QS",))
    assert evening.state.turn == 1
    evening.flip("3C")
    assert evening.last_move == flip(1, "QS", "3C")


def test_lucky_duke_chooses_where_his_two_cards_differ_in_effect(jailed):
    evening = jailed("lucky_duke")
    evening.flip("QS", "3H")
    assert evening.status is PileStatus.CHOOSE
    assert evening.pile.moves == (flip(1, "QS", "3H"), flip(1, "3H", "QS"))
    evening.tap(flip(1, "3H", "QS"))
    assert (evening.state.turn, evening.owed) == (1, (T.JAIL,))


def test_black_jack_shows_his_second_card_in_the_tray(card_evenings):
    evening = card_evenings(("kit_carlson", "black_jack", *CALM[2:]), watched=False)
    evening.tap(End(0))
    evening.see(PileVerdict.NONE)
    assert evening.pile.awaits == "sign"
    evening.flip("QH")
    assert evening.last_move == Draw(1, None, SIGNS["QH"])
    evening.see(PileVerdict.MOVED)
    assert evening.status is PileStatus.WAITING


def test_a_question_comes_before_any_card(card_evenings):
    evening = card_evenings(("kit_carlson", "jesse_jones", *CALM[2:]), watched=False)
    evening.tap(End(0))
    evening.see(PileVerdict.NONE)
    assert evening.pile.awaits is None
    evening.lay(T.BEER)
    assert evening.status is PileStatus.WAITING
    evening.tap(Draw(1, 2))
    assert evening.last_move == Play(1, T.BEER)


def test_calamity_janet_uses_either_title(card_evenings):
    evening = card_evenings(("kit_carlson", "calamity_janet", *CALM[2:]))
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BANG)
    assert evening.last_move == Play(1, T.BANG)
    evening.table.press_green()
    evening.ignore_owed()
    evening.lay(T.MISSED)
    assert evening.status is PileStatus.CHOOSE
    assert evening.pile.moves[0] == Play(1, T.MISSED, 0)


# Cards that count as no move


def test_a_card_that_may_be_owed_or_a_play_waits_for_the_tap(evening):
    evening.table.press_green()
    assert (evening.state.turn, evening.owed) == (1, (None, None))
    assert evening.status is PileStatus.OWED
    evening.lay(T.GATLING, T.MISSED)
    assert len(evening.lines) == 2
    owed = evening.pile.may_be_owed
    assert (evening.status, evening.pile.moves) == (PileStatus.CHOOSE, (Play(1, T.GATLING),))
    assert (owed.seat, owed.card, owed.move) == (0, None, 1)
    # The second one can be nothing but a discard: nobody is asked.
    evening.lay_aside()
    assert (evening.status, evening.owed, len(evening.lines)) == (PileStatus.WAITING, (), 2)
    evening.lay(T.BEER)
    assert evening.last_move == Play(1, T.BEER)
    with pytest.raises(Refused, match="was owed"):
        evening.lay_aside()


def test_what_is_owed_stays_owed_while_others_go_on(evening):
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


def test_two_cards_beyond_the_limit_may_be_laid_at_once_or_lie_face_down(evening):
    evening.table.press_green()
    evening.see(PileVerdict.MANY)
    assert evening.status is PileStatus.MANY
    evening.ignore()
    assert (evening.status, evening.owed) == (PileStatus.WAITING, ())
    assert evening.table.scene.surface.state.taken_as_is == 1
    evening.undo()
    evening.table.press_green()
    evening.see(PileVerdict.FACEDOWN)
    assert evening.owed == (None,)
    evening.see(PileVerdict.UNSURE, [T.BEER, T.PANIC])
    evening.lay_aside()
    assert evening.owed == ()


def test_cards_are_discarded_before_the_turn_ends(evening):
    evening.do(laying.discard)
    evening.lay(T.BEER)
    assert (evening.status, evening.pile.discarded) == (PileStatus.DISCARDING, 1)
    with pytest.raises(Refused, match="you are discarding"):
        evening.tap(Play(0, T.SALOON))
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.lay(T.STAGECOACH)
    evening.table.press_green()
    assert (evening.state.turn, evening.owed, evening.last_move) == (1, (), End(0))
    evening.tap(Play(1, T.DUEL, 2))
    with pytest.raises(Refused, match="no card needs"):
        evening.do(laying.discard)


def test_who_discards_too_much_or_thinks_again_plays_on(evening):
    evening.do(laying.discard)
    evening.lay(T.BEER, T.SALOON, T.STAGECOACH)
    evening.table.press_green()
    assert str(evening.view.notice) == "more cards lie there than are discarded"
    evening.ignore()
    assert (evening.status, evening.pile.title) == (PileStatus.CHOOSE, T.BEER)
    evening.tap(Play(0, T.BEER))
    assert evening.last_move == Play(0, T.STAGECOACH)


@pytest.mark.parametrize("several", [False, True])
def test_cards_may_be_discarded_before_the_green_button(evening, several):
    if several:
        evening.see(PileVerdict.MANY)
    else:
        evening.lay(T.BANG, T.MISSED)
    evening.table.press_green()
    assert (evening.state.turn, evening.status, evening.owed) == (1, PileStatus.WAITING, ())


def test_the_turn_doesnt_end_over_a_card_that_waits(evening):
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


def test_a_card_hit_by_cat_balou_is_no_play(evening):
    evening.lay(T.CAT_BALOU)
    evening.tap(Play(0, T.CAT_BALOU, 2, HAND))
    assert evening.owed == (None,)
    evening.lay(T.MISSED)
    assert (evening.last_move, evening.owed) == (Play(0, T.CAT_BALOU, 2, HAND), ())


def test_a_card_pulled_and_laid_before_the_tap_may_be_no_play(evening):
    evening.lay(T.CAT_BALOU, T.GATLING)
    evening.tap(Play(0, T.CAT_BALOU, 2, HAND))
    for owed in ((None,), ()):
        assert (evening.last_move, evening.owed) == (Play(0, T.CAT_BALOU, 2, HAND), owed)
        if owed:
            evening.lay_aside()


def test_a_weapon_that_is_replaced_is_no_play(evening):
    evening.lay(T.SCHOFIELD, T.WINCHESTER)
    assert evening.owed == (T.SCHOFIELD,)
    evening.lay(T.SCHOFIELD)
    assert evening.state.in_play[0] == (T.WINCHESTER,)


def test_a_flip_made_before_the_others_discarded_can_be_told_from_a_discard(card_evenings):
    evening = card_evenings(watched=False)
    evening.tap(Play(0, T.JAIL, 1))
    evening.see(PileVerdict.NONE)
    evening.table.press_green()
    assert (evening.state.awaited, evening.owed) == (1, (None,))
    evening.flip("KS")
    assert (evening.status, evening.pile.may_be_flipped) == (PileStatus.CHOOSE, True)
    evening.draw()
    assert evening.last_move == flip(1, "KS")
    assert (evening.state.turn, evening.owed) == (2, (None, T.JAIL))


def test_a_card_that_was_tapped_is_laid_afterwards_or_not_seen_at_all(evening):
    evening.tap(Play(0, T.BANG, 1))
    assert evening.owed == (T.BANG,)
    evening.lay(T.BANG)
    assert (evening.state.awaited, evening.owed) == (1, ())
    evening.lay(T.MISSED)
    assert evening.last_move == Play(1, T.MISSED)
    evening.tap(End(0))
    evening.ignore_owed()
    evening.tap(Play(1, T.BANG, 2))
    evening.lay(T.MISSED)
    assert (evening.last_move, evening.owed) == (Play(2, T.MISSED), (T.BANG,))


def test_a_blue_card_that_was_tapped_may_still_be_shown(evening):
    evening.tap(Play(0, T.SCHOFIELD))
    assert (evening.status, evening.owed) == (PileStatus.WAITING, ())
    evening.reopen()
    evening.see(PileVerdict.NONE)
    evening.lay(T.SCHOFIELD)
    evening.see(PileVerdict.MOVED)
    assert (evening.status, len(evening.lines)) == (PileStatus.WAITING, 2)
    evening.lay(T.SCHOFIELD)
    assert str(evening.pile.reason) == "seat 0 already has schofield in play"


def test_a_flip_that_was_tapped_is_laid_afterwards(barrel):
    barrel.tap(flip(1, "4S"))
    assert barrel.owed == (None,)
    barrel.lay(T.BEER)
    assert (barrel.owed, barrel.last_move) == ((), flip(1, "4S"))
    barrel.lay(T.MISSED)
    assert barrel.last_move == Play(1, T.MISSED)


def test_without_a_camera_no_card_is_due(card_evenings):
    evening = card_evenings(watched=False)
    evening.tap(Play(0, T.BANG, 1))
    assert (evening.status, evening.owed) == (PileStatus.UNWATCHED, ())


@pytest.fixture
def sid(card_evenings):
    """Sid Ketchum, who was hit, at seat 2."""
    characters = ("kit_carlson", "rose_doolan", "sid_ketchum", *CALM[2:4])
    evening = card_evenings(characters, watched=False)
    evening.tap(Play(0, T.GATLING))
    while evening.state.open:
        evening.tap(Pass(evening.state.awaited))
    evening.see(PileVerdict.NONE)
    return evening


def test_sid_trades_at_any_time_and_his_two_cards_are_no_plays(sid):
    sid.tap(Regain(2))
    assert sid.owed == (None, None)
    sid.lay(T.BEER, T.BANG)
    assert (sid.state.turn, sid.state.life[0]) == (0, sid.state.setup.max_life[0])
    sid.lay(T.STAGECOACH)
    assert sid.last_move == Play(0, T.STAGECOACH)


def test_a_card_that_waits_is_none_of_sids_two(sid):
    sid.lay(T.BANG)
    sid.tap(Regain(2))
    assert (sid.status, sid.pile.title) == (PileStatus.CHOOSE, T.BANG)
    assert sid.owed == (None, None)


def test_the_cards_of_an_eliminated_player_are_no_plays(card_evenings):
    characters = ("willy_the_kid", "rose_doolan", "bart_cassidy", *CALM[3:])
    evening = card_evenings(characters, watched=False)
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


def test_red_takes_the_hit_and_green_ends_the_turn(evening):
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


def test_nobody_passes_over_a_card_that_waits(evening):
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


def test_a_press_on_an_outdated_pile_is_refused(evening):
    evening.see(PileVerdict.UNSURE, [T.BEER, T.SALOON])
    press = evening.press
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
        assert evening.refused(laying.name_title, T.BEER, person=person) is Problem.FORBIDDEN
    evening.do(laying.name_title, T.BEER, person=2)
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


def test_nothing_is_drawn_for_without_a_reason_or_where_no_camera_watches(evening, barrel):
    with pytest.raises(Refused, match="nothing is drawn for"):
        evening.draw()
    barrel.table.watch(CameraStatus("usb"))
    barrel.table.watch(CameraStatus("usb", "unplugged"))
    assert barrel.status is PileStatus.UNWATCHED
    with pytest.raises(Refused, match="tap what was flipped"):
        barrel.draw()


# What can't be saved


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


# A flip that nobody announced


@pytest.fixture
def jourdonnais(card_evenings):
    return card_evenings((CALM[0], "jourdonnais", *CALM[2:]))


@pytest.fixture
def shot(jourdonnais):
    """Ann shoots at Ben, who has a Barrel."""
    jourdonnais.lay(T.BANG)
    jourdonnais.tap(Play(0, T.BANG, 1))
    return jourdonnais


def test_a_card_that_answers_nothing_was_flipped(shot):
    shot.lay(T.BEER, sign="7H")
    assert (shot.last_move, shot.state.open) == (flip(1, "7H"), None)


def test_a_card_that_answers_nothing_was_flipped_whose_sign_a_tap_names(shot):
    shot.lay(T.BEER, sign="7H?")
    assert (shot.status, shot.pile.drawing) == (PileStatus.SIGN_UNSURE, True)
    shot.do(laying.name_sign, "8H")
    assert shot.last_move == flip(1, "8H")


def test_a_card_that_answers_or_was_flipped_waits_for_a_tap(shot):
    shot.lay(T.MISSED, sign="10C")
    assert (shot.status, shot.pile.may_be_flipped) == (PileStatus.CHOOSE, True)
    assert shot.pile.moves == (Play(1, T.MISSED),)
    shot.draw()
    assert shot.last_move == flip(1, "10C")
    assert shot.state.open is not None
    shot.lay(T.MISSED, sign="2S")
    assert shot.last_move == Play(1, T.MISSED)


def test_a_card_of_unsure_title_was_flipped_if_no_likely_title_answers(shot):
    shot.see(PileVerdict.UNSURE, [T.BEER, T.SALOON], "7H")
    assert shot.last_move == flip(1, "7H")


@pytest.mark.parametrize("likely", [[T.BEER, T.MISSED], []])
@pytest.mark.parametrize("tap", [CardEvening.draw, lambda evening: evening.name(T.BEER)])
def test_a_card_of_unsure_title_that_may_answer_waits_for_a_tap(shot, likely, tap):
    shot.see(PileVerdict.UNSURE, likely, "7H")
    assert (shot.status, shot.pile.may_be_flipped) == (PileStatus.UNSURE, True)
    tap(shot)
    assert shot.last_move == flip(1, "7H")


def test_a_card_that_answers_or_was_flipped_may_be_the_answer(shot):
    shot.lay(T.MISSED, sign="10C")
    shot.tap(Play(1, T.MISSED))
    assert (shot.state.open, shot.state.pile[-1]) == (None, T.MISSED)


def test_lucky_duke_flips_two_that_nobody_announced(card_evenings):
    evening = card_evenings((CALM[0], "lucky_duke", *CALM[2:]))
    evening.tap(End(0), Play(1, T.BARREL), *[End(seat) for seat in (1, 2, 3, 4)])
    evening.ignore_owed()
    evening.lay(T.BANG)
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.BEER, sign="7H")
    assert (evening.pile.signs, evening.pile.drawing) == (("7H",), True)
    evening.lay(T.MISSED, sign="10C")
    assert len(evening.pile.moves) == 2


def test_a_card_laid_before_the_shot_has_a_target_was_not_flipped(jourdonnais):
    jourdonnais.lay(T.BANG, T.BEER)
    jourdonnais.tap(Play(0, T.BANG, 1))
    assert (jourdonnais.status, jourdonnais.pile.title) == (PileStatus.ILLEGAL, T.BEER)
    jourdonnais.reopen()
    assert jourdonnais.status is PileStatus.ILLEGAL


def test_an_answer_laid_before_the_shot_has_a_target_was_not_flipped(jourdonnais):
    jourdonnais.lay(T.BANG, T.MISSED)
    jourdonnais.tap(Play(0, T.BANG, 1))
    assert jourdonnais.last_move == Play(1, T.MISSED)


def test_a_title_that_is_used_up_was_not_flipped_either(shot):
    shot.table.press_red()
    shot.lay(T.SALOON, T.DUEL)
    shot.tap(Play(0, T.DUEL, 1))
    shot.table.press_red()
    shot.lay(T.GATLING, T.SALOON)
    assert (shot.status, shot.pile.title) == (PileStatus.ILLEGAL, T.SALOON)


# Restarts, undo, and a camera that fails


def test_a_card_that_waits_survives_a_restart_and_is_applied_once(evening):
    evening.lay(T.BANG)
    evening.reopen()
    assert evening.status is PileStatus.CHOOSE
    evening.see(PileVerdict.NONE)
    evening.tap(Play(0, T.BANG, 1))
    evening.reopen()
    assert (evening.state.bangs, evening.owed) == (1, ())
    evening.see(PileVerdict.NONE)
    assert evening.status is PileStatus.WAITING


def test_what_is_due_survives_a_restart(evening):
    evening.table.press_green()
    evening.lay(T.BEER)
    evening.reopen()
    evening.see(PileVerdict.NONE)
    assert (evening.owed, evening.pile.title) == ((None, None), T.BEER)
    evening.lay_aside()
    evening.lay(T.MISSED)
    assert (evening.owed, len(evening.lines)) == ((), 2)


def test_what_an_earlier_version_saved_is_still_owed(evening):
    text = '{"due": [null, "beer"], "counted": [["saloon"], true, null, false, false, false]}'
    after, senseless = with_facts(evening.table.scene, {"pile": text})
    assert senseless == []
    assert after.surface.state.owed == (Owed(None, None), Owed(None, T.BEER))


def test_a_card_that_waits_can_be_tapped_once_the_camera_fails(evening):
    evening.lay(T.BANG)
    evening.table.watch(CameraStatus("usb", "unplugged"))
    assert evening.status is PileStatus.CHOOSE
    evening.tap(Play(0, T.BANG, 1))
    assert evening.status is PileStatus.UNWATCHED


def test_after_an_undo_what_lies_there_counts_as_laid(evening):
    evening.lay(T.BEER)
    evening.see(PileVerdict.MOVED)
    assert evening.status is PileStatus.MOVED
    evening.undo()
    assert (len(evening.lines), evening.status) == (1, PileStatus.WAITING)
    evening.lay(T.SALOON)
    assert evening.last_move == Play(0, T.SALOON)


@pytest.mark.parametrize(
    ("settle", "then"),
    [
        (lambda evening: evening.tap(Play(0, T.BANG, 1)), Play(0, T.BANG, 1)),
        (lambda evening: evening.name(T.BEER), Play(0, T.BEER)),
        (lambda evening: (evening.ignore(), evening.lay(T.SALOON)), Play(0, T.SALOON)),
    ],
    ids=["tapped", "named", "put aside"],
)
def test_an_undo_keeps_a_card_that_waits_for_a_tap(evening, settle, then):
    evening.lay(T.STAGECOACH, T.BANG)
    assert evening.status is PileStatus.CHOOSE
    evening.undo()
    assert (len(evening.lines), evening.status) == (1, PileStatus.CHOOSE)
    settle(evening)
    assert evening.last_move == then


def test_after_an_undo_a_card_that_waits_becomes_a_move_only_by_a_tap(evening):
    evening.tap(Play(0, T.BANG, 1))
    evening.lay(T.SALOON)
    assert evening.status is PileStatus.ILLEGAL
    evening.undo()
    assert evening.pile.moves == (Play(0, T.SALOON),)
    assert (len(evening.lines), evening.status) == (1, PileStatus.CHOOSE)
    evening.reopen()
    evening.see(PileVerdict.NONE)
    assert (len(evening.lines), evening.status) == (1, PileStatus.CHOOSE)
    evening.tap(Play(0, T.SALOON))
    evening.lay(T.BEER)
    assert evening.last_move == Play(0, T.BEER)


def test_flipped_cards_do_not_wait_beyond_an_undo(card_evenings):
    evening = card_evenings(("lucky_duke", *CALM[1:]))
    evening.tap(Play(0, T.DYNAMITE), *[End(seat) for seat in range(5)])
    evening.ignore_owed()
    evening.flip("2H")
    assert evening.pile.signs == ("2H",)
    evening.undo()
    assert (evening.state.turn, evening.status) == (4, PileStatus.WAITING)


def test_what_is_taken_out_of_the_tray_before_the_first_card_is_the_last_games(evening):
    for _ in range(2):
        evening.see(PileVerdict.MOVED)
        assert evening.status is PileStatus.WAITING
    evening.lay(T.BEER)
    evening.see(PileVerdict.MOVED)
    assert evening.status is PileStatus.MOVED
    # With the next move it is forgotten.
    evening.tap(Play(0, T.SALOON))
    assert (evening.status, evening.owed) == (PileStatus.OWED, (T.SALOON,))


def test_moving_things_change_no_card_that_waits(evening):
    evening.lay(T.BANG)
    reading = evening.view.reading
    evening.table.see(PILE_MOVING)
    evening.see(PileVerdict.BLOCKED)
    assert (evening.status, evening.view.reading) == (PileStatus.CHOOSE, reading)
    evening.tap(Play(0, T.BANG, 1))
    assert evening.status is PileStatus.BLOCKED


# What was saved, but makes no sense


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
