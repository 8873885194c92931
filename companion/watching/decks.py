"""Keeps the decks of cards that were taught, and says which one the table reads."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.table.refused import Message, Problem, Refused
from companion.watching.card_capture import taught_cards
from companion.watching.dice_sets import added
from companion.watching.lesson import Lesson, LessonPlan, chosen_copies
from companion.watching.pile_reader import PileReader
from companion.watching.setup_store import SetupStore
from companion.watching.teaching import KnownPicture, TeachingWords
from vision.cards.deck import MOST, SUFFIX, TaughtDeck, deck_path, load_deck, save_deck
from vision.profile import SHIPPED, ProfileError


class Decks:
    """The decks in a folder, and those that come with the product."""

    editions = ()
    """Titles are the same in every edition."""

    always = False
    """Without a deck, every card is tapped."""

    words = TeachingWords(
        playing=Message("you can’t teach cards during a game"),
        none=Message("no cards are being taught"),
        taken=Message("another deck has this name: choose a different one"),
        unknown=Message("there is no deck with this name"),
        untaught=Message("no deck with this name was taught here"),
        few=Message("each title needs a picture"),
        many=Message("%(most)s pictures of a title are enough", most=MOST),
    )
    """What is said of cards."""

    named = ""
    """The settings file names no deck."""

    def __init__(
        self,
        folder: Path,
        store: SetupStore,
        reader: PileReader,
        signs: Mapping[str, Sequence[str]],
    ) -> None:
        """Keep decks in `folder`; `store` remembers which one `reader` is to use.

        signs: those of each title's copies, by title.
        """
        self._folder, self._store, self._reader = folder, store, reader
        self._plan = LessonPlan(tuple(signs), 1, MOST, chosen_copies(signs))

    @property
    def plan(self) -> LessonPlan:
        """What a lesson asks for."""
        return self._plan

    @property
    def used(self) -> str:
        """The deck that the table reads; "" if every card is tapped."""
        deck = self._reader.deck
        return deck.name if deck is not None else ""

    def names(self) -> Sequence[str]:
        """Return the decks that were taught here, sorted."""
        shipped = self.others()
        return [name for name in _names(self._folder) if name not in shipped]

    def others(self) -> Sequence[str]:
        """Return the decks that come with the product, sorted."""
        return _names(SHIPPED)

    def taken(self, name: str) -> bool:
        """Return whether a deck has this name, in upper or lower case."""
        names = (*self.names(), *self.others())
        if name.casefold() in (other.casefold() for other in names):
            return True
        try:
            deck_path(name, self._folder)
        except ProfileError:
            return True
        return False

    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        """Return no edition, and the taught pictures of each title. Raises Refused."""
        taught: dict[str, list[KnownPicture]] = {}
        for card in self._deck(name).cards:
            taught.setdefault(card.title, []).append(KnownPicture(card.picture, str(card.sign)))
        return "", taught

    def keep(self, lesson: Lesson) -> None:
        """Keep what a lesson taught. Raises Refused."""
        try:
            save_deck(
                TaughtDeck(lesson.name, taught_cards(lesson)),
                self._folder / f"{lesson.name}{SUFFIX}",
            )
        except ProfileError as error:
            raise Refused(Problem.FAILED, "nothing was changed: %(error)s", error=error) from error

    def use(self, name: str) -> None:
        """Make the table read this deck from now on, also after a restart; "": none.

        Raises Refused.
        """
        deck = self._deck(name) if name else None
        self._store.save(deck=name)
        self._reader.use(deck)

    def files(self) -> Mapping[str, Path]:
        """Return the file of each deck that was taught here, by its name."""
        found = sorted(self._folder.glob(f"*{SUFFIX}"))
        return {path.stem: path for path in found if path.is_file()}

    def check(self, path: Path) -> None:
        """Raise Refused unless the file holds a deck."""
        try:
            load_deck(path)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error

    def add(self, path: Path) -> str:
        """Move a deck's file to the others and return the name it has there.

        If another deck has its name, a number is added. Empty if the same file is already there.
        """
        return added(path, self._folder)

    def delete(self, name: str) -> None:
        """Delete a deck that was taught here. Raises Refused, with nothing deleted.

        If it is in use, every card is tapped from now on.
        """
        if name == self.used:
            self.use("")
        path = self._folder / f"{name}{SUFFIX}"
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise Refused(
                Problem.FAILED,
                "the deck could not be deleted: %(error)s",
                error=f"{error.filename}: {error.strerror}",
            ) from error

    def _deck(self, name: str) -> TaughtDeck:
        try:
            return open_deck(name, self._folder)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error


def open_deck(name: str, folder: Path) -> TaughtDeck:
    """Return the deck of this name, in `folder` or shipped. Raises ProfileError."""
    path = deck_path(name, folder)
    shipped = SHIPPED / path.name
    return load_deck(shipped if not path.is_file() and shipped.is_file() else path)


def _names(folder: Path) -> Sequence[str]:
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if path.is_file())
