"""What the lobby says: how many players are needed, and how the next game is dealt."""

from collections.abc import Sequence

from companion.games.game import Deck
from companion.table.dealing import CharacterSource, RoleSource
from companion.table.seats import MAX_PEOPLE
from companion.table.views import TableView
from web.games.game import RulesChoice, terms_of
from web.games.registry import pages_named, pages_of
from web.i18n import gettext, ngettext
from web.teaching.routes import teaching_now
from web.text import capital

LEVEL = "sensible"
"""How a stand-in plays that is added with one tap."""


def deal_summary(view: TableView) -> str:
    """Return how the next game is dealt, in short."""
    roles, characters = view.choices.options.roles, view.choices.options.characters
    if characters is CharacterSource.CHOICE:
        if roles is RoleSource.CARDS:
            return gettext("roles from real cards, one of two characters")
        return gettext("one of two characters")
    if characters is CharacterSource.KEPT and view.selection.game.characters is not None:
        if roles is RoleSource.CARDS:
            return gettext("roles from real cards, survivors keep their characters")
        return gettext("survivors keep their characters")
    if roles is RoleSource.CARDS:
        if characters is CharacterSource.CARDS:
            return gettext("from real cards")
        return gettext("roles from real cards")
    if characters is CharacterSource.CARDS:
        return gettext("characters from real cards")
    return gettext("everything dealt here")


def rules(view: TableView, sets: Sequence[RulesChoice], switches: Sequence[RulesChoice]) -> str:
    """Return what is played, and by which rules, in short."""
    # A game with one ruleset names it as itself.
    names = dict.fromkeys(choice.name for choice in (*games(view), *sets) if choice.chosen)
    on = sum(choice.chosen for choice in switches)
    more = ngettext("one house rule", "%(number)s house rules", on, number=on) if on else ""
    return ", ".join(filter(None, (*names, more)))


def games(view: TableView) -> tuple[RulesChoice, ...]:
    """Return the games to choose from; none if there is only one."""
    if len(view.games) < 2:
        return ()
    chosen = view.selection.game.record_name
    return tuple(
        RulesChoice(game, str(pages_named(game).name), "", game == chosen) for game in view.games
    )


def sets_to_read(view: TableView) -> Sequence[RulesChoice]:
    """Return the dice or decks that the camera can read; none without one, or during a lesson."""
    teaching = teaching_now()
    if teaching is None or teaching.lesson is not None:
        return ()
    return pages_of(view).tray.sets(teaching, terms_of(view))


def deck_of(view: TableView) -> Deck:
    """Return what a game with the fewest players deals: roles, characters, both or neither."""
    game, ruleset = view.selection.game, view.selection.ruleset
    return game.deck(ruleset, ruleset.players[0])


def is_full(view: TableView) -> bool:
    """Return whether all seats are taken."""
    return len(view.people) == MAX_PEOPLE


def missing(view: TableView) -> str:
    """Return why the game can't start; empty if it can."""
    game, people = view.selection.game, view.people
    if len(people) not in view.selection.ruleset.players:
        return player_range(view)
    if not any(person.stand_in for person in people):
        return ""
    if not game.stand_ins:
        return gettext(
            "Stand-ins can’t play this game: they hold no real cards. Remove them, or choose "
            "another game."
        )
    if view.choices.options.players_enter:
        return gettext("Stand-ins need roles and characters that are dealt here.")
    return ""


def player_range(view: TableView) -> str:
    """Return how many players the game needs."""
    words, players = terms_of(view), view.selection.ruleset.players
    least, most = words.number(players[0]), words.number(players[-1])
    if least == most:
        return capital(gettext("This game needs %(count)s players.", count=least))
    return capital(
        gettext("This game needs %(least)s to %(most)s players.", least=least, most=most)
    )
