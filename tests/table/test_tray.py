"""Which dice were kept and which thrown, from places and faces."""

from dataclasses import replace

import pytest
from stand_ins import Die

from companion.games.dice.rules.faces import Face
from companion.table.surface.dice.state import MOVING, TrayMark, TrayStatus, Unwatched, Watched
from companion.table.surface.dice.surface import AwaitedRoll, is_unmoved, still, tray_of
from vision.dice.reading import TrayVerdict

ARROW, DYNAMITE, ONE, TWO, BEER, GATLING = Face
READY, UNSURE, LYING = TrayStatus.READY, TrayStatus.UNSURE, TrayStatus.LYING
BLIND = None

FIRST = (Die(BEER, 100), Die(ARROW, 200), Die(DYNAMITE, 300), Die(ONE, 400), Die(TWO, 500))
FACES = [BEER, ARROW, DYNAMITE, ONE, TWO]
THROWN, KEPT = TrayMark(thrown=True), TrayMark(thrown=False)


def seen(*dice, verdict=TrayVerdict.OK):
    return still(verdict, dice)


def read(what, before=(), marks=None, *, first_roll=True, keeps_dynamite=True, stayed=()):
    roll = AwaitedRoll(before, first_roll, frozenset({DYNAMITE} if keeps_dynamite else ()))
    if what is BLIND:
        return tray_of(Unwatched(marks=marks or {}), roll)
    return tray_of(Watched(what, what, stayed=stayed, marks=marks or {}), roll)


def lying(*dice):
    return read(seen(*dice)).dice


def again(*dice, marks=None, **options):
    """What is seen after `FIRST` was accepted."""
    return read(seen(*dice), lying(*FIRST), marks, first_roll=False, **options)


def thrown(tray):
    return [number for number, die in enumerate(tray.dice) if die.thrown]


def faces(tray):
    return [die.face for die in tray.dice]


def found(tray):
    return tray.status, faces(tray), thrown(tray)


def first_with(**others):
    """The first roll with other dice in the places of some."""
    return [others.get(f"die{number}", die) for number, die in enumerate(FIRST)]


def test_first_roll_throws_all_dice_and_numbers_them_from_the_left():
    assert found(read(seen(*reversed(FIRST)))) == (READY, FACES, [0, 1, 2, 3, 4])


NEAR = Die(GATLING, 101)
DOUBTFUL = Die(GATLING, 101, sure=False, likely=(GATLING, BEER))
MOVED_DYNAMITE = Die(DYNAMITE, 320, 300)


