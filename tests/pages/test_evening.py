"""A whole evening, nothing faked: drawn frames, the reader, mock pins, phones and a television.

Four phones join, the dice are thrown into the simulated tray, seen as frames and read; green and
red are pressed at gpiozero's mock pins; everything else is tapped on the pages.
"""

import random
import re

import pytest
from home import Home
from people import join
from playwright.sync_api import Page, expect
from waiting import view_when

from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.record import replay
from companion.games.dice.rules.targets import throwable
from companion.table import rounds, seats
from companion.table.changes import Press
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileStatus
from companion.table.surface.dice.state import TrayStatus

NAMES = ("Ann", "Bob", "Cleo", "Dan")
READING_MS = 60_000
"""In which thrown dice must be read, on the slowest of machines."""

SHOT_AFTER = 15
"""Pictures for the README are taken once so much has happened."""


GREEN, RED = 17, 27
"""The pins of the buttons."""


def press(home: Home, pin: int) -> None:
    """Press and release a button, at its pin."""
    wire = home.running.controls.pins.factory.pin(pin)
    wire.drive_low()
    wire.drive_high()


@pytest.fixture
def evening(home: Home) -> "Evening":
    return Evening(home, phones=4)


STILL = """
() => !document.getElementById("stage").childElementCount
  && document.getAnimations().every(({ playState }) => playState !== "running")
"""


class Evening:
    """The four phones, the television, and the hands of the players."""

    def __init__(self, home: Home, phones: int) -> None:
        """phones: the first players have one; the host's stands for the others."""
        home.start(seed=11)
        self.home, self.running = home, home.running
        self.screens = home.screens
        self.chance = random.Random(5)
        self.television = home.screens.television(f"{home.url}table")
        self.shot: set[str] = set()
        self.phones = [home.arrive(name) for name in NAMES[:phones]]
        for name in NAMES[phones:]:
            host = Press(self.view.people[0].id, self.view.version)
            home.table.do(seats.add_person, host, name)
            self.phones.append(self.host)
        self.host.get_by_role("button", name="Start the game").click()
        for page in self.pages:
            expect(page.get_by_role("list", name="The dice")).to_be_visible()

    @property
    def host(self) -> Page:
        return self.phones[0]

    @property
    def pages(self) -> list[Page]:
        return [*self.phones, self.television]

    @property
    def view(self):
        return self.running.table.view()

    def throw(self) -> None:
        """Throw from the phone of the player whose turn it is, and wait until the dice are read."""
        phone = self.phones[self.view.game.turn]
        phone.locator("[data-press='/dice/throw']").click()
        # Green on the page: five dice, all certain, none of them accepted yet.
        expect(phone.locator("#tray.certain, #tray.uncertain")).to_be_visible(timeout=READING_MS)
        dice = self.view.tray.dice
        truth = sorted(self.running.watching.simulated.tray.faces)
        for number, die in enumerate(dice):
            if not die.sure:
                self.settle(phone, number)
        assert sorted(die.face for die in self.view.tray.dice) == truth
        expect(phone.locator("#tray.certain")).to_be_visible()
        if len(self.view.story) > SHOT_AFTER and "television" not in self.shot:
            self.shoot_once(phone, "dice-read")
            self.rest()
            self.shoot_once(self.television, "television")

    def rest(self) -> None:
        """Wait until the television has told all that happened."""
        shown = self.television.locator(f"[data-version='{self.view.version}']")
        expect(shown.first).to_be_attached(timeout=READING_MS)
        self.television.wait_for_function(STILL, timeout=READING_MS)

    def shoot_once(self, page: Page, name: str) -> None:
        """Take a picture of the page, the first time that there is something to see."""
        if name not in self.shot:
            self.shot.add(name)
            self.screens.shot(page, name)

    def settle(self, phone: Page, number: int) -> None:
        """Tap the uncertain die and say what the person sees: the truth of the drawn tray."""
        place = self.view.tray.dice[number].place
        tray = self.running.watching.simulated.tray
        nearest = min(
            range(5),
            key=lambda die: (
                abs(tray.centres[die][0] - place.x) + abs(tray.centres[die][1] - place.y)
            ),
        )
        phone.locator(f"[data-opens='die-{number}']").click()
        sheet = phone.locator(f"#die-{number}")
        sheet.locator(f"[data-with*='face={tray.faces[nearest]}']").click()
        expect(sheet).to_be_hidden()

    def roll(self) -> None:
        """Throw, press green; perhaps again, some dice; then press red where that is needed."""
        turn, number = self.view.game.turn, self.view.game_number
        self.throw()
        self.accept()
        again = self.chance.random() < 0.4
        if again and self.still_rolling(turn):
            state = self.running.table.scene.history.state
            phone = self.phones[turn]
            picked = [die for die in throwable(state) if self.chance.random() < 0.6]
            for die in picked:
                phone.locator(f"[data-press='/dice/pick'][data-with='die={die}']").click()
                expect(
                    phone.locator(f"[data-press='/dice/pick'][data-with='die={die}']")
                ).to_have_attribute("aria-pressed", "true")
            if picked:
                self.throw()
                thrown = [n for n, die in enumerate(self.view.tray.dice) if die.thrown]
                assert thrown == picked, "the dice that stayed are known as kept"
                self.accept()
        if self.still_rolling(turn) and self.view.game_number == number:
            press(self.home, RED)
            assert not self.still_rolling(turn)

    def accept(self) -> None:
        rolled = self.view.version
        press(self.home, GREEN)
        assert self.view.version > rolled, self.view.notice
        for page in self.pages:
            expect(page.locator("[data-version]").first).to_have_attribute(
                "data-version", str(self.view.version)
            )

    def still_rolling(self, turn: int) -> bool:
        view = self.view
        return (
            view.phase is Phase.PLAYING
            and view.rolling
            and view.game.turn == turn
            and bool(view.game.dice)
        )

    def answer(self) -> None:
        """Answer the question on the phone that is asked, by taps."""
        asked = self.view.question
        phone = self.phones[asked.seat]
        form = phone.locator(f"#question[data-keep='question-{self.view.version}']")
        expect(form).to_be_visible()
        if asked.action is Action.SHOOT and len(asked.aims) == 2:
            self.shoot_once(phone, "question")
        for other in self.phones:
            if other is not phone:
                assert other.locator("#question").count() == 0
        version = self.view.version
        steps = [step.locator(".target") for step in form.locator("[data-step]").all()]
        for targets in steps or [form.locator("button.target, button.main")]:
            targets.nth(self.chance.randrange(targets.count())).click()
        expect(form).to_be_hidden()
        assert self.view.version > version


