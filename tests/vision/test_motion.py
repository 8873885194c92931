from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import pytest
from rocking_tray import RockingTray
from tiers import later

from vision.dice.reading import FACES
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector, is_dark
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures


VGA = (640, 480)
FPS = 15
REST = 4
"""Pictures at this rate after the first still one until dice lie."""

FIVE = [PlacedDie(face, -8 + 4 * i, 3 * (-1) ** i, 25 * i) for i, face in enumerate(FACES[:5])]


class Watch:
    """A settler with a clock that gives it so many pictures a second."""

    def __init__(self, fps: float = FPS) -> None:
        self.settler, self.fps, self.number = MotionDetector(), fps, 0

    def __call__(self, image: Image, skip: int = 0) -> Motion:
        self.number += 1 + skip
        return self.settler.update(image, self.number / self.fps)

    def all(self, images: Iterable[Image]) -> list[Motion]:
        return [self(image) for image in images]


def lying(seed: int = 1, size: tuple[int, int] = VGA, **look: float) -> RockingTray:
    tray = RockingTray(size=size, seed=seed, settings=RenderSettings(**look))
    tray.place(FIVE)
    return tray


def settled(tray: RockingTray) -> Watch:
    watch = Watch()
    assert watch.all(frames(tray, 10))[-1] is Motion.STILL
    return watch


def frames(tray: RockingTray, count: int) -> Iterator[Image]:
    return (tray.frame() for _ in range(count))


@pytest.mark.parametrize("seed", [0, *later(1, 2, 3)])
def test_a_throw_is_motion_then_settled_once_then_still(seed):
    tray, watch = RockingTray(size=VGA, seed=seed), Watch()
    begin = [Motion.PAUSED] * REST + [Motion.SETTLED] + [Motion.STILL] * 2
    assert watch.all(frames(tray, 7)) == begin
    for keep in ((), {0, 3}, {1, 2, 3, 4}):
        tray.throw(keep)
        flying = []
        while not tray.at_rest:
            flying.append(watch(tray.frame()))
        assert Motion.SETTLED not in flying
        assert flying.count(Motion.MOVING) >= len(flying) - 3
        said = watch.all(frames(tray, 12))
        assert said.count(Motion.SETTLED) == 1
        rest = said.index(Motion.SETTLED)
        assert rest in (REST - 1, REST)
        assert said[rest + 1 :] == [Motion.STILL] * (11 - rest)


@pytest.mark.parametrize(("fps", "pictures"), [(1, 2), (10, 3), (12, 3), (15, 4), (30, 8)])
def test_rest_is_a_time_and_three_pictures_at_least(fps, pictures):
    assert Watch(fps).all(frames(lying(), 12)).index(Motion.SETTLED) == pictures


@pytest.mark.parametrize("size", [VGA, *later(((1640, 1232),))])
@pytest.mark.parametrize(
    "change",
    [lambda die: die._replace(x=die.x + 0.2), lambda die: die._replace(angle=die.angle + 20), None],
    ids=["2 mm", "20 degrees", "gone"],
)
def test_one_small_die_moved_is_noticed_at_the_second_picture(size, change):
    tray = lying(size=size, height=45, noise=6)
    watch = settled(tray)
    tray.place([*FIVE[:4], *([change(FIVE[4])] if change else [])])
    assert watch.all(frames(tray, 2)) == [Motion.STILL, Motion.MOVING]


def test_a_die_that_creeps_never_settles():
    tray = lying()
    watch, said = settled(tray), []
    for step in range(1, 16):
        tray.place([*FIVE[:4], FIVE[4]._replace(x=FIVE[4].x - 0.1 * step)])
        said.append(watch(tray.frame()))
    assert Motion.SETTLED not in said
    assert said.count(Motion.STILL) <= 3


@pytest.mark.parametrize("fps", [12, *later(15, 30)])
def test_a_die_that_rocks_on_its_edge_has_not_settled(fps):
    tray, watch = lying(), Watch(fps)
    tray.throw()
    while not tray.at_rest:
        watch(tray.frame())
    said = []
    for number in range(2 * fps):
        # Half a second up, at which it stands still, and down again; then smaller.
        time = number / fps
        tray.tip(2, 14 * abs(np.sin(np.pi * time / 0.5)) * (1 - time / 4))
        said.append(watch(tray.frame()))
    assert Motion.SETTLED not in said
    tray.tip(2, 0)
    assert watch.all(frames(tray, 10)).count(Motion.SETTLED) == 1