@pytest.mark.parametrize(
    ("dice", "marks", "status", "showing", "new"),
    [
        pytest.param(FIRST, {}, LYING, FACES, [], id="as accepted: no new roll"),
        pytest.param(first_with(die0=Die(GATLING, 50)), {}, READY, [GATLING, *FACES[1:]], [0],
                     id="moved: thrown, and the others keep their numbers"),
        pytest.param((Die(GATLING, 700), Die(BEER, 600, 300), FIRST[1], FIRST[2], FIRST[4]), {},
                     READY, [BEER, ARROW, DYNAMITE, GATLING, TWO], [0, 3],
                     id="thrown: the free numbers from the left"),
        pytest.param(first_with(die0=Die(BEER, 100, 400)), {}, READY, FACES, [0],
                     id="the same elsewhere: thrown"),
        pytest.param(first_with(die0=NEAR), {}, READY, [GATLING, *FACES[1:]], [0],
                     id="something else in its place: thrown"),
        pytest.param(first_with(die0=Die(BEER, 108, 106)), {}, LYING, FACES, [],
                     id="a small push: kept"),
        pytest.param(first_with(die0=Die(BEER, 700), die2=MOVED_DYNAMITE), {}, READY, FACES, [0],
                     id="a dynamite that was moved: kept"),
        pytest.param(first_with(die0=DOUBTFUL, die4=Die(ONE, 700)), {}, READY, [*FACES[:4], ONE],
                     [4], id="kept and now read with doubt: kept"),
        pytest.param(first_with(die0=replace(DOUBTFUL, likely=(GATLING, ONE, BEER))), {}, UNSURE,
                     [GATLING, *FACES[1:]], [0], id="an unlikely face: may be another die"),
        pytest.param(first_with(die0=Die(BEER, 101, size=60.0)), {}, READY, FACES, [0],
                     id="another size: may be another die"),
        pytest.param(first_with(die0=NEAR, die4=Die(ONE, 700)), {0: TrayMark(face=BEER)}, READY,
                     [*FACES[:4], ONE], [4], id="misread, corrected to what it showed: kept"),
        pytest.param(first_with(die0=Die(GATLING, 700, 300)), {0: TrayMark(face=BEER)}, READY,
                     FACES, [0], id="thrown, corrected to what the die showed before: thrown"),
        pytest.param(first_with(die2=Die(BEER, 700)), {}, READY, [BEER, ARROW, BEER, ONE, TWO],
                     [2], id="a dynamite thrown against the rules"),
        pytest.param(first_with(die2=Die(BEER, 700)), {2: TrayMark(face=DYNAMITE)}, LYING, FACES,
                     [], id="put back by saying its face"),
        pytest.param(FIRST, {1: THROWN}, READY, FACES, [1], id="a tap says thrown"),
        pytest.param(first_with(die0=NEAR, die4=Die(ONE, 700)), {0: KEPT}, READY,
                     [*FACES[:4], ONE], [4], id="a tap says kept"),
        pytest.param(FIRST, {1: TrayMark(face=GATLING)}, READY, [BEER, GATLING, *FACES[2:]], [1],
                     id="kept, corrected to another face: must have been thrown"),
    ],
)  # fmt: skip
def test_after_a_roll(dice, marks, status, showing, new):
    tray = again(*dice, marks=marks)
    assert found(tray) == (status, showing, new)
    assert tray.seen == len(dice)


def test_picked_up_dice_leave_the_kept_ones_lying():
    tray = again(*FIRST[:3])
    assert (tray.status, tray.seen, faces(tray)) == (TrayStatus.PICKED_UP, 3, FACES)


def test_a_dynamite_may_be_thrown_where_the_character_may():
    assert thrown(again(*first_with(die2=MOVED_DYNAMITE), keeps_dynamite=False)) == [2]


def test_dice_of_the_last_player_are_no_roll_of_the_next_who_throws_all():
    assert read(seen(*FIRST), lying(*FIRST)).status is LYING
    assert read(seen(*FIRST[:2], *NEW), lying(*FIRST)).status is LYING, "some fell down later"
    # Although one comes to lie where one lay.
    tray = read(seen(FIRST[0], *(Die(GATLING, x, 300) for x in (1, 99, 200, 300))), lying(*FIRST))
    assert (tray.status, thrown(tray)) == (READY, [0, 1, 2, 3, 4])


@pytest.mark.parametrize("count", [1, 4, 6])
def test_another_number_of_dice_is_no_roll(count):
    tray = read(seen(*(Die(BEER, 60.0 * x) for x in range(count)), verdict=TrayVerdict.COUNT))
    assert (tray.status, tray.seen, tray.dice) == (TrayStatus.COUNT, count, ())


def test_what_moves_or_is_no_reading_shows_no_dice():
    for verdict in (TrayVerdict.BLOCKED, TrayVerdict.COCKED, TrayVerdict.EMPTY):
        assert found(read(seen(*FIRST, verdict=verdict))) == (verdict.value, [], [])
    assert found(read(MOVING)) == (TrayStatus.MOVING, [], [])


def test_an_uncertain_die_waits_for_a_tap_and_is_then_certain():
    dice = first_with(die0=Die(BEER, 100, sure=False, likely=(BEER, GATLING)))
    tray = read(seen(*dice, verdict=TrayVerdict.UNSURE))
    assert (tray.status, tray.dice[0].likely) == (UNSURE, (BEER, GATLING))
    tray = read(seen(*dice, verdict=TrayVerdict.UNSURE), marks={0: TrayMark(face=GATLING)})
    assert (tray.status, faces(tray)[0]) == (READY, GATLING)


