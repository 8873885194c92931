"""Everything on the table at one moment, as an immutable value.

A scene contains secrets: phones only see the view that `views.Viewer` derives from it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from random import Random, SystemRandom
from typing import Any, NamedTuple, Protocol, Self

from companion import __version__
from companion.base import codec
from companion.base.refused import Problem, Refused
from companion.games.game import Correction, Game, Odds, RecordOrigin, Selection
from companion.table import history as histories
from companion.table.dealing import Dealing, DealOptions
from companion.table.history import History
from companion.table.journal.journal import utc_now
from companion.table.journal.saved import Digest, Person
from companion.table.surface.cards.surface import CardSurface
from companion.table.surface.dice.state import Place
from companion.table.surface.dice.surface import DiceSurface
from companion.table.surface.hands import HandSurface
from companion.table.surface.interface import AnySurface, Seen, TrayMove
from companion.table.surface.interface import Signal as Signal


class Trouble(StrEnum):
    """A failing part that the table can do without. The camera has its own `CameraStatus`."""

    SAVING = "saving"
    """Nothing can be saved, so presses are refused."""
    DAMAGE = "damage"
    """The saved table was damaged; the table is at the last good record."""
    OLDER = "older"
    """The saved table was older than the last one saved here, or another table's."""
    LOST = "lost"
    """The file of the saved table was missing; the table continues with what is left."""
    MISSING = "missing"
    """Files that were in the data folder, and that only the host can make again, are gone."""
    SETUP = "setup"
    """The camera's settings were damaged."""
    GREEN = "green"
    """The green button is stuck."""
    RED = "red"
    """The red button is stuck."""
    LIGHT = "light"
    """The light can't be set."""
    MQTT = "mqtt"
    """The table can't publish on its message broker."""
    STAND_INS = "stand-ins"
    """The stand-ins don't play."""
    ODDS = "odds"
    """The odds aren't worked out."""
    STATISTICS = "statistics"
    """The statistics aren't brought up to date."""
    ROLLS = "rolls"
    """Pictures of rolls aren't kept."""
    LEARNING = "learning"
    """Nothing is learned from corrections."""
    DICE = "dice"
    """Other dice lie in the tray than the table reads. The reason is a sentence."""
    ANNOUNCER = "announcer"
    """What happens isn't told at the table's speaker."""
    SPEAKER = "speaker"
    """The table's speaker doesn't play."""
    DEMONSTRATION = "demonstration"
    """The demonstration doesn't begin games."""
    PAGES = "pages"
    """Open pages aren't brought up to date."""
    LIVE_VIEW = "live view"
    """What pages with a live view show isn't looked at."""
    POWER = "power"
    """The machine turns off, or should and doesn't, or is updated. The reason is a sentence."""


class Phase(StrEnum):
    """The phase of the evening."""

    LOBBY = "lobby"
    DEALING = "dealing"
    """Players enter or choose their cards."""
    PLAYING = "playing"
    OVER = "over"


class CardLayer(Protocol):
    """Lays cards into a simulated tray."""

    def play(self, title: str) -> None:
        """Lay a copy of a title. Raises Refused if all its copies lie in the tray."""

    def flip(self) -> None:
        """Lay the top card of the deck."""

    def take_off(self) -> None:
        """Take off the topmost card."""


class SimulatedTray(NamedTuple):
    """What the table itself can move in a simulated tray."""

    throw: Callable[[Sequence[Place]], None] = lambda kept: None
    """Throws all dice but those that lie at the places given."""
    layer: CardLayer | None = None
    """Lays cards there; None if it can't."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """What reads the dice."""

    name: str = "none"
    """The camera's name; `none` while there is none."""
    fault: str = ""
    """What is wrong with it; empty if nothing is."""
    tray: SimulatedTray | None = None
    """The tray that it shows, if that is simulated: the table can throw the dice itself."""
    pips: tuple[str, ...] = ()
    """What one to six pips stand for, if ordinary dice are read; empty for dice with symbols."""

    @property
    def works(self) -> bool:
        """Whether it delivers pictures."""
        return self.name != "none" and not self.fault


