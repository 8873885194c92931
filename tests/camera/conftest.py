"""What tests of cards before the camera share: the deck that ships, which nobody changes."""

import pytest

from vision.cards.deck import TaughtDeck, load_deck
from vision.profile_files import SHIPPED


@pytest.fixture(scope="session")
def deck() -> TaughtDeck:
    """The deck that comes with the product."""
    return load_deck(SHIPPED / "print.cards")
