"""Which dice were kept and which thrown, from places and faces."""

from dataclasses import replace

import pytest
from stand_ins import Die

from companion.games.dice.rules.faces import Face
from companion.table.surface.dice.state import (
    MOVING,
    Mark,
    Observation,
    Status,
    Tray,
    TrayDie,
    Unwatched,
    Watched,
)
from companion.table.surface.dice.surface import AwaitedRoll, is_unmoved, still, tray_of
from vision.dice.reading import TrayVerdict

ARROW, DYNAMITE, BEER, ONE, TWO, GATLING = (
    Face.ARROW,
    Face.DYNAMITE,
    Face.BEER,
    Face.BULLSEYE1,
    Face.BULLSEYE2,
    Face.GATLING,
)


BLIND = None


def seen(*dice: Die, verdict: TrayVerdict = TrayVerdict.OK) -> Observation:
    return still(verdict, dice)


def read_tray(
    what: Observation | None,
    before: tuple[TrayDie, ...],
    marks: dict[int, Mark],
    *,
    first_roll: bool,
    keeps_dynamite: bool,
    stayed: tuple[TrayDie, ...] = (),
) -> Tray:
    fixed = frozenset({DYNAMITE}) if keeps_dynamite else frozenset()
    roll = AwaitedRoll(before, first_roll, fixed)
    if what is BLIND:
        return tray_of(Unwatched(marks=marks), roll)
    return tray_of(Watched(what, what, stayed=stayed, marks=marks), roll)


FIRST = (Die(BEER, 100), Die(ARROW, 200), Die(DYNAMITE, 300), Die(ONE, 400), Die(TWO, 500))


def lying(*dice: Die) -> tuple[TrayDie, ...]:
    return read(seen(*dice)).dice


def read(what, before=(), marks=None, *, first_roll=True, keeps_dynamite=True):
    return read_tray(
        what, before, marks or {}, first_roll=first_roll, keeps_dynamite=keeps_dynamite
    )


def again(*dice: Die, marks=None, keeps_dynamite=True):
    return read(seen(*dice), lying(*FIRST), marks, first_roll=False, keeps_dynamite=keeps_dynamite)


def thrown(tray):
    return [number for number, die in enumerate(tray.dice) if die.thrown]


def faces(tray):
    return [die.face for die in tray.dice]


def test_first_roll_throws_all_dice_and_numbers_them_from_the_left():
    tray = read(seen(*reversed(FIRST)))
    assert tray.status is Status.READY
    assert faces(tray) == [BEER, ARROW, DYNAMITE, ONE, TWO]
    assert thrown(tray) == [0, 1, 2, 3, 4]


def test_dice_that_lie_as_accepted_are_no_new_roll():
    tray = again(*FIRST)
    assert tray.status is Status.LYING
    assert thrown(tray) == []


def test_a_moved_die_was_thrown_and_the_others_keep_their_numbers():
    tray = again(Die(GATLING, 50), *FIRST[1:])
    assert tray.status is Status.READY
    assert faces(tray) == [GATLING, ARROW, DYNAMITE, ONE, TWO]
    assert thrown(tray) == [0]


def test_thrown_dice_take_the_free_numbers_from_the_left():
    tray = again(Die(GATLING, 700), Die(BEER, 600, 300), FIRST[1], FIRST[2], FIRST[4])
    assert faces(tray) == [BEER, ARROW, DYNAMITE, GATLING, TWO]
    assert thrown(tray) == [0, 3]


def test_a_die_that_shows_the_same_elsewhere_was_thrown():
    tray = again(Die(BEER, 100, 400), *FIRST[1:])
    assert thrown(tray) == [0]


def test_a_die_that_shows_something_else_in_its_place_was_thrown():
    tray = again(Die(GATLING, 101), *FIRST[1:])
    assert thrown(tray) == [0]


def test_a_small_push_leaves_a_die_kept():
    tray = again(Die(BEER, 108, 106), *FIRST[1:])
    assert tray.status is Status.LYING


def test_a_dynamite_that_was_moved_still_counts_as_kept():
    moved = Die(DYNAMITE, 320, 300)
    tray = again(Die(BEER, 700), FIRST[1], moved, FIRST[3], FIRST[4])
    assert faces(tray) == [BEER, ARROW, DYNAMITE, ONE, TWO]
    assert thrown(tray) == [0]


def test_a_dynamite_may_be_thrown_where_the_character_may():
    moved = Die(DYNAMITE, 320, 300)
    tray = again(*FIRST[:2], moved, *FIRST[3:], keeps_dynamite=False)
    assert thrown(tray) == [2]