@pytest.mark.parametrize("spin", [88, *later(4, 17, 45, 110)])
def test_a_die_that_spins_on_its_corner_has_not_settled(spin):
    """Degrees from picture to picture; a quarter turn looks the same but for the faces."""
    tray, watch, said = lying(), Watch(), []
    for number in range(45):
        tray.tip(2, 50, over=45, turn=spin * number)
        said.append(watch(tray.frame()))
    assert Motion.SETTLED not in said
    tray.tip(2, 0)
    assert watch.all(frames(tray, 10)).count(Motion.SETTLED) == 1


def test_noise_is_no_motion():
    tray = lying(2, noise=16)
    assert set(settled(tray).all(frames(tray, 60))) == {Motion.STILL}


def fading(step: int) -> float:
    return float(0.99**step)


def cloud(step: int) -> np.ndarray:
    return (1 - 0.4 * np.clip(step / 60 - np.linspace(0, 1, VGA[0]), 0, 1))[:, None]


def flicker(step: int) -> np.ndarray:
    return (1 + 0.04 * np.sin(2 * np.pi * (np.linspace(0, 2, VGA[1]) + 0.37 * step)))[:, None, None]


def blinking(step: int) -> float:
    """A lamp at 100 Hz before a camera of 15 pictures a second and a short shutter."""
    return float(1 + 0.1 * np.sin(2 * np.pi * 100 / FPS * step))


def exposure(step: int) -> float:
    """Steps of an automatic exposure that burn nothing out."""
    return (1.0, 0.6, 1.1)[step // 20]


def leaning(step: int) -> np.ndarray:
    """Somebody leans over the table: a soft shadow comes and goes."""
    edge = 400 * np.sin(np.pi * step / 60) - np.arange(VGA[0]) - 60
    return (1 - 0.35 / (1 + np.exp(-edge / 20)))[:, None]


@pytest.mark.parametrize("light", [fading, cloud, flicker, blinking, exposure, leaning])
def test_changing_light_is_no_motion(light):
    tray = lying(3)
    lit = (np.clip(tray.frame() * light(step), 0, 255).astype(np.uint8) for step in range(60))
    said = settled(tray).all(lit)
    assert set(said) <= {Motion.STILL, Motion.SETTLED}
    assert said.count(Motion.SETTLED) <= 3


def test_dice_in_another_light_are_looked_at_again_once_it_is_steady():
    tray = lying(3)
    watch = Watch()
    assert watch.all((tray.frame() * 0.3).astype(np.uint8) for _ in range(10))[-1] is Motion.STILL
    said = watch.all(frames(tray, 20))
    assert Motion.MOVING not in said
    assert said.count(Motion.SETTLED) == 1


def test_one_strange_picture_is_no_motion():
    tray = lying()
    watch = settled(tray)
    strangers = [np.full((480, 640, 3), shade, np.uint8) for shade in (0, 255)]
    for stranger in (*strangers, strangers[0][:300], lying(size=(320, 240)).frame()):
        assert watch.all([stranger, *frames(tray, 2)]) == [Motion.STILL] * 3


def test_a_picture_given_twice_and_pictures_left_out_settle_nothing_by_themselves():
    tray, watch = RockingTray(size=VGA, seed=2), Watch()
    tray.throw()
    watch.all(frames(tray, 3))
    said = []
    while not tray.at_rest:
        picture = tray.frame()
        said += [watch(picture), watch(picture), watch(tray.frame(), skip=30)]
    assert len(said) > 12
    assert Motion.SETTLED not in said


def test_a_hand_over_the_tray_is_motion_and_may_settle():
    tray = lying(4)
    watch, said = settled(tray), []
    for step in range(8):
        picture = tray.frame()
        cv2.circle(picture, (640 - 30 * step, 300), 120, (120, 150, 200), cv2.FILLED)
        said.append(watch(picture))
    assert said == [Motion.STILL] + [Motion.MOVING] * 7
    assert watch.all([picture] * 6).count(Motion.SETTLED) == 1


def test_a_new_picture_size_starts_anew():
    watch = settled(lying())
    said = watch.all(frames(lying(size=(320, 240)), 8))
    assert said[1] is Motion.MOVING
    assert said.count(Motion.SETTLED) == 1


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 4000, 3), (4000, 1, 3), (3, 3, 3)])
def test_pictures_of_any_shape_are_taken(shape):
    assert Watch().all([np.full(shape, 90, np.uint8)] * 6).count(Motion.SETTLED) == 1


def test_a_covered_lens_shows_nothing():
    assert is_dark(np.random.default_rng(1).integers(0, 12, (480, 640, 3), np.uint8))
    assert not is_dark((lying().frame() * 0.25).astype(np.uint8))