@pytest.mark.slow
def test_a_whole_game_of_four_from_thrown_dice_to_the_winner_on_every_page(evening, tmp_path):
    turns = 0
    while evening.view.phase is Phase.PLAYING:
        if evening.view.question.action is Action.ROLL:
            evening.roll()
            turns += 1
        else:
            evening.answer()
        assert turns < 200
    result = evening.view.game.result
    for page in evening.pages:
        named = page.locator(".winners, li.winner")
        expect(named.first).to_be_visible()
        for seat in result.winners:
            assert NAMES[seat] in " ".join(named.all_inner_texts())
        for role in {player.role for player in evening.view.game.players}:
            expect(page.locator("body")).to_contain_text(re.compile(role, re.IGNORECASE))
    with evening.host.expect_download() as download:
        evening.host.get_by_role("link", name=re.compile("record", re.IGNORECASE)).click()
    record = tmp_path / "record.jsonl"
    download.value.save_as(record)
    with record.open("rb") as lines:
        *_, last = replay(lines)
    assert last.result == result
    assert last.life == tuple(player.life for player in evening.view.game.players)


def test_the_tray_shows_what_the_camera_sees_while_dice_roll(home):
    evening = Evening(home, phones=1)
    phone = evening.phones[evening.view.game.turn]
    press(home, GREEN)
    expect(phone.get_by_text(re.compile("throw the dice first", re.IGNORECASE))).to_be_visible()
    evening.throw()
    assert evening.view.tray.status is TrayStatus.READY
    assert evening.view.game.rolls == 0


def test_a_card_that_is_laid_before_the_camera_asks_on_the_phone_and_a_button_answers(home):
    home.start(game="cards", seed=1)
    table = home.table
    tokens = [join(table, name, table.scene.code) for name in NAMES]
    table.do(rounds.start_game, Press(table.view().people[0].id, table.view().version))
    turn = table.view().standing.turn
    phone = home.open_as(tokens[turn])
    expect(phone.locator("#question")).to_be_visible()
    view_when(table, lambda view: view.pile.status is PileStatus.WAITING)
    home.running.watching.cards.play("bang")
    asked = (turn + 1) % len(NAMES)
    # Until the card is read, they wait in a sheet that nobody opened.
    target = f"#question [data-with*='card=bang&target={asked}']"
    phone.locator(target).locator("visible=true").tap(timeout=READING_MS)
    other = home.open_as(tokens[asked])
    expect(other.get_by_text(f"{NAMES[turn]} shoots at you.").first).to_be_visible()
    life = table.view().game.players[asked].life
    press(home, RED)
    assert table.view().game.players[asked].life == life - 1
    expect(phone.get_by_text(f"{NAMES[asked]} loses a life point.").first).to_be_visible()