def test_all_dice_thrown_when_the_next_player_throws_although_one_came_to_lie_where_one_lay():
    tray = read(seen(FIRST[0], *(Die(GATLING, x, 300) for x in (1, 99, 200, 300))), lying(*FIRST))
    assert tray.status is Status.READY
    assert thrown(tray) == [0, 1, 2, 3, 4]


def test_dice_of_the_last_player_are_no_roll_of_the_next():
    assert read(seen(*FIRST), lying(*FIRST)).status is Status.LYING


def test_picked_up_dice_leave_the_kept_ones_lying():
    tray = again(*FIRST[:3])
    assert tray.status is Status.PICKED_UP
    assert tray.seen == 3
    assert faces(tray) == [BEER, ARROW, DYNAMITE, ONE, TWO]


@pytest.mark.parametrize("count", [1, 4, 6])
def test_another_number_of_dice_is_no_roll(count):
    tray = read(seen(*(Die(BEER, 60.0 * x) for x in range(count)), verdict=TrayVerdict.COUNT))
    assert (tray.status, tray.seen, tray.dice) == (Status.COUNT, count, ())


@pytest.mark.parametrize("verdict", [TrayVerdict.BLOCKED, TrayVerdict.COCKED, TrayVerdict.EMPTY])
def test_what_is_no_reading_shows_no_dice(verdict):
    tray = read(seen(*FIRST, verdict=verdict))
    assert (tray.status.value, tray.dice) == (verdict.value, ())


def test_while_something_moves_no_dice_are_shown():
    tray = read(MOVING)
    assert (tray.status, tray.dice) == (Status.MOVING, ())


def test_an_uncertain_die_waits_for_a_tap_and_is_then_certain():
    dice = (Die(BEER, 100, sure=False, likely=(BEER, GATLING)), *FIRST[1:])
    tray = read(seen(*dice, verdict=TrayVerdict.UNSURE))
    assert tray.status is Status.UNSURE
    assert tray.dice[0].likely == (BEER, GATLING)
    tray = read(seen(*dice, verdict=TrayVerdict.UNSURE), marks={0: Mark(face=GATLING)})
    assert tray.status is Status.READY
    assert faces(tray)[0] is GATLING


def test_an_uncertain_die_that_did_not_move_was_accepted_already():
    before = lying(*FIRST)
    dice = (Die(BEER, 100, sure=False), *FIRST[1:4], Die(GATLING, 700))
    tray = read(seen(*dice, verdict=TrayVerdict.UNSURE), before, first_roll=False)
    assert tray.status is Status.READY


def test_a_kept_die_that_is_now_read_with_doubt_is_still_kept():
    doubtful = Die(GATLING, 101, sure=False, likely=(GATLING, BEER))
    tray = again(doubtful, *FIRST[1:4], Die(ONE, 700))
    assert (thrown(tray), faces(tray)[0]) == ([4], BEER)


@pytest.mark.parametrize(
    "other",
    [
        Die(GATLING, 101, sure=False, likely=(GATLING, ONE, BEER)),
        Die(BEER, 101, size=60.0),
    ],
    ids=["an unlikely face", "another size"],
)
def test_what_lies_in_its_place_may_still_be_another_die(other):
    assert thrown(again(other, *FIRST[1:])) == [0]


def test_a_misread_kept_die_corrected_to_what_it_showed_is_kept():
    tray = again(Die(GATLING, 101), *FIRST[1:4], Die(ONE, 700), marks={0: Mark(face=BEER)})
    assert thrown(tray) == [4]


def test_a_thrown_die_corrected_to_what_the_die_showed_before_stays_thrown():
    tray = again(Die(GATLING, 700, 300), *FIRST[1:], marks={0: Mark(face=BEER)})
    assert (thrown(tray), faces(tray)[0]) == ([0], BEER)


def test_a_dynamite_that_was_thrown_against_the_rules_is_put_back_by_saying_its_face():
    dice = (*FIRST[:2], Die(BEER, 700), *FIRST[3:])
    assert thrown(again(*dice)) == [2]
    assert thrown(again(*dice, marks={2: Mark(face=DYNAMITE)})) == []


def test_a_tap_says_that_a_die_was_thrown_or_kept():
    tray = again(*FIRST, marks={1: Mark(thrown=True)})
    assert (tray.status, thrown(tray)) == (Status.READY, [1])
    tray = again(Die(GATLING, 101), *FIRST[1:4], Die(ONE, 700), marks={0: Mark(thrown=False)})
    assert thrown(tray) == [4]
    assert faces(tray)[0] is BEER


