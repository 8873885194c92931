"""What happens in a tray over time: which changes of what is read are told, and when."""

from collections.abc import Iterable
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np
import pytest
from test_matching import FIVE, die, shifted

from vision.dice.find.tray_model import TrayModel
from vision.dice.follow import DiceFollower, TakeDarkerFrame, TrayChange, TrayEvent
from vision.dice.reading import DiceReading, Die, TrayVerdict
from vision.imaging.geometry import Image
from vision.motion import MOST_FRAMES, StillFrames

pytestmark = pytest.mark.pictures

FPS = 15
VGA = (640, 480)


def events(told: Iterable[TrayChange]) -> list[str]:
    return [sighting.event.value for sighting in told]


class Told:
    """A reader that says what it is told of flat pictures, each with another pattern."""

    def __init__(self) -> None:
        self.reading = DiceReading(TrayVerdict.EMPTY, ())
        self.follower = DiceFollower(self.read)
        self.at = 0.0
        self.chance = np.random.default_rng(5)
        self.models: list[TrayModel] = []
        """What was known of the tray at each reading."""

    def read(self, image: Image, model: TrayModel) -> DiceReading:
        self.models.append(model)
        return self.reading

    def show(
        self, verdict: TrayVerdict, *dice: Die, size: tuple[int, int] = VGA, frames: int = 10
    ) -> list[TrayChange]:
        """A picture other than all before, for half a second."""
        self.reading = DiceReading(verdict, dice)
        small = self.chance.integers(0, 255, (12, 16, 3), np.uint8)
        picture = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        return self.hold(picture, frames)

    def hold(self, picture: Image, count: int) -> list[TrayChange]:
        told = []
        for _ in range(count):
            self.at += 1 / FPS
            told.append(self.follower.update(picture, self.at))
        return [sighting for sighting in told if sighting is not None]


ALL = tuple(FIVE.values())


@pytest.mark.parametrize("verdict", ["ok", "unsure", "cocked", "count"])
def test_what_lies_still_has_settled_whatever_the_verdict(verdict):
    (told,) = Told().show(TrayVerdict(verdict), *ALL)
    assert (told.event, told.verdict, len(told.dice)) == (TrayEvent.SETTLED, verdict, 5)


def test_what_is_read_in_a_pause_is_told_only_if_nothing_moves_any_more():
    told = Told()
    told.show(TrayVerdict.EMPTY)
    assert events(told.show(TrayVerdict.OK, *ALL[:4], frames=5)) == ["moving"]
    assert len(told.models) == 2, "it was read"
    (settled,) = told.show(TrayVerdict.OK, *ALL)
    assert (settled.event, len(settled.dice)) == (TrayEvent.SETTLED, 5)
    assert [model.tray is not None for model in told.models] == [False, True, True]


@pytest.mark.parametrize(("verdict", "dice"), [("blocked", 2), ("too_near", 1), ("too_near", 0)])
def test_what_hides_the_dice_is_blocked_and_forgets_nothing(verdict, dice):
    told = Told()
    told.show(TrayVerdict.OK, *ALL)
    assert events(told.show(TrayVerdict(verdict), *ALL[:dice])) == ["moving", "blocked"]
    (_, back) = told.show(TrayVerdict.OK, *ALL)
    assert [(die.number, die.moved) for die in back.dice] == [(n, False) for n in range(5)]


def test_a_lens_that_is_covered_is_blocked_without_a_reading_and_a_camera_may_stop():
    told = Told()
    told.show(TrayVerdict.OK, *ALL)
    (covered,) = told.hold(np.full((480, 640, 3), 5, np.uint8), 10)
    assert (covered.event, covered.verdict) == (TrayEvent.BLOCKED, TrayVerdict.BLOCKED)
    # A camera that stops leaves what was told.
    told.show(TrayVerdict.OK, *ALL)
    picture = np.zeros((480, 640, 3), np.uint8)
    cv2.circle(picture, (200, 200), 90, (255, 255, 255), cv2.FILLED)
    assert events(told.hold(picture, 4)) == ["moving"]
    assert told.hold(picture, 0) == []


def test_dice_seen_again_after_an_empty_picture_are_the_same_only_where_untouched():
    told = Told()
    told.show(TrayVerdict.OK, *ALL)
    assert events(told.show(TrayVerdict.EMPTY)) == ["moving", "empty"]
    (_, back) = told.show(TrayVerdict.OK, *ALL)
    assert not any(die.moved for die in back.dice)
    told.show(TrayVerdict.EMPTY)
    (_, thrown) = told.show(TrayVerdict.OK, *(shifted(n, 8, angle=50.0) for n in range(5)))
    assert all(die.moved for die in thrown.dice)


def test_dice_put_beside_the_tray_are_forgotten_once_others_are_thrown():
    told = Told()
    told.show(TrayVerdict.OK, *ALL)
    (_, up) = told.show(TrayVerdict.COUNT, *ALL[:3])
    assert up.event is TrayEvent.PICKED_UP
    thrown = [die("beer", x, 300) for x in (30, 150, 380)]
    (_, settled) = told.show(TrayVerdict.COUNT, *thrown)
    assert (settled.event, settled.verdict) == (TrayEvent.SETTLED, TrayVerdict.COUNT)
    (_, seen_again) = told.show(TrayVerdict.COUNT, *thrown)
    assert seen_again.event is TrayEvent.SETTLED
    assert not any(die.moved for die in seen_again.dice)


