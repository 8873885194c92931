"""Simulated trays once nothing moves in them any more."""

from vision.imaging.geometry import Image
from vision.simulate.cards.tray import SimulatedCardTray
from vision.simulate.dice.tray import SimulatedDiceTray


def rest(tray: SimulatedDiceTray | SimulatedCardTray) -> Image:
    """Return the frame of a tray once all that was thrown or laid lies still."""
    while not tray.at_rest:
        tray.frame()
    return tray.frame()