@codec.row
@dataclass(frozen=True, slots=True)
class Claim:
    """A request for a seat from a phone that holds none."""

    number: int
    """The claim's own number."""
    person: int
    """Whose seat it asks for."""
    token: Digest
    """The digest of the phone's secret."""
    mark: str
    """What the phone shows, so that the host can recognise it."""
    address: str = ""
    """A digest of this token and the address that it came from; empty if that is unknown."""


@codec.row
@dataclass(frozen=True, slots=True)
class Bid:
    """A player's request to become the host."""

    person: int
    """Who asks."""
    votes: Mapping[int, bool]
    """The other phones' answers, by person."""


class NewsKind(StrEnum):
    """What changed about a seat, shown to everybody."""

    MOVED = "moved"
    """Another phone holds it."""
    PHONELESS = "phoneless"
    """It no longer has a phone."""
    STAND_IN = "stand-in"
    """A stand-in plays for its player."""
    HOST = "host"
    """Its player is the host now."""
    LEFT = "left"
    """Its player has left the game, and won't be in the next one."""


@codec.row
class News(NamedTuple):
    """A change of a seat that is shown to everybody."""

    kind: NewsKind
    """What changed."""
    name: str
    """The player of that seat."""


@codec.row
class Guest(NamedTuple):
    """Somebody who waits for the next game."""

    id: int
    """Their number, unique in the queue."""
    name: str
    """Their name."""
    token: Digest
    """The digest of their phone's secret, which opens a seat once they have one."""


@dataclass(frozen=True)
class Environment:
    """What a table was started with: it stays the same until its end."""

    games: Mapping[str, Game]
    """The games that can be played, by the name in the headers of their records."""
    usual: Selection
    """The selection of the settings file, until the host chooses another one."""
    chance: Random = field(default_factory=SystemRandom)
    """Deals roles and characters."""
    now: Callable[[], str] = utc_now
    """Returns the time as records have it."""
    ask_always: bool = False
    """Whether players are asked even if all legal answers are equivalent."""
    fallen_see_roles: bool = False
    """Whether eliminated players may look at all roles, unless the host decides."""

    def origin(self) -> RecordOrigin:
        """Return the origin of the record of a game that starts now."""
        return RecordOrigin(__version__, self.now())


@dataclass(frozen=True, slots=True)
class Requests:
    """What phones ask of those at the table."""

    claims: tuple[Claim, ...] = ()
    """Phones that ask for a seat."""
    bid: Bid | None = None
    """A player's request to become the host."""
    queue: tuple[Guest, ...] = ()
    """Guests who wait for the next game, in the order in which they came."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What players chose for the evening."""

    language: str = ""
    """The language of pages that the host chose, by its code; empty: each phone has its own."""
    options: DealOptions = field(default_factory=DealOptions)
    """How the next game is dealt."""
    muted: bool = False
    """Whether a player has muted the table's sounds and announcer."""


@dataclass(frozen=True, slots=True)
class LastGame:
    """What the next game may take from the last one. All of it was public at its end."""

    sheriff: int = 0
    """The person who had the first turn; 0 if there was no game."""
    survivors: Mapping[int, str] = field(default_factory=dict)
    """The characters of those who were alive at its end, by person."""


@dataclass(frozen=True, slots=True)
class SeatNews:
    """What changed about the seats."""

    latest: tuple[News, ...] = ()
    """The last changes, made by one press."""
    all: tuple[News, ...] = ()
    """All changes since the cards were dealt."""


@dataclass(frozen=True, slots=True)
class StandInSeats:
    """The seats that the table plays itself."""

    levels: Mapping[int, str] = field(default_factory=dict)
    """How stand-ins play, by the person for whom they do."""
    reasons: Mapping[int, tuple[object, ...]] = field(default_factory=dict)
    """Why they decided as they did, by the number of the move, since the last start."""


