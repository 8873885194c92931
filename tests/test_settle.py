from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.settle import Motion, Settler
from vision.simulate import Look, Placed, SimulatedTray
from vision.symbols import FACES

VGA = (640, 480)
FIVE = [Placed(face, -8 + 4 * i, 3 * (-1) ** i, 25 * i) for i, face in enumerate(FACES[:5])]


def settled(tray: SimulatedTray, settler: Settler) -> None:
    said = [settler.update(tray.frame()) for _ in range(10)]
    assert said[-1] is Motion.STILL


@pytest.mark.parametrize("seed", range(4))
def test_a_throw_is_motion_then_settled_once_then_still(seed: int) -> None:
    tray, settler = SimulatedTray(size=VGA, seed=seed), Settler(still_frames=4)
    assert [settler.update(tray.frame()) for _ in range(7)] == (
        [Motion.MOVING] * 4 + [Motion.SETTLED] + [Motion.STILL] * 2
    )
    for keep in ((), {0, 3}, {1, 2, 3, 4}):
        tray.throw(keep)
        flying = []
        while not tray.at_rest:
            flying.append(settler.update(tray.frame()))
        assert Motion.SETTLED not in flying
        assert flying.count(Motion.MOVING) >= len(flying) - 2
        said = [settler.update(tray.frame()) for _ in range(12)]
        assert said.count(Motion.SETTLED) == 1
        rest = said.index(Motion.SETTLED)
        assert 3 <= rest <= 5
        assert said == [Motion.MOVING] * rest + [Motion.SETTLED] + [Motion.STILL] * (11 - rest)


@pytest.mark.parametrize("still_frames", [1, 2, 6])
def test_still_frames_says_how_long(still_frames: int) -> None:
    tray, settler = SimulatedTray(size=VGA, seed=1), Settler(still_frames)
    said = [settler.update(tray.frame()) for _ in range(still_frames + 2)]
    assert said.index(Motion.SETTLED) == still_frames
    with pytest.raises(ValueError, match="at least 1"):
        Settler(0)


@pytest.mark.parametrize("size", [VGA, (1640, 1232)])
@pytest.mark.parametrize(
    "change",
    [lambda die: die._replace(x=die.x + 0.2), lambda die: die._replace(angle=die.angle + 20), None],
    ids=["2 mm", "20 degrees", "gone"],
)
def test_one_small_die_moved_is_noticed(
    size: tuple[int, int], change: Callable[[Placed], Placed] | None
) -> None:
    tray = SimulatedTray(size=size, seed=1, look=Look(height=45, noise=6))
    tray.place(FIVE)
    settler = Settler()
    settled(tray, settler)
    tray.place([*FIVE[:4], *([change(FIVE[4])] if change else [])])
    assert settler.update(tray.frame()) is Motion.MOVING


def test_a_die_that_creeps_never_settles() -> None:
    tray, settler = SimulatedTray(size=VGA, seed=1), Settler()
    tray.place(FIVE)
    settled(tray, settler)
    said = []
    for step in range(1, 16):
        tray.place([*FIVE[:4], FIVE[4]._replace(x=FIVE[4].x - 0.1 * step)])
        said.append(settler.update(tray.frame()))
    assert Motion.SETTLED not in said
    assert said.count(Motion.STILL) <= 2


def test_noise_is_no_motion() -> None:
    tray, settler = SimulatedTray(size=VGA, seed=2, look=Look(noise=16)), Settler()
    tray.place(FIVE)
    settled(tray, settler)
    assert {settler.update(tray.frame()) for _ in range(60)} == {Motion.STILL}


def fading(step: int) -> float:
    return float(0.99**step)


def cloud(step: int) -> np.ndarray:
    return (1 - 0.4 * np.clip(step / 60 - np.linspace(0, 1, VGA[0]), 0, 1))[:, None]


def flicker(step: int) -> np.ndarray:
    return (1 + 0.04 * np.sin(2 * np.pi * (np.linspace(0, 2, VGA[1]) + 0.37 * step)))[:, None, None]


@pytest.mark.parametrize("light", [fading, cloud, flicker])
def test_changing_light_is_no_motion(light: Callable[[int], float | np.ndarray]) -> None:
    tray, settler = SimulatedTray(size=VGA, seed=3), Settler()
    tray.place(FIVE)
    settled(tray, settler)
    said = {
        settler.update(np.clip(tray.frame() * light(step), 0, 255).astype(np.uint8))
        for step in range(60)
    }
    assert said == {Motion.STILL}


def test_a_hand_over_the_tray_is_motion_and_may_settle() -> None:
    tray, settler = SimulatedTray(size=VGA, seed=4), Settler()
    tray.place(FIVE)
    settled(tray, settler)
    for step in range(8):
        picture = tray.frame()
        cv2.circle(picture, (640 - 30 * step, 300), 120, (120, 150, 200), cv2.FILLED)
        assert settler.update(picture) is Motion.MOVING
    said = [settler.update(picture) for _ in range(4)]
    assert said.count(Motion.SETTLED) == 1


def test_a_new_picture_size_starts_anew() -> None:
    settler = Settler()
    settled(SimulatedTray(size=VGA, seed=1), settler)
    assert settler.update(np.zeros((300, 640, 3), np.uint8)) is Motion.MOVING
