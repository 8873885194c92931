"""Everything on the table at one moment, as an immutable value.

A scene contains secrets: phones only see the view that `views.Viewer` derives from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self

from companion.table.dealing import Dealing, DealOptions
from companion.table.game import Game, Move, Odds, Selection
from companion.table.history import History
from companion.table.pile.evaluate import pile_of
from companion.table.pile.state import PileState
from companion.table.pile.status import Pile, PileStatus
from companion.table.pile.updates import reset
from companion.table.saved import Person
from companion.table.tray.corrections import Correction, made
from companion.table.tray.evaluate import AwaitedRoll, tray_of
from companion.table.tray.state import TrayState, Unwatched
from companion.table.tray.status import Status, Tray
from companion.table.tray.updates import next_roll


class Signal(StrEnum):
    """What the status light shows."""

    OFF = "off"
    WAITING = "waiting"
    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    ILLEGAL = "illegal"


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
    ANNOUNCER = "announcer"
    """What happens isn't told at the table's speaker."""
    SPEAKER = "speaker"
    """The table's speaker doesn't play."""
    DEMONSTRATION = "demonstration"
    """The demonstration doesn't begin games."""
    PAGES = "pages"
    """Open pages aren't brought up to date."""


class Phase(StrEnum):
    """The phase of the evening."""

    LOBBY = "lobby"
    DEALING = "dealing"
    """Players enter or choose their cards."""
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """What reads the dice."""

    name: str = "none"
    """The camera's name; `none` while there is none."""
    fault: str = ""
    """What is wrong with it; empty if nothing is."""
    throws: bool = False
    """Whether the table can throw the dice itself, as in a simulated tray."""

    @property
    def works(self) -> bool:
        """Whether it delivers pictures."""
        return self.name != "none" and not self.fault


@dataclass(frozen=True, slots=True)
class Claim:
    """A request for a seat from a phone that holds none."""

    number: int
    """The claim's own number."""
    person: int
    """Whose seat it asks for."""
    token: str
    """The digest of the phone's secret."""
    mark: str
    """What the phone shows, so that the host can recognise it."""
    address: str = ""
    """A digest of this token and the address that it came from; empty if that is unknown."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A player's request to become the host."""

    person: int
    """Who asks."""
    votes: Mapping[int, bool] = field(default_factory=dict)
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


class News(NamedTuple):
    """A change of a seat that is shown to everybody."""

    kind: NewsKind
    """What changed."""
    name: str
    """The player of that seat."""


class Guest(NamedTuple):
    """Somebody who waits for the next game."""

    id: int
    """Their number, unique in the queue."""
    name: str
    """Their name."""
    token: str
    """The digest of their phone's secret, which opens a seat once they have one."""


class Wish(NamedTuple):
    """The dice that a stand-in wants to be thrown again."""

    version: int
    """The version of the table that it was said in; later it no longer holds."""
    dice: tuple[int, ...]
    """The dice, ascending."""


