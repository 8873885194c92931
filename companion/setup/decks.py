"""Keeps the decks of cards that were taught, and says which one the table reads."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.base.refused import Message
from companion.camera.pile_reader import PileReader
from companion.camera.setup_store import SetupStore
from companion.setup.card_capture import taught_cards
from companion.setup.lesson import Lesson, LessonPlan, chosen_copies
from companion.setup.taught_folder import KnownPicture, TaughtFolder, TaughtForm, TeachingWords
from vision.cards import deck as decks


def open_deck(name: str, folder: Path) -> decks.TaughtDeck:
    """Return the deck of this name, in `folder` or shipped. Raises ProfileError."""
    return decks.load_deck(decks.find_deck(name, folder))


class Decks(TaughtFolder[decks.TaughtDeck]):
    """The decks in a folder, and those that come with the product."""

    form = TaughtForm(open_deck, decks.load_deck, decks.deck_path)
    suffixes = (decks.SUFFIX,)

    spare = ""
    chosen_in_game = False
    """Every card is tapped."""

    words = TeachingWords(
        playing=Message("you can’t teach cards during a game"),
        none=Message("no cards are being taught"),
        taken=Message("another deck has this name: choose a different one"),
        unknown=Message("there is no deck with this name"),
        untaught=Message("no deck with this name was taught here"),
        few=Message("each title needs a picture"),
        many=Message("%(most)s pictures of a title are enough", most=decks.MOST),
    )
    """What is said of cards."""

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
        super().__init__(folder, store)
        self._reader = reader
        self.plan = LessonPlan(tuple(signs), 1, decks.MOST, chosen_copies(signs))

    @property
    def used(self) -> str:
        """The deck that the table reads; "" if every card is tapped."""
        deck = self._reader.deck
        return deck.name if deck is not None else ""

    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        """Return no edition, and the taught pictures of each title. Raises Refused."""
        taught: dict[str, list[KnownPicture]] = {}
        for card in self.open(name).cards:
            taught.setdefault(card.title, []).append(KnownPicture(card.picture, str(card.sign)))
        return "", taught

    def use(self, name: str) -> None:
        """Make the table read this deck from now on, also after a restart; "": none.

        Raises Refused.
        """
        deck = self.open(name) if name else None
        self._store.save(deck=name)
        self._reader.use(deck)

    def _keep(self, lesson: Lesson) -> None:
        path = self._folder / f"{lesson.name}{decks.SUFFIX}"
        decks.save_deck(decks.TaughtDeck(lesson.name, taught_cards(lesson)), path)