@dataclass(frozen=True)
class Scene:
    """Everything at one moment."""

    version: int
    """Counts the changes that outdate what pages offer."""
    code: str
    """The join code."""
    environment: Environment
    """What the table was started with."""
    selection: Selection
    """The selection for the next game. A running game keeps its own."""
    people: tuple[Person, ...]
    """The people at the table, clockwise."""
    surface: AnySurface
    """What is known of the tray: of the dice, or of the cards that are laid there."""
    last_game: int = 0
    """The highest number that a game of this table has had."""
    history: History | None = None
    """The game on the table."""
    camera: CameraStatus = CameraStatus()
    """What reads the dice."""
    latest: int = 0
    """The number of the first move that the last press, or the last card, made."""
    reading: int = 0
    """Counts the changes of what `shown` is; a press sends the number that its page showed."""
    notice: object = ""
    """Why the last press of a button changed nothing: a message, or a reason of the game."""
    troubles: Mapping[Trouble, str] = field(default_factory=dict)
    """Parts that are failing, each with the reason."""
    learned: Mapping[str, int] = field(default_factory=dict)
    """How many pictures of each face the reader has learned while playing."""
    odds: Odds | None = None
    """The odds of each side, from public knowledge; None until they are worked out."""
    choices: Choices = Choices()
    """What players chose for the evening."""
    dealing: Dealing | None = None
    """The dealing while cards are being entered."""
    last: LastGame = LastGame()
    """What the next game may take from the last one."""
    requests: Requests = Requests()
    """What phones ask of those at the table."""
    left: frozenset[int] = frozenset()
    """People who left during the game: the next one is dealt without them."""
    stand_ins: StandInSeats = StandInSeats()
    """The seats that the table plays itself."""
    news: SeatNews = SeatNews()
    """What changed about the seats."""

    @property
    def phase(self) -> Phase:
        """The phase of the evening."""
        if self.history is None:
            return Phase.LOBBY if self.dealing is None else Phase.DEALING
        return Phase.PLAYING if self.history.standing.outcome is None else Phase.OVER

    @property
    def game_name(self) -> str:
        """A name for the game on the table that is unique across tables; empty without a game."""
        return f"{self.code}-{self.history.number}" if self.history is not None else ""

    @property
    def rolling(self) -> bool:
        """Whether dice are awaited."""
        return self.history is not None and self.history.standing.rolling

    @cached_property
    def shown(self) -> Any:
        """What everybody sees in the tray."""
        return self.surface.show(self.history)

    def with_reading(self, reading: int) -> Self:
        """Return the scene with another reading."""
        return self._with(reading=reading)

    def with_version(self, version: int) -> Self:
        """Return the scene with another version."""
        return self._with(version=version)

    def ask(self, **changes: Any) -> Self:
        """Return the scene with other fields of `Requests`."""
        return replace(self, requests=replace(self.requests, **changes))

    def choose(self, **changes: Any) -> Self:
        """Return the scene with other fields of `Choices`."""
        return replace(self, choices=replace(self.choices, **changes))

    def with_surface(self, surface: AnySurface) -> Self:
        """Return the scene with something else known of the tray, and without a notice."""
        return self if surface is self.surface else self._with(surface=surface, notice="")

    def _with(self, **changes: object) -> Self:
        """Return the scene with changes; for those of every press.

        It takes a third of the time of `replace`, and keeps what was worked out of the tray unless
        that changes, too.
        """
        fields = vars(self) | changes
        if "surface" in changes:
            for derived in ("shown", "corrections"):
                fields.pop(derived, None)
        scene = object.__new__(type(self))
        vars(scene).update(fields)
        return scene

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """What players corrected in the dice that wait to be accepted."""
        return self.surface.corrections(self.shown)

    @property
    def signal(self) -> Signal:
        """What the light shows."""
        if self.history is None or self.history.standing.outcome:
            return Signal.OFF
        return self.surface.signal(self.history, self.shown)


def surface_of(game: Game, before: AnySurface | None = None, *, works: bool = False) -> AnySurface:
    """Return what is known of the tray once a game is played on it.

    before: what was known; of other things than this game needs, it counts no more. works: whether
    the camera does.
    """
    kinds: Sequence[tuple[Any, Any]] = (
        (game.hands, HandSurface),
        (game.cards, CardSurface),
        (game.dice, DiceSurface),
    )
    rules, kind = next(known for known in kinds if known[0] is not None)
    if isinstance(before, kind):
        return replace(before, rules=rules)
    surface: AnySurface = kind(rules)
    return surface.watch(works)


def select(scene: Scene, selection: Selection) -> Scene:
    """Return the scene with another selection for the next game, before that begins."""
    surface = surface_of(selection.game, scene.surface, works=scene.camera.works)
    return replace(scene, selection=selection, surface=surface)


