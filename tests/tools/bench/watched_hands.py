"""Players in a real browser whose dice a camera reads, in the tray that is drawn for tests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from browser import Screens
from hands import thrown_by
from playwright.sync_api import expect
from stand_ins import Die
from waiting import wait_until

from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Roll
from companion.table.scene import CameraStatus
from companion.table.surface.dice.state import MOVING, TrayStatus
from companion.table.surface.dice.surface import still
from hardware.camera.interface import Frame
from tests.tools.bench.level_hands import LevelHands
from vision.dice.follow import DiceFollower
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.simulate.dice.tray import SimulatedDiceTray

DICE_TAP = "taps: dice"
"""A tap that names or corrects a die."""

FPS = 15
LYING_S = 1.5
"""How long dice are watched once they lie: unclear ones are read again meanwhile."""


class WatchedHands(LevelHands):
    """Hands that throw dice into a drawn tray, and put right on their phones what is read wrong.

    The frames come as fast as they are drawn; the follower's clock goes as if they came in time.
    """

    def __init__(
        self, folder: Path, screens: Screens, seed: int, players: int, **options: Any
    ) -> None:
        """Begin a game that `seed` deals, throws and plays."""
        self.tray = SimulatedDiceTray("pips", seed=seed)
        self.follower = DiceFollower(DiceReader(load_profile("pips")).read)
        self.clock = 0.0
        self.dice_read = self.corrected = 0
        self.thrown_anew: list[tuple[TrayStatus, Frame]] = []
        """Throws that the table couldn't accept: what it said of each, and its last frame."""
        super().__init__(folder, screens, seed, players, **options)
        self.table.watch(CameraStatus("drawn"))
        self._watch()

    def _watch(self) -> None:
        """Show the table all frames until dice lie for a while."""
        rest = 0
        while rest < LYING_S * FPS:
            frame = self.last_frame = self.tray.frame()
            rest = rest + 1 if self.tray.at_rest else 0
            self.clock += 1 / FPS
            change = self.follower.update(frame, self.clock)
            if change is None:
                continue
            seen = MOVING if change.verdict is None else still(change.verdict, change.dice)
            self.table.see(seen)

    def _fall(self, move: Roll, lying: list[Die]) -> tuple[Roll, list[Die]]:
        """Throw into the tray the dice that a move throws; return the roll that the table has."""
        thrown = thrown_by(move)
        before = self.view.tray.dice
        keep = {
            self._lying_at(die.place)
            for number, die in enumerate(before)
            if number not in thrown and die.place is not None
        }
        self.tray.throw(keep)
        self._watch()
        while self.view.tray.status not in (TrayStatus.READY, TrayStatus.UNSURE):
            # Dice that lie on each other or lean at the wall are thrown anew, as at a real table.
            self.thrown_anew.append((self.view.tray.status, self.last_frame))
            self.tray.throw(keep)
            self._watch()
        self._put_right(thrown)
        faces = tuple(Face(str(die.face)) for die in self.view.tray.dice)
        return Roll(move.seat, faces, move.rerolled), lying

    def _lying_at(self, place: Any) -> int:
        """The number in the tray of the die at a place."""
        middles = self.tray.centres - np.array((place.x, place.y))
        return int(np.argmin((middles**2).sum(axis=1)))

    def _put_right(self, thrown: Sequence[int]) -> None:
        """Name each die that is unsure, and correct each that was read wrong."""
        for number, die in enumerate(self.view.tray.dice):
            assert die.place is not None
            truth = self.tray.faces[self._lying_at(die.place)]
            self.dice_read += die.thrown
            if die.bumped:
                self._say(number, f"thrown={int(number in thrown)}")
            if not die.sure or die.face != truth:
                self._say(number, f"face={truth}")

    def _say(self, number: int, what: str) -> None:
        """Open the sheet of a die, unless it opened by itself, and say something of it."""
        self.corrected += 1
        before, phone = self.view, self.phones[self.view.game.turn]
        shown = f"[data-version='{before.version}'][data-reading='{before.reading}']"
        expect(phone.locator(shown)).to_be_attached(timeout=60_000)
        sheet = phone.locator(f"#die-{number}")
        if not sheet.is_visible():
            phone.locator(f"[data-opens='die-{number}']").click(timeout=60_000)
            self.touches[DICE_TAP] += 1
        sheet.locator(f"[data-with='die={number}&{what}']").click(timeout=60_000)
        self.touches[DICE_TAP] += 1
        wait_until(lambda: self.view.reading != before.reading, phone)
