"""A simulated tray in which a die can stand on its edge or its corner."""

import numpy as np

from vision.simulate.dice.cube import CubePose, rotation_about
from vision.simulate.dice.throw import resting_pose
from vision.simulate.dice.tray import SimulatedDiceTray


class RockingTray(SimulatedDiceTray):
    """A simulated tray that shows a die as it rocks or spins."""

    def tip(self, number: int, lean: float, *, over: float = 0.0, turn: float = 0.0) -> None:
        """Show a die tipped by `lean` degrees, until dice are thrown, placed or tipped again.

        over: the direction of its level axis, in degrees from its own side: 0 tips it over an edge,
        45 over a corner. turn: how far it has then spun about the upright, in degrees.
        """
        edge = self._settings.edge
        poses = [resting_pose(die, edge) for die in self._dice]
        axis = np.radians(self._dice[number].angle + over)
        spun = rotation_about((0, 0, 1), np.radians(turn))
        tipped = rotation_about((np.cos(axis), np.sin(axis), 0), np.radians(lean))
        rotation = spun @ tipped @ poses[number].rotation
        lift = edge / 2 * np.abs(rotation[2]).sum()
        poses[number] = CubePose(rotation, np.append(poses[number].centre[:2], lift))
        self._still = self._lens.develop(self._painter.draw(self._empty, poses))
