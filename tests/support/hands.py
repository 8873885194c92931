"""Players in a real browser: they throw, press and tap by chance, and their touches are counted."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from browser import Screens
from playwright.sync_api import Locator, expect
from served import Served
from stand_ins import Die, reading
from waiting import wait_until
from werkzeug.datastructures import MultiDict

from companion.games.common.events import TurnBegan
from companion.games.dice.players import random_move
from companion.games.dice.rules.moves import Action, Move, Roll, Shoot
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import throwable
from companion.table import rounds
from companion.table.scene import Phase
from web.games.dice.forms import move as move_in

GREEN, RED, BOTH = "green button", "red button", "accept and stop"

STOPS = 0.4
"""How often a player is content with a roll that could be thrown again."""


class Hands(Served):
    """A table dealt by chance, and the hands of its players."""

    def __init__(
        self,
        folder: Path,
        screens: Screens,
        seed: int,
        players: int,
        ruleset: str = "base",
        **options: Any,
    ) -> None:
        """Begin a game that `seed` deals and plays; options: of the phones."""
        self.chance = random.Random(seed)
        super().__init__(folder, screens, dealer=random.Random(seed))
        self.play_by(ruleset)
        self.seat(players)
        self.do(rounds.start_game)
        self.phones = [self.phone(seat, **options) for seat in range(players)]
        self.touches: Counter[str] = Counter()
        self.turns = self.free_turns = self.taps_without_choice = 0

    def play(self, between: Callable[[int], None] = lambda turn: None) -> None:
        """Play to the end; `between` is called before each turn, with how many were begun."""
        lying: list[Die] = []
        turn, asked, taps = -1, False, 0
        while self.view.phase is Phase.PLAYING:
            now = sum(isinstance(event, TurnBegan) for event in self.view.story)
            if now != turn:
                self._end_turn(asked, taps)
                turn, asked, taps, lying = now, False, 0, []
                between(turn)
            if self.view.question.action is Action.ROLL:
                lying = self._roll(lying)
            else:
                asked = True
                taps += self._answer()
        self._end_turn(asked, taps)

    def _end_turn(self, asked: bool, taps: int) -> None:
        if self.turns or asked or taps or self.touches:
            self.turns += 1
        if not asked:
            self.free_turns += 1
            self.taps_without_choice += taps

    def _roll(self, lying: list[Die]) -> list[Die]:
        """Throw and press green or, content with it, accept and stop by one tap."""
        state = self.table.scene.history.state
        move = self._throw_or_stop(state)
        while throwable(state) and not isinstance(move, Roll):
            move = random_move(state, self.chance)
        if not isinstance(move, Roll):
            self.touches[RED] += 1
            self.table.press_red()
            assert self.view.notice == ""
            return []
        self.thrown += 1
        move, lie = self._fall(move, lying)
        if self.view.goes_on and self._is_content(state, move):
            self._accept_and_stop()
            return []
        self.touches[GREEN] += 1
        self.table.press_green()
        assert self.view.notice == "", self.view.notice
        return lie

    def _fall(self, move: Roll, lying: list[Die]) -> tuple[Roll, list[Die]]:
        """Let dice fall as in a move, read for certain; return it, and how they lie."""
        thrown = thrown_by(move)
        lie = [
            Die(face, 100.0 * number, 100.0 * self.thrown) if number in thrown else lying[number]
            for number, face in enumerate(move.dice)
        ]
        self.table.see(reading("ok", lie))
        return move, lie

    def _throw_or_stop(self, state: State) -> Move:
        return random_move(state, self.chance)

    def _is_content(self, state: State, roll: Roll) -> bool:
        """Whether the player stops after this roll, which is not accepted yet."""
        return self.chance.random() < STOPS

    def _accept_and_stop(self) -> None:
        """Tap once, on the page of the player whose turn it is, as soon as it shows the dice."""
        view = self.view
        phone = self.phones[view.game.turn]
        shown = f"[data-version='{view.version}'][data-reading='{view.reading}']"
        expect(phone.locator(shown)).to_be_attached(timeout=60_000)
        phone.locator("[data-press='/dice/accept-and-stop']").click(timeout=60_000)
        wait_until(lambda: self.view.version != view.version, phone)
        self.touches[BOTH] += 1

    def _answer(self) -> int:
        """Answer on the phone that is asked, with as few taps as the answer needs."""
        asked = self.view.question
        phone = self.phones[asked.seat]
        form = phone.locator(f"#question[data-keep='question-{self.view.version}']")
        expect(form).to_be_visible(timeout=60_000)
        chosen = self._choose(form)
        for one in chosen:
            one.click(timeout=60_000)
        expect(form).to_be_hidden(timeout=60_000)
        self.touches[f"taps: {asked.action}"] += len(chosen)
        return len(chosen)

    def _choose(self, form: Locator) -> list[Locator]:
        """Return the buttons to answer a question with."""
        chosen = self._by_chance(form)
        button = together(form, _said(form, chosen))
        return [button] if button else chosen

    def _by_chance(self, form: Locator) -> list[Locator]:
        """Buttons that answer a question, chosen by chance."""
        steps, ticks = form.locator("[data-step]").all(), form.locator(".tick")
        if ticks.count():
            return [self._one(ticks), form.locator("button.main")]
        if not steps:
            return [self._one(form.locator("button.target"))]
        return [self._one(step.locator(".target")) for step in steps]

    def _one(self, among: Locator) -> Locator:
        return among.nth(self.chance.randrange(among.count()))


def thrown_by(move: Roll) -> Sequence[int]:
    """The dice that a roll threw."""
    return range(len(move.dice)) if move.rerolled is None else move.rerolled


def _said(form: Locator, chosen: Sequence[Locator]) -> Move | None:
    """The answer that several buttons of a form give; None if one of them gives it alone."""
    if len(chosen) == 1 or form.locator(".tick").count():
        return None
    said = [*form.locator("input[type=hidden]").all(), *chosen]
    return move_in(
        MultiDict([(one.get_attribute("name"), one.get_attribute("value")) for one in said])
    )


def together(form: Locator, move: Move | None) -> Locator | None:
    """The button that answers everything at once as a move does, if there is one."""
    for button in form.locator(".together .target").all():
        sent = MultiDict(parse_qsl(button.get_attribute("data-with") or ""))
        if move and _effect(move_in(sent)) == _effect(move):
            return button
    return None


def _effect(move: Move) -> Move | Counter[object]:
    """What a move does: of shots, only how often they hit whom."""
    if not isinstance(move, Shoot):
        return move
    return Counter((shot.target, shot.beer is not None) for shot in move.shots)
