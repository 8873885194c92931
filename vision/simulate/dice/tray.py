"""Simulate a tray in which five dice are thrown, as a camera above it sees it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.dice.reading import FACES
from vision.simulate.camera import Floats, Image, lift
from vision.simulate.dice.art import DiceKind
from vision.simulate.dice.cube import CubePose, DicePainter
from vision.simulate.dice.throw import DieFlight, PlacedDie, footprint, overlap, resting_pose
from vision.simulate.scenery import BuiltTray
from vision.simulate.settings import RenderSettings

_GAP, _WALL_GAP = 0.25, 0.3
"""Room that thrown dice leave to each other, and to the wall, cm."""
_SHUTTER = 0.45
"""How much of the time from frame to frame the shutter is open."""


class SimulatedDiceTray(BuiltTray):
    """A camera over a tray in which dice are thrown. The seed decides everything."""

    def __init__(
        self,
        dice: DiceKind = "pips",
        size: tuple[int, int] = (820, 616),
        seed: int | None = None,
        *,
        settings: RenderSettings | None = None,
        mat: Image | None = None,
    ) -> None:
        """Build an empty tray; size: (width, height) of its pictures, in pixels.

        mat: a picture that covers the floor, BGR; without one it is felt.
        """
        super().__init__(size, seed, settings, mat)
        self._painter = DicePainter(dice, self._settings, self._camera)
        self._dice: tuple[PlacedDie, ...] = ()
        self._flights: dict[int, DieFlight] = {}
        self._time = 0
        self._lay(())

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces on top, by die; while dice roll, those that will be."""
        return tuple(die.face for die in self._dice)

    @property
    def dice(self) -> tuple[PlacedDie, ...]:
        """Where the dice lie, by die, in cm from the middle of the floor."""
        return self._dice

    @property
    def quads(self) -> Floats:
        """The corners of the top faces in pixels, (dice, 4, 2), clockwise from the art's left."""
        edge = self._settings.edge
        tops = [lift(footprint(die, edge), edge) for die in self._dice]
        return self._camera.project(np.reshape(tops, (-1, 4, 3))).astype(np.float32)

    @property
    def centres(self) -> Floats:
        """The middles of the top faces in pixels, (dice, 2)."""
        return np.asarray(self.quads.mean(axis=1), np.float32)

    @property
    def sizes(self) -> Floats:
        """The mean edges of the top faces in pixels, (dice,)."""
        quads = self.quads
        sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
        return np.asarray(sides.mean(axis=1), np.float32)

    @property
    def at_rest(self) -> bool:
        """Whether the next frame shows all dice lying still."""
        return not self._flights

    def throw(self, keep: Collection[int] = (), faces: Sequence[str] | None = None) -> None:
        """Throw the five dice, except those to keep, which stay as they lie.

        keep: numbers of dice, 0 to 4. faces: what the five dice will show, by die; those of kept
        dice are ignored. Raises ValueError for a kept die that is not in the tray, and for an
        unknown face.
        """
        absent = sorted(set(keep) - set(range(len(self._dice))))
        if absent:
            raise ValueError(f"die {absent[0]} is not in the tray and can't be kept")
        if faces is not None and len(faces) != 5:
            raise ValueError(f"{len(faces)} faces for five dice")
        lying = {number: self._dice[number] for number in keep}
        thrown = [number for number in range(5) if number not in lying]
        for number in thrown:
            face = str(self._chance.choice(FACES)) if faces is None else faces[number]
            lying[number] = self._free_place(face, lying.values())
        self._lay([lying[number] for number in range(5)])
        edge = self._settings.edge
        reach = np.linalg.norm(self._settings.floor)
        side = self._chance.uniform(0, 2 * np.pi)
        for number in thrown:
            angle = side + self._chance.uniform(-0.3, 0.3)
            self._flights[number] = DieFlight(
                start=reach * np.array((np.cos(angle), np.sin(angle))) * 0.8,
                frames=int(self._chance.integers(8, 13)),
                turns=self._chance.uniform(1.2, 2.5),
                spin=self._chance.uniform(-3, 3),
                hop=self._chance.uniform(3, 6),
            )
        kept = [resting_pose(self._dice[number], edge) for number in keep]
        self._base = np.asarray(
            cv2.convertScaleAbs(self._painter.draw(self._empty, kept)), np.uint8
        )
        self._time = 0

    def place(self, dice: Iterable[PlacedDie]) -> None:
        """Lay any number of dice, at rest. Raises ValueError where they overlap or don't fit."""
        dice = tuple(dice)
        for die in dice:
            if not self._fits(die):
                raise ValueError(f"the die at ({die.x:g}, {die.y:g}) sticks in the wall")
        for one, other in combinations(dice, 2):
            if overlap(one, other, self._settings.edge):
                raise ValueError(
                    f"the dice at ({one.x:g}, {one.y:g}) and ({other.x:g}, {other.y:g}) overlap"
                )
        self._lay(dice)

    def clear(self) -> None:
        """Take all dice out of the tray."""
        self._lay(())

    def frame(self) -> Image:
        """Return the next picture of the dice, BGR, uint8, (H, W, 3)."""
        if self._flights:
            picture = self._draw_rolling()
            self._time += 1
            if self._time >= max(flight.frames for flight in self._flights.values()):
                self._land()
        else:
            picture = self._still
        return self._sensor.expose(picture)

    def _lay(self, dice: Sequence[PlacedDie]) -> None:
        unknown = [die.face for die in dice if die.face not in FACES]
        if unknown:
            raise ValueError(f"no face {unknown[0]!r}: one of {', '.join(FACES)}")
        self._dice = tuple(dice)
        self._land()
        self._still = self._lens.develop(
            self._painter.draw(self._empty, [resting_pose(d, self._settings.edge) for d in dice])
        )

    def _land(self) -> None:
        """End the flights, and free the picture that they were drawn on."""
        self._flights, self._base = {}, self._empty

    def _draw_rolling(self) -> Image:
        picture = self._base.astype(np.float32)
        ways = [self._smear(number, flight) for number, flight in self._flights.items()]
        self._painter.shade(picture, [way[len(way) // 2] for way in ways])
        for way in ways:
            self._painter.add(picture, way)
        return self._lens.develop(picture)

    def _smear(self, number: int, flight: DieFlight) -> list[CubePose]:
        """Return the poses of a die while the shutter is open, the more the faster it is."""
        edge = self._settings.edge
        rest = resting_pose(self._dice[number], edge)
        if self._time >= flight.frames:
            return [rest]
        first, last = (flight.pose(rest, self._time + part, edge).centre for part in (0, _SHUTTER))
        count = int(np.clip(np.linalg.norm(last - first) / edge * 9, 3, 12))
        times = self._time + np.linspace(0, _SHUTTER, count)
        return [flight.pose(rest, time, edge) for time in times]

    def _fits(self, die: PlacedDie, margin: float = 0.0) -> bool:
        corners = footprint(die, self._settings.edge + 2 * margin)
        return bool((np.abs(corners) <= np.array(self._settings.floor) / 2).all())

    def _free_place(self, face: str, others: Collection[PlacedDie]) -> PlacedDie:
        x, y = np.array(self._settings.floor) / 2
        while True:
            die = PlacedDie(
                face,
                float(self._chance.uniform(-x, x)),
                float(self._chance.uniform(-y, y)),
                float(self._chance.uniform(0, 360)),
            )
            if self._fits(die, _WALL_GAP) and not any(
                overlap(die, o, self._settings.edge + _GAP) for o in others
            ):
                return die