def test_an_uncertain_die_that_did_not_move_was_accepted_already():
    dice = first_with(die0=Die(BEER, 100, sure=False), die4=Die(GATLING, 700))
    assert again_with(seen(*dice, verdict=TrayVerdict.UNSURE)).status is READY


def again_with(what, **options):
    return read(what, lying(*FIRST), first_roll=False, **options)


def test_dice_by_hand_need_all_five_faces_before_the_first_roll():
    assert read(BLIND).status is TrayStatus.EMPTY
    assert faces(read(BLIND, lying(*FIRST))) == [None] * 5, "not those of the last player"
    marks = {number: TrayMark(face=BEER) for number in range(4)}
    assert read(BLIND, marks=marks).status is TrayStatus.INCOMPLETE
    tray = read(BLIND, marks={**marks, 4: TrayMark(face=ARROW)})
    assert (tray.status, thrown(tray)) == (READY, [0, 1, 2, 3, 4])


def test_dice_by_hand_later_throw_only_those_entered():
    assert again_with(BLIND).status is LYING
    tray = again_with(BLIND, marks={3: TrayMark(face=ONE)})
    assert (tray.status, thrown(tray)) == (READY, [3])


def test_the_same_dice_seen_again_are_unmoved():
    assert is_unmoved(seen(*FIRST), seen(*(Die(d.face, d.x + 5, d.y - 5) for d in FIRST)))
    assert not is_unmoved(seen(*FIRST), seen(*first_with(die0=Die(GATLING, 100))))
    assert not is_unmoved(seen(*FIRST), seen(*FIRST[:4]))


# Bumped dice: those that stayed while others were in the hand are kept


def tracked(*dice):
    """The dice as something that follows them numbers them: from 0 in this order."""
    return tuple(replace(die, number=number) for number, die in enumerate(dice))


STAYED = seen(*tracked(*FIRST)[:3]).dice
BEERS = (Die(BEER, 700), Die(BEER, 750))


def bumped(*dice, **marks):
    """marks: of `die1` and so on."""
    said = {int(name[3:]): mark for name, mark in marks.items()}
    return again(*dice, marks=said, stayed=STAYED)


def test_a_kept_die_bumped_to_another_face_is_asked_about():
    dice = (FIRST[0], Die(GATLING, 230, 130, number=1), FIRST[2], *BEERS)
    tray = bumped(*dice)
    assert (tray.status, tray.dice[1].face, tray.dice[1].bumped) == (UNSURE, ARROW, True)
    assert thrown(tray) == [3, 4]
    assert found(bumped(*dice, die1=KEPT)) == (READY, [*FACES[:3], BEER, BEER], [3, 4])
    thrown_too = [BEER, GATLING, DYNAMITE, BEER, BEER]
    assert found(bumped(*dice, die1=THROWN)) == (READY, thrown_too, [1, 3, 4])


def test_a_kept_die_that_slid_away_is_asked_about_for_another_may_have_been_thrown():
    dice = (FIRST[0], Die(ARROW, 230, 130, number=1), FIRST[2], *BEERS)
    assert bumped(*dice).status is UNSURE


def test_a_bumped_die_read_with_doubt_stays_in_doubt_once_it_counts_as_thrown():
    doubtful = Die(GATLING, 230, 130, sure=False, likely=(GATLING, BEER), number=1)
    dice = (FIRST[0], doubtful, FIRST[2], *BEERS)
    assert bumped(*dice, die1=THROWN).status is UNSURE
    assert bumped(*dice, die1=TrayMark(face=BEER, thrown=True)).status is READY


def test_a_die_that_stayed_where_it_lay_is_no_question():
    tray = bumped(*tracked(*FIRST[:3], *BEERS))
    assert (tray.status, thrown(tray)) == (READY, [3, 4])


