"""What pages say while cards are dealt."""

from collections.abc import Sequence

from companion.table.dealing import EntryError
from companion.table.views import TableView
from web.games.game import terms_of
from web.i18n import gettext


def wrong(view: TableView, kind: EntryError) -> str:
    """Return why all players must enter their cards again, without saying who entered what."""
    if kind is EntryError.CHARACTERS:
        return gettext(
            "Two players entered the same character. Everybody enters their character again."
        )
    number = terms_of(view).number(len(view.people))
    return gettext(
        "The roles entered don’t fit %(number)s players. Everybody enters their role again.",
        number=number,
    )


def by_name(view: TableView, characters: Sequence[str]) -> list[str]:
    """Return characters sorted by their names at this table."""
    words = terms_of(view)
    return sorted(characters, key=lambda character: words.characters[character].name)
