"""Touches: what players press and tap, over whole games in a real browser.

    python -m tests.bench.touches [--games N] [--players 4,5,6,8] [--seed N]

Prints a Markdown table. Every player has a phone of its own, and decides by chance among all that
the rules allow; who must choose does it on his page, by taps. Dice are thrown by hand, which is no
touch, and read for certain; every green and every red press counts, one each. An uncertain die
would cost one tap more.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from playwright.sync_api import Locator, expect

from companion.dicegame.events import TurnBegan
from companion.dicegame.moves import Action, Roll
from companion.play import random_move
from companion.progress import show_progress
from companion.scene import Phase
from tests.bench.machine import machine

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "pages")]
# Helpers of the tests, which pytest finds by itself.
from browser import Screens, chromium  # noqa: E402
from served import Served  # noqa: E402
from stand_ins import Die  # noqa: E402

GREEN, RED = "green button", "red button"


class Dealt(Served):
    """A table dealt by chance, and the hands of its players."""

    def __init__(self, folder: Path, screens: Screens, seed: int, players: int) -> None:
        self.chance = random.Random(seed)
        super().__init__(folder, screens)
        self.table._chance = random.Random(seed)
        self.seat(players)
        self.table.start_game(self.person(0), self.view.version)
        self.phones = [self.phone(seat) for seat in range(players)]
        self.touches: Counter[str] = Counter()
        self.turns = self.free_turns = self.taps_without_choice = 0

    def play(self) -> None:
        """Play to the end."""
        lying: list[Die] = []
        turn, asked, taps = -1, False, 0
        while self.view.phase is Phase.PLAYING:
            now = sum(isinstance(event, TurnBegan) for event in self.view.story)
            if now != turn:
                self._end_turn(asked, taps)
                turn, asked, taps, lying = now, False, 0, []
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
        """Throw and press green, or press red."""
        move = random_move(self.table._scene.game.state, self.chance)
        if not isinstance(move, Roll):
            self.touches[RED] += 1
            self.table.press_red()
            assert self.view.notice == ""
            return []
        self.thrown += 1
        thrown = range(len(move.dice)) if move.rerolled is None else move.rerolled
        lie = [
            Die(face, 100.0 * number, 100.0 * self.thrown) if number in thrown else lying[number]
            for number, face in enumerate(move.dice)
        ]
        self.table.see("ok", lie)
        self.touches[GREEN] += 1
        self.table.press_green()
        assert self.view.notice == "", self.view.notice
        return lie

    def _answer(self) -> int:
        """Answer on the phone that is asked, with as few taps as the answer needs."""
        asked = self.view.question
        phone = self.phones[asked.seat]
        form = phone.locator(f"#question[data-keep='question-{self.view.version}']")
        expect(form).to_be_visible(timeout=60_000)
        taps = 0
        for group in form.locator("fieldset").all():
            choices = group.locator("label.target")
            if choices.count() and not group.locator("input:checked").count():
                self._tap(choices)
                taps += 1
        single = form.locator("button.target")
        if not single.count() and form.locator(".tick").count():
            self._tap(form.locator(".tick"))
            taps += 1
        self._tap(single if single.count() else form.locator("button.main"))
        expect(form).to_be_hidden(timeout=60_000)
        self.touches[f"taps: {asked.action}"] += taps + 1
        return taps + 1

    def _tap(self, among: Locator) -> None:
        among.nth(self.chance.randrange(among.count())).click(timeout=60_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="of each number of players")
    parser.add_argument("--players", default="4,5,6,8")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = []
    for players in map(int, arguments.players.split(",")):
        touches: Counter[str] = Counter()
        turns = free = taps_without_choice = 0
        for game in range(arguments.games):
            # A browser of its own for each game: it gives its memory back.
            with chromium() as browser, tempfile.TemporaryDirectory() as folder:
                screens = Screens(browser, Path(folder))
                table = Dealt(Path(folder), screens, arguments.seed + game, players)
                table.play()
                screens.close()
                table.stop()
                assert screens.problems == [], screens.problems
            touches += table.touches
            turns += table.turns
            free += table.free_turns
            taps_without_choice += table.taps_without_choice
            show_progress(game + 1, arguments.games)
        rows.append((players, turns, free, taps_without_choice, touches))
    kinds = sorted({kind for *_, touches in rows for kind in touches})
    print(f"\nTouches a turn, {arguments.games} games each, {machine()}\n")
    print(f"| players | turns | all | {' | '.join(kinds)} | turns without a choice: taps |")
    print(f"|---|---|---|{'---|' * len(kinds)}---|")
    for players, turns, free, taps, touches in rows:
        each = " | ".join(f"{touches[kind] / turns:.2f}" for kind in kinds)
        mean = sum(touches.values()) / turns
        print(f"| {players} | {turns} | **{mean:.2f}** | {each} | {free}: {taps} |")


if __name__ == "__main__":
    main()
