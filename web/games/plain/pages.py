"""Pages for games without pages of their own: who plays, what happens and who wins."""

from typing import Any

from werkzeug.exceptions import BadRequest

from companion.games.game import Correction
from companion.table.history import Undone
from companion.table.views import TableView
from web.forms import Form
from web.games.game import Entry, GamePages, RulesChoice, StoryLine, names_of, terms_of
from web.games.tray import DICE_TRAY
from web.i18n import gettext, lazy_gettext
from web.play import corrections


def tell(view: TableView, story: tuple[Entry, ...]) -> tuple[StoryLine, ...]:
    """Return a sentence for each event."""
    return tuple(StoryLine(type(event).__name__, _tell(view, event)) for event in story)


def _tell(view: TableView, event: Entry) -> str:
    if isinstance(event, Undone):
        return gettext("%(name)s undid the last move.", name=view.people[event.by].name)
    if isinstance(event, Correction):
        return corrections.tell_correction(event, names_of(view), terms_of(view).faces)
    return str(event)


def rulesets(view: TableView) -> tuple[RulesChoice, ...]:
    """Return the rulesets by the names that they have in settings."""
    chosen = view.selection.ruleset.id
    return tuple(RulesChoice(id, id, "", id == chosen) for id in view.selection.game.rulesets)


def house_rule_choices(view: TableView) -> tuple[RulesChoice, ...]:
    """Return the house rules by the names that they have in settings."""
    game, chosen = view.selection.game, view.selection.house_rules
    return tuple(RulesChoice(id, id, "", id in chosen) for id in game.house_rules)


def refuse(form: Form) -> Any:
    """Refuse what a form says: all decisions are made with dice."""
    raise BadRequest("action: nothing that is decided on a phone")


PLAIN = GamePages(
    name=lazy_gettext("Another game"),
    tray=DICE_TRAY,
    parts="games/plain/parts.html",
    question="games/plain/question.html",
    decides=lambda view: gettext("decides"),
    tell=tell,
    recent=lambda story: story[-10:],
    just_happened=lambda view: tell(view, view.story[-1:]),
    ending=lambda view: gettext("The game is over."),
    summary=names_of,
    secret_roles=lambda view: (),
    turns=lambda view: view.standing.turn if view.standing else 0,
    move=refuse,
    rulesets=rulesets,
    house_rule_choices=house_rule_choices,
)
"""For games without pages of their own."""
