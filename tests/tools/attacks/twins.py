"""Compares two tables that differ in secrets alone, on every page of every phase.

    make attack ATTACKS=twins

Each evening, of dice and of cards in turns, has players, characters and roles of its own, and two
players whose roles are exchanged in the twin. With dice, a stand-in plays and gives its reasons;
with cards, a player answers early at one table as if their hand held the card, and at the other as
if it did not. The evening goes through every phase: the lobby, a whole game, its end, another game
with the same seats while a guest waits, its questions and deaths, the lobby after it was left,
cards being entered, and the game that follows. Everybody asks both tables for every page, stream,
picture and file, those of earlier games too, and sends presses that are refused. Streams of the
game stay open, and what each brings is compared step by step. What a broker is told, the
loudspeaker and the log are compared as well.
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
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from sites import Phone
from twins import BACKUP, LEVEL, SECOND, Twin

from companion.games.cards import players as card_players
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.claims import answers
from companion.games.cards.rules.moves import CardMove, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.games.dice import players as dice_players
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.roles import ROLES, first_role
from companion.table import moves
from companion.table.changes import Change, Press
from companion.table.scene import Phase
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import (
    PILE_MOVING,
    PileObservation,
    PileStatus,
    PileVerdict,
)
from tests.tools.bench.machine import machine

MOST_STEPS = 2000
"""Moves of a game, at most: each ends long before."""

GAMES = {"dice": None, "cards": CARD_GAME.select("base")}
"""What is played, by kind of evening; None: as at every table."""

SEEN = (PileVerdict.OK, PileVerdict.UNSURE, PileVerdict.MANY, PileVerdict.BLOCKED)
"""How a laid card may be seen."""

NOBODY = "nobody"

_T = TypeVar("_T")


class Evening:
    """The same evening at two tables, in step. Nothing but what is hidden is different."""

    def __init__(self, folder: Path, seed: int, kind: str = "dice") -> None:
        self.chance, self.cards = random.Random(seed), kind == "cards"
        self._folder = folder
        self.moments: Counter[str] = Counter()
        """How often all answers were compared, by phase."""
        self.answers = self.events = self.bytes = 0
        self.heard = ""
        """All that the loudspeaker of the first table was told."""
        self.differences: list[str] = []
        self.left: tuple[str, ...] = ()
        """What shows the roles of a game that was left."""
        self.own = NOBODY
        """Whose phone shows an answer of its own."""
        self.reasons = 0
        """How many decisions of stand-ins were compared with their reasons."""
        self._log = Log(lambda: self._now)
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
            self.twins = self.both(
                lambda: Twin(folder / str(self._now), "".join(self.roles), seed, GAMES[kind])
            )

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
            # The last player has no phone.
            nobody = self.twins[0].view.people[-1].id
            play_for = partial(self.press, "/people/play-for", person=nobody)
            if not self.cards:
                self.both(lambda: play_for(level=LEVEL))
            self.both(lambda: self.press("/game/start"))
            # Both tables deal the same roles here, and open them at the end.
            while self.phase is Phase.PLAYING:
                self.step()
            self.look("end of a game")
            self.exchange()
            self.both(lambda: self.twin.follow())
            self.both(lambda: self.press("/game/again"))
            self.both(self.wait_for_a_seat)
            self.go_on(moments, "played again: ")
            over = Phase.OVER in (twin.view.phase for twin in self.twins)
            self.both(lambda: self.twin.everybody.pop("guest").post("/queue/leave"))
            self.both(lambda: self.press("/game/new"))
            # Its roles aren't secret any longer: a backup has its record, and if it ended at one of
            # the tables, it can be watched there.
            self.left = (f"GET {BACKUP}", "HHHH-2.jsonl", "HHHH-2.notes.json", "backup.json")
            self.left += tuple(f"GET {path}" for path in SECOND)
            if over:
                # It counts at one of them.
                shown = (path for path in self.twins[0].gets if "/statistics" in path)
                self.left += tuple(f"GET {path}" for path in shown)
            self.look("lobby after a game that was left")
            if not self.cards:
                # Stand-ins hold no cards.
                self.both(lambda: play_for(level=""))
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

    def wait_for_a_seat(self) -> None:
        """Let a guest wait for the next game."""
        guest = self.twin.everybody["guest"] = Phone(self.twin)
        guest.open()
        answer = guest.send("/join", {"name": "Guest", "code": self.twin.table.scene.code})
        assert answer.status_code == 303, answer.text
        guest.open("/")

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
        if self.cards:
            self.both(lambda: self.see_pile(PileObservation(PileVerdict.NONE)))
        for _ in range(MOST_STEPS):
            if not self.hidden:
                break
            kind = self.kind()
            # The first of a kind, and others here and there.
            if seen[kind] < moments and (not seen[kind] or self.chance.random() < 0.3):
                self.look(game + kind)
                seen[kind] += 1
            if self.cards:
                self.answer_early(f"{game}an early answer")
            self.compare_streams(game + kind)
            self.step()

    def kind(self) -> str:
        """What is awaited, and whether somebody has died."""
        view, standing = self.twins[0].view, self.twins[0].standing
        if view.rolling:
            kind = "a roll"
        else:
            kind = "a question" if standing.awaited == standing.turn else "a question out of turn"
        return kind if all(standing.alive) else f"{kind} after a death"

    def step(self) -> None:
        """Roll, lay a card, or let somebody decide, the same at both tables."""
        view, state = self.twins[0].view, self.state
        if self.cards:
            self.play_card(card_players.random_move(state, self.chance))
        elif view.rolling:
            self.roll()
        elif self.twins[0].awaited.stand_in:
            self.stand_in()
        else:
            move = dice_players.random_move(state, self.chance)
            self.both(lambda: self.twin.decide(move))

    def roll(self) -> None:
        """Throw the dice; somebody corrects one of them now and then, and everybody sees it."""
        faces = self.chance.choices([*Face, Face.BULLSEYE1, Face.GATLING], k=5)
        self.both(lambda: self.twin.throw(*faces))
        if self.chance.random() < 0.1:
            self.both(lambda: self.press("/dice/mark", die=0, face=Face.ARROW))
            self.compare_streams("a corrected die")
        self.both(lambda: self.twin.table.press_green())
        view = self.twins[0].view
        assert view.notice == ""
        if not (view.rolling and Action.STOP in view.game.actions):
            return
        if self.twins[0].awaited.stand_in and self.stand_in():
            return
        self.both(lambda: self.twin.table.press_red())

    def stand_in(self) -> bool:
        """Let the stand-in decide at both tables; return whether it has made a move.

        Its own role may lead to another decision, which is then the first table's at both; the same
        decision has the reasons that each table gives for it.
        """
        decisions = self.both(lambda: self.twin.stand_in_decision())
        one, other = decisions
        if (one.move, one.throw) != (other.move, other.throw):
            decisions = [one, one]
        self.reasons += decisions[1] is other and bool(other.why)
        self.both(lambda: self.twin.stand_in(decisions[self._now]))
        self.compare_streams("a decision of a stand-in")
        return one.move is not None

    def play_card(self, move: CardMove) -> None:
        """Make a move; its card, if it has one, is laid in the tray first, and read well or not."""
        made = self.made()
        if isinstance(move, Play):
            self.lay(move.card)
        if self.made() == made:
            self.both(lambda: self.put_aside())
            self.both(lambda: self.twin.decide(move))

    def lay(self, card: Title) -> None:
        """Lay a card in the tray; if it can't be read without doubt, somebody may name it."""
        verdict = self.chance.choice(SEEN)
        others = self.chance.sample(list(Title), 2) if verdict is PileVerdict.UNSURE else ()
        likely = (*others, card) if verdict in (PileVerdict.UNSURE, PileVerdict.OK) else ()
        self.both(lambda: self.see_pile(PileObservation(verdict, likely)))
        self.compare_streams("a card is laid")
        if self.twins[0].view.pile.status is PileStatus.UNSURE and self.chance.random() < 0.5:
            self.both(lambda: self.change(1, laying.name_title, card))

    def see_pile(self, seen: PileObservation) -> None:
        """Let the camera see the pile after something moved there."""
        self.twin.table.see(PILE_MOVING)
        self.twin.table.see(seen)

    def put_aside(self) -> None:
        """Let the host put aside what waits in the tray."""
        while self.twin.view.pile.status not in (PileStatus.WAITING, PileStatus.UNWATCHED):
            self.change(1, laying.ignore)

    def change(self, person: int, change: Change[...], *arguments: Any) -> None:
        """Let somebody change something, on a page that is up to date."""
        view = self.twin.view
        self.twin.table.do(change, Press(person, view.version, view.reading), *arguments)

    def answer_early(self, phase: str) -> None:
        """Let a player answer before their turn, with a card or as if their hand held none.

        At the second table they pass, or say nothing. They take it back, so that the same follows.
        """
        rules, twin = CARD_GAME.cards, self.twins[0]
        assert rules
        later = list(rules.answerers(self.state).items())[1:]
        asked = {seat: state for seat, state in later if 0 < seat < len(twin.phones)}
        if not asked:
            return
        seat = self.chance.choice(list(asked))
        cards = [Play(seat, card) for card in answers(asked[seat])]
        # Where all copies are gone, a pass is all that can be said early.
        said = [self.chance.choice(cards or [Pass(seat)]), self.chance.choice([Pass(seat), None])]
        person = twin.view.people[seat].id

        def answer(change: Change[...], *made: Any) -> None:
            if said[self._now]:
                self.change(person, change, *made)

        self.compare_streams(phase)
        self.own = f"phone {seat} "
        self.both(lambda: answer(moves.answer_early, said[self._now]))
        self.compare_streams(phase)
        self.look(phase)
        self.both(lambda: answer(moves.take_early_back, seat))
        self.compare_streams(phase)
        self.own = NOBODY

    def made(self) -> int:
        """Return how many moves were made at the first table."""
        history = self.twins[0].table.scene.history
        assert history
        return len(history.moments)

    @property
    def state(self) -> Any:
        """The state of the game at the first table."""
        history = self.twins[0].table.scene.history
        assert history
        return history.state

    def look(self, phase: str) -> None:
        """Compare what everybody receives from both tables, and what they log."""
        turn = sum(self.moments.values())

        def received() -> dict[str, str]:
            shown = self.twin.shown() | self.twin.pictures() | self.twin.refused(turn)
            if self.twin.view.phase is Phase.PLAYING:
                shown |= self.twin.roles(self.exchanged)
            # Each table has a folder of its own.
            own = str(self._folder / str(self._now))
            return shown | {"the log": self._log.taken(self._now).replace(own, "the folder")}

        self.moments[phase] += 1
        told = self.compare(phase, received)
        self.heard += f"{told['the loudspeaker']}\n"
        self.answers += len(told)

    def compare_streams(self, phase: str) -> None:
        """Compare what streams that stay open got since the last step, if it has opened no role."""
        if self.phase is Phase.PLAYING and not self.hidden:
            return
        self.events += len(self.compare(phase, lambda: self.twin.followed()))

    def compare(self, phase: str, received: Callable[[], dict[str, str]]) -> dict[str, str]:
        """Compare what both tables give, and note differences; return what the first gives."""
        one, other = self.both(received)
        self.bytes += sum(map(len, one.values()))
        self.differences += [
            f"{phase}: {what}"
            for what in sorted({*one, *other})
            if one.get(what) != other.get(what)
            and not what.endswith(self.left)
            and not what.startswith(self.own)
        ]
        return one