def running(scene: Scene) -> History:
    """Return the game on the table. Raises Refused if there is none."""
    if scene.history is None:
        raise Refused(Problem.ILLEGAL, "no game is running")
    return scene.history


def renew(scene: Scene) -> Scene:
    """Return the scene after a change that outdates what pages offer."""
    return scene.with_version(scene.version + 1)


def with_history(scene: Scene, history: History | None, surface: AnySurface | None = None) -> Scene:
    """Return the scene with the game moved on.

    surface: what is known of the tray then; by default, players' corrections of the dice end, and
    the cards that lie there count as laid.
    """
    before = scene.history
    if surface is None:
        game, works = (history or scene.selection).game, scene.camera.works
        goes_on = before and history and before.number == history.number
        known = scene.surface.reset() if goes_on or not before else scene.surface.leave()
        surface = surface_of(game, known, works=works)
    same_turn = before and history and before.standing.turn == history.standing.turn
    return replace(
        scene,
        history=history,
        last_game=max(scene.last_game, history.number) if history else scene.last_game,
        stand_ins=replace(scene.stand_ins, reasons=_reasons_left(scene, history)),
        news=scene.news if same_turn else replace(scene.news, latest=()),
        surface=surface,
        odds=scene.odds if history else None,
        notice="",
    )


def _reasons_left(scene: Scene, history: History | None) -> Mapping[int, tuple[object, ...]]:
    """Return the reasons for the moves that are still made in this game."""
    before = scene.history
    if before is None or history is None or before.number != history.number:
        return {}
    left = len(history.moments)
    return {number: why for number, why in scene.stand_ins.reasons.items() if number < left}


# What is done at the tray


def observe(scene: Scene, seen: Seen) -> Scene:
    """Return the scene after an observation by the camera, before a new card becomes a move."""
    return scene.with_surface(scene.surface.observe(seen, scene.history, scene.shown))


def watch(scene: Scene, camera: CameraStatus) -> Scene:
    """Return the scene after a change of what reads the tray, if anything."""
    if camera == scene.camera:
        # A failed retry of the camera must not discard what players entered.
        return scene
    other_dice = camera == replace(scene.camera, pips=camera.pips)
    surface = scene.surface if other_dice else scene.surface.watch(camera.works)
    return replace(scene, camera=camera, surface=surface)


def press_green(scene: Scene) -> Scene:
    """Return the scene after a press of the green button. Raises Refused."""
    return play(scene, green_move(scene))


def press_red(scene: Scene) -> Scene:
    """Return the scene after a press of the red button. Raises Refused."""
    return play(scene, red_move(scene))


def green_move(scene: Scene) -> TrayMove:
    """Return what the green button would do now, perhaps against the rules. Raises Refused."""
    return scene.surface.green(running(scene), scene.shown)


def red_move(scene: Scene) -> TrayMove:
    """Return what the red button would do now, perhaps against the rules. Raises Refused."""
    return scene.surface.red(running(scene), scene.shown)


def may_press(scene: Scene, move: Callable[[Scene], TrayMove]) -> bool:
    """Return whether a button does something now; move: `green_move` or `red_move`."""
    try:
        chosen, history = move(scene), running(scene)
    except Refused:
        return False
    return history.game.check(history.state, chosen.move) is None


def play(scene: Scene, play: TrayMove) -> Scene:
    """Return the scene after a move, and what followed from it. Raises Refused."""
    return renew(follow_up(_make(scene, play)))


def settle(scene: Scene) -> Scene:
    """Return the scene once what waits in the tray became moves, where nothing is left to say."""
    after = follow_up(scene)
    return after if after.history is scene.history else renew(after)


def follow_up(scene: Scene) -> Scene:
    """Return the scene after the early answers and the laid cards whose turn has come."""
    while scene.history and (step := scene.surface.follow_up(scene.history)):
        scene = _make(scene, step) if isinstance(step, TrayMove) else replace(scene, surface=step)
    return scene


def _make(scene: Scene, play: TrayMove) -> Scene:
    before = running(scene)
    reason = before.game.check(before.state, play.move)
    if reason is not None:
        raise Refused(Problem.ILLEGAL, reason)
    after = histories.play(
        before,
        play.move,
        play.lying,
        play.corrected,
        play.cards,
        ask_always=scene.environment.ask_always,
    )
    return with_history(scene, after, scene.surface.move_on(play, before, after))
