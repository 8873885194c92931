"""The whole table, driven by chance: presses, dice, undo, seats, kills and damage in any order.

Damage includes older files of the table, and those of another one.

After each step what is saved is what is shown, versions have only grown, nobody is shown a secret,
no phone has come to a seat but by the host's word, and somebody can go on.
"""

import random
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from people import claim_seat, join
from places import SAVED
from stand_ins import Die, dice_game, reading

from companion.base.refused import Refused
from companion.games.dice.players import random_move
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Roll, Stop
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.views import Audience, knows_role
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press, claim_of, person_of
from companion.table.dealing import CharacterSource, FirstTurn, RoleSource
from companion.table.journal.facts import facts
from companion.table.journal.journal import BACKUP, FILE, WITNESS, Journal, look
from companion.table.journal.saved import Line, Saved
from companion.table.scene import CameraStatus, Phase, Scene, Trouble
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.table import Table
from companion.table.views import TableView

pytestmark = pytest.mark.processes

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz")

VERDICTS = ("ok", "ok", "ok", "moving", "empty", "count", "cocked", "blocked", "too_near", "unsure")

OPTIONS = [
    *(("roles", value) for value in RoleSource),
    *(("characters", value) for value in CharacterSource),
    *(("sheriff", value) for value in FirstTurn),
]

PAIR = (FILE, BACKUP)
ALL = (*PAIR, WITNESS)
THEIRS = SAVED / "0.3.0/playing"
"""A folder with another table's files."""

seeds = st.integers(0, 2**32).map(random.Random)
people = st.integers(0, len(NAMES) - 1)