def test_a_kept_die_corrected_to_another_face_must_have_been_thrown():
    tray = again(*FIRST, marks={1: Mark(face=GATLING)})
    assert (thrown(tray), faces(tray)[1]) == ([1], GATLING)


def test_dice_by_hand_need_all_five_faces_before_the_first_roll():
    blind = BLIND
    assert read(blind).status is Status.EMPTY
    marks = {number: Mark(face=BEER) for number in range(4)}
    assert read(blind, marks=marks).status is Status.INCOMPLETE
    tray = read(blind, marks={**marks, 4: Mark(face=ARROW)})
    assert tray.status is Status.READY
    assert thrown(tray) == [0, 1, 2, 3, 4]


def test_dice_by_hand_later_throw_only_those_entered():
    blind, before = BLIND, lying(*FIRST)
    assert read(blind, before, first_roll=False).status is Status.LYING
    tray = read(blind, before, {3: Mark(face=ONE)}, first_roll=False)
    assert (tray.status, thrown(tray)) == (Status.READY, [3])


def test_dice_of_the_last_player_are_blank_by_hand():
    assert faces(read(BLIND, lying(*FIRST))) == [None] * 5


def test_the_same_dice_seen_again_are_unmoved():
    assert is_unmoved(seen(*FIRST), seen(*(Die(d.face, d.x + 5, d.y - 5) for d in FIRST)))
    assert not is_unmoved(seen(*FIRST), seen(Die(GATLING, 100), *FIRST[1:]))
    assert not is_unmoved(seen(*FIRST), seen(*FIRST[:4]))


# Bumped dice: those that stayed while others were in the hand are kept


def tracked(*dice: Die) -> tuple[Die, ...]:
    """The dice as something that follows them numbers them: from 0 in this order."""
    return tuple(replace(die, number=number) for number, die in enumerate(dice))


STAYED = seen(*tracked(*FIRST)[:3]).dice


def bumped(*dice: Die, marks=None):
    return read_tray(
        seen(*dice), lying(*FIRST), marks or {}, first_roll=False, keeps_dynamite=True,
        stayed=STAYED,
    )  # fmt: skip


def test_a_kept_die_bumped_to_another_face_is_asked_about():
    dice = (FIRST[0], Die(GATLING, 230, 130, number=1), FIRST[2], Die(BEER, 700), Die(BEER, 750))
    tray = bumped(*dice)
    assert tray.status is Status.UNSURE
    assert (tray.dice[1].face, tray.dice[1].bumped, thrown(tray)) == (ARROW, True, [3, 4])
    tray = bumped(*dice, marks={1: Mark(thrown=False)})
    assert (tray.status, faces(tray)[1], thrown(tray)) == (Status.READY, ARROW, [3, 4])
    tray = bumped(*dice, marks={1: Mark(thrown=True)})
    assert (tray.status, faces(tray)[1], thrown(tray)) == (Status.READY, GATLING, [1, 3, 4])


def test_a_kept_die_that_slid_away_is_asked_about_for_another_may_have_been_thrown():
    dice = (FIRST[0], Die(ARROW, 230, 130, number=1), FIRST[2], Die(BEER, 700), Die(BEER, 750))
    assert bumped(*dice).status is Status.UNSURE


def test_a_bumped_die_read_with_doubt_stays_in_doubt_once_it_counts_as_thrown():
    doubtful = Die(GATLING, 230, 130, sure=False, likely=(GATLING, BEER), number=1)
    dice = (FIRST[0], doubtful, FIRST[2], Die(BEER, 700), Die(BEER, 750))
    assert bumped(*dice, marks={1: Mark(thrown=True)}).status is Status.UNSURE
    assert bumped(*dice, marks={1: Mark(face=BEER, thrown=True)}).status is Status.READY


def test_a_die_that_stayed_where_it_lay_is_no_question():
    tray = bumped(*tracked(*FIRST)[:3], Die(BEER, 700, number=3), Die(BEER, 750, number=4))
    assert (tray.status, thrown(tray)) == (Status.READY, [3, 4])


def test_a_die_that_was_in_the_hand_and_lies_where_it_lay_is_asked_about():
    dice = (*tracked(*FIRST)[:4], Die(BEER, 750, number=4))
    tray = bumped(*dice)
    assert (tray.status, thrown(tray)) == (Status.UNSURE, [4])
    assert [die.bumped for die in tray.dice] == [False, False, False, True, False]
    tray = bumped(*dice, marks={3: Mark(thrown=True)})
    assert (tray.status, faces(tray)[3], thrown(tray)) == (Status.READY, ONE, [3, 4])
    tray = bumped(*dice, marks={3: Mark(thrown=False)})
    assert (tray.status, thrown(tray)) == (Status.READY, [4])


