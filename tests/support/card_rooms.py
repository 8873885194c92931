"""Rooms in which real cards are played: with a drawn tray that a camera watches, or a told one."""

import random
from pathlib import Path

from card_evening import CardEvening
from real_cards import CARDS, Card

from companion.camera.pile_reader import PileFollower, PileReader
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.state import CardState
from companion.games.common.roles import ROLES
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import Pile, PileVerdict
from vision.cards.deck import load_deck
from vision.profile_files import SHIPPED
from vision.simulate.cards.tray import SimulatedCardTray

FPS = 12


class ToldRoom:
    """A table dealt by chance, which is told what lies in the tray as if it were read surely."""

    def __init__(self, folder: Path, seed: int, players: int) -> None:
        chance = random.Random(seed)
        roles = [role[0] for role in ROLES[players]]
        chance.shuffle(roles)
        self.evening = CardEvening(
            folder, "".join(roles), chance.sample(sorted(CHARACTERS), players)
        )
        self.evening.start()

    @property
    def state(self) -> CardState:
        return self.evening.state

    @property
    def pile(self) -> Pile:
        return self.evening.pile

    @property
    def last_move(self) -> CardMove:
        history = self.evening.table.scene.history
        assert history is not None
        move: CardMove = history.moments[-1].move
        return move

    def lay(self, card: Card) -> None:
        title, sign = card
        self.evening.lay(title, sign=sign)

    def take_off(self) -> None:
        self.evening.see(PileVerdict.MOVED)

    def clear(self) -> None:
        self.evening.see(PileVerdict.MOVED)

    def green(self) -> None:
        self.evening.table.press_green()

    def red(self) -> None:
        self.evening.table.press_red()

    def draw(self, seat: int) -> None:
        self.evening.draw()

    def tap(self, move: CardMove) -> None:
        self.evening.tap(move)

    def lay_aside(self) -> None:
        self.evening.lay_aside()

    def name(self, seat: int, title: str) -> None:
        self.evening.name(title)

    def name_sign(self, seat: int, sign: str) -> None:
        self.evening.table.do(laying.name_sign, self.evening.press, sign)


class WatchedRoom(ToldRoom):
    """The same with a drawn tray above which a camera hangs, whose frames come without waiting."""

    def __init__(self, folder: Path, seed: int, players: int) -> None:
        super().__init__(folder, seed, players)
        self.tray = SimulatedCardTray(CARDS, seed=seed)
        reader = PileReader(load_deck(SHIPPED / "print.cards"))
        self.follower = PileFollower(reader, lambda: self.evening.table.scene.surface.state)
        self.at = 0.0
        self.unread = 0
        self.settle()

    def settle(self) -> PileVerdict | None:
        """Let frames come until the tray was read."""
        for _ in range(30):
            self.at += 1 / FPS
            seen = self.follower.update(self.tray.frame(), self.at)
            if seen is not None:
                self.evening.table.see(seen)
                if seen.verdict is not None:
                    return seen.verdict
        return None

    def lay(self, card: Card) -> None:
        self.tray.stack([card])
        if self.settle() is not PileVerdict.OK:
            self.unread += 1

    def take_off(self) -> None:
        self.tray.take_off()
        assert self.settle() is PileVerdict.MOVED

    def clear(self) -> None:
        self.tray.clear()
        assert self.settle() is PileVerdict.MOVED
