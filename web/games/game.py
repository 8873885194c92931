"""The interface between the pages and a game, of which every game is a value."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from companion.games.common.events import TurnBegan
from companion.games.game import AnyMove, Game, GameTerms, Reason
from companion.table.controls.announcer import Heard
from companion.table.views import TableView
from web.forms import Form
from web.i18n import language, lazy_gettext

if TYPE_CHECKING:
    from companion.setup.lesson import Lesson
    from companion.setup.teaching import Teaching
    from web.site import TableSite

Entry: TypeAlias = Any
"""An entry of the story."""


class CorrectableCard(NamedTuple):
    """A card that a sentence of the story names, which can be corrected."""

    name: str
    """What players call it."""
    dialog: str
    """The id of the dialog that corrects it."""
    of: tuple[int, ...] = ()
    """The seats that may have played it instead."""


class StoryLine(NamedTuple):
    """A sentence of the story."""

    kind: str
    """The kind of event, for styling."""
    text: str
    """The sentence."""
    events: int = 1
    """How many entries of the story it tells."""
    cards: tuple[CorrectableCard, ...] = ()
    """The cards that it names, in the order of the move."""


class RulesChoice(NamedTuple):
    """A ruleset, a house rule or a set of dice that the host can choose in the lobby."""

    id: str
    """Its name in settings and records."""
    name: str
    """Its name on pages; empty if `told` says enough."""
    told: str
    """What it changes; empty if its name says enough."""
    chosen: bool
    """Whether the next game is played by it."""


def terms_of(view: TableView) -> GameTerms:
    """Return the terms of this table's game in the language of the page."""
    return view.selection.game.terms(view.selection.ruleset, language())


def names_of(view: TableView) -> tuple[str, ...]:
    """Return the names of the people at the table, by seat."""
    return tuple([person.name for person in view.people])


def ending(view: TableView) -> str:
    """Return which side won, in the words of a game that tells it in its story."""
    words: Any = terms_of(view)
    text: str = words.story.ends[view.game.result.side]
    return text


def secret_roles(view: TableView) -> tuple[int, ...]:
    """Return the seats whose roles a game with roles still hides."""
    return tuple([seat for seat, player in enumerate(view.game.players) if player.role is None])


RECENT_TURNS, RECENT = 2, 40
"""The last turns of a game that are recent, and the most events: undos can make a turn long."""


