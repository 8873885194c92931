"""What pages say of seats and of dealing, for templates to lay out."""

from collections.abc import Sequence

from companion.dicegame.characters import CHARACTERS
from companion.table.dealing import CharacterSource, EntryError, RoleSource
from companion.table.scene import News, NewsKind
from companion.table.views import TableView
from web.board import terms_of
from web.i18n import gettext


def dealt(view: TableView) -> str:
    """Return how the next game is dealt, in short."""
    roles, characters = view.options.roles, view.options.characters
    if characters is CharacterSource.CHOICE:
        if roles is RoleSource.CARDS:
            return gettext("roles from real cards, one of two characters")
        return gettext("one of two characters")
    if roles is RoleSource.CARDS:
        if characters is CharacterSource.CARDS:
            return gettext("from real cards")
        return gettext("roles from real cards")
    if characters is CharacterSource.CARDS:
        return gettext("characters from real cards")
    return gettext("all of it here")


def news(said: News) -> str:
    """Return what was changed about a seat."""
    match said.kind:
        case NewsKind.MOVED:
            return gettext("The seat of %(name)s is on another phone now.", name=said.name)
        case NewsKind.PHONELESS:
            return gettext("%(name)s has no phone now: the host decides there.", name=said.name)
        case NewsKind.HOST:
            return gettext("%(name)s is the host now.", name=said.name)


def wrong(view: TableView, kind: EntryError) -> str:
    """Return why everybody enters his cards again. It does not say who entered what."""
    if kind is EntryError.CHARACTERS:
        return gettext("A character was entered twice: everybody enters his character again.")
    number = terms_of(view).number(len(view.people))
    return gettext(
        "The roles entered don’t make a game of %(number)s: everybody enters his role again.",
        number=number,
    )


def life_of(character: str) -> int:
    """Return the life points that a character begins with."""
    return CHARACTERS[character].life


def by_name(view: TableView, characters: Sequence[str]) -> list[str]:
    """Return characters in the order of their names at this table."""
    words = terms_of(view)
    return sorted(characters, key=lambda character: words.characters[character].name)