# Dice kept beside the tray


NEW = (Die(GATLING, 700), Die(ARROW, 750), Die(GATLING, 800))


def beside(*dice: Die, before=None, marks=None, keeps_dynamite=True):
    before = lying(*FIRST) if before is None else before
    return read_tray(
        seen(*dice, verdict=TrayVerdict.COUNT), before, marks or {}, first_roll=False,
        keeps_dynamite=keeps_dynamite,
    )  # fmt: skip


def test_fewer_thrown_dice_ask_which_were_kept_beside_the_tray():
    tray = beside(*NEW)
    assert (tray.status, tray.seen) == (Status.BESIDE, 3)
    assert tray.choices == ((0, 2), (1, 2), (2, 3), (2, 4)), "the dynamite is never thrown again"
    assert faces(tray) == [BEER, ARROW, DYNAMITE, ONE, TWO], "as they were accepted"


def test_one_answer_makes_the_roll_and_only_thrown_dice_are_new():
    tray = beside(*NEW, marks={number: Mark(thrown=False) for number in (2, 3)})
    assert tray.status is Status.READY
    assert faces(tray) == [GATLING, ARROW, DYNAMITE, ONE, GATLING]
    assert thrown(tray) == [0, 1, 4]
    assert [die.place is None for die in tray.dice] == [False, False, True, True, False]


def test_dice_kept_in_the_tray_are_no_question():
    tray = beside(FIRST[0], FIRST[1], *NEW[:2])
    assert tray.status is Status.READY, "the dynamite lies beside it"
    assert (faces(tray), thrown(tray)) == ([BEER, ARROW, DYNAMITE, GATLING, ARROW], [3, 4])


def test_dice_of_one_face_are_no_question():
    same = lying(*(Die(BEER, 100.0 * x) for x in range(1, 6)))
    tray = beside(*NEW, before=same)
    assert tray.status is Status.READY
    assert sorted(faces(tray)) == sorted([BEER, BEER, GATLING, ARROW, GATLING])


def test_each_set_of_faces_is_offered_once():
    pairs = lying(*(Die(face, 100.0 * x) for x, face in enumerate((BEER, BEER, ARROW, ARROW, ONE))))
    choices = beside(*NEW, before=pairs).choices
    offered = [sorted(pairs[number].face for number in choice) for choice in choices]
    assert len(offered) == len({tuple(choice) for choice in offered}) == 5


def accepted(tray) -> tuple[TrayDie, ...]:
    return tuple(replace(die, thrown=False, sure=True) for die in tray.dice)


def test_dice_that_lay_beside_the_tray_still_do():
    before = accepted(beside(*NEW, marks={number: Mark(thrown=False) for number in (2, 3)}))
    tray = beside(*NEW[:2], Die(TWO, 300, 400), before=before)
    assert (tray.status, thrown(tray)) == (Status.READY, [4])
    tray = beside(Die(TWO, 300, 400), *NEW[:2], marks={3: Mark(thrown=True)}, before=before)
    assert tray.status is Status.READY, "then the other one that is not in the tray"
    assert thrown(tray) == [3]


def test_dice_beside_the_tray_and_in_it_lie_as_accepted():
    before = accepted(beside(*NEW, marks={number: Mark(thrown=False) for number in (2, 3)}))
    assert beside(*NEW, before=before).status is Status.LYING
    assert beside(*NEW[:2], before=before).status is Status.PICKED_UP


def test_an_answer_that_cannot_be_is_asked_again():
    marks = {number: Mark(thrown=True) for number in range(5)}
    assert beside(*NEW, marks=marks).status is Status.BESIDE


def test_more_dynamite_than_dice_beside_the_tray_is_no_roll():
    before = lying(*(Die(DYNAMITE, 100.0 * x) for x in (1, 2)), *FIRST[2:])
    assert beside(FIRST[3], FIRST[4], *NEW[:2], before=before).status is Status.COUNT
    assert beside(
        FIRST[3], FIRST[4], *NEW[:2], before=before, keeps_dynamite=False
    ).status is Status.READY  # fmt: skip


def test_before_the_first_roll_nothing_lies_beside_the_tray():
    assert read(seen(*NEW, verdict=TrayVerdict.COUNT), lying(*FIRST)).status is Status.COUNT