class WholeTable(RuleBasedStateMachine):
    """A table whose folder is copied to be killed: what it had not written by then is lost."""

    @initialize(chance=seeds, sitting=st.integers(0, len(NAMES)), begun=st.integers(0, 4))
    def open_first(self, chance: random.Random, sitting: int, begun: int) -> None:
        self.room = tempfile.TemporaryDirectory()
        self.folder = Path(self.room.name) / "0"
        self.chance, self.tokens = chance, []
        self.held: dict[str, int | None] = {}
        self.passes_on = False
        self.version = self.thrown = 0
        self.earlier: list[tuple[Saved, list[bytes]]] = []
        self.open()
        # Most tables begin with a game: what happens there is what matters.
        for name in NAMES[: max(sitting, 3 * bool(begun))]:
            self.join(name)
        if begun:
            self.start()

    def open(self) -> None:
        self.journal = Journal(self.folder)
        self.table = Table(self.journal, GAMES, dice_game(), chance=self.chance)
        self.table.watch(CameraStatus("test"))

    def teardown(self) -> None:
        self.journal.close()
        self.room.cleanup()

    # What people and dice do. Much of it is refused, which must change nothing.

    @property
    def view(self) -> TableView:
        return self.table.view()

    def press(self, number: int = 0) -> Press:
        """Somebody presses a button of a page that shows what is; the host, if nobody is named."""
        seated = self.view.people
        person = seated[number % len(seated)].id if seated else None
        if not number:
            person = next((entry.id for entry in seated if entry.host), None)
        return Press(person, self.view.version, self.view.reading)

    def do(self, change: Callable[..., None], press: Press, *said: object, **named: bool) -> None:
        """Press; what is refused happens not at all."""
        with suppress(Refused):
            self.table.do(change, press, *said, **named)

    @precondition(lambda self: self.view.phase is Phase.LOBBY)
    @rule(name=st.sampled_from(NAMES), phone=st.booleans())
    def join(self, name: str, phone: bool = True) -> None:
        with suppress(Refused):
            if phone:
                self.tokens.append(join(self.table, name, self.table.scene.code))
            else:
                self.do(seats.add_person, self.press(), name)

    @precondition(lambda self: self.view.phase is Phase.LOBBY)
    @rule(who=people, chance=st.randoms(use_true_random=False))
    def order_people(self, who: int, chance: random.Random) -> None:
        order = [person.id for person in self.view.people]
        chance.shuffle(order)
        self.do(seats.order_people, self.press(who), order)

    @rule(who=people)
    def leave(self, who: int) -> None:
        self.passes_on = True
        self.do(seats.leave, self.press(who))

    @rule(whose=people, who=people, yes=st.booleans())
    def change_phones(self, whose: int, who: int, yes: bool) -> None:
        """A new phone asks for a seat, and somebody answers."""
        self.passes_on = True
        person, answers = self.press(whose).person, self.press(who)
        is_host = any(entry.host and entry.id == answers.person for entry in self.view.people)
        with suppress(Refused):
            token = claim_seat(self.table, -1 if person is None else person, self.table.scene.code)
            assert person_of(self.table.scene, token) is None
            claim = claim_of(self.table.scene, token)
            assert claim is not None
            self.do(seats.answer_claim, answers, claim.number, yes=yes)
            assert (person_of(self.table.scene, token) is not None) == (yes and is_host)
            self.tokens.append(token)

    @rule()
    def hold_both_buttons(self) -> None:
        self.passes_on = True
        self.table.hold_both_buttons()
        self.held = {}

    @rule(who=people)
    def lose_phone(self, who: int) -> None:
        self.passes_on = True
        self.do(seats.take_phone, self.press(), self.press(who).person)

    @rule(who=people, voter=people, yes=st.booleans())
    def ask_for_host(self, who: int, voter: int, yes: bool) -> None:
        with suppress(Refused):
            self.table.do(seats.bid, self.press(who))
            self.table.do(seats.vote, self.press(voter), self.press(who).person, yes=yes)

    @precondition(lambda self: self.view.phase is Phase.LOBBY)
    @rule(option=st.sampled_from(OPTIONS))
    def choose(self, option: tuple[str, str]) -> None:
        self.do(rounds.choose, self.press(), *option)

    @precondition(lambda self: self.view.phase is Phase.LOBBY)
    @rule()
    def start(self) -> None:
        self.do(rounds.start_game, self.press())

    @precondition(lambda self: self.view.phase is not Phase.LOBBY)
    @rule(again=st.booleans(), rarely=st.integers(0, 9))
    def end(self, again: bool, rarely: int) -> None:
        if again:
            self.do(rounds.play_again, self.press())
        elif self.view.phase is Phase.OVER or rarely == 9:
            self.do(rounds.new_game, self.press())

    @precondition(lambda self: self.view.phase is Phase.DEALING)
    @rule()
    def enter_cards(self) -> None:
        """Everybody enters what they hold; what a game can't be made of is entered again."""
        roles = list(self.table.scene.dealing.deck.roles)
        characters = sorted(CHARACTERS)
        self.chance.shuffle(roles)
        self.chance.shuffle(characters)
        for entry in self.view.people:
            dealing = self.table.view(entry.id).dealing
            for seat, asks in dealing.to_enter.items() if dealing else ():
                offered = [each for each in characters if each in asks.characters]
                role, character = roles[seat] if asks.roles else None, (*offered, None)[0]
                self.do(rounds.enter, Press(entry.id), seat, role, character, dealing.round)
                characters = [each for each in characters if each not in offered[:1]]

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(verdict=st.sampled_from(VERDICTS), keep=st.integers(0, 5), count=st.integers(0, 6))
    def see(self, verdict: str, keep: int, count: int) -> None:
        """The camera says something: some dice lie as they lay, the others were thrown."""
        self.thrown += 1
        lying = [
            Die(die.face, die.place.x, die.place.y)
            for die in self.view.tray.dice[:keep]
            if die.face and die.place
        ]
        number = 5 if verdict in ("ok", "unsure") else count
        fresh = [
            Die(
                self.chance.choice(list(Face)),
                90.0 * place,
                50.0 + 61.0 * (self.thrown % 9),
                sure=verdict != "unsure" or place > 0,
                likely=(Face.BEER, Face.ARROW) if verdict == "unsure" else (),
            )
            for place in range(len(lying), number)
        ]
        self.table.see(reading(verdict, [*lying, *fresh]))

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(red=st.booleans())
    def press_button(self, red: bool) -> None:
        (self.table.press_red if red else self.table.press_green)()

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(
        who=people,
        die=st.integers(0, 5),
        kind=st.sampled_from((*Face, "joker", None, "out", "add", "hand", "stop")),
    )
    def say(self, who: int, die: int, kind: str | None) -> None:
        """Say something of the dice, or what one of them shows."""
        mark = rolling.mark, die, TrayMark(kind, None if kind else True)
        change, *said = {
            "out": (rolling.leave_out, die),
            "add": (rolling.add, Face.BEER),
            "hand": (rolling.enter_by_hand,),
            "stop": (rolling.stop,),
        }.get(kind, mark)
        self.do(change, self.press(who), *said)

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(steps=st.integers(5, 60))
    def play(self, steps: int) -> None:
        """Some legal moves, by those who may make them; dice are thrown and accepted."""
        for _ in range(steps):
            history = self.table.scene.history
            if self.view.phase is not Phase.PLAYING:
                return
            move = random_move(history.state, self.chance)
            if isinstance(move, Roll):
                self.throw(move)
                self.table.press_green()
            elif isinstance(move, Stop):
                self.table.press_red()
            else:
                self.do(moves.move, self.decider(move.seat), move)

    def throw(self, roll: Roll) -> None:
        """The dice of a roll come to lie in a new place, and the others stay where they are."""
        self.thrown += 1
        lying = self.table.scene.history.lying
        places = [die.place for die in lying] if roll.rerolled is not None else [None] * 5
        dice = []
        for number, face in enumerate(roll.dice):
            place = None if number in (roll.rerolled or ()) else places[number]
            at = (place.x, place.y) if place else (90.0 * number, 50.0 + 61.0 * (self.thrown % 9))
            dice.append(Die(face, *at))
        self.table.see(reading("moving"))
        self.table.see(reading("ok", dice))

    def decider(self, seat: int) -> Press:
        for entry in self.view.people:
            if seat in self.table.view(entry.id).decides:
                return Press(entry.id, self.view.version, self.view.reading)
        return self.press()

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(who=people)
    def undo(self, who: int) -> None:
        self.do(moves.undo, self.press(who))

    @precondition(lambda self: self.view.phase is Phase.PLAYING)
    @rule(who=people, side=st.sampled_from(("law", "outlaws", "renegade", "nobody")))
    def guess(self, who: int, side: str) -> None:
        self.do(moves.guess, self.press(who), side)

    # What becomes of the machine

    @rule()
    def kill(self) -> None:
        before, troubles = self.saved(), self.view.troubles
        self.move_folder()
        self.open()
        assert self.saved() == before
        assert self.view.troubles == troubles

    @rule(name=st.sampled_from((FILE, BACKUP)), cut=st.booleans(), chance=seeds)
    def damage(self, name: str, cut: bool, chance: random.Random) -> None:
        before = self.saved()
        self.move_folder()
        path = self.folder / name
        spoilt = bytearray(path.read_bytes().rstrip(b"\0"))
        place = chance.randrange(len(spoilt))
        if cut:
            del spoilt[place:]
        else:
            spoilt[place] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        self.open()
        assert self.saved() == before, "the other file has it all"

    @precondition(lambda self: self.earlier)
    @rule(number=st.integers(0, 99), names=st.sampled_from((ALL, PAIR, PAIR[:1], PAIR[1:])))
    def put_older_files(self, number: int, names: Collection[str]) -> None:
        was, files = self.earlier[number % len(self.earlier)]
        left = self.put(names, dict(zip(ALL, files, strict=True)))
        if names in (ALL, PAIR) and (was.code, was.version) != (left.code, left.version):
            assert self.journal.set_aside is not None
            assert Trouble.OLDER in self.view.troubles

    @rule(names=st.sampled_from((PAIR, PAIR[:1], PAIR[1:])))
    def put_foreign_files(self, names: Collection[str]) -> None:
        left = self.put(names, {name: (THEIRS / name).read_bytes() for name in names})
        if left.code != look(THEIRS).saved.code:
            assert self.journal.set_aside is not None
            told = Trouble.OLDER if names == PAIR else Trouble.DAMAGE
            assert told in self.view.troubles

    def put(self, names: Collection[str], files: Mapping[str, bytes]) -> Saved:
        """Start with other files in the folder; return what the journal held before."""
        before, left = self.saved(), self.journal.saved
        self.move_folder()
        for name in names:
            (self.folder / name).write_bytes(files[name])
        self.open()
        self.held = {}
        assert names in (ALL, PAIR) or self.saved() == before, "the other file has it all"
        return left

    def move_folder(self) -> None:
        """Copy the folder as it is and go on with the copy, as after a kill."""
        files = [(self.folder / name).read_bytes() for name in ALL]
        self.earlier.append((self.journal.saved, files))
        copy = self.folder.with_name(str(int(self.folder.name) + 1))
        shutil.copytree(self.folder, copy)
        self.journal.close()
        shutil.rmtree(self.folder)
        self.folder = copy

    # What must always hold

    def saved(self) -> tuple[object, ...]:
        scene = self.table.scene
        return essence(scene, scene.history.lines if scene.history else (), facts(scene))

    @invariant()
    def what_is_saved_is_what_is_shown(self) -> None:
        found = look(self.folder)
        assert not found.damaged
        assert essence(found.saved, found.saved.lines, found.saved.facts) == self.saved()

    @invariant()
    def versions_only_grow(self) -> None:
        assert self.view.version >= self.version
        self.version = self.view.version

    @invariant()
    def secrets_stay(self) -> None:
        history = self.table.scene.history
        for entry in (None, *(person.id for person in self.view.people)):
            view = self.table.view(entry)
            wrong = view.dealing and view.dealing.wrong
            shown = repr((view.game, view.question, view.story, wrong))
            if history is None:
                assert not any(role in shown for role in Role)
                continue
            for seat, player in enumerate(view.game.players):
                if not knows_role(history.state, Audience.TABLE, seat):
                    assert player.role is None

    @invariant()
    def seats_pass_on_by_the_hosts_word_alone(self) -> None:
        """Both buttons stand in for the host, where no other phone could."""
        now = {token: person_of(self.table.scene, token) for token in self.tokens}
        for token, held in self.held.items():
            assert now[token] == held or (now[token] is None and self.passes_on)
        holders = [holder for holder in now.values() if holder is not None]
        assert len(holders) == len(set(holders)), "two phones hold a seat"
        self.held, self.passes_on = now, False

    @invariant()
    def somebody_can_go_on(self) -> None:
        view = self.view
        phones = any(person.has_phone for person in view.people)
        assert sum(person.host for person in view.people) == phones
        if view.phase is Phase.PLAYING and any(person.host for person in view.people):
            assert any(
                view.standing.awaited in self.table.view(person.id).decides
                or (view.rolling and person.host)
                for person in view.people
            )


def essence(
    table: Saved | Scene, lines: Iterable[Line], facts: Mapping[str, str]
) -> tuple[object, ...]:
    """What a start must find again."""
    kept = {name: text for name, text in facts.items() if name != "told"}
    return table.code, table.people, [line._replace(at="") for line in lines], kept


class WholeTableAtLength(WholeTable):
    """The same in other evenings, of which there are more."""


def settings_of(evenings: int) -> settings:
    """Return the settings in which so many evenings are tried."""
    return settings(
        max_examples=evenings,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


WholeTable.TestCase.settings = settings_of(12)
WholeTableAtLength.TestCase.settings = settings_of(28)
TestWholeTable = WholeTable.TestCase
TestWholeTableAtLength = pytest.mark.slow(WholeTableAtLength.TestCase)
