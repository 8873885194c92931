"""A simulated tray of cards into which somebody reaches."""

import cv2
import numpy as np

from vision.simulate.camera import Floats, fixed_point
from vision.simulate.cards.tray import SimulatedCardTray
from vision.simulate.lens import light_direction


class HandTray(SimulatedCardTray):
    """A simulated tray of cards over which a hand can be held."""

    _hand: tuple[float, float, float] | None = None

    def reach_in(self, x: float = 0.0, y: float = 0.0, angle: float = 90.0) -> None:
        """Hold a hand over the tray, its palm at x, y; angle: of the arm that it comes from."""
        self._hand = (x, y, angle)
        self._rest()

    def reach_out(self) -> None:
        """Take the hand away."""
        self._hand = None
        self._rest()

    def _rest(self) -> None:
        super()._rest()
        if self._hand is not None:
            self._still = self._lens.develop(self._with_hand(*self._hand))

    def _with_hand(self, x: float, y: float, angle: float) -> Floats:
        """Return the tray with a hand and an arm over it, 4 cm above the floor."""
        picture = self._drawn.copy()
        out, level = np.radians(angle), 4.0
        arm, side = np.array((np.cos(out), np.sin(out))), np.array((-np.sin(out), np.cos(out)))
        middle = np.array((x, y))
        fingers = [
            (middle - 2.5 * arm + s * side, middle - length * arm + 1.5 * s * side)
            for s, length in ((-3, 6), (-1, 8.5), (1, 9), (3, 7.5))
        ]
        limbs = [
            (middle + 4 * arm, middle + 40 * arm, 5.5),
            (middle - 1.5 * arm, middle + 3 * arm, 8.0),
            (middle + 2 * side, middle + 5.5 * side - 4 * arm, 2.2),
            *((start, end, 1.8) for start, end in fingers),
        ]
        slant = light_direction(self._settings)
        fall = -slant[:2] / slant[2] * level
        cast = np.zeros(picture.shape[:2], np.uint8)
        skin = np.zeros(picture.shape[:2], np.uint8)
        for start, end, width in limbs:
            for layer, shift, height in ((cast, fall, 0.0), (skin, np.zeros(2), level)):
                ends = np.array([(*(start + shift), height), (*(end + shift), height)])
                seen = self._camera.project(ends)
                wide = width * self._camera.focal / (self._camera.origin[2] - height)
                cv2.polylines(
                    layer, [fixed_point(seen)], False, 255, max(1, round(wide)), cv2.LINE_AA, 4
                )
        scale = self._camera.size[0] / 820
        dark = cv2.GaussianBlur(cast, (0, 0), 9 * scale).astype(np.float32) / 255
        picture *= (1 - (1 - self._settings.ambient) * 0.9 * dark)[..., None]
        # Rounder towards the edges of the limbs.
        inner = cv2.distanceTransform((skin > 128).astype(np.uint8), cv2.DIST_L2, 5)
        round_off = np.clip(inner / (22 * scale), 0, 1) ** 0.5
        tone = np.array((128, 158, 206), np.float32) * (0.6 + 0.4 * round_off)[..., None]
        share = (skin.astype(np.float32) / 255)[..., None]
        return np.asarray((1 - share) * picture + share * tone, np.float32)
