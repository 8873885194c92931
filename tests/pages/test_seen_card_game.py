"""A whole evening with cards on the whole program: drawn cards, frames, pins and phones."""

import random

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from home import Home
from people import join
from playwright.sync_api import Locator, expect
from real_cards import Card, RealCards
from served import NAMES
from waiting import wait_until

from companion.camera.simulated_cards import SimulatedCards
from companion.games.cards.rules.moves import CardMove, Draw, Play
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.state import CardState
from companion.table import rounds
from companion.table.changes import Press
from companion.table.past.past_games import record_of
from companion.table.scene import Phase
from companion.table.surface.cards.state import Pile, PileObservation

GREEN, RED = 17, 27
SHORT = 4
"""The seed of a game that is soon over."""


class Evening:
    """The program as it runs, four phones, two buttons, and cards that are laid in its tray.

    It is a `real_cards.Room`.
    """

    def __init__(self, home: Home, factory: MockFactory) -> None:
        self.table, self.factory = home.table, factory
        assert home.running.watching.cards is not None
        self.cards: SimulatedCards = home.running.watching.cards
        self.read: list[PileObservation] = []
        seen = self.table.see

        def see(observation: PileObservation) -> None:
            seen(observation)
            if observation.verdict is not None:
                self.read.append(observation)

        self.table.see = see
        tokens = [join(self.table, name, self.table.scene.code) for name in NAMES[:4]]
        self.wait(lambda: self.read)
        self.table.do(rounds.start_game, Press(self.view.people[0].id, self.view.version))
        self.phones = [home.open_as(token) for token in tokens]

    @property
    def view(self):
        return self.table.view()

    def wait(self, condition) -> None:
        wait_until(condition, getattr(self, "phones", [None])[0], patience_s=180)

    # What people do, as `real_cards.Room` asks for it

    @property
    def state(self) -> CardState:
        history = self.table.scene.history
        assert history is not None
        state: CardState = history.state
        return state

    @property
    def pile(self) -> Pile:
        return self.table.scene.shown

    @property
    def last_move(self) -> CardMove:
        history = self.table.scene.history
        assert history is not None
        move: CardMove = history.moments[-1].move
        return move

    def in_the_tray(self, change) -> None:
        """Change what lies in the tray, and wait until that was read."""
        before = len(self.read)
        with self.cards.lock:
            change(self.cards.tray)
        self.wait(lambda: len(self.read) > before)

    def lay(self, card: Card) -> None:
        title, sign = card
        self.in_the_tray(lambda tray: tray.lay(title, sign))

    def take_off(self) -> None:
        self.in_the_tray(lambda tray: tray.take_off())

    def clear(self) -> None:
        self.in_the_tray(lambda tray: tray.clear())

    def press(self, pin: int) -> None:
        version = self.view.version
        self.factory.pin(pin).drive_low()
        self.wait(lambda: self.view.version != version)
        self.factory.pin(pin).drive_high()

    def green(self) -> None:
        self.press(GREEN)

    def red(self) -> None:
        self.press(RED)

    def button(self, seat: int, selector: str) -> Locator:
        """Return a button on the phone of a seat, once it shows the table as it is."""
        phone, view = self.phones[seat], self.view
        shown = f"[data-version='{view.version}'][data-reading='{view.reading}']"
        expect(phone.locator(shown).first).to_be_attached(timeout=120_000)
        expect(phone.locator("#question[inert]")).to_have_count(0, timeout=60_000)
        return phone.locator(selector).locator("visible=true").first

    def touch(self, seat: int, selector: str) -> None:
        scene = self.table.scene
        self.button(seat, selector).tap(timeout=120_000)
        self.wait(lambda: self.table.scene is not scene)

    def draw(self, seat: int) -> None:
        self.touch(seat, "[data-press='/pile/draw']")

    def lay_aside(self) -> None:
        awaited = self.view.standing.awaited
        assert awaited is not None
        self.touch(awaited, "[data-press='/pile/owed']")

    def name(self, seat: int, title: str) -> None:
        self.touch(seat, f"[data-press='/pile/title'][data-with='title={title}']")

    def name_sign(self, seat: int, sign: str) -> None:
        self.touch(seat, f"[data-press='/pile/sign'][data-with='sign={sign}']")

    def tap(self, move: CardMove) -> None:
        fields = f"seat={move.seat}&action={move.action}"
        match move:
            case Play(_, card, target, take):
                fields += f"&card={card}" + (f"&target={target}" if target is not None else "")
                fields += f"&take={take}" if take else ""
            case Draw(_, source):
                fields += f"&source={source}"
        self.touch(move.seat, f"[data-with='{fields}']")


@pytest.fixture
def evening(home: Home, monkeypatch: pytest.MonkeyPatch) -> Evening:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    # The players of this test lay what is due, take cards back, and shuffle.
    monkeypatch.setattr(SimulatedCards, "follow", lambda cards, scene: None)
    home.start(game="cards", seed=SHORT)
    return Evening(home, factory)


@pytest.mark.slow
def test_four_players_play_a_whole_game_with_cards_that_the_camera_sees(evening: Evening) -> None:
    cards = RealCards(evening, random.Random(SHORT))
    cards.play()
    assert evening.view.phase is Phase.OVER
    lines = [line.encode() for line in record_of(evening.table.scene).splitlines()]
    assert list(replay(lines))[-1] == evening.state
    assert sum(cards.touches.values()) < 3 * cards.turns
    for phone in evening.phones:
        expect(phone.locator("header.over")).to_be_visible(timeout=120_000)
