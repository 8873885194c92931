"""Lets the table's own speaker play what happens, and say it.

What it plays and says comes from the pages of the game, worked out from what everybody may see.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from companion.base.worker import Worker, WorkerThread
from companion.table.table import Table
from companion.table.views import TableView


class Heard(NamedTuple):
    """How an event of the story is heard."""

    number: int
    """The event's place in the story, from 1. The story only grows, so no number comes twice."""
    sounds: tuple[str, ...]
    """The sounds to play, in order; none if empty."""
    says: str = ""
    """What the announcer says; nothing if empty."""
    undoes: bool = False
    """Whether it takes back what is still being heard."""


class Narration(Protocol):
    """Says how the table is heard, given what everybody may see."""

    def audio(self, view: TableView) -> Sequence[Heard]:
        """Return how the latest events of the game are heard, in order."""

    def tray(self, view: TableView) -> str:
        """Return the sound to play for what waits in the tray; empty for none."""

    def language(self, view: TableView) -> str:
        """Return the language of what is said: `en`."""


class Loudspeaker(Protocol):
    """Plays and speaks, one thing after another. No method waits."""

    def play(self, sound: str) -> None:
        """Play a sound, by its name."""

    def say(self, text: str, language: str) -> None:
        """Say a sentence."""

    def silence(self) -> None:
        """Stop at once what is heard, and drop what waits."""


class _HeardSoFar(NamedTuple):
    """How far the table was heard."""

    game: int
    """The number of its game; 0 without one."""
    number: int
    """The last event that was heard."""
    tray: str
    """The sound of what waits in the tray while it is read."""
    read: int
    """The number of the last card that was read and became no move."""


class Announcer(Worker):
    """Follows the table in a thread of its own, so that no press waits for a sound."""

    def __init__(self, table: Table, narration: Narration, speaker: Loudspeaker) -> None:
        """Prepare the thread. What happened before isn't heard."""
        super().__init__("announcer")
        self._table, self._narration, self._speaker = table, narration, speaker
        view = table.view()
        self._known = self._progress(view, narration.audio(view), view.pile.read)

    def catch_up(self, thread: WorkerThread) -> None:
        """Let be heard what has happened since the last time."""
        view = self._table.view()
        heard = self._narration.audio(view)
        if thread.ended():
            return
        before, self._known = (
            self._known,
            self._progress(view, heard, view.pile.read or self._known.read),
        )
        if view.choices.muted:
            self._speaker.silence()
            return
        if before.game != self._known.game:
            self._speaker.silence()
            # A game that begins is heard; one that was restored has been heard before.
            before = before._replace(number=0 if len(view.story) == 1 else self._known.number)
        news = [event for event in heard if event.number > before.number]
        read = view.pile.read
        is_new = read != before.read if read else not before.tray
        # After an undo all lies there as before.
        if self._known.tray and is_new and not any(event.undoes for event in news):
            self._speaker.play(self._known.tray)
        for event in news:
            if event.undoes:
                self._speaker.silence()
            for sound in event.sounds:
                self._speaker.play(sound)
            if event.says:
                self._speaker.say(event.says, self._narration.language(view))

    def _progress(self, view: TableView, heard: Sequence[Heard], read: int) -> _HeardSoFar:
        number = heard[-1].number if heard else 0
        return _HeardSoFar(view.game_number, number, self._narration.tray(view), read)
