"""An evening of three games in Chromium: a late guest, an undo, a leaver, a stand-in, a rematch.

Seats, games and questions are tapped on the pages; the camera is told what lies in the tray, and
the buttons are pressed at the table. Throws of five Gatlings keep the games short.
"""

from collections.abc import Iterator

import pytest
from browser import Screens
from playwright.sync_api import Page, expect
from served import NAMES, Served, open_tab
from stand_ins import PLAIN
from waiting import wait_until

from companion.table.scene import Phase
from companion.table.stand_ins import StandIns


class WholeEvening:
    """The table of one evening, the phones of its guests, and the television."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.television = served.television()
        self.phones: dict[str, Page] = {}

    @property
    def view(self):
        return self.served.view

    def arrive(self, name: str) -> Page:
        """Let somebody join with their own phone."""
        code = f"?code={self.served.table.scene.code}" if self.phones else ""
        phone = self.phones[name] = self.served.screens.phone(self.served.url + code)
        phone.get_by_label("Your name").fill(name)
        phone.locator("#join button").click()
        return phone

    def deal(self, roles: str) -> None:
        """Say how the next cards are dealt: by first letters of roles."""
        self.served.dealer.roles, self.served.dealer.characters = roles, PLAIN

    def current(self, *pages: Page) -> None:
        """Wait until pages show the table as it is now."""
        for page in pages or (*self.phones.values(), self.television):
            expect(page.locator("[data-version]").first).to_have_attribute(
                "data-version", str(self.view.version)
            )

    def stand_in(self, seat: int | None) -> bool:
        return seat is not None and self.view.people[seat].stand_in != ""

    def play_on(self) -> None:
        """Make one step of the game: throw and accept, stop, or answer on the page asked."""
        view = self.view
        awaited = view.standing.awaited
        if view.rolling and not view.lying:
            self.served.roll("GGGGG")
            if self.stand_in(awaited):
                # It stops by itself, or says which dice it wants to throw again.
                wait_until(lambda: self.done_with(view.standing.turn), self.television)
        elif view.rolling:
            self.served.table.press_red()
            assert self.view.notice == ""
        elif self.stand_in(awaited):
            wait_until(lambda: self.view.version != view.version, self.television)
        else:
            self.answer(self.phones[view.people[awaited].name])

    def done_with(self, turn: int) -> bool:
        view = self.view
        return bool(view.wish) or not view.rolling or view.standing.turn != turn or not view.lying

    def answer(self, phone: Page) -> None:
        """Answer the question of a phone by taps."""
        version = self.view.version
        form = phone.locator(f"#question[data-keep='question-{version}']")
        expect(form).to_be_visible()
        steps = [step.locator(".target") for step in form.locator("[data-step]").all()]
        for targets in steps or [form.locator("button.target, button.main")]:
            targets.first.click()
        wait_until(lambda: self.view.version != version, phone)

    def play_to_the_end(self) -> None:
        while self.view.phase is Phase.PLAYING:
            self.play_on()
        self.current()

    def people(self) -> list[str]:
        return [person.name for person in self.view.people]


@pytest.fixture
def evening(served: Served) -> Iterator[WholeEvening]:
    worker = StandIns(served.table, pause=0)
    served.table.follow(lambda *_: worker.wake())
    worker.start()
    yield WholeEvening(served)
    worker.stop()


def confirm(page: Page, name: str) -> None:
    """Press a button that asks first."""
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def test_an_evening_of_three_games(evening: WholeEvening, screens: Screens) -> None:
    ann, bob, cleo = map(evening.arrive, NAMES[:3])
    expect(ann.locator("#order li")).to_have_count(3)
    evening.deal("dor")
    ann.get_by_role("button", name="Start the game").click()
    expect(bob.get_by_role("heading", name="Ann’s turn")).to_be_visible()

    # A late guest waits for the next game.
    dan = evening.arrive("Dan")
    expect(dan.get_by_role("heading", name="You’re in the queue, Dan.")).to_be_visible()
    expect(ann.locator("#queue")).to_contain_text("Dan")

    # A question is answered by a tap; the host takes it back, and everybody sees that.
    evening.served.throw_and_stop("1DDAA")
    evening.answer(ann)
    expect(cleo.locator("#recent li", has_text="Ann shoots Bob.")).to_be_attached()
    evening.current(ann)
    confirm(ann, "Undo")
    expect(evening.television.locator("#told")).to_contain_text("Ann undoes")
    for page in (bob, cleo):
        expect(page.locator("#now")).to_contain_text("Ann undoes")
        expect(page.locator("s", has_text="Ann shoots Bob.")).to_be_attached()
    evening.answer(ann)

    # Bob goes home in the middle of the game; a stand-in plays on for him, and says why.
    # Whose turn begins is called from whichever tab they read.
    evening.current(bob)
    open_tab(bob, "more")
    bob.get_by_text("Seats and phones").click()
    confirm(bob, "Leave the table")
    expect(bob.get_by_role("heading", name="Bang companion")).to_be_visible()
    open_tab(ann, "more")
    ann.locator("#phones summary").click()
    ann.get_by_role("button", name="A stand-in plays for Bob: strong").click()
    expect(ann.locator("#phones li", has_text="Bob")).to_contain_text("stand-in: strong")
    del evening.phones["Bob"]
    while evening.view.standing.turn != 1:
        evening.play_on()
    evening.served.roll("12DDA")
    wait_until(lambda: evening.view.reasons or evening.view.wish, ann)
    if not evening.view.reasons:
        evening.served.table.press_red()
        wait_until(lambda: evening.view.reasons, ann)
    # A turn that begins would call Cleo away from the story.
    evening.current(cleo)
    open_tab(cleo, "story")
    why = cleo.locator("#recent .why").first
    why.locator("summary").click()
    expect(why.locator("p")).to_be_visible()
    evening.play_to_the_end()
    assert evening.view.game_number == 1
    verdicts = {phone.locator("h1").first.inner_text() for phone in (ann, cleo)}
    assert verdicts <= {"You won", "You lost"}
    expect(evening.television.locator(".awards li")).to_have_count(3)

    # The rematch is dealt with the guest and without the leaver. A reader stays with the first.
    cleo.get_by_role("link", name="The game in pictures").click()
    cleo.wait_for_url("**/story/1")
    evening.deal("dor")
    ann.get_by_role("button", name="Play again").click()
    expect(cleo.get_by_text("The next game has started.")).to_be_visible()
    cleo.reload()
    expect(cleo.get_by_role("heading", name="Who shot whom")).to_be_visible()
    cleo.get_by_role("link", name="To the table").click()
    dan.wait_for_url("**/seat")
    assert evening.people() == ["Ann", "Cleo", "Dan"]
    evening.play_to_the_end()
    assert evening.view.game_number == 2

    # For the last game the host fills the table up with a stand-in, and changes the edition.
    ann.get_by_role("button", name="Back to the lobby").click()
    ann.locator("#games summary").click()
    edition = ann.locator("[data-with='ruleset=walking-dead']")
    edition.click()
    expect(edition).to_have_attribute("aria-pressed", "true")
    ann.get_by_role("button", name="Add a stand-in, which the table plays").click()
    expect(ann.locator("#order li")).to_have_count(4)
    evening.deal("soro")
    ann.get_by_role("button", name="Start the game").click()
    expect(ann.get_by_role("list", name="The dice")).to_be_visible()
    expect(evening.television.locator(".television.playing.walking-dead")).to_be_visible()
    assert evening.view.game_number == 3

    # Every game of the evening can be read.
    for number in (1, 2):
        record = ann.request.get(f"{evening.served.url}record/{number}")
        assert record.text().startswith('{"record": "bang-dice"'), number
