"""A running table for tests in the browser: dealt, served, and seen by phones that hold seats."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from browser import Screens
from people import join
from playwright.sync_api import Page, expect
from stand_ins import PLAIN, Dealer, Die, dice_game, reading

from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import BULLSEYES, Face
from companion.games.dice.rules.moves import Action, Shoot, Shot
from companion.games.game import Game, Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, Phase, Scene
from companion.table.table import Table
from companion.table.views import TableView
from web.access import queue_of, sender_of
from web.app import create_app
from web.serving.server import serve
from web.serving.stream import Broadcast
from web.site import TableSite

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")
FACES = dict(zip("AD12BG", Face, strict=True))


def open_tab(page: Page, name: str) -> None:
    """Tap a tab of a player's page: `now`, `table`, `story` or `more`."""
    page.locator(f"[data-tab={name}]:not(body)").click()
    expect(page.locator("body")).to_have_attribute("data-tab", name)


def add_player(host: Page, name: str) -> None:
    """Add a player without a phone, on the host's page."""
    if not host.locator("#add[open]").count():
        host.locator("#add summary").click()
    host.locator("#add [name=name]").fill(name)
    host.locator("#add button").click()
    # The answer empties the field: what is typed before would be lost.
    host.get_by_text(name, exact=True).first.wait_for(state="attached")


class Served:
    """A table on a port of its own; it can be stopped and started again there."""

    selection = dice_game()
    plain: Sequence[str] = PLAIN

    def __init__(self, folder: Path, screens: Screens, dealer: Any = None) -> None:
        """dealer: deals the cards; by default, what a test says."""
        self.folder, self.screens = folder, screens
        self.dealer = dealer or Dealer("", ())
        self.names: Sequence[str] = NAMES
        self.tokens: list[str] = []
        self.camera = CameraStatus("test")
        self.thrown = 0
        self.games: Mapping[str, Game] = GAMES
        self.settings: dict[str, Any] = {}
        self.start(0)

    def start(self, port: int, **options: Any) -> None:
        """Serve what the folder holds; `options`: of the streams."""
        self.journal = Journal(self.folder)
        self.table = Table(
            self.journal, self.games, self.selection, chance=self.dealer, **self.settings
        )
        self.table.watch(self.camera)
        self.streams = Broadcast(**options)
        app = create_app(TableSite(self.table, self.streams))
        self.server = serve(
            app,
            self.streams,
            "127.0.0.1",
            port,
            sender_of=sender_of(self.table),
            queue_of=queue_of(self.table),
        )
        self.table.follow(lambda *_: self.streams.notify())
        self.table.opened.listeners.add(self.streams.notify)

    def stop(self) -> None:
        # A page whose script never came would stay as it is, also after a restart.
        self.screens.wait_for_scripts()
        self.server.stop()
        self.journal.close()

    def end(self) -> None:
        """Close all screens, then stop: pages would say that the server is gone."""
        self.screens.close()
        self.stop()

    def play_by(
        self, ruleset: str = "base", house_rules: Collection[str] = (), **settings: Any
    ) -> None:
        """Start again, before anybody sat down, with another ruleset or settings of the table."""
        self.stop()
        self.selection, self.settings = dice_game(ruleset, house_rules), settings
        self.start(0)

    def play(self, game: Game, ruleset: str) -> None:
        """Start again, before anybody sat down, with another game."""
        self.stop()
        self.games = {game.record_name: game}
        self.selection = Selection(game, game.rulesets[ruleset])
        self.start(0)

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def view(self) -> TableView:
        return self.table.view()

    def seat(self, people: int, phones: int | None = None) -> None:
        """Let so many people sit down, the first ones with phones."""
        phones = people if phones is None else phones
        code = self.table.scene.code
        self.tokens = [join(self.table, name, code) for name in self.names[:phones]]
        for name in self.names[phones:people]:
            self.do(seats.add_person, name)

    def deal(
        self,
        roles: str,
        *characters: str,
        phones: int | None = None,
        eyes: CameraStatus | None = None,
    ) -> None:
        """Begin a game: `roles` by first letter, plain characters after those named."""
        self.seat(len(roles), phones)
        rest = [character for character in self.plain if character not in characters]
        self.dealer.roles, self.dealer.characters = roles, (*characters, *rest)
        self.do(rounds.start_game)
        if eyes is not None:
            self.camera = eyes
            self.table.watch(eyes)

    def person(self, seat: int) -> int:
        return self.view.people[seat].id

    def do(self, change: Callable[..., Scene], *given: Any, seat: int = 0) -> None:
        """Make a change as the phone of a seat presses, the host's if nobody else is named."""
        press = Press(self.person(seat), self.view.version, self.view.reading)
        self.table.do(change, press, *given)

    def undo(self) -> None:
        self.do(moves.undo)

    def shoot(self, *targets: int) -> None:
        """Aim the bull's eyes of the player whose turn it is, in the order of the dice."""
        state = self.table.scene.history.state
        shooting = [die for die, face in enumerate(state.dice) if face in BULLSEYES]
        shots = tuple(Shot(die, at) for die, at in zip(shooting, targets, strict=True))
        self.do(moves.move, Shoot(state.turn, shots))

    def answer(self, chance: Random | None = None) -> None:
        """Decide by chance for the player who is asked, on their phone or the host's."""
        move = random_move(self.table.scene.history.state, chance or Random(1))
        self.do(moves.move, move, seat=move.seat if move.seat < len(self.tokens) else 0)

    def play_on(self, letters: str, chance: Random | None = None) -> None:
        """Throw, accept and throw no more, or decide by chance for the player who is asked."""
        if not self.view.rolling:
            self.answer(chance)
            return
        self.roll(letters)
        if self.view.rolling and Action.STOP in self.view.game.actions:
            self.table.press_red()

    def play_to_the_end(self, seed: int) -> None:
        """Let chance throw and decide until the game is over."""
        chance = Random(seed)
        while self.view.phase is Phase.PLAYING:
            self.play_on("".join(chance.choices("AD12BG", k=5)), chance)

    def shown_on(self, *pages: Page) -> None:
        """Wait until pages show what the table is."""
        for page in pages:
            expect(page.locator(f"[data-version='{self.view.version}']").first).to_be_attached()
            if page.locator("[data-reading]").count():
                now = page.locator(f"[data-reading='{self.view.reading}']")
                expect(now.first).to_be_attached()

    def dice(self, letters: str, unsure: str = "") -> list[Die]:
        """Dice thrown to a new place; `unsure`: for each die a letter that it may be too, or `.`"""
        self.thrown += 1
        return [
            Die(
                FACES[letter],
                100.0 * number,
                100.0 * self.thrown,
                sure=also == ".",
                likely=() if also == "." else (FACES[letter], FACES[also]),
            )
            for number, (letter, also) in enumerate(zip(letters, unsure or ".....", strict=True))
        ]

    def roll(self, letters: str) -> None:
        """Throw and accept."""
        self.table.see(reading("ok", self.dice(letters)))
        self.table.press_green()
        assert self.view.notice == ""

    def throw_and_stop(self, letters: str) -> None:
        """Throw, accept, and throw no more."""
        self.roll(letters)
        self.table.press_red()
        assert self.view.notice == ""

    def phone(self, seat: int, **options: Any) -> Page:
        """The phone of a seat, on its page."""
        return self.screens.seated(self.url, self.tokens[seat], **options)

    def television(self, **options: Any) -> Page:
        return self.screens.television(f"{self.url}table", **options)
