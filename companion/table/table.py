"""The running table: people, one game, the tray; every press, phone and reading goes through it.

All that changes it takes one lock, is saved before it counts, and leaves a new `Scene`, which
never changes: whoever looks (`view`) needs no lock. A press from a phone names the version that
its page showed; another one has come first if that is no longer the table's.
"""

import hashlib
import hmac
import logging
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from companion import __version__
from companion.chance.odds import Odds, without_secrets
from companion.dicegame.events import Eliminated, Side, TurnBegan
from companion.dicegame.faces import DICE, Face
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Move, Roll, Stop
from companion.dicegame.reasons import Reason, refuse
from companion.dicegame.record import Origin
from companion.dicegame.roles import Role
from companion.dicegame.rules import IllegalMove
from companion.dicegame.rulesets import Ruleset
from companion.dicegame.state import State
from companion.dicegame.targets import throwable
from companion.table import history as games
from companion.table import seats
from companion.table.dealing import Sheriff
from companion.table.dealing import begin as begin_dealing
from companion.table.history import Change, Game
from companion.table.journal import Journal, JournalError, Line, Saved, utc_now
from companion.table.refused import Message
from companion.table.refused import Problem as Problem
from companion.table.refused import Refused as Refused
from companion.table.scene import (
    Claim,
    Eyes,
    Phase,
    Scene,
    Signal,
    TableView,
    Trouble,
    may_undo,
    view_of,
)
from companion.table.tray import (
    BLIND,
    Amends,
    Mark,
    Place,
    Seen,
    SeenDie,
    Status,
    TrayDie,
    Verdict,
    seen_dice,
)
from companion.watching.learning import Learner, named