def test_a_die_that_was_in_the_hand_and_lies_where_it_lay_is_asked_about():
    dice = tracked(*FIRST[:4], BEERS[1])
    tray = bumped(*dice)
    assert (tray.status, thrown(tray)) == (UNSURE, [4])
    assert [die.bumped for die in tray.dice] == [False, False, False, True, False]
    assert found(bumped(*dice, die3=THROWN)) == (READY, [*FACES[:4], BEER], [3, 4])
    tray = bumped(*dice, die3=KEPT)
    assert (tray.status, thrown(tray)) == (READY, [4])


# Dice kept beside the tray


NEW = (Die(GATLING, 700), Die(ARROW, 750), Die(GATLING, 800))


def beside(*dice, before=None, **options):
    before = lying(*FIRST) if before is None else before
    return read(seen(*dice, verdict=TrayVerdict.COUNT), before, first_roll=False, **options)


def test_fewer_thrown_dice_ask_which_were_kept_beside_the_tray():
    tray = beside(*NEW)
    assert (tray.status, tray.seen) == (TrayStatus.BESIDE, 3)
    assert tray.choices == ((0, 2), (1, 2), (2, 3), (2, 4)), "the dynamite is never thrown again"
    assert faces(tray) == FACES, "as they were accepted"
    marks = dict.fromkeys(range(5), THROWN)
    assert beside(*NEW, marks=marks).status is TrayStatus.BESIDE, "an answer that cannot be"


def test_one_answer_makes_the_roll_and_only_thrown_dice_are_new():
    tray = beside(*NEW, marks={2: KEPT, 3: KEPT})
    assert found(tray) == (READY, [GATLING, ARROW, DYNAMITE, ONE, GATLING], [0, 1, 4])
    assert [die.place is None for die in tray.dice] == [False, False, True, True, False]


def test_dice_kept_in_the_tray_or_of_one_face_are_no_question():
    tray = beside(FIRST[0], FIRST[1], *NEW[:2])
    beside_dynamite = [BEER, ARROW, DYNAMITE, GATLING, ARROW]
    assert found(tray) == (READY, beside_dynamite, [3, 4]), "the dynamite lies beside it"
    tray = beside(*NEW, before=lying(*(Die(BEER, 100.0 * x) for x in range(1, 6))))
    assert tray.status is READY
    assert sorted(faces(tray)) == sorted([BEER, BEER, GATLING, ARROW, GATLING])


def test_each_set_of_faces_is_offered_once():
    pairs = lying(*(Die(face, 100.0 * x) for x, face in enumerate((BEER, BEER, ARROW, ARROW, ONE))))
    choices = beside(*NEW, before=pairs).choices
    offered = [sorted(pairs[number].face for number in choice) for choice in choices]
    assert len(offered) == len({tuple(choice) for choice in offered}) == 5


def test_dice_that_lay_beside_the_tray_still_do():
    tray = beside(*NEW, marks={2: KEPT, 3: KEPT})
    before = tuple(replace(die, thrown=False, sure=True) for die in tray.dice)
    assert beside(*NEW, before=before).status is LYING
    assert beside(*NEW[:2], before=before).status is TrayStatus.PICKED_UP
    tray = beside(*NEW[:2], Die(TWO, 300, 400), before=before)
    assert (tray.status, thrown(tray)) == (READY, [4])
    tray = beside(Die(TWO, 300, 400), *NEW[:2], marks={3: THROWN}, before=before)
    assert (tray.status, thrown(tray)) == (READY, [3]), "then the other one that is not in the tray"


def test_more_dynamite_than_dice_beside_the_tray_is_no_roll():
    before = lying(*(Die(DYNAMITE, 100.0 * x) for x in (1, 2)), *FIRST[2:])
    dice = (FIRST[3], FIRST[4], *NEW[:2])
    assert beside(*dice, before=before).status is TrayStatus.COUNT
    assert beside(*dice, before=before, keeps_dynamite=False).status is READY


def test_before_the_first_roll_nothing_lies_beside_the_tray():
    assert read(seen(*NEW, verdict=TrayVerdict.COUNT), lying(*FIRST)).status is TrayStatus.COUNT
