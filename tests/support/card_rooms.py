"""Rooms in which real cards are played: with a drawn tray that a camera watches, or a told one."""

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from card_evening import CardEvening

from companion.app.cameras import card_copies
from companion.camera.pile_reader import PileFollower, PileReader
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.common.roles import ROLES
from companion.games.registry import card_signs
from companion.table.surface.cards.state import PileVerdict
from vision.cards.deck import load_deck
from vision.profile_files import SHIPPED
from vision.simulate.cards.tray import SimulatedCardTray

FPS = 12
FLIES, TRIES = 8, 3
"""Frames until a card lies; how often people lay a card that isn't read."""
HIDDEN = 1 / 4
"""How often the topmost card of a pushed pile isn't seen again; in drawn trays it is rarer."""


@cache
def shipped_reader() -> PileReader:
    """Return the reader of the deck that is shipped, which learns it once for all rooms."""
    return PileReader(load_deck(SHIPPED / "print.cards"), card_signs())


class ToldRoom(CardEvening):
    """A table dealt by chance, which is told what lies in the tray as if it were read surely."""

    def __init__(self, folder: Path, seed: int, players: int) -> None:
        chance = random.Random(seed)
        roles = [role[0] for role in ROLES[players]]
        chance.shuffle(roles)
        super().__init__(folder, "".join(roles), chance.sample(sorted(CHARACTERS), players))
        self.luck = random.Random(seed)
        self.start()

    def take_off(self) -> None:
        self.see(PileVerdict.MOVED)

    clear = take_off

    def push(self) -> None:
        """Push the pile; mostly its topmost card is seen again."""
        hidden = self.luck.random() < HIDDEN
        self.see(PileVerdict.MOVED if hidden else PileVerdict.NONE)

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
        self.follower = PileFollower(shipped_reader(), lambda: self.table.scene.surface.state)
        self.at = 0.0
        self.unread = 0
        self.settle()

    def settle(self) -> PileVerdict | None:
        """Let frames come until the tray was read."""
        for _ in range(30):
            if (verdict := self.let_frame_come()) is not None:
                return verdict
        return None

    def let_frame_come(self) -> PileVerdict | None:
        """Let the table see what one more frame changes; return what was read, if anything was."""
        self.at += 1 / FPS
        seen = self.follower.update(self.tray.frame(), self.at)
        if seen is None:
            return None
        self.table.see(seen)
        return seen.verdict

    def lay(self, *titles: str, sign: str = "") -> None:
        for title in titles:
            for _ in range(TRIES):
                self.tray.stack([(title, sign)])
                verdict = self.settle()
                self.unread += verdict is not PileVerdict.OK
                if verdict in (PileVerdict.OK, PileVerdict.UNSURE):
                    break
                # Nothing says that it was seen, so people lay it once more.
                self.tray.take_off()
                self.settle()

    def show_briefly(self, title: str, sign: str, seen: Sequence[str]) -> None:
        """Let a card fly in, and take it off before it was read; so soon if it isn't to be seen."""
        self.tray.lay(title, sign)
        for _ in range(FLIES + (3 if seen else 0)):
            self.let_frame_come()
        self.tray.take_off()
        self.settle()

    def push(self) -> None:
        """Push the pile by some millimetres or centimetres, towards the middle of the tray."""
        cards = self.tray.laid_cards
        x, y = (
            sum(places) / len(cards) for places in zip(*((c.x, c.y) for c in cards), strict=True)
        )
        right, up = (self.luck.gauss(0, 0.8) for _ in range(2))
        self.tray.push(right - x, up - y, self.luck.gauss(0, 5))
        self.settle()

    def take_off(self) -> None:
        self.tray.take_off()
        self.count(PileVerdict.MOVED)

    def clear(self) -> None:
        self.tray.clear()
        self.count(PileVerdict.MOVED)

    def count(self, verdict: PileVerdict) -> None:
        """Let the tray be read, and count what isn't read so."""
        self.unread += self.settle() is not verdict