def test_dice_read_again_in_another_light_have_moved_as_before():
    told = Told()
    (_, first) = told.show(TrayVerdict.EMPTY) + told.show(TrayVerdict.OK, *ALL)[-1:]
    told.reading = DiceReading(TrayVerdict.UNSURE, (replace(ALL[0], sure=False), *ALL[1:]))
    picture = np.full((480, 640, 3), 60, np.uint8)
    told.hold(picture, 10)
    told.reading = DiceReading(TrayVerdict.OK, ALL)
    (again,) = told.hold(picture * 2, 30)
    assert again.verdict is TrayVerdict.OK
    assert [die.moved for die in again.dice] == [False] * 5
    assert all(die.moved for die in first.dice)


class Grainy:
    """A reader of noisy frames: what it says depends on how much noise is left."""

    def __init__(self, take_darker: TakeDarkerFrame | None = None) -> None:
        self.left: list[float] = []
        self.follower = DiceFollower(self.read, take_darker)
        self.chance = np.random.default_rng(7)
        self.levels: list[float] = []
        self.clear_below = 0.0
        self.number = 0

    def read(self, image: Image, tray: Image | None) -> DiceReading:
        self.left.append(float(np.std(image[::2, ::2])))
        self.levels.append(float(np.mean(image)))
        verdict = TrayVerdict.OK if self.left[-1] < self.clear_below else TrayVerdict.UNSURE
        return DiceReading(verdict, ALL)

    def show(self, level: int, count: int) -> list[TrayVerdict | None]:
        told = []
        for _ in range(count):
            self.number += 1
            noise = self.chance.normal(0, 12, (240, 320, 3))
            frame = np.clip(level + noise, 0, 255).astype(np.uint8)
            told.append(self.follower.update(frame, self.number / FPS))
        return [change.verdict for change in told if change is not None]


def test_a_clear_frame_is_read_once_and_others_are_averaged_when_the_dice_lie():
    clear, grainy = Grainy(), Grainy()
    clear.clear_below, grainy.clear_below = 20, 8
    assert clear.show(90, 40) == grainy.show(90, 40) == [TrayVerdict.OK]
    assert len(clear.left) == 1
    first, averaged = grainy.left
    assert averaged < 0.6 * first


def test_dice_that_stay_unclear_are_read_once_more_a_moment_later():
    grainy = Grainy()
    grainy.clear_below = 4
    assert grainy.show(90, 60) == [TrayVerdict.UNSURE, TrayVerdict.OK]
    assert len(grainy.left) == 3
    grainy.clear_below = 0
    assert grainy.show(90, 60) == []
    assert len(grainy.left) == 3


def test_faces_that_stay_unclear_are_read_in_a_darker_frame_too():
    """Once while the dice lie, however often they are read."""
    darker = np.random.default_rng(8).integers(20, 70, (240, 320, 3), np.uint8)
    take = mock.Mock(return_value=darker)
    grainy = Grainy(take)
    assert grainy.show(90, 60) == [TrayVerdict.UNSURE]
    assert (len(grainy.left), take.call_count) == (4, 1)
    assert grainy.levels[-1] < 0.95 * grainy.levels[-2], "the darker frame is merged with the mean"


@pytest.mark.parametrize("verdict", [TrayVerdict.COCKED, TrayVerdict.COUNT, TrayVerdict.EMPTY])
def test_a_darker_frame_in_which_less_is_seen_changes_nothing(verdict):
    unsure, less = (DiceReading(each, ALL) for each in (TrayVerdict.UNSURE, verdict))
    read = mock.Mock(side_effect=[unsure] * 3 + [less] * 9)
    picture = np.full((*VGA[::-1], 3), 90, np.uint8)
    follower = DiceFollower(read, lambda: picture // 2)
    changes = [follower.update(picture, number / FPS) for number in range(40)]
    assert [change.verdict for change in changes if change is not None] == [TrayVerdict.UNSURE]
    assert read.call_count == 4


def test_frames_in_another_light_are_not_averaged_together():
    grainy = Grainy()
    assert grainy.show(90, 8) == [TrayVerdict.UNSURE]
    assert grainy.show(140, 40) == []
    assert len(grainy.left) > 2
    assert max(grainy.left) < 14, "a mean of two lights is as noisy as either"


def test_a_picture_older_than_the_last_tells_nothing_and_another_camera_begins_anew():
    told = Told()
    told.show(TrayVerdict.OK, *ALL)
    now, told.at = told.at, 0.0
    assert told.show(TrayVerdict.EMPTY) == []
    told.at = now
    assert events(told.show(TrayVerdict.EMPTY)) == ["moving", "empty"]
    told.show(TrayVerdict.OK, *ALL)
    (_, other) = told.show(TrayVerdict.OK, *ALL, size=(820, 616))
    assert all(die.moved for die in other.dice), "places in pixels are no longer the same"


def test_the_mean_of_many_bright_frames_is_as_bright():
    frames, white = StillFrames(), np.full((2, 3, 3), 255, np.uint8)
    for _ in range(MOST_FRAMES + 3):
        frames.add(white)
    assert (frames.mean() == white).all()
