"""Everything on the table at one moment, and what of it each phone may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from companion.chance.odds import Odds
from companion.dicegame.choices import Question, question
from companion.dicegame.events import Event, Side
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Action
from companion.dicegame.reasons import Refusal
from companion.dicegame.roles import Role
from companion.dicegame.rulesets import Ruleset
from companion.dicegame.targets import throwable
from companion.dicegame.views import Audience, View, view
from companion.table.dealing import Dealing, Fallen, Options, Wrong
from companion.table.history import Game, Undone, to_undo
from companion.table.journal import Person
from companion.table.tray import BLIND, Amends, Mark, Seen, Status, Tray, TrayDie, read_tray


class Signal(StrEnum):
    """What the status light says."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"


class Trouble(StrEnum):
    """A part that fails while the table goes on without it. The camera's is told by its `Eyes`."""

    SAVING = "saving"
    """Nothing can be saved, so that no press counts."""
    DAMAGE = "damage"
    """What was saved was damaged: the table stands where its last good record left it."""
    GREEN = "green"
    """The green button is stuck."""
    RED = "red"
    LIGHT = "light"


class Phase(StrEnum):
    """Where the evening stands."""

    LOBBY = "lobby"
    DEALING = "dealing"
    """Players enter or choose their cards."""
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
class Claim:
    """A phone without a seat says that it is somebody's new one.

    number: of this claim alone; person: whose seat it wants; token: digest of its secret; mark:
    what it shows, so that the host knows it again.
    """

    number: int
    person: int
    token: str
    mark: str


@dataclass(frozen=True, slots=True)
class Bid:
    """Somebody wants to be the host; votes: what the other phones said to that, by person."""

    person: int
    votes: Mapping[int, bool] = field(default_factory=dict)


class NewsKind(StrEnum):
    """What was changed about a seat, for everybody to know."""

    MOVED = "moved"
    """It is held by another phone."""
    PHONELESS = "phoneless"
    """It has no phone any more."""
    HOST = "host"
    """It is the host's."""


class News(NamedTuple):
    """What was changed about the seat of `name`."""

    kind: NewsKind
    name: str


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
    amends: Amends = field(default_factory=Amends)
    """What players said of the number of these dice."""
    picked: frozenset[int] = frozenset()
    by_hand: bool = False
    """Players say what this roll shows, whatever the camera sees."""
    reading: int = 0
    notice: str | Refusal = ""
    """Why the last press of a button changed nothing."""
    troubles: Mapping[Trouble, str] = field(default_factory=dict)
    """Parts that fail now, each with the reason."""
    learned: Mapping[str, int] = field(default_factory=dict)
    """How many pictures of each face the reader has learned while playing."""
    fallen_see_roles: bool = False
    """Whoever is eliminated may look at all roles, unless the host chose otherwise."""
    odds: Odds | None = None
    """Who would win, told by what everybody knows; None while that is not worked out."""
    options: Options = field(default_factory=Options)
    """How the next game is dealt."""
    dealing: Dealing | None = None
    sheriff: int = 0
    """The person who had the first turn of the last game, 0 if there was none."""
    claims: tuple[Claim, ...] = ()
    bid: Bid | None = None
    news: News | None = None

    @property
    def phase(self) -> Phase:
        """Where the evening stands."""
        if self.game is None:
            return Phase.LOBBY if self.dealing is None else Phase.DEALING
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
            BLIND if self.by_hand else self.amends.of(self.seen),
            lying,
            self.marks,
            first_roll=not state.dice,
            keeps_dynamite=not ability.rerolls_dynamite,
            stayed=self.stayed,
        )

    @property
    def counted(self) -> tuple[TrayDie, ...]:
        """The dice that the camera sees while they are not five."""
        return self.amends.of(self.seen).dice if self.tray.status is Status.COUNT else ()

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


class ToEnter(NamedTuple):
    """What a player has still to say of his cards; empty where nothing is asked."""

    roles: tuple[Role, ...]
    characters: tuple[str, ...]