_log = logging.getLogger(__name__)

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of the join code: those that are hard to mistake for each other."""


class Table:
    """The table. Every method may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        *,
        ruleset: Ruleset,
        house_rules: frozenset[HouseRule] = frozenset(),
        chance: random.Random | None = None,
        now: Callable[[], str] = utc_now,
        ask_always: bool = False,
        fallen_see_roles: bool = False,
    ) -> None:
        """Stand where the journal stood. Raises JournalError.

        ruleset, house_rules: of the next game; chance: deals roles and characters (default: the
        system's randomness); now: returns the time as records have it; ask_always: ask also where
        all that is legal comes to the same;
        fallen_see_roles: whoever is eliminated may look at all roles, until the host chooses.
        """
        self._lock = threading.RLock()
        self._journal = journal
        self._chance = chance or secrets.SystemRandom()
        self._now = now
        self._ask_always = ask_always
        self._listeners: list[Callable[[], None]] = []
        self._throw: Callable[[Sequence[Place]], None] | None = None
        self._learner: Learner | None = None
        saved = journal.load()
        self._scene = _restored(
            journal,
            saved,
            Scene(
                version=saved.version,
                code=saved.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4)),
                ruleset=ruleset,
                house_rules=house_rules,
                people=saved.people,
                fallen_see_roles=fallen_see_roles,
            ),
        )
        if journal.set_aside is not None:
            self.report(Trouble.DAMAGE, journal.set_aside.name)
        self.report(Trouble.SAVING, journal.fault)
        if not saved.code:
            # On a full disk the first press that can be saved saves it.
            with suppress(Refused):
                self._commit(self._scene)

    # Looking

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change, in the thread that made it; it must not wait."""
        with self._lock:
            self._listeners.append(listener)

    @property
    def signal(self) -> Signal:
        """What the status light says now."""
        return self._scene.signal

    @property
    def code(self) -> str:
        """The letters that let somebody join."""
        return self._scene.code

    def person(self, token: str) -> int | None:
        """Return whose phone holds `token`."""
        digest = _digest(token)
        for person in self._scene.people:
            if person.token is not None and hmac.compare_digest(person.token, digest):
                return person.id
        return None

    def view(self, person: int | None = None) -> TableView:
        """Return what the phone of `person` may see; without one, what everybody may."""
        return view_of(self._scene, person)

    def role(self, person: int | None, seat: int) -> Role:
        """Return the role at `seat`, to its owner, or to the host whose phone is passed round."""
        scene = self._scene
        role = None
        if seat in view_of(scene, person).decides:
            if scene.game is not None:
                role = scene.game.state.player(seat).role
            elif scene.dealing is not None:
                role = scene.dealing.roles[seat]
        if role is None:
            raise Refused(Problem.FORBIDDEN, "this role is not yours to see")
        return role

    def claim(self, token: str) -> Claim | None:
        """Return what a phone asked for that holds no seat yet, while it is not answered."""
        digest = _digest(token)
        for claim in self._scene.claims:
            if hmac.compare_digest(claim.token, digest):
                return claim
        return None

    def roles(self, person: int | None) -> tuple[Role, ...]:
        """Return all roles by seat, to an eliminated player whose table allows it."""
        scene = self._scene
        if scene.game is None or not self.view(person).sees_roles:
            raise Refused(Problem.FORBIDDEN, "the roles are not yours to see")
        return scene.game.state.setup.roles

    def record(self) -> str:
        """Return the record of a finished game. Raises Refused while roles are secret."""
        game = self._scene.game
        if game is None or game.state.result is None:
            raise Refused(Problem.FORBIDDEN, "the record holds all roles: only after the game")
        return game.record

    # People

    def join(self, name: str, code: str) -> str:
        """Take a place by `name` and return the secret of this phone. Raises Refused.

        The first to come is the host and needs no code.
        """
        with self._lock:
            self._lobby_only()
            if self._scene.people:
                self._check_code(code)
            token = _new_token()
            host = not any(person.host for person in self._scene.people)
            self._commit(seats.sit(self._scene, name, _digest(token), host=host))
            return token

    def add_person(self, host: int | None, name: str, version: int) -> None:
        """Give somebody without a phone a place. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            self._commit(seats.sit(self._scene, name, None, host=False))

    def remove_person(self, host: int | None, person: int, version: int) -> None:
        """Let somebody go, before the game. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            if person == host:
                raise Refused(Problem.ILLEGAL, "the host stays")
            self._commit(seats.remove(self._scene, person))

    def check_host(self, person: int | None, version: int) -> None:
        """Raise Refused, unless the host presses something that his page still shows."""
        self._host_only(person, version)

    def move_person(self, host: int | None, person: int, places: int, version: int) -> None:
        """Move somebody so many places along the table (clockwise). Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            self._commit(seats.move(self._scene, person, places))

    def order_people(self, host: int | None, order: Sequence[int], version: int) -> None:
        """Put everybody in this order, clockwise. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            self._commit(seats.order(self._scene, order))

    def leave(self, person: int | None, version: int) -> None:
        """Let somebody go by himself; during a game his seat stays, without a phone."""
        with self._lock:
            self._current(version)
            self._commit(seats.leave(self._scene, seats.find(self._scene, person).id))

    def take_phone(self, host: int | None, person: int, version: int) -> None:
        """Let the host decide for somebody who lost his phone, from now on. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            if person == host:
                raise Refused(Problem.ILLEGAL, "the host has a phone")
            self._commit(seats.without_phone(self._scene, person))

    # A seat on another phone, another host. These are about seats, not about what a page shows
    # of the game: they need no version, and leave half given answers on other phones alone.

    def claim_seat(self, person: int, code: str, before: str = "") -> str:
        """Ask for a seat from a phone that holds none, and return the secret it will be held by.

        It opens nothing until the host says yes. before: what the same phone was given when it
        last asked. Raises Refused.
        """
        with self._lock:
            self._check_code(code)
            token = _new_token()
            earlier = self.claim(before)
            scene = self._scene
            others = tuple(claim for claim in scene.claims if claim != earlier)
            marks = {claim.mark for claim in others}
            mark = secrets.choice([mark for mark in _MARKS if mark not in marks])
            request = Claim(secrets.randbelow(10**9), person, _digest(token), mark)
            self._keep(seats.claim(replace(scene, claims=others), request))
            return token

    def withdraw_claim(self, token: str) -> None:
        """Let the phone that asked for a seat ask no more. Raises Refused."""
        with self._lock:
            self._keep(seats.withdraw(self._scene, self.claim(token)))

    def answer_claim(self, person: int | None, number: int, *, yes: bool) -> None:
        """Answer a phone that asks for a seat: the host, or no from who holds it."""
        with self._lock:
            self._keep(seats.answer(self._scene, person, number, yes=yes))

    def bid(self, person: int | None) -> None:
        """Ask the other phones to be made the host. Raises Refused."""
        with self._lock:
            self._keep(seats.bid(self._scene, person))

    def vote(self, person: int | None, candidate: int, *, yes: bool) -> None:
        """Answer who asks to be made the host. Raises Refused."""
        with self._lock:
            self._keep(seats.vote(self._scene, person, candidate, yes=yes))

    def vouch(self) -> None:
        """Both buttons are held: somebody at the table stands in for the host's lost phone."""
        self._pressed(lambda: self._keep(seats.vouch(self._scene)))

    def _check_code(self, code: str) -> None:
        given, own = code.strip().upper().encode(), self._scene.code.encode()
        if not hmac.compare_digest(given, own):
            raise Refused(Problem.FORBIDDEN, "the code is another one: see the table page")

    # The game

    def choose(self, host: int | None, option: str, value: str, version: int) -> None:
        """Say how the next game is dealt: `option` of `Options`. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            try:
                options = self._scene.options.changed(option, value)
            except ValueError:
                raise Refused(Problem.ILLEGAL, "there is no such option") from None
            self._commit(replace(self._scene, options=options))

    def start_game(self, host: int | None, version: int) -> None:
        """Deal, and begin unless players have still to enter or choose cards. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            self._lobby_only()
            self._deal(self._scene)

    def play_again(self, host: int | None, version: int) -> None:
        """Deal a new game to the same seats once one is over. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            if self._scene.phase is not Phase.OVER:
                raise Refused(Problem.ILLEGAL, "the game is not over")
            self._deal(self._left())

    def new_game(self, host: int | None, version: int) -> None:
        """Leave this game, finished, running or being dealt, for the lobby with the same people."""
        with self._lock:
            self._host_only(host, version)
            self._commit(self._left())

    def enter(
        self, person: int | None, seat: int, role: Role | None, character: str | None, number: int
    ) -> None:
        """Enter the cards that a player holds or chooses, in the round `number` of dealing.

        With the last entry the game begins, or everybody enters again if that can't be. Raises
        Refused.
        """
        with self._lock:
            self._dealing_only(person, seat, number)
            dealing = self._scene.dealing
            assert dealing is not None
            dealing = dealing.enter(seat, role, character)
            checked = dealing.checked(self._scene.version + 1)
            if checked.complete:
                self._begin(replace(self._scene, dealing=checked))
            elif dealing.complete:
                self._commit(replace(self._scene, dealing=checked))
            else:
                # Others are in the middle of entering theirs.
                self._keep(replace(self._scene, dealing=checked))

    def enter_again(self, person: int | None, seat: int, number: int) -> None:
        """Take back what was entered at a seat, in the round `number` of dealing."""
        with self._lock:
            self._dealing_only(person, seat, number)
            dealing = self._scene.dealing
            assert dealing is not None
            self._keep(replace(self._scene, dealing=dealing.taken_back(seat)))

    def _dealing_only(self, person: int | None, seat: int, number: int) -> None:
        dealing = self._scene.dealing
        if dealing is None or dealing.round != number:
            raise Refused(Problem.STALE, "the table has moved on: look again")
        if seat not in self.view(person).decides:
            raise Refused(Problem.FORBIDDEN, "these cards are entered on another phone")

    def _deal(self, scene: Scene) -> None:
        count, ruleset = len(scene.people), scene.ruleset
        if count not in ruleset.players:
            least, most = ruleset.players[0], ruleset.players[-1]
            needed = Message("%(least)s to %(most)s players are needed", least=least, most=most)
            if least == most:
                needed = Message("%(count)s players are needed", count=most)
            raise Refused(Problem.ILLEGAL, needed)
        first = seats.next_first(scene) if scene.options.sheriff is Sheriff.TURN else None
        number = scene.version + 1
        dealing = begin_dealing(number, ruleset, count, self._chance, scene.options, first)
        scene = replace(scene, dealing=dealing, news=None)
        if dealing.complete:
            self._begin(scene)
        else:
            self._commit(scene)

    def _begin(self, scene: Scene) -> None:
        """Begin the game that was dealt."""
        assert scene.dealing is not None
        names = [person.name for person in scene.people]
        setup = scene.dealing.setup(scene.ruleset, names, scene.house_rules)
        origin = Origin(__version__, self._now())
        change = games.begin(self._saved(self._journal.next_game), setup, origin)
        self._commit(replace(scene, dealing=None, game=change.game), lines=change.lines)

    def _left(self) -> Scene:
        """The scene without its game; who began it is known, so that another may be next."""
        scene = self._with(None)
        game = self._scene.game
        if game is not None and game.undoable:
            scene = replace(scene, sheriff=scene.people[game.state.setup.first].id)
        return replace(scene, dealing=None, news=None)

    def move(self, person: int | None, move: Move, version: int) -> None:
        """Make a decision from a phone. Dice are accepted by `accept` alone. Raises Refused."""
        with self._lock:
            self._current(version)
            if isinstance(move, Roll):
                raise Refused(Problem.ILLEGAL, "dice are thrown into the tray")
            if move.seat not in self.view(person).decides:
                raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
            self._play(move, self._game().lying)

    def accept(self, person: int | None, version: int, reading: int) -> None:
        """Accept the dice that a phone shows. Raises Refused."""
        with self._lock:
            self._current(version, reading)
            self._turn_only(person)
            self._accept()

    def stop(self, person: int | None, version: int) -> None:
        """End the rolling from a phone. Raises Refused."""
        with self._lock:
            self._current(version)
            self._turn_only(person)
            self._stop()

    def press_green(self) -> None:
        """The green button: accept the dice. A refusal is shown on the pages."""
        self._pressed(self._accept)

    def press_red(self) -> None:
        """The red button: end the rolling. A refusal is shown on the pages."""
        self._pressed(self._stop)

    def undo(self, person: int | None, version: int) -> None:
        """Take back the last decision and what followed by itself. Raises Refused."""
        with self._lock:
            self._current(version)
            game = self._game()
            if not game.undoable:
                raise Refused(Problem.ILLEGAL, "nothing to take back")
            here = next((entry for entry in self._scene.people if entry.id == person), None)
            if here is None or not may_undo(self._scene, here):
                raise Refused(Problem.FORBIDDEN, "only the host and the player whose turn it is")
            self._commit_game(games.undo(game, self._scene.people.index(here)))
            self._unlearn_undone()

    def guess(self, person: int | None, side: Side) -> None:
        """Note which side an eliminated player thinks will win. Raises Refused.

        It changes nothing for the others, so that none of their presses is refused for it.
        """
        with self._lock:
            game, looker = self._game(), self.view(person)
            if looker.seat is None or not looker.fallen:
                raise Refused(Problem.FORBIDDEN, "whoever is out of the game may guess")
            change = games.guess(game, looker.seat, side)
            self._keep(replace(self._scene, game=change.game), lines=change.lines)

    def odds_wanted(self) -> State | None:
        """Return the moment of which fallen players want the odds: when the last turn began, or
        the last player fell. None while nobody has fallen; it holds no secret.
        """
        game = self._scene.game
        if game is None or game.state.result or all(game.state.life):
            return None
        moment = next(
            moment
            for moment in reversed(game.moments)
            if any(isinstance(event, TurnBegan | Eliminated) for event in moment.state.events)
        )
        return without_secrets(moment.state)

    def show_odds(self, state: State, odds: Odds) -> None:
        """Take over the odds of `state`, unless the game has moved on meanwhile."""
        with self._lock:
            if state == self.odds_wanted():
                self._show(replace(self._scene, odds=odds))

    def _pressed(self, press: Callable[[], None]) -> None:
        with self._lock:
            try:
                press()
            except Refused as refused:
                self._show(replace(self._scene, notice=refused.reason))

    def _accept(self) -> None:
        state, tray = self._game().state, self._scene.tray
        if not self._scene.rolling:
            raise Refused(Problem.ILLEGAL, "no dice are awaited now")
        if tray.status is not Status.READY:
            raise Refused(Problem.ILLEGAL, _NOT_READY[tray.status])
        faces = tuple(die.face for die in tray.dice if die.face is not None)
        thrown = tuple(number for number, die in enumerate(tray.dice) if die.thrown)
        lying = tuple(replace(die, thrown=False, sure=True) for die in tray.dice)
        lessons = named(tray.dice, self._scene.seen, self._scene.marks)
        moment = len(self._game().moments)
        self._play(Roll(state.turn, faces, thrown if state.dice else None), lying, self._scene.read)
        if self._learner is not None and lessons:
            self._learner.learn(lessons, self._game_name(), moment)

    def _stop(self) -> None:
        game = self._game()
        if self._scene.tray.status in (Status.READY, Status.UNSURE, Status.BESIDE):
            raise Refused(Problem.ILLEGAL, "dice were thrown: accept them first")
        self._play(Stop(game.state.turn), game.lying)

    def _play(self, move: Move, lying: tuple[TrayDie, ...], spent: Seen | None = None) -> None:
        try:
            change = games.play(self._game(), move, lying, ask_always=self._ask_always)
        except IllegalMove as error:
            raise Refused(Problem.ILLEGAL, error.refusal) from None
        self._commit_game(change, self._scene.spent if spent is None else spent)

    # The tray

    def see(self, verdict: str, dice: Sequence[SeenDie] = ()) -> None:
        """Take over what the camera says: a reader's verdict with its dice, or `moving`."""
        with self._lock:
            seen = Seen(Verdict(verdict), seen_dice(dice))
            if seen == self._scene.seen:
                return
            scene = replace(self._scene, seen=seen, notice="")
            if seen.verdict is not Verdict.MOVING and not scene.by_hand:
                if not seen.unmoved(scene.read):
                    scene = replace(scene, marks={}, amends=Amends())
                scene = replace(scene, read=seen)
            if seen.verdict is Verdict.EMPTY:
                scene = replace(scene, stayed=())
            elif scene.tray.status is Status.PICKED_UP:
                scene = replace(scene, stayed=seen.dice)
            self._show(scene)

    def use_eyes(self, eyes: Eyes, throw: Callable[[Sequence[Place]], None] | None = None) -> None:
        """Say what reads the dice from now on; without a camera, `Eyes()`.

        throw: throws all dice but those that lie at the places given (a drawn tray).
        """
        with self._lock:
            self._throw = throw
            if eyes == self._scene.eyes:
                # A camera that is tried again in vain must not take away what players entered.
                return
            blind = eyes.name == "none" or bool(eyes.fault)
            seen = Seen(Verdict.BLIND if blind else Verdict.EMPTY)
            self._show(replace(self._scene, eyes=eyes, seen=seen, read=seen, stayed=(), marks={}))

    def mark(
        self,
        person: int | None,
        die: int,
        mark: Mark,
        version: int,
        reading: int,
    ) -> None:
        """Correct a die from a phone: its face, or whether it was thrown. Raises Refused."""
        with self._lock:
            self._current(version, reading)
            self._turn_only(person)
            if not self._scene.rolling or not 0 <= die < len(self._scene.tray.dice):
                raise Refused(Problem.ILLEGAL, "there is no such die to correct")
            before = self._scene.marks.get(die, Mark())
            joined = Mark(
                mark.face if mark.face is not None else before.face,
                mark.thrown if mark.thrown is not None else before.thrown,
            )
            if mark.thrown is False:
                joined = mark
            self._show(replace(self._scene, marks={**self._scene.marks, die: joined}, notice=""))

    def keep(self, person: int | None, kept: Sequence[int], version: int, reading: int) -> None:
        """Say from a phone which dice were kept beside the tray. Raises Refused."""
        with self._lock:
            self._current(version, reading)
            self._turn_only(person)
            if tuple(kept) not in self._scene.tray.choices:
                raise Refused(Problem.ILLEGAL, "these dice can't lie beside the tray")
            said = {die: Mark(thrown=False) for die in kept}
            self._show(replace(self._scene, marks={**self._scene.marks, **said}, notice=""))

    def leave_out(self, person: int | None, die: int, version: int, reading: int) -> None:
        """Say from a phone that what the camera takes for a die is none. Raises Refused."""
        with self._lock:
            self._current(version, reading)
            self._turn_only(person)
            scene = self._scene
            dice = scene.counted or scene.tray.dice
            if not scene.rolling or not 0 <= die < len(dice):
                raise Refused(Problem.ILLEGAL, "there is no such die to correct")
            place, face, amends = dice[die].place, dice[die].face, scene.amends
            if place is not None:
                amends = replace(amends, left_out=(*amends.left_out, place))
            elif face in amends.added:
                added = list(amends.added)
                added.remove(face)
                amends = replace(amends, added=tuple(added))
            else:
                raise Refused(Problem.ILLEGAL, "there is no such die to correct")
            self._show(replace(scene, amends=amends, marks={}, notice=""))

    def add_die(self, person: int | None, face: Face, version: int, reading: int) -> None:
        """Say from a phone what a die shows that the camera misses. Raises Refused."""
        with self._lock:
            self._current(version, reading)
            self._turn_only(person)
            scene = self._scene
            if not 0 < len(scene.counted) < DICE:
                raise Refused(Problem.ILLEGAL, "no die is missing")
            amends = replace(scene.amends, added=(*scene.amends.added, face))
            self._show(replace(scene, amends=amends, marks={}, notice=""))

    def take_by_hand(self, person: int | None, version: int) -> None:
        """Let players say what this roll shows, where the camera can't. Raises Refused.

        What it is sure of before the first roll is said already.
        """
        with self._lock:
            self._current(version)
            self._turn_only(person)
            if not self._scene.rolling:
                raise Refused(Problem.ILLEGAL, "no dice are awaited now")
            sure = [die.face for die in self._scene.seen.dice if die.sure]
            marks = {}
            if not self._game().state.dice:
                marks = {number: Mark(face) for number, face in enumerate(sure[:DICE])}
            self._show(replace(self._scene, by_hand=True, marks=marks, notice=""))

    def pick(self, person: int | None, die: int, version: int) -> None:
        """Pick a die up, or put it down again, before the table throws. Raises Refused."""
        with self._lock:
            self._current(version)
            self._turn_only(person)
            if not self._scene.eyes.throws or not self._scene.rolling:
                raise Refused(Problem.ILLEGAL, "the dice are in your hands, not in mine")
            if not 0 <= die < DICE:
                raise Refused(Problem.ILLEGAL, refuse(Reason.NO_SUCH_DIE, last=DICE - 1))
            if die not in throwable(self._game().state):
                raise Refused(Problem.ILLEGAL, refuse(Reason.DYNAMITE_STAYS, die=die))
            self._show(replace(self._scene, picked=self._scene.picked ^ {die}, notice=""))

    def throw(self, person: int | None, version: int) -> None:
        """Throw the dice that were picked up, before the first roll all. Raises Refused."""
        with self._lock:
            self._current(version)
            self._turn_only(person)
            scene = self._scene
            if self._throw is None or not scene.rolling:
                raise Refused(Problem.ILLEGAL, "nothing is to be thrown now")
            if scene.tray.status in (Status.MOVING, Status.READY, Status.UNSURE):
                raise Refused(Problem.ILLEGAL, "the dice are thrown: accept them first")
            state, lying = self._game().state, self._game().lying
            if not state.dice:
                kept: list[Place] = []
            elif scene.picked:
                kept = [
                    die.place
                    for number, die in enumerate(lying)
                    if number not in scene.picked and die.place is not None
                ]
            else:
                raise Refused(Problem.ILLEGAL, "choose the dice to throw again")
            throw = self._throw
        throw(kept)

    # What fails

    def report(self, trouble: Trouble, reason: str) -> None:
        """Tell everybody that a part fails, and why; with no reason ("") that it works again."""
        with self._lock:
            before = self._scene.troubles.get(trouble, "")
            if reason == before:
                return
            _log.warning("%s: %s", trouble, reason or "works again")
            others = {k: v for k, v in self._scene.troubles.items() if k is not trouble}
            troubles = {**others, trouble: reason} if reason else others
            self._show(replace(self._scene, troubles=troubles))

    # Learning

    def use_learner(self, learner: Learner) -> None:
        """Say what learns from what players say of dice."""
        with self._lock:
            self._learner = learner
            if self._scene.game is not None:
                # Of an undo, the table may have been killed before the lesson was taken back.
                self._unlearn_undone()

    def show_learned(self, counts: Mapping[str, int], fault: str = "") -> None:
        """Take over what was learned, and why it could not be saved ("" if it could)."""
        with self._lock:
            notice = fault or self._scene.notice
            self._show(replace(self._scene, learned=counts, notice=notice))

    def forget_learned(self, host: int | None, version: int) -> None:
        """Let the reader know only what it was taught before. Raises Refused."""
        with self._lock:
            self._host_only(host, version)
            if self._learner is None:
                raise Refused(Problem.ILLEGAL, "nothing is learned here")
            self._learner.forget()

    def _game_name(self) -> str:
        """A name that no other game has, of this table or of another."""
        return f"{self._scene.code}-{self._game().number}"

    def _unlearn_undone(self) -> None:
        if self._learner is not None:
            self._learner.take_back(self._game_name(), len(self._game().moments))

    # Changing

    def _game(self) -> Game:
        if self._scene.game is None:
            raise Refused(Problem.ILLEGAL, "no game is running")
        return self._scene.game

    def _with(self, game: Game | None) -> Scene:
        """The scene with another game; what players said of the dice counted until now."""
        before = self._scene.game
        same_turn = before and game and before.state.turn == game.state.turn
        return replace(
            self._scene,
            game=game,
            news=self._scene.news if same_turn else None,
            stayed=(),
            marks={},
            amends=Amends(),
            odds=self._scene.odds if game else None,
            picked=frozenset(),
            by_hand=False,
            notice="",
        )

    def _current(self, version: int, reading: int | None = None) -> None:
        if version != self._scene.version or reading not in (None, self._scene.reading):
            raise Refused(Problem.STALE, "the table has moved on: look again")

    def _host_only(self, person: int | None, version: int) -> None:
        self._current(version)
        if not self.view(person).host:
            raise Refused(Problem.FORBIDDEN, "only the host's phone does that")

    def _turn_only(self, person: int | None) -> None:
        looker = self.view(person)
        if not looker.host and (looker.seat is None or looker.seat != self._game().state.turn):
            raise Refused(Problem.FORBIDDEN, "only the player whose turn it is, or the host")

    def _lobby_only(self) -> None:
        if self._scene.phase is not Phase.LOBBY:
            raise Refused(Problem.ILLEGAL, "a game is running")

    def _saved(self, write: Callable[[], int]) -> int:
        try:
            return write()
        except JournalError as error:
            raise Refused(Problem.FAILED, "nothing was changed: %(error)s", error=error) from error

    def _commit_game(self, change: Change, spent: Seen = BLIND) -> None:
        self._commit(replace(self._with(change.game), spent=spent), lines=change.lines)

    def _commit(self, scene: Scene, *, lines: Sequence[Line] = ()) -> None:
        """Save a change of people or game, then show it. Raises Refused, with nothing changed."""
        self._keep(replace(scene, version=scene.version + 1), lines=lines)

    def _keep(self, scene: Scene, *, lines: Sequence[Line] = ()) -> None:
        """Save and show a change after which what pages offered may still be pressed."""
        before = seats.facts(self._scene)
        facts = {k: value for k, value in seats.facts(scene).items() if before[k] != value}
        left, game = self._scene.game, scene.game
        if left is not None and game is not None and left.number == game.number:
            left = None
        try:
            if left is not None:
                self._journal.keep_record(f"{scene.code}-{left.number}", left.record)
            self._journal.save(
                scene.version,
                code=scene.code,
                game=game.number if game else 0,
                people=scene.people if scene.people != self._scene.people else None,
                lines=lines,
                facts=facts,
                gone=left.number if left else None,
            )
        except JournalError as error:
            self.report(Trouble.SAVING, self._journal.fault)
            raise Refused(
                Problem.FAILED,
                "nothing was changed: %(error)s",
                error=self._journal.fault,
            ) from error
        healed = {Trouble.SAVING, Trouble.DAMAGE} if left else {Trouble.SAVING}
        troubles = {k: reason for k, reason in scene.troubles.items() if k not in healed}
        self._show(replace(scene, troubles=troubles))

    def _show(self, scene: Scene) -> None:
        if scene.tray != self._scene.tray:
            scene = replace(scene, reading=self._scene.reading + 1)
        self._scene = scene
        for listener in self._listeners:
            try:
                listener()
            except Exception:
                # The change is saved and counts, whoever could not be told of it.
                _log.exception("a listener failed")


_NOT_READY = {
    Status.EMPTY: Message("throw the dice first"),
    Status.MOVING: Message("the dice are still rolling"),
    Status.LYING: Message("nothing was thrown"),
    Status.PICKED_UP: Message("some dice are missing: throw them"),
    Status.BESIDE: Message("say which dice were kept beside the tray"),
    Status.UNSURE: Message("one die is uncertain: tap it"),
    Status.INCOMPLETE: Message("enter all five dice"),
    Status.COUNT: Message("five dice are needed"),
    Status.COCKED: Message("a die does not lie flat"),
    Status.BLOCKED: Message("something lies over the dice"),
}


_MARKS = tuple(f"{number:02}" for number in range(100))
"""What a phone that asks for a seat shows, and the host sees with the question."""


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _restored(journal: Journal, saved: Saved, scene: Scene) -> Scene:
    """The scene with the game that ran, and all else that was saved. Raises JournalError."""
    try:
        scene = seats.restored(scene, saved.facts)
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{journal.path}: the seats can't be read: {error}") from error
    if not saved.game:
        return scene
    game, sound = games.restore_sound(saved.game, saved.lines)
    if sound < len(saved.lines):
        journal.cut(saved.game, sound)
    return replace(scene, game=game)
