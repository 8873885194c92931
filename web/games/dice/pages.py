"""How the pages show the dice game."""

from companion.games.common.events import TurnBegan
from companion.games.dice.rules.events import Event
from companion.games.dice.rules.motives import Why
from companion.games.dice.rules.moves import Move
from companion.games.dice.rules.reasons import Refusal
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS, Edition, followed
from companion.games.dice.terms import Terms
from companion.games.game import Correction
from companion.table.controls.announcer import Heard
from companion.table.history import Undone
from companion.table.views import TableView
from web.forms import Form
from web.games.dice import awards, board, cues, forms, whys
from web.games.dice import story as stories
from web.games.dice.board import terms_of
from web.games.dice.moments import LATEST
from web.games.dice.refusals import tell_refusal
from web.games.game import RulesChoice, StoryLine
from web.i18n import gettext
from web.play import finale


class DicePages:
    """The pages of the dice game; see `web.games.game.GamePages`."""

    folder = "games/dice"
    secret_icons = frozenset(map(str, Role)) - {Role.SHERIFF}

    def name(self) -> str:
        """Return what the lobby calls the dice game."""
        return gettext("The dice game")

    def look(self, view: TableView) -> str:
        """Return the class of an edition with symbols and colours of its own."""
        edition = RULESETS[view.selection.ruleset.id].edition
        return "" if edition is Edition.BASE else edition

    def roll(self, view: TableView) -> str:
        """Return which roll of the turn is next."""
        return board.rolls(view)

    def decides(self, view: TableView) -> str:
        """Return what a player is deciding: `chooses a target`."""
        return terms_of(view).questions.decides[view.question.action]

    def alert_key(self, view: TableView) -> str:
        """Return a text that changes with each question."""
        return f"question-{view.version}"

    def tell(
        self, view: TableView, story: tuple[Event | Undone | Correction, ...]
    ) -> tuple[StoryLine, ...]:
        """Return the story as sentences."""
        return stories.tell(story, view.game.players, terms_of(view))

    def recent(self, view: TableView) -> tuple[Event | Undone | Correction, ...]:
        """Return what pages show of a running dice game: its last two turns."""
        return stories.recent(view.story)

    def just_happened(self, view: TableView) -> tuple[StoryLine, ...]:
        """Return the effects of the last move."""
        return stories.just_happened(view.story, view.game.players, terms_of(view))

    def audio(self, view: TableView, words: Terms) -> tuple[Heard, ...]:
        """Return how the latest events are heard."""
        return cues.audio(view.story, view.game.players, words, LATEST)

    def because(self, view: TableView, reason: object) -> str:
        """Return why a stand-in moved as it did, in the words of the dice game."""
        assert isinstance(reason, Why)
        return whys.because(view, reason)

    def undoing(self, view: TableView) -> str:
        """Return the sentence of the dice game about an undo by this phone."""
        assert view.to_undo is not None
        (line,) = self.tell(view, (view.to_undo,))
        return line.text

    def ending(self, view: TableView) -> str:
        """Return which side won, in the words of the dice game."""
        return terms_of(view).story.ends[view.game.result.side]

    def summary(self, view: TableView) -> tuple[str, ...]:
        """Return the players and the awards of a dice game, a line each."""
        return finale.summary(view.game.players, terms_of(view), awards.awards(view))

    def tell_refusal(self, view: TableView, reason: object) -> str | None:
        """Return why the dice game refuses a move; None for any other reason."""
        if not isinstance(reason, Refusal):
            return None
        return tell_refusal(reason, [person.name for person in view.people], terms_of(view))

    def rulesets(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the rulesets of the dice game to choose from."""
        chosen = view.selection.ruleset.id
        return tuple(
            RulesChoice(id, *text, id == chosen) for id, text in terms_of(view).rulesets.items()
        )

    def house_rule_choices(self, view: TableView) -> tuple[RulesChoice, ...]:
        """Return the house rules to choose from, a sentence each.

        One that says what the edition's own rules say is left out, unless it is on.
        """
        chosen = view.selection.house_rules
        own = followed(RULESETS[view.selection.ruleset.id])
        return tuple(
            RulesChoice(rule, "", text, rule in chosen)
            for rule, text in terms_of(view).house_rules.items()
            if rule in chosen or rule is not own
        )

    def house_rules(self, view: TableView) -> tuple[str, ...]:
        """Return the house rules that this table plays by."""
        return board.house_rules(view)

    def secret_roles(self, view: TableView) -> tuple[int, ...]:
        """Return the seats whose roles the dice game still hides."""
        players = enumerate(view.game.players)
        return tuple(seat for seat, player in players if player.role is None)

    def turns(self, view: TableView) -> int:
        """Return the number of turns so far."""
        return sum(isinstance(event, TurnBegan) for event in view.story)

    def move(self, form: Form) -> Move:
        """Return the decision with dice in a form."""
        return forms.move(form)


DICE_PAGES = DicePages()
"""The pages of the dice game."""
