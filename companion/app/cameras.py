"""Chooses the camera from the settings, and opens it again after a failure."""

import logging
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from companion.base.refused import Message
from companion.camera.camera_lock import CameraLock
from companion.camera.frames import SharedCamera
from companion.camera.game_follower import plays_cards
from companion.camera.simulated_cards import SimulatedCards
from companion.camera.simulated_dice import SimulatedDice
from companion.camera.table_reader import TableReader
from companion.games.registry import card_signs
from companion.setup.teaching import FaceLayer
from companion.table.scene import Scene
from companion.table.table import Table
from hardware.camera.drawn import open_drawn
from hardware.camera.folder import FolderCamera
from hardware.camera.interface import Camera, CameraError, Frame
from hardware.camera.sources import open_camera
from hardware.machine import Machine

FPS = 12.0
"""Frames a second that the table looks at."""

_log = logging.getLogger(__name__)


class ChosenCamera(NamedTuple):
    """A camera, as the settings name it."""

    open: Callable[[], Camera]
    """Opens the camera, also after a failure. Raises CameraError."""
    first: Camera | None = None
    """The camera, if it is open already."""
    layer: FaceLayer | None = None
    """Lays dice in its view if people can't, because it is simulated or played."""
    simulated: SimulatedDice | None = None
    """The dice that it sees, if they are simulated."""
    cards: SimulatedCards | None = None
    """The cards that it sees, if they are simulated."""


def choose_camera(
    source: str, table: Table, reader: TableReader, seed: int | None
) -> ChosenCamera | None:
    """Return the camera that `source` names; None if dice are entered by hand.

    A camera that fails now may work later, but a folder or file that can't be played raises
    CameraError.
    """
    first = None
    if source == "auto":
        try:
            first = open_camera(source, fps=FPS)
        except CameraError as error:
            _log.info("%s", error)
            # Without a Pi, somebody is probably trying out the table. A Pi should have a camera:
            # either kind may be plugged in later.
            if not Machine().model:
                source = "simulated"
    if source == "none":
        return None
    if source == "simulated":
        dice, cards = _simulated_dice(table, reader, seed), SimulatedCards(card_copies(), seed)

        def frame() -> Frame:
            return cards.frame() if plays_cards(table.scene) else dice.frame()

        return ChosenCamera(lambda: open_drawn(frame, FPS), layer=dice, simulated=dice, cards=cards)
    if first is None and source not in ("auto", "picamera") and not source.startswith("usb:"):
        first = open_camera(source, fps=FPS)
    if isinstance(first, FolderCamera):
        folder = first
        # Skip a picture that can't be read.
        return ChosenCamera(lambda: folder, layer=FolderPlayer(table, folder))
    return ChosenCamera(partial(open_camera, source, fps=FPS), first)


def card_copies() -> tuple[tuple[str, str], ...]:
    """Return the title and sign of each card of all games."""
    return tuple((title, sign) for title, signs in card_signs().items() for sign in signs)


class CameraSource:
    """Opens the chosen camera for the watcher, locks it as before, and shares it with the pages."""

    def __init__(self, chosen: ChosenCamera, lock: CameraLock, shared: SharedCamera) -> None:
        self._open, self._first = chosen.open, chosen.first
        self._lock, self._shared = lock, shared

    def open(self) -> Camera:
        """Return the camera. Raises CameraError."""
        camera, self._first = self._first or self._open(), None
        self._lock.restore(camera)
        return self._shared.share(camera)


class FolderPlayer:
    """Plays a folder of pictures as a camera, one picture for each accepted roll."""

    label = Message("Next picture")

    def __init__(self, table: Table, camera: FolderCamera) -> None:
        self._table, self._camera = table, camera
        self._accepted = _rolls(table.scene)
        table.follow(self._follow)

    def lay(self, face: str, sign: str = "") -> None:
        """Show the next picture; what it shows can't be chosen."""
        self._camera.advance()

    def end(self) -> None:
        """Do nothing: pictures need no tidying up."""

    def _follow(self, _: Scene, now: Scene) -> None:
        accepted = _rolls(now)
        if accepted > self._accepted:
            self._camera.advance()
        self._accepted = accepted


def _rolls(scene: Scene) -> int:
    history = scene.history
    if history is None:
        return 0
    rolled = history.game.rolled
    return sum(rolled(moment.move) is not None for moment in history.moments[1:])


def _simulated_dice(table: Table, reader: TableReader, seed: int | None) -> SimulatedDice:
    dice = SimulatedDice(reader, seed)
    lying = [
        (str(die.face), die.place)
        for die in table.view().tray.dice
        if die.face is not None and die.place is not None
    ]
    if lying:
        dice.restore(lying)
    return dice
