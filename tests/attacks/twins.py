"""Compares two tables that differ in hidden roles alone, on every page of every phase.

    make attack ATTACKS=twins

Each evening has players, characters and roles of its own, and two players whose roles are exchanged
in the twin. It goes through every phase: the lobby, a whole game, its end, another game with the
same seats, its questions and deaths, the lobby after it was left, cards being entered, and the game
that follows. Everybody asks both tables for every page, stream, picture and file, and sends presses
that are refused. Streams of the game stay open, and what each brings is compared step by step.
Prints a Markdown table. Exits with 1 if any answer or the log differs.
"""

import argparse
import itertools
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar
from unittest import mock

from twins import SECOND, Twin

from companion.chance.dice_players import random_move
from companion.dicegame.faces import Face
from companion.dicegame.moves import Action
from companion.dicegame.roles import ROLES, first_role
from companion.table.scene import Phase
from tests.bench.machine import machine

MOST_STEPS = 2000
"""Moves of a game, at most: each ends long before."""

_T = TypeVar("_T")


class Evening:
    """The same evening at two tables, in step. Nothing but hidden roles is different."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.moments: Counter[str] = Counter()
        """How often all answers were compared, by phase."""
        self.answers = self.events = self.bytes = 0
        self.heard = ""
        """All that the loudspeaker of the first table was told."""
        self.differences: list[str] = []
        self.left: tuple[str, ...] = ()
        """What shows the roles of a game that was left."""
        self._log = Log()
        self._tokens = [itertools.count(), itertools.count()]
        self._now = 0
        count = self.chance.randint(4, 6)
        self.roles = [role.value[0] for role in ROLES[count]]
        self.chance.shuffle(self.roles)
        hidden = [seat for seat in range(count) if self.roles[seat] != first_role(count).value[0]]
        pairs = [
            (one, other)
            for one, other in itertools.combinations(hidden, 2)
            if self.roles[one] != self.roles[other]
        ]
        self.exchanged = self.chance.choice(pairs)
        with self._predictable():
            self.twins = self.both(lambda: Twin(folder / str(self._now), "".join(self.roles), seed))

    def close(self) -> None:
        for twin in self.twins:
            twin.journal.close()

    def both(self, act: Callable[[], _T]) -> list[_T]:
        """Return what one act gives at each table."""
        found = []
        for self._now in (0, 1):
            found.append(act())
        return found

    @property
    def twin(self) -> Twin:
        """The table that acts now."""
        return self.twins[self._now]

    @contextmanager
    def _predictable(self) -> Iterator[None]:
        """Let both tables draw the same secrets, and note what they log."""
        root, level = logging.getLogger(), logging.getLogger().level

        def token(*_: int) -> str:
            return f"token-{next(self._tokens[self._now])}-of-this-table"

        with ExitStack() as stack:
            stack.enter_context(mock.patch("secrets.token_urlsafe", token))
            stack.enter_context(mock.patch("secrets.choice", lambda choices: choices[7]))
            stack.callback(root.setLevel, level)
            stack.callback(root.removeHandler, self._log)
            root.addHandler(self._log)
            root.setLevel(logging.DEBUG)
            yield

    def play(self, moments: int) -> None:
        """Play the evening; compare all answers at each phase, and `moments` times in each game."""
        with self._predictable():
            self.look("lobby")
            self.both(lambda: self.press("/game/start"))
            # Both tables deal the same roles here, and open them at the end.
            while self.phase is Phase.PLAYING:
                self.step()
            self.look("end of a game")
            self.exchange()
            self.both(lambda: self.twin.follow())
            self.both(lambda: self.press("/game/again"))
            self.go_on(moments, "played again: ")
            over = Phase.OVER in (twin.view.phase for twin in self.twins)
            self.both(lambda: self.press("/game/new"))
            # Its roles aren't secret any longer: a backup has its record, and if it ended at one of
            # the tables, it can be watched there.
            self.left = ("GET /backup/file.zip", *(f"GET {path}" for path in SECOND))
            if over:
                # It counts at one of them.
                shown = (path for path in self.twins[0].gets if "/statistics" in path)
                self.left += tuple(f"GET {path}" for path in shown)
            self.look("lobby after a game that was left")
            for option in ("roles", "characters"):
                self.both(
                    lambda option=option: self.press("/game/options", option=option, value="cards")
                )
            self.both(lambda: self.press("/game/start"))
            self.enter_cards()
            self.go_on(moments, "cards entered: ")

    def press(self, path: str, **fields: object) -> None:
        """Let the host press a button of a page that is up to date."""
        answer = self.twin.host.post(path, **fields)
        assert answer.status_code == 204, f"{path}: {answer.text}"

    def exchange(self) -> None:
        """Exchange two hidden roles at the second table."""
        one, other = self.exchanged
        dealt = list(self.roles)
        dealt[one], dealt[other] = dealt[other], dealt[one]
        self.twins[1].dealer.roles = "".join(dealt)

    def enter_cards(self) -> None:
        """Let each player enter their cards; the host does it for the one without a phone."""
        characters = self.twins[0].dealer.characters
        for seat, character in enumerate(characters):
            self.look("cards are entered")
            self.both(lambda seat=seat, character=character: self.twin.enter(seat, character))

    @property
    def phase(self) -> Phase:
        return self.twins[0].view.phase

    @property
    def hidden(self) -> bool:
        """Whether both roles are still hidden at both tables."""
        return all(
            twin.view.phase is Phase.PLAYING
            and all(twin.view.game.players[seat].alive for seat in self.exchanged)
            for twin in self.twins
        )

    def go_on(self, moments: int, game: str) -> None:
        """Play while both roles are hidden; compare at most so many moments of each kind."""
        seen: Counter[str] = Counter()
        for _ in range(MOST_STEPS):
            if not self.hidden:
                break
            kind = self.kind()
            # The first of a kind, and others here and there.
            if seen[kind] < moments and (not seen[kind] or self.chance.random() < 0.3):
                self.look(game + kind)
                seen[kind] += 1
            self.compare_streams(game + kind)
            self.step()

    def kind(self) -> str:
        """What is awaited, and whether somebody has died."""
        twin = self.twins[0]
        game = twin.view.game
        if twin.view.rolling:
            kind = "a roll"
        else:
            kind = "a question" if game.awaited_seat == game.turn else "a question out of turn"
        dead = not all(player.alive for player in game.players)
        return f"{kind} after a death" if dead else kind

    def step(self) -> None:
        """Roll, or let somebody decide, the same at both tables."""
        twin = self.twins[0]
        if twin.view.rolling:
            faces = self.chance.choices([*Face, Face.BULLSEYE1, Face.GATLING], k=5)
            self.both(lambda: self.twin.roll(*faces))
            if Action.STOP in twin.view.game.actions and twin.view.rolling:
                self.both(lambda: self.twin.table.press_red())
            return
        move = random_move(twin.table.scene.history.state, self.chance)
        self.both(lambda: self.twin.decide(move))

    def look(self, phase: str) -> None:
        """Compare what everybody receives from both tables, and what they log."""
        turn = sum(self.moments.values())

        def received() -> dict[str, str]:
            shown = self.twin.shown() | self.twin.pictures() | self.twin.refused(turn)
            if self.twin.view.phase is Phase.PLAYING:
                shown |= self.twin.roles(self.exchanged)
            return shown | {"the log": self._log.taken()}

        self.moments[phase] += 1
        told = self.compare(phase, received)
        self.heard += f"{told['the loudspeaker']}\n"
        self.answers += len(told)

    def compare_streams(self, phase: str) -> None:
        """Compare what streams that stay open got since the last step."""
        self.events += len(self.compare(phase, lambda: self.twin.followed()))

    def compare(self, phase: str, received: Callable[[], dict[str, str]]) -> dict[str, str]:
        """Compare what both tables give, and note differences; return what the first gives."""
        one, other = self.both(received)
        self.bytes += sum(map(len, one.values()))
        self.differences += [
            f"{phase}: {what}"
            for what in sorted({*one, *other})
            if one.get(what) != other.get(what) and not what.endswith(self.left)
        ]
        return one


class Log(logging.Handler):
    """What is logged until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def taken(self) -> str:
        taken, self.lines = "\n".join(self.lines), []
        return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=10)
    parser.add_argument("--moments", type=int, default=8, help="of each kind in each game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moments: Counter[str] = Counter()
    answers = events = size = 0
    differences = []
    for number in range(arguments.evenings):
        with tempfile.TemporaryDirectory() as folder:
            evening = Evening(Path(folder), arguments.seed + number)
            evening.play(arguments.moments)
            evening.close()
        moments += evening.moments
        answers, size = answers + evening.answers, size + evening.bytes
        events += evening.events
        differences += evening.differences
    print(f"\n{arguments.evenings} evenings from seed {arguments.seed}, {machine()}\n")
    print("| phase | moments compared |\n|---|---|")
    for phase, count in sorted(moments.items()):
        print(f"| {phase} | {count} |")
    print(f"| pairs of answers; steps of streams; MB | {answers:,}; {events:,}; {size / 1e6:.0f} |")
    print(f"| **different** | {len(differences)} |")
    print(*differences[:20], sep="\n")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
