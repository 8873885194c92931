"""Builds the announcer at the Pi's own loudspeaker.

A missing program is one line in the log, and the game goes on without it.
"""

import logging
from functools import partial
from pathlib import Path

from companion.base.child import dying_with_us
from companion.base.worker import Supervisor, Worker, WorkError, WorkerThread
from companion.settings import Settings
from companion.table.controls.announcer import Announcer
from companion.table.scene import Trouble
from companion.table.table import Table
from hardware.speaker import Speaker, SpeakerError, Voice, find_player, find_voice
from web.assets import FOLDER, SOUNDS
from web.play.narration import PagesNarration

_log = logging.getLogger(__name__)


class SpeakerWorker(Worker):
    """Plays what the speaker is told. If it hangs, another thread would at the same device."""

    def __init__(self, speaker: Speaker) -> None:
        super().__init__("speaker", replaced=False)
        self._speaker = speaker
        speaker.listen(self.wake)

    def catch_up(self, thread: WorkerThread) -> bool:
        """Play what waits longest."""
        try:
            return self._speaker.play_next(thread.waiting)
        except SpeakerError as error:
            raise WorkError(str(error)) from error
        finally:
            if self._speaker.backlog:
                self.wake()

    def unblock(self) -> None:
        """Fall silent."""
        self._speaker.silence()


def build_announcer(settings: Settings, table: Table, supervisor: Supervisor) -> Announcer | None:
    """Start what lets the table be heard here; return None if nothing is to be heard."""
    wanted = settings.sound
    if not wanted.is_on:
        return None
    try:
        player = find_player()
    except SpeakerError as error:
        _log.warning("speaker: %s; the game goes on without it", error)
        return None
    speaker = Speaker(
        player,
        sounds() if wanted.effects else {},
        _voice(settings),
        device=wanted.device,
        volume=wanted.volume,
        runner=dying_with_us,
    )
    narration = PagesNarration(settings.language)
    announcer = Announcer(table, narration, speaker)
    supervisor.start_worker(SpeakerWorker(speaker), partial(table.report, Trouble.SPEAKER))
    table.follow(lambda *_: announcer.wake())
    supervisor.start_worker(announcer, partial(table.report, Trouble.ANNOUNCER))
    return announcer


def _voice(settings: Settings) -> Voice | None:
    if not settings.sound.announcer:
        return None
    try:
        return find_voice(settings.sound.voice)
    except SpeakerError as error:
        _log.warning("announcer: %s; the game goes on without it", error)
        return None


def sounds() -> dict[str, Path]:
    """Return the files of the game's sounds, by their names."""
    return {file.stem: file for file in sorted((FOLDER / SOUNDS).glob("*.wav"))}
