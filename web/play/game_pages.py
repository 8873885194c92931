"""What the pages need to know of a game, and the games that they know."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from flask import current_app
from werkzeug.exceptions import BadRequest

from companion.table.game import Event, GameTerms, Move, Reason
from companion.table.history import Undone
from companion.table.views import TableView
from web.forms import Form
from web.i18n import gettext, language

EXTENSION = "games"
"""Extension of an app: the pages of each game, by the name in its records."""


class StoryLine(NamedTuple):
    """A sentence of the story."""

    kind: str
    """The kind of event, for its look."""
    text: str
    """The sentence."""


class GamePages(Protocol):
    """How one game is shown: its sentences, and templates for what only this game has.

    Every sentence is in the language of the page. A view holds a game wherever one is told about.
    """

    @property
    def folder(self) -> str:
        """The folder of its templates below `web/`.

        `parts.html` defines macros that every page uses: `player(view, seat)`, a player's public
        state in a line; `character(view, id)`, what a character can do. Others are optional, and
        shown where they exist: `question.html`, what this phone decides; `own.html`, the player's
        own card; `others.html`, the other players; `tally.html`, what lies on the table; and after
        the game `picture.html`, a picture of it, and `figures.html`, the game in figures.
        """

    @property
    def secret_icons(self) -> frozenset[str]:
        """The icons that would tell a secret: a page holds them only where it shows them."""

    def roll(self, view: TableView) -> str:
        """Return which roll is next, for the heading of a turn."""

    def decides(self, view: TableView) -> str:
        """Return what somebody decides, as it stands after their name for those who wait."""

    def tell(self, view: TableView, story: tuple[Event | Undone, ...]) -> tuple[StoryLine, ...]:
        """Return a part of the story, from its beginning on, in sentences."""

    def recent(self, view: TableView) -> tuple[Event | Undone, ...]:
        """Return the part of the story that a page shows while the game runs."""

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return what came of the last move, in very few sentences."""

    def undoing(self, view: TableView) -> str:
        """Return what everybody reads once this phone has taken the last move back."""

    def ended(self, view: TableView) -> str:
        """Return how the game ended."""

    def refused(self, view: TableView, reason: Reason) -> str | None:
        """Return why a move is illegal; None where the game did not refuse it."""

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return what this table plays differently, a sentence each."""

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return the seats whose roles are still secret."""

    def turns(self, view: TableView) -> int:
        """Return a number that changes whenever a turn begins."""

    def move(self, form: Form) -> Move:
        """Return the decision that a form holds. Raises BadRequest (400) where it holds none."""


def pages_of(view: TableView) -> GamePages:
    """Return the pages of the game at this table."""
    games: Mapping[str, GamePages] = current_app.extensions[EXTENSION]
    return games.get(view.selection.game.record_name, PLAIN)


def terms_of(view: TableView) -> GameTerms:
    """Return the words of the game at this table, in the language of the page."""
    return view.selection.game.terms(view.selection.ruleset, language())


class PlainPages:
    """How a game is shown that has no pages of its own: who plays, what happens and who wins."""

    folder = "play/plain"
    secret_icons: frozenset[str] = frozenset()

    def roll(self, view: TableView) -> str:
        """Return nothing: the tray says what is to be done."""
        return ""

    def decides(self, view: TableView) -> str:
        """Return that something is decided."""
        return gettext("decides")

    def tell(self, view: TableView, story: tuple[Event | Undone, ...]) -> tuple[StoryLine, ...]:
        """Return a sentence for each event."""
        return tuple(StoryLine(type(event).__name__, _told(view, event)) for event in story)

    def recent(self, view: TableView) -> tuple[Event | Undone, ...]:
        """Return the last events."""
        return view.story[-10:]

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return the last event."""
        return self.tell(view, view.story[-1:])

    def undoing(self, view: TableView) -> str:
        """Return what everybody reads once this phone has taken the last move back."""
        assert view.to_undo is not None
        return _told(view, view.to_undo)

    def ended(self, view: TableView) -> str:
        """Return how the game ended."""
        return gettext("The game is over.")

    def refused(self, view: TableView, reason: Reason) -> str | None:
        """Return nothing: a reason says by itself what it says."""
        return None

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return none."""
        return ()

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return none: what has no pages of its own deals no roles."""
        return ()

    def turns(self, view: TableView) -> int:
        """Return whose turn it is."""
        return view.standing.turn if view.standing else 0

    def move(self, form: Form) -> Any:
        """Refuse: all decisions are thrown."""
        raise BadRequest("action: nothing that is decided on a phone")


def _told(view: TableView, event: Event | Undone) -> str:
    if isinstance(event, Undone):
        return gettext("%(name)s undid the last move.", name=view.people[event.by].name)
    return str(event)


PLAIN = PlainPages()
"""For games without pages of their own."""
