"""Rooms in which real cards are played: with a drawn tray that a camera watches, or a told one."""

import random
from collections.abc import Sequence
from pathlib import Path

from card_evening import CardEvening

from companion.app.cameras import card_copies
from companion.camera.pile_reader import PileFollower, PileReader
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.common.roles import ROLES
from companion.table.surface.cards.state import PileVerdict
from vision.cards.deck import load_deck
from vision.profile_files import SHIPPED
from vision.simulate.cards.tray import SimulatedCardTray

FPS = 12


class ToldRoom(CardEvening):
    """A table dealt by chance, which is told what lies in the tray as if it were read surely."""

    def __init__(self, folder: Path, seed: int, players: int) -> None:
        chance = random.Random(seed)
        roles = [role[0] for role in ROLES[players]]
        chance.shuffle(roles)
        super().__init__(folder, "".join(roles), chance.sample(sorted(CHARACTERS), players))
        self.start()

    def take_off(self) -> None:
        self.see(PileVerdict.MOVED)

    clear = push = take_off

    def lay_together(self) -> None:
        """Lay two cards at once."""
        self.see(PileVerdict.MANY)

    def take_up(self) -> None:
        """Take back what was laid together, before it counts."""
        self.see(PileVerdict.NONE)

    def show_briefly(self, title: str, sign: str, seen: Sequence[str]) -> None:
        """Show a card for a moment. seen: its likeliest titles; none if it isn't seen."""
        self.see(PileVerdict.GONE if seen else PileVerdict.NONE, seen)


class WatchedRoom(ToldRoom):
    """The same with a drawn tray above which a camera hangs, whose frames come without waiting."""

    def __init__(self, folder: Path, seed: int, players: int) -> None:
        super().__init__(folder, seed, players)
        self.tray = SimulatedCardTray(card_copies(), seed=seed)
        reader = PileReader(load_deck(SHIPPED / "print.cards"))
        self.follower = PileFollower(reader, lambda: self.table.scene.surface.state)
        self.at = 0.0
        self.unread = 0
        self.settle()

    def settle(self) -> PileVerdict | None:
        """Let frames come until the tray was read."""
        for _ in range(30):
            self.at += 1 / FPS
            seen = self.follower.update(self.tray.frame(), self.at)
            if seen is not None:
                self.table.see(seen)
                if seen.verdict is not None:
                    return seen.verdict
        return None

    def lay(self, *titles: str, sign: str = "") -> None:
        for title in titles:
            self.tray.stack([(title, sign)])
            self.count(PileVerdict.OK)

    def take_off(self) -> None:
        self.tray.take_off()
        self.count(PileVerdict.MOVED)

    def clear(self) -> None:
        self.tray.clear()
        self.count(PileVerdict.MOVED)

    def count(self, verdict: PileVerdict) -> None:
        """Let the tray be read, and count what isn't read so."""
        self.unread += self.settle() is not verdict