@dataclass(frozen=True)
class Scene:
    """Everything at one moment."""

    version: int
    """Counts the changes that outdate what pages offer."""
    code: str
    """The join code."""
    games: Mapping[str, Game]
    """The games that can be played, by the name in the headers of their records."""
    selection: Selection
    """The selection for the next game. A running game keeps its own."""
    usual: Selection
    """The selection of the settings file, until the host chooses another one."""
    people: tuple[Person, ...]
    """The people at the table, clockwise."""
    last_game: int = 0
    """The highest number that a game of this table has had."""
    history: History | None = None
    """The game on the table."""
    camera: CameraStatus = CameraStatus()
    """What reads the dice."""
    tray_state: TrayState = field(default_factory=Unwatched)
    """What is known about the dice."""
    pile_state: PileState = field(default_factory=PileState)
    """What is known about the cards laid in the tray."""
    early: Mapping[int, Move] = field(default_factory=dict)
    """Answers that seats gave before they were awaited, by seat."""
    dropped: frozenset[int] = frozenset()
    """The seats whose early answers no longer fitted after the last move."""
    latest: int = 0
    """The number of the first move that the last press, or the last card, made."""
    reading: int = 0
    """Counts the changes of `tray` and `pile`; a press sends the number that its page showed."""
    notice: object = ""
    """Why the last press of a button changed nothing: a message, or a reason of the game."""
    troubles: Mapping[Trouble, str] = field(default_factory=dict)
    """Parts that are failing, each with the reason."""
    learned: Mapping[str, int] = field(default_factory=dict)
    """How many pictures of each face the reader has learned while playing."""
    ask_always: bool = False
    """Whether players are asked even if all legal answers are equivalent."""
    fallen_see_roles: bool = False
    """Whether eliminated players may look at all roles, unless the host decides."""
    odds: Odds | None = None
    """The odds of each side, from public knowledge; None until they are worked out."""
    language: str = ""
    """The language of pages that the host chose, by its code; empty: each phone has its own."""
    options: DealOptions = field(default_factory=DealOptions)
    """How the next game is dealt."""
    dealing: Dealing | None = None
    """The dealing while cards are being entered."""
    sheriff: int = 0
    """The person who had the first turn of the last game; 0 if there was none."""
    claims: tuple[Claim, ...] = ()
    """Phones that ask for a seat."""
    bid: Bid | None = None
    """A player's request to become the host."""
    queue: tuple[Guest, ...] = ()
    """Guests who wait for the next game, in the order in which they came."""
    left: frozenset[int] = frozenset()
    """People who left during the game: the next one is dealt without them."""
    stand_ins: Mapping[int, str] = field(default_factory=dict)
    """How stand-ins play, by the person for whom they do."""
    wish: Wish | None = None
    """The dice that a stand-in wants to be thrown again."""
    reasons: Mapping[int, tuple[object, ...]] = field(default_factory=dict)
    """Why stand-ins decided as they did, by the number of the move, since the last start."""
    news: tuple[News, ...] = ()
    """The last changes of seats, made by one press."""
    seat_news: tuple[News, ...] = ()
    """All changes of seats since the cards were dealt."""
    muted: bool = False
    """Whether a player has muted the table's sounds and announcer."""

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

    @property
    def awaited_roll(self) -> AwaitedRoll | None:
        """The awaited roll; None while no dice are awaited."""
        history = self.history
        if history is None or not history.standing.rolling:
            return None
        dice, state = history.game.dice, history.state
        return AwaitedRoll(history.lying, not dice.lying(state), dice.fixed_faces(state))

    @cached_property
    def tray(self) -> Tray:
        """The dice as they may be accepted."""
        roll = self.awaited_roll
        if roll is not None:
            return tray_of(self.tray_state, roll)
        if self.history is None:
            return Tray(Status.EMPTY)
        lying = self.history.lying
        known = self.history.game.dice.lying(self.history.state)
        return Tray(Status.LYING, lying if known else (), len(lying))

    @cached_property
    def pile(self) -> Pile:
        """The cards laid in the tray, and what they wait for."""
        history = self.history
        if history is None or history.game.cards is None or history.standing.outcome:
            return Pile(PileStatus.UNWATCHED)
        moments = [(moment.move, moment.state) for moment in history.moments]
        return pile_of(self.pile_state, history.game, moments)

    def with_reading(self, reading: int) -> Self:
        """Return the scene with another reading."""
        return self._with(reading=reading)

    def with_version(self, version: int) -> Self:
        """Return the scene with another version."""
        return self._with(version=version)

    def with_tray(self, tray_state: TrayState) -> Self:
        """Return the scene with something else known about the dice, and without a notice."""
        return self._with(tray_state=tray_state, notice="")

    def with_pile(self, pile_state: PileState) -> Self:
        """Return the scene with something else known about the cards, and without a notice."""
        return self._with(pile_state=pile_state, notice="")

    def _with(self, **changes: object) -> Self:
        """Return the scene with changes; for those of every press.

        It takes a third of the time of `replace`, and keeps what was worked out of the dice unless
        they change, too.
        """
        fields = vars(self) | changes
        if "pile_state" in changes:
            fields.pop("pile", None)
        if "tray_state" in changes:
            for derived in ("tray", "corrections"):
                fields.pop(derived, None)
        scene = object.__new__(type(self))
        vars(scene).update(fields)
        return scene

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        """What players corrected in the dice that wait to be accepted."""
        return made(self.tray_state, self.tray.dice) if self.rolling else ()

    @property
    def signal(self) -> Signal:
        """What the light shows."""
        if self.phase is not Phase.PLAYING:
            return Signal.OFF
        if self.history is not None and self.history.game.cards is not None:
            return self._card_signal
        if not self.rolling:
            return Signal.WAITING
        return _SIGNALS.get(self.tray.status, Signal.WAITING)

    @property
    def _card_signal(self) -> Signal:
        """What the light shows in a game with cards: certain while the turn can be ended."""
        assert self.history is not None
        rules, status = self.history.game.cards, self.pile.status
        assert rules is not None
        if (signal := _CARD_SIGNALS.get(status)) is not None:
            return signal
        may_end = rules.ending(self.history.state) is not None
        return Signal.CERTAIN if may_end else Signal.WAITING


_SIGNALS = {
    Status.READY: Signal.CERTAIN,
    Status.UNSURE: Signal.UNCERTAIN,
    Status.BESIDE: Signal.UNCERTAIN,
    Status.COUNT: Signal.ILLEGAL,
    Status.TOO_NEAR: Signal.ILLEGAL,
    Status.COCKED: Signal.ILLEGAL,
    Status.BLOCKED: Signal.ILLEGAL,
}

_CARD_SIGNALS = {
    PileStatus.MOVING: Signal.WAITING,
    PileStatus.CHOOSE: Signal.UNCERTAIN,
    PileStatus.UNSURE: Signal.UNCERTAIN,
    PileStatus.SIGN_UNSURE: Signal.UNCERTAIN,
    PileStatus.ILLEGAL: Signal.UNCERTAIN,
    PileStatus.FACEDOWN: Signal.ILLEGAL,
    PileStatus.MANY: Signal.ILLEGAL,
    PileStatus.BLOCKED: Signal.ILLEGAL,
}
"""What the light shows while something is with the pile."""


def renewed(scene: Scene) -> Scene:
    """Return the scene after a change that outdates what pages offer."""
    return scene.with_version(scene.version + 1)


def with_history(scene: Scene, history: History | None) -> Scene:
    """Return the scene with the game moved on, which ends players' corrections of the dice.

    The cards that lie in the tray count as laid.
    """
    before = scene.history
    same_turn = before and history and before.standing.turn == history.standing.turn
    return replace(
        scene,
        history=history,
        last_game=max(scene.last_game, history.number) if history else scene.last_game,
        reasons=_reasons_left(scene, history),
        news=scene.news if same_turn else (),
        tray_state=next_roll(scene.tray_state),
        pile_state=reset(scene.pile_state),
        early={},
        dropped=frozenset(scene.early) if history else frozenset(),
        odds=scene.odds if history else None,
        notice="",
    )


def _reasons_left(scene: Scene, history: History | None) -> Mapping[int, tuple[object, ...]]:
    """Return the reasons for the moves that are still made in this game."""
    before = scene.history
    if before is None or history is None or before.number != history.number:
        return {}
    left = len(history.moments)
    return {number: why for number, why in scene.reasons.items() if number < left}
