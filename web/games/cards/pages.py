"""How the pages show the card game."""

from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.terms import CardTerms
from companion.games.cards.terms.telling import tell_refusal
from companion.games.common.events import TurnBegan
from companion.games.common.refusals import Refusal
from companion.games.common.roles import Role
from companion.table.controls.announcer import Heard
from companion.table.views import TableView
from web.forms import Form
from web.games.cards import awards, board, cues, forms
from web.games.cards import story as stories
from web.games.cards.board import names_of, terms_of
from web.games.cards.moments import LATEST
from web.games.cards.story import Entry
from web.games.game import RulesChoice, StoryLine
from web.i18n import gettext
from web.play import finale


class CardPages:
    """The pages of the card game; see `web.games.game.GamePages`."""

    folder = "games/cards"
    secret_icons = frozenset(map(str, Role)) - {Role.SHERIFF}

    def name(self) -> str:
        """Return what the lobby calls the card game."""
        return gettext("The card game")

    def look(self, view: TableView) -> str:
        """Return the class of its pages."""
        return "cards"

    def roll(self, view: TableView) -> str:
        """Return nothing: no dice are thrown."""
        return ""

    def decides(self, view: TableView) -> str:
        """Return what a player is deciding: `plays cards`."""
        return board.doing(view)

    def alert_key(self, view: TableView) -> str:
        """Return a text that changes when a player is asked anew.

        A player who goes on playing cards isn't.
        """
        if view.game.open:
            return f"question-{view.version}"
        return f"turn-{view.game_number}-{self.turns(view)}"

    def tell(self, view: TableView, story: tuple[Entry, ...]) -> tuple[StoryLine, ...]:
        """Return the story of a card game as sentences."""
        return stories.tell(story, names_of(view), terms_of(view))

    def recent(self, view: TableView) -> tuple[Entry, ...]:
        """Return what pages show of a running card game: its last two turns."""
        return stories.recent(view.story)

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return what the last press, or the last card, caused."""
        return stories.just_happened(view, names_of(view), terms_of(view))

    def audio(self, view: TableView, words: CardTerms) -> tuple[Heard, ...]:
        """Return how the latest events are heard, without those told again."""
        return cues.audio(view.story, view.statuses, names_of(view), words, LATEST)

    def because(self, view: TableView, reason: object) -> str:
        """Return a reason as it is: no stand-in plays this game."""
        return str(reason)

    def undoing(self, view: TableView) -> str:
        """Return the sentence of the card game about an undo by this phone."""
        assert view.to_undo is not None
        return stories.sentence(view.to_undo, names_of(view), terms_of(view))

    def ending(self, view: TableView) -> str:
        """Return which side won, in the words of the card game."""
        return terms_of(view).story.ends[view.game.result.side]

    def summary(self, view: TableView) -> tuple[str, ...]:
        """Return the players and the awards of a card game, a line each."""
        return finale.summary(view.game.players, terms_of(view), awards.awards(view))

    def tell_refusal(self, view: TableView, reason: object) -> str | None:
        """Return why the card game refuses a move; None for any other reason."""
        if not isinstance(reason, Refusal) or not isinstance(reason.reason, CardReason):
            return None
        return tell_refusal(reason, [person.name for person in view.people], terms_of(view))

    def rulesets(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the one ruleset."""
        return tuple(RulesChoice(id, self.name(), "", True) for id in view.selection.game.rulesets)

    def house_rule_choices(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return none: the card game has no house rules."""
        return ()

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return none, as there are none to choose."""
        return ()

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return the seats whose roles the card game still hides."""
        players = enumerate(view.game.players)
        return tuple(seat for seat, player in players if player.role is None)

    def turns(self, view: TableView) -> int:
        """Return how many turns the card game had so far."""
        return sum(isinstance(event, TurnBegan) for event in view.story)

    def move(self, form: Form) -> CardMove:
        """Return the decision with cards in a form."""
        return forms.move(form)


CARD_PAGES = CardPages()
"""The pages of the card game."""
