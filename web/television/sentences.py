"""What the table page says everybody waits for, before and after a game."""

from companion.table.scene import Phase
from companion.table.views import TableView
from web.games.game import terms_of
from web.i18n import gettext, ngettext
from web.lobby.sentences import player_range
from web.text import capital


def waiting(view: TableView) -> str:
    """Return what everybody waits for; "" during a game, when the dice say it."""
    if view.dealing is not None:
        return _cards(view)
    if view.phase is Phase.PLAYING:
        return ""
    players, here = view.selection.ruleset.players, len(view.people)
    host = next((person.name for person in view.people if person.host), None)
    if host is None:
        return gettext("Scan the code to open the table.")
    if here < players[0]:
        missing = players[0] - here
        return capital(
            ngettext(
                "Waiting for one more player.",
                "Waiting for at least %(number)s more players.",
                missing,
                number=terms_of(view).number(missing),
            )
        )
    if here not in players:
        return player_range(view)
    if view.phase is Phase.OVER:
        return gettext("%(name)s can start another game.", name=host)
    return gettext("Everybody here? Then %(name)s starts the game.", name=host)


def _cards(view: TableView) -> str:
    assert view.dealing is not None
    names = [
        person.name
        for person, entered in zip(view.people, view.dealing.entered, strict=True)
        if not entered
    ]
    listed = terms_of(view).join(names)
    return gettext("Waiting for these players’ cards: %(names)s.", names=listed)


def free_chairs(view: TableView) -> tuple[int, int]:
    """Return how many chairs are free at the far and the near side of the table, in the lobby."""
    here, most = len(view.people), view.selection.ruleset.players[-1]
    side = (max(here, most) + 1) // 2
    far = (here + 1) // 2
    return side - far, max(here, most) - side - (here - far)