class DealingView(NamedTuple):
    """Cards being dealt, as one phone may see them.

    round: what an entry must name; entered: by seat, whether nothing is to be entered any more;
    wrong: why everybody enters again; to_enter: by seat, for those whose cards are entered here.
    """

    round: int
    entered: tuple[bool, ...]
    wrong: tuple[Wrong, ...]
    to_enter: Mapping[int, ToEnter]


class ClaimView(NamedTuple):
    """A phone that wants the seat of `name`; grants: whether this phone may say yes to it."""

    number: int
    name: str
    mark: str
    grants: bool


class BidView(NamedTuple):
    """Somebody wants to be the host.

    person, name: who; yes: phones that agreed so far, of `needed`, 0 where there is nobody to ask;
    asked: whether this phone has still to answer.
    """

    person: int
    name: str
    yes: int
    needed: int
    asked: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """What one phone, or the table page, may see; nothing else of the table leaves it.

    ruleset, house_rules: of the running game, in the lobby of the next one; seat: the viewer's in
    the game, None for others; person: who he is, None for spectators; decides: seats whose
    decisions are made on this phone; passed_around: those of them that have no phone of their own;
    question: what is to be decided, by whomever; by_hand: players say what the dice show, not a
    camera; counted: what it sees while that is not five dice; notice: why the last press of a
    button changed nothing ("" if it did);
    troubles: parts that fail now, each with the reason;
    learned: how many pictures of each face the reader has learned while playing;
    options: how the next game is dealt; claims: phones about which this one is asked; news: what
    was changed about a seat;
    fallen_see_roles: whoever is eliminated may look at all roles; fallen: the viewer is;
    sees_roles: he may look at them now; odds: who would win, for whoever is eliminated; guesses:
    what was guessed by whom, one's own, after the game everybody's;
    events: after the game, what happened and was not undone.
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
    counted: tuple[TrayDie, ...]
    signal: Signal
    eyes: Eyes
    story: tuple[Event | Undone, ...]
    notice: str | Refusal
    troubles: Mapping[Trouble, str]
    to_undo: Undone | None
    learned: Mapping[str, int]
    options: Options
    dealing: DealingView | None
    claims: tuple[ClaimView, ...]
    bid: BidView | None
    news: News | None
    fallen_see_roles: bool
    fallen: bool
    sees_roles: bool
    odds: Odds | None
    guesses: Mapping[int, Side]
    events: tuple[Event, ...]


class _Public(NamedTuple):
    """What everybody may see, and takes long to find out: the same for each phone."""

    scene: Scene
    game: View | None
    people: tuple[PersonView, ...]
    question: Question | None
    tray: Tray
    throwable: tuple[int, ...]
    counted: tuple[TrayDie, ...]
    signal: Signal
    story: tuple[Event | Undone, ...]


_last: _Public | None = None


def _public(scene: Scene) -> _Public:
    global _last
    found = _last
    if found is None or found.scene is not scene:
        found = _last = _Public(
            scene=scene,
            # Even one's own role is no part of a page: `role` gives it while a finger asks for it.
            game=view(scene.game.state, Audience.TABLE) if scene.game else None,
            people=tuple(
                PersonView(entry.id, entry.name, entry.token is not None, entry.host)
                for entry in scene.people
            ),
            question=question(scene.game.state) if scene.game else None,
            tray=scene.tray,
            throwable=throwable(scene.game.state) if scene.game and scene.rolling else (),
            counted=scene.counted,
            signal=scene.signal,
            story=scene.game.story if scene.game else (),
        )
    return found


def view_of(scene: Scene, person: int | None = None) -> TableView:
    """Return what the phone of `person` may see; without one, what everybody may."""
    public = _public(scene)
    here = next((entry for entry in scene.people if entry.id == person), None)
    seated = scene.phase is not Phase.LOBBY
    seat = scene.people.index(here) if here and seated else None
    host = here is not None and here.host
    passed = _seats_without_phone(scene) if host and seated else ()
    decides = passed if seat is None else tuple(sorted({seat, *passed}))
    game = public.game
    rules = scene.game.state.setup if scene.game else scene
    over = scene.phase is Phase.OVER
    fallen = game is not None and seat is not None and not over and not game.players[seat].alive
    guesses = scene.game.guesses if scene.game else {}
    chosen = scene.options.fallen
    roles_open = scene.fallen_see_roles if chosen is None else chosen is Fallen.ROLES
    return TableView(
        version=scene.version,
        reading=scene.reading,
        phase=scene.phase,
        code=scene.code,
        ruleset=rules.ruleset,
        house_rules=rules.house_rules,
        people=public.people,
        person=here.id if here else None,
        seat=seat,
        host=host,
        decides=decides,
        passed_around=passed,
        game=game,
        game_number=scene.game.number if scene.game else 0,
        question=public.question,
        tray=public.tray,
        picked=scene.picked,
        throwable=public.throwable,
        rolling=scene.rolling,
        by_hand=scene.by_hand or scene.seen == BLIND,
        counted=public.counted,
        signal=public.signal,
        eyes=scene.eyes,
        story=public.story,
        notice=scene.notice,
        troubles=scene.troubles,
        to_undo=_to_undo(scene, here),
        learned=scene.learned,
        options=scene.options,
        dealing=_dealing_view(scene.dealing, decides) if scene.dealing else None,
        claims=_claims(scene, here),
        bid=_bid_view(scene, here),
        news=scene.news,
        fallen=fallen,
        fallen_see_roles=roles_open,
        sees_roles=fallen and roles_open,
        odds=scene.odds if fallen else None,
        # A guess may tell what its player knows: the others see it when all know everything.
        guesses={other: side for other, side in guesses.items() if over or other == seat},
        events=scene.game.events if scene.game and over else (),
    )


def _dealing_view(dealing: Dealing, decides: tuple[int, ...]) -> DealingView:
    return DealingView(
        round=dealing.round,
        entered=tuple(dealing.entered(seat) for seat in range(len(dealing.roles))),
        wrong=dealing.wrong,
        to_enter={
            seat: ToEnter(
                dealing.choice if dealing.roles[seat] is None else (),
                dealing.offers[seat] if dealing.characters[seat] is None else (),
            )
            for seat in decides
        },
    )


def _claims(scene: Scene, here: Person | None) -> tuple[ClaimView, ...]:
    """What a phone is asked: the host's of every claim, others of those on their own seat."""
    if here is None:
        return ()
    names = {person.id: person.name for person in scene.people}
    return tuple(
        ClaimView(claim.number, names[claim.person], claim.mark, here.host)
        for claim in scene.claims
        if here.host or claim.person == here.id
    )