class Log(logging.Handler):
    """What each table logs until it is taken."""

    def __init__(self, now: Callable[[], int]) -> None:
        """now: tells which table acts."""
        super().__init__()
        self._now = now
        self._lines: tuple[list[str], list[str]] = ([], [])

    def emit(self, record: logging.LogRecord) -> None:
        self._lines[self._now()].append(record.getMessage())

    def taken(self, table: int) -> str:
        """Return what a table has logged since it was last asked."""
        taken = "\n".join(self._lines[table])
        self._lines[table].clear()
        return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=10)
    parser.add_argument("--moments", type=int, default=8, help="of each kind in each game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moments: Counter[str] = Counter()
    compared = events = size = reasons = 0
    differences = []
    for number in range(arguments.evenings):
        with tempfile.TemporaryDirectory() as folder:
            kind = list(GAMES)[number % len(GAMES)]
            evening = Evening(Path(folder), arguments.seed + number, kind)
            evening.play(arguments.moments)
            evening.close()
        moments += Counter({f"{kind}: {each}": n for each, n in evening.moments.items()})
        reasons += evening.reasons
        compared, size = compared + evening.answers, size + evening.bytes
        events += evening.events
        differences += evening.differences
    print(f"\n{arguments.evenings} evenings from seed {arguments.seed}, {machine()}\n")
    print("| phase | moments compared |\n|---|---|")
    for phase, count in sorted(moments.items()):
        print(f"| {phase} | {count} |")
    print(
        f"| pairs of answers; steps of streams; MB | {compared:,}; {events:,}; {size / 1e6:.0f} |"
    )
    print(f"| decisions of stand-ins with the same reasons | {reasons:,} |")
    print(f"| **different** | {len(differences)} |")
    print(*differences[:20], sep="\n")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
