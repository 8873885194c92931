"""The interface between the pages and a game, and the games that have pages."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from flask import current_app
from werkzeug.exceptions import BadRequest

from companion.games.game import Correction, Event, GameTerms, Move, Reason
from companion.table.controls.announcer import Heard
from companion.table.history import Undone
from companion.table.views import TableView
from web.forms import Form
from web.i18n import gettext, language
from web.play import corrections

EXTENSION = "games"
"""Extension of an app: the pages of each game, by the name in its records."""


class CorrectableCard(NamedTuple):
    """A card that a sentence of the story names, which can be corrected."""

    name: str
    """What players call it."""
    dialog: str
    """The id of the dialog that corrects it."""


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
    """A ruleset or house rule that the host can choose in the lobby."""

    id: str
    """Its name in settings and records."""
    name: str
    """Its name on pages; empty if `told` says enough."""
    told: str
    """What it changes; empty if its name says enough."""
    chosen: bool
    """Whether the next game is played by it."""


class GamePages(Protocol):
    """How one game is shown: its sentences, and templates for what is specific to it.

    Every sentence is in the language of the page. Views passed to methods about a game hold one.
    """

    @property
    def folder(self) -> str:
        """The folder of its templates below `web/`.

        `parts.html` defines macros that every page uses: `player(view, seat)`, a player's public
        state in a line; `portrait(view, seat)`, their picture on the table page, a drawing;
        `character(view, id)`, what a character can do. Others are optional, and
        shown where they exist: `looks.html`, its styles and drawings, and `portraits.html`, more of
        them on the table page; `turn.html`, a running game
        on a phone, and `middle.html`, in the middle of the table page (without them, as dice are
        thrown); `question.html`, what this phone decides; `own.html`, the player's own card;
        `others.html`, the other players; `wrong.html`, what is wrong with the
        cards; `correct.html`, the dialogs that correct a line of the log;
        `tally.html`, what lies on the table;
        `goals.html`, what players everybody knows are after;
        `moments.html`, what the television plays (`moments.js`); and after
        the game `finale.html`, how it ended, on the table page; `picture.html`, a picture of it;
        and `figures.html`, the game in figures; and `summary.svg`, a picture to share
        (`web.replay.summary`).
        """

    @property
    def secret_icons(self) -> frozenset[str]:
        """Icons that would give away a secret: a page contains them only if it shows them."""

    def name(self) -> str:
        """Return what the lobby calls the game."""

    def look(self, view: TableView) -> str:
        """Return the class of pages that look different in this edition; empty in others."""

    def roll(self, view: TableView) -> str:
        """Return which roll is next, for a turn's heading."""

    def decides(self, view: TableView) -> str:
        """Return what a player is deciding, as a phrase that follows their name on other pages."""

    def alert_key(self, view: TableView) -> str:
        """Return a text that changes each time when a question must alert the player anew."""

    def tell(
        self, view: TableView, story: tuple[Event | Undone | Correction, ...]
    ) -> tuple[StoryLine, ...]:
        """Return the story from its start as sentences."""

    def recent(self, view: TableView) -> tuple[Event | Undone | Correction, ...]:
        """Return the recent part of the story, for pages of a running game."""

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return the effects of the last move, in very few sentences."""

    def audio(self, view: TableView, words: Any) -> tuple[Heard, ...]:
        """Return how the latest events are heard, in order, in the game's words (`GameTerms`)."""

    def because(self, view: TableView, reason: object) -> str:
        """Return a stand-in's reason for a move as a sentence."""

    def undoing(self, view: TableView) -> str:
        """Return what all pages will say after this phone undoes the last move."""

    def ending(self, view: TableView) -> str:
        """Return how the game ended."""

    def summary(self, view: TableView) -> tuple[str, ...]:
        """Return what a text to share says of a finished game besides who won, in lines."""

    def tell_refusal(self, view: TableView, reason: Reason) -> str | None:
        """Return why a move is illegal; None if the game did not refuse it."""

    def rulesets(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the rulesets to choose from."""

    def house_rule_choices(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the house rules to choose from."""

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return this table's house rules, a sentence each."""

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return the seats whose roles are still secret."""

    def turns(self, view: TableView) -> int:
        """Return a number that changes with every turn."""

    def move(self, form: Form) -> Move:
        """Return the decision in a form. Raises BadRequest (400) if it holds none."""


def pages_of(view: TableView) -> GamePages:
    """Return the pages of this table's game."""
    return pages_named(view.selection.game.record_name)


def pages_named(game: str) -> GamePages:
    """Return the pages of a game, by the name in its records."""
    games: Mapping[str, GamePages] = current_app.extensions[EXTENSION]
    return games.get(game, PLAIN)


def terms_of(view: TableView) -> GameTerms:
    """Return the terms of this table's game in the language of the page."""
    return view.selection.game.terms(view.selection.ruleset, language())


class PlainPages:
    """Pages for games without pages of their own: who plays, what happens and who wins."""

    folder = "games/plain"
    secret_icons: frozenset[str] = frozenset()

    def name(self) -> str:
        """Return a general name."""
        return gettext("Another game")

    def look(self, view: TableView) -> str:
        """Return nothing: pages look as ever."""
        return ""

    def roll(self, view: TableView) -> str:
        """Return nothing: the tray already says what to do."""
        return ""

    def decides(self, view: TableView) -> str:
        """Return a general phrase."""
        return gettext("decides")

    def alert_key(self, view: TableView) -> str:
        """Return a text that changes with each state of the table."""
        return f"question-{view.version}"

    def tell(
        self, view: TableView, story: tuple[Event | Undone | Correction, ...]
    ) -> tuple[StoryLine, ...]:
        """Return a sentence for each event."""
        return tuple(StoryLine(type(event).__name__, _tell(view, event)) for event in story)

    def recent(self, view: TableView) -> tuple[Event | Undone | Correction, ...]:
        """Return the last events."""
        return view.story[-10:]

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return the last event."""
        return self.tell(view, view.story[-1:])

    def audio(self, view: TableView, words: Any) -> tuple[Heard, ...]:
        """Return nothing: only its dice are heard."""
        return ()

    def because(self, view: TableView, reason: object) -> str:
        """Return the reason in the game's own words."""
        return str(reason)

    def undoing(self, view: TableView) -> str:
        """Return a general sentence about an undo by this phone."""
        assert view.to_undo is not None
        return _tell(view, view.to_undo)

    def ending(self, view: TableView) -> str:
        """Return that the game is over."""
        return gettext("The game is over.")

    def summary(self, view: TableView) -> tuple[str, ...]:
        """Return who played."""
        return tuple(person.name for person in view.people)

    def tell_refusal(self, view: TableView, reason: Reason) -> str | None:
        """Return nothing, so that the reason's own text is shown."""
        return None

    def rulesets(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the rulesets by the names that they have in settings."""
        chosen = view.selection.ruleset.id
        return tuple(RulesChoice(id, id, "", id == chosen) for id in view.selection.game.rulesets)

    def house_rule_choices(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the house rules by the names that they have in settings."""
        game, chosen = view.selection.game, view.selection.house_rules
        return tuple(RulesChoice(id, id, "", id in chosen) for id in game.house_rules)

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return none: there are no sentences for them."""
        return ()

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return none: a game without its own pages deals no roles."""
        return ()

    def turns(self, view: TableView) -> int:
        """Return whose turn it is."""
        return view.standing.turn if view.standing else 0

    def move(self, form: Form) -> Any:
        """Refuse: all decisions are made with dice."""
        raise BadRequest("action: nothing that is decided on a phone")


def _tell(view: TableView, event: Event | Undone | Correction) -> str:
    if isinstance(event, Undone):
        return gettext("%(name)s undid the last move.", name=view.people[event.by].name)
    if isinstance(event, Correction):
        return corrections.tell_correction(
            event, [person.name for person in view.people], terms_of(view).faces
        )
    return str(event)


PLAIN = PlainPages()
"""For games without pages of their own."""