def recent(story: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the last RECENT_TURNS turns of a story, at most RECENT events."""
    latest = story[-RECENT:]
    begins = [place for place, event in enumerate(latest) if isinstance(event, TurnBegan)]
    return latest[begins[-RECENT_TURNS] :] if len(begins) >= RECENT_TURNS else latest


def turns(view: TableView) -> int:
    """Return how many turns began so far."""
    return sum([isinstance(event, TurnBegan) for event in view.story])


@dataclass(frozen=True, kw_only=True)
class TrayPages:
    """What pages say of what lies in the tray: dice or cards."""

    cards: bool
    """Whether cards are laid in it, instead of dice that are thrown."""
    heading: lazy_gettext
    """The heading over the sets that the reader knows."""
    teach: lazy_gettext
    """The link to the page that teaches the reader."""
    no_camera: lazy_gettext
    """What players do without the camera, and why there is none: `%(fault)s`."""
    teaching: "Callable[[TableSite], Teaching | None]"
    """Returns what teaches the reader; None without a camera."""
    sets: "Callable[[Teaching, GameTerms], Sequence[RulesChoice]]"
    """Returns the sets that the reader can read."""
    lesson: "Callable[[Lesson, Game], object]"
    """Returns what the page of a lesson shows."""


@dataclass(frozen=True, kw_only=True)
class GamePages:
    """How one game is shown: its sentences, and the templates of what only this game has.

    Sentences are in the language of the page. Views passed to functions about a game hold one.
    Templates are named by their paths below `web/`; where a game has none (""), nothing is shown.
    """

    name: lazy_gettext
    """What the lobby calls it."""
    tray: TrayPages
    """What lies in its tray: dice or cards."""
    secret_icons: frozenset[str] = frozenset()
    """Icons that would give away a secret: a page contains them only if it shows them."""

    # Templates

    parts: str
    """Macros for every page: `player(view, words, seat)`, a player's public state in a line;
    `portrait(view, seat)`, their picture on the table page; `character(view, words, id)`, what a
    character can do; `me(view, words)`, what stays in the player's sight; `own(view, words)`, their
    card; `others(view, words)`, the other players."""
    question: str
    """What this phone decides."""
    turn: str = "play/turn.html"
    """A running game on a phone, as two macros: `heading()` and `stage()`."""
    middle: str = "play/middle.html"
    """A running game in the middle of the table page."""
    hand: str = ""
    """A hand, for its player alone; empty for games in which the companion deals none."""
    finale: str = "games/plain/finale.html"
    """How the game ended, on the table page."""
    summary_picture: str = "games/plain/summary.svg"
    """A picture to share (`web.replay.summary`)."""
    looks: str = ""
    """Its styles and drawings."""
    wrong: str = ""
    """What is wrong with the cards."""
    correct: str = ""
    """The dialogs that correct a line of the log."""
    tally: str = ""
    """What lies on the table."""
    stakes: str = ""
    """What the throws to come decide."""
    figures: str = ""
    """The finished game in figures."""

    stage: str = ""
    """The script with which the television plays what only this game has."""

    # What is told of a game

    look: Callable[[TableView], str] = lambda view: ""
    """Returns the class of pages that look different in this edition; empty in others."""
    roll: Callable[[TableView], str] = lambda view: ""
    """Returns which roll is next, for a turn's heading; empty if the tray says what to do."""
    decides: Callable[[TableView], str]
    """Returns what a player is deciding, as a phrase that follows their name on other pages."""
    alert_key: Callable[[TableView], str] = lambda view: f"question-{view.version}"
    """Returns a text that changes each time when a question must alert the player anew."""
    tell: Callable[[TableView, tuple[Entry, ...]], tuple[StoryLine, ...]]
    """Returns the story from its start as sentences."""
    recent: Callable[[tuple[Entry, ...]], tuple[Entry, ...]] = recent
    """Returns the recent part of a story, for pages of a running game."""
    just_happened: Callable[[TableView], tuple[StoryLine, ...]]
    """Returns the effects of the last move, in very few sentences."""
    audio: Callable[[TableView, Any], tuple[Heard, ...]] = lambda view, words: ()
    """Returns how the latest events are heard, in order, in the game's words (`GameTerms`)."""
    moments: Callable[[TableView], Iterable[Any]] | None = None
    """Returns what the television plays (`moments.js`), if it plays anything."""
    chronicle: Callable[[TableView], Any] | None = None
    """Returns the statistics of a finished game, with its `shots`; None before its end."""
    because: Callable[[TableView, Any], str] = lambda view, reason: str(reason)
    """Returns a stand-in's reason for a move as a sentence."""
    ending: Callable[[TableView], str] = ending
    """Returns how the game ended."""
    summary: Callable[[TableView], tuple[str, ...]]
    """Returns what a text to share says of a finished game besides who won, in lines."""
    tell_refusal: Callable[[TableView, Reason], str | None] = lambda view, reason: None
    """Returns why a move is illegal; None if the game did not refuse it."""
    secret_roles: Callable[[TableView], tuple[int, ...]] = secret_roles
    """Returns the seats whose roles are still secret."""
    undo_caveat: Callable[[TableView], str] = lambda view: ""
    """Returns what an undo of the last move can't take back; empty if there is nothing."""
    turns: Callable[[TableView], int] = turns
    """Returns a number that changes with every turn."""
    move: Callable[[Form], AnyMove]
    """Returns the decision in a form. Raises BadRequest (400) if it holds none."""

    words: Callable[[TableView], GameTerms] = terms_of
    """Returns its terms on pages that tell of many games, whichever this table plays."""

    # Its rules

    rulesets: Callable[[TableView], Sequence[RulesChoice]]
    """Returns the rulesets to choose from."""
    house_rule_choices: Callable[[TableView], Sequence[RulesChoice]] = lambda view: ()
    """Returns the house rules to choose from."""
    house_rules: Callable[[TableView], Sequence[str]] = lambda view: ()
    """Returns this table's house rules, a sentence each."""

    def undoing(self, view: TableView) -> str:
        """Return what all pages will say after this phone undoes the last move."""
        assert view.to_undo is not None
        return " ".join([line.text for line in self.tell(view, (view.to_undo,))])