def _bid_view(scene: Scene, here: Person | None) -> BidView | None:
    bid = scene.bid
    if bid is None or here is None:
        return None
    voters = voters_on(scene, bid)
    return BidView(
        person=bid.person,
        name=next(person.name for person in scene.people if person.id == bid.person),
        yes=sum(bid.votes.get(person, False) for person in voters),
        needed=len(voters) // 2 + 1 if voters else 0,
        asked=here.host or (here.id in voters and here.id not in bid.votes),
    )


def voters_on(scene: Scene, bid: Bid) -> tuple[int, ...]:
    """Return whose phones decide who is the host: all but his own and that of who wants to be."""
    return tuple(
        person.id
        for person in scene.people
        if person.token is not None and not person.host and person.id != bid.person
    )


def _seats_without_phone(scene: Scene) -> tuple[int, ...]:
    return tuple(seat for seat, person in enumerate(scene.people) if person.token is None)


def _to_undo(scene: Scene, person: Person | None) -> Undone | None:
    if scene.game is None or person is None or not may_undo(scene, person):
        return None
    return to_undo(scene.game, scene.people.index(person))


def may_undo(scene: Scene, person: Person | None) -> bool:
    """Return whether `person` may take the last move back now."""
    if scene.game is None or person is None or not scene.game.undoable:
        return False
    return person.host or scene.people.index(person) == scene.game.state.turn
