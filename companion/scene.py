"""Everything on the table at one moment, and what of it each phone may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.dicegame.choices import Question, question
from companion.dicegame.events import Event
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Action
from companion.dicegame.reasons import Refusal
from companion.dicegame.rulesets import Ruleset
from companion.dicegame.targets import throwable
from companion.dicegame.views import Audience, View, view
from companion.game import Game, Undone
from companion.journal import Person
from companion.tray import BLIND, Mark, Seen, Status, Tray, TrayDie, read_tray


class Signal(StrEnum):
    """What the status light says."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"


class Phase(StrEnum):
    """Where the evening stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Eyes:
    """What reads the dice: a name ("simulated", …), and what is wrong with it ("" if nothing).

    throws: the table can throw the dice itself (a drawn tray).
    """

    name: str = "none"
    fault: str = ""
    throws: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything at one moment. It holds secrets: only `view_of` shows it to anybody."""

    version: int
    code: str
    ruleset: Ruleset
    """Of the next game; a running one keeps its own, and its own house rules."""
    house_rules: frozenset[HouseRule]
    people: tuple[Person, ...]
    game: Game | None = None
    eyes: Eyes = Eyes()
    seen: Seen = BLIND
    read: Seen = BLIND
    """What the camera last said of dice that lay still: `marks` are about these."""
    spent: Seen = BLIND
    """What the camera said of the dice that were accepted last: they are no new roll."""
    stayed: tuple[TrayDie, ...] = ()
    """The dice that lay in the tray when others were last seen to be picked up: they are kept."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    picked: frozenset[int] = frozenset()
    by_hand: bool = False
    """Players say what this roll shows, whatever the camera sees."""
    reading: int = 0
    notice: str | Refusal = ""
    """Why the last press of a button changed nothing."""
    learned: Mapping[str, int] = field(default_factory=dict)
    """How many pictures of each face the reader has learned while playing."""

    @property
    def phase(self) -> Phase:
        """Where the evening stands."""
        if self.game is None:
            return Phase.LOBBY
        return Phase.PLAYING if self.game.state.result is None else Phase.OVER

    @property
    def rolling(self) -> bool:
        """Whether dice are awaited."""
        awaits = self.game.state.awaits if self.game else None
        return awaits is not None and awaits.action is Action.ROLL

    @property
    def tray(self) -> Tray:
        """The dice, as they may be accepted."""
        if self.game is None:
            return Tray(Status.EMPTY)
        state, lying = self.game.state, self.game.lying
        if not self.rolling:
            return Tray(Status.LYING, lying if state.dice else (), len(lying))
        if self.spent.dice and self.seen.unmoved(self.spent) and not (self.marks or self.by_hand):
            return Tray(Status.LYING, lying, len(self.seen.dice))
        ability = state.ability
        return read_tray(
            BLIND if self.by_hand else self.seen,
            lying,
            self.marks,
            first_roll=not state.dice,
            keeps_dynamite=not ability.rerolls_dynamite,
            stayed=self.stayed,
        )

    @property
    def signal(self) -> Signal:
        """What the light says."""
        if self.phase is not Phase.PLAYING:
            return Signal.OFF
        if not self.rolling:
            return Signal.WAITING
        return {
            Status.READY: Signal.CERTAIN,
            Status.UNSURE: Signal.UNCERTAIN,
            Status.BESIDE: Signal.UNCERTAIN,
            Status.COUNT: Signal.ILLEGAL,
            Status.COCKED: Signal.ILLEGAL,
            Status.BLOCKED: Signal.ILLEGAL,
        }.get(self.tray.status, Signal.WAITING)


class PersonView(NamedTuple):
    """Somebody as everybody sees him."""

    id: int
    name: str
    has_phone: bool
    host: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """What one phone, or the table page, may see; nothing else of the table leaves it.

    ruleset, house_rules: of the running game, in the lobby of the next one; seat: the viewer's in
    the game, None for others; person: who he is, None for spectators; decides: seats whose
    decisions are made on this phone; passed_around: those of them that have no phone of their own;
    question: what is to be decided, by whomever; by_hand: players say what the dice show, not a
    camera; notice: why the last press of a button changed nothing ("" if it did);
    learned: how many pictures of each face the reader has learned while playing.
    """

    version: int
    reading: int
    phase: Phase
    code: str
    ruleset: Ruleset
    house_rules: frozenset[HouseRule]
    people: tuple[PersonView, ...]
    person: int | None
    seat: int | None
    host: bool
    decides: tuple[int, ...]
    passed_around: tuple[int, ...]
    game: View | None
    game_number: int
    question: Question | None
    tray: Tray
    picked: frozenset[int]
    throwable: tuple[int, ...]
    rolling: bool
    by_hand: bool
    signal: Signal
    eyes: Eyes
    story: tuple[Event | Undone, ...]
    notice: str | Refusal
    can_undo: bool
    learned: Mapping[str, int]


def view_of(scene: Scene, person: int | None = None) -> TableView:
    """Return what the phone of `person` may see; without one, what everybody may."""
    here = next((entry for entry in scene.people if entry.id == person), None)
    seat = scene.people.index(here) if here and scene.game else None
    host = here is not None and here.host
    passed = _seats_without_phone(scene) if host else ()
    # Even one's own role is no part of a page: `role` gives it while a finger asks for it.
    game = view(scene.game.state, Audience.TABLE) if scene.game else None
    rules = scene.game.state.setup if scene.game else scene
    return TableView(
        version=scene.version,
        reading=scene.reading,
        phase=scene.phase,
        code=scene.code,
        ruleset=rules.ruleset,
        house_rules=rules.house_rules,
        people=tuple(
            PersonView(entry.id, entry.name, entry.token is not None, entry.host)
            for entry in scene.people
        ),
        person=here.id if here else None,
        seat=seat,
        host=host,
        decides=passed if seat is None else tuple(sorted({seat, *passed})),
        passed_around=passed,
        game=game,
        game_number=scene.game.number if scene.game else 0,
        question=question(scene.game.state) if scene.game else None,
        tray=scene.tray,
        picked=scene.picked,
        throwable=throwable(scene.game.state) if scene.game and scene.rolling else (),
        rolling=scene.rolling,
        by_hand=scene.by_hand or scene.seen == BLIND,
        signal=scene.signal,
        eyes=scene.eyes,
        story=scene.game.story if scene.game else (),
        notice=scene.notice,
        can_undo=may_undo(scene, here),
        learned=scene.learned,
    )


def _seats_without_phone(scene: Scene) -> tuple[int, ...]:
    if scene.game is None:
        return ()
    return tuple(seat for seat, person in enumerate(scene.people) if person.token is None)


def may_undo(scene: Scene, person: Person | None) -> bool:
    """Return whether `person` may take the last move back now."""
    if scene.game is None or person is None or not scene.game.undoable:
        return False
    return person.host or scene.people.index(person) == scene.game.state.turn
