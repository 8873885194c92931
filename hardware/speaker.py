"""The loudspeaker of this machine: plays WAV files and speaks.

Other programs do the work: `aplay` (ALSA) or `pw-play` (PipeWire) plays, and `espeak-ng` or `piper`
speaks into a file first. One thing is heard after another. What waits is bounded, and late things
are left out, so a slow or hanging device never holds anything up.
"""

import shutil
import subprocess
import tempfile
import threading
import time
import wave
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

import numpy as np

WAITING = 8
"""How many sounds and sentences may wait; of more, the oldest are dropped."""

LATE_S = 5.0
"""Seconds after which something is too late to be played."""

LONGEST_S = 15.0
"""Seconds after which a program that doesn't end is stopped, in any case."""

SLACK_S = 6.0
"""Seconds that it may take to speak, and beyond the length of a sound to play it."""

PIPER_VOICE = ".onnx"
"""How the file of a voice for piper ends."""


Waiting = Callable[[], AbstractContextManager[object]]
"""Returns what is entered while a program runs."""


class SpeakerError(Exception):
    """The speaker can't be used; the message says what is missing."""


class AudioPlayer(NamedTuple):
    """A program that plays WAV files."""

    name: str
    """Its name."""
    quiet: tuple[str, ...]
    """The options that let it print errors only."""
    device: str
    """The option that names the device."""

    def command(self, device: str, file: Path) -> tuple[str, ...]:
        """Return the command that plays a file; device: empty for the usual one."""
        return (self.name, *self.quiet, *((self.device, device) if device else ()), str(file))


PLAYERS = (AudioPlayer("aplay", ("--quiet",), "--device"), AudioPlayer("pw-play", (), "--target"))
"""The programs that play; the first that is installed does."""


class Voice(NamedTuple):
    """A program that speaks what it reads from its standard input into a WAV file."""

    name: str
    """Its name."""
    model: str = ""
    """The file of piper's voice; empty for espeak-ng, which knows languages by their names."""

    def command(self, language: str, file: Path) -> tuple[str, ...]:
        """Return the command that speaks into a file."""
        if self.model:
            return (self.name, "--model", self.model, "--output_file", str(file))
        return (self.name, "-v", language, "--stdin", "-w", str(file))


def find_player(which: Callable[[str], str | None] = shutil.which) -> AudioPlayer:
    """Return the program that plays. Raises SpeakerError if none is installed."""
    for player in PLAYERS:
        if which(player.name):
            return player
    raise SpeakerError("nothing here plays sounds: sudo apt install alsa-utils")


def find_voice(voice: str = "", which: Callable[[str], str | None] = shutil.which) -> Voice:
    """Return the program that speaks. Raises SpeakerError if it isn't installed.

    voice: the file of a voice for piper; empty for espeak-ng.
    """
    if not voice:
        if not which("espeak-ng"):
            raise SpeakerError("nothing here speaks: sudo apt install espeak-ng")
        return Voice("espeak-ng")
    if not voice.endswith(PIPER_VOICE) or not Path(voice).is_file():
        raise SpeakerError(f"{voice}: no such voice; piper's are files that end in {PIPER_VOICE}")
    if not which("piper"):
        raise SpeakerError("piper is not installed, and the voice in the settings is one of its")
    return Voice("piper", voice)


class _Task(NamedTuple):
    """Something that waits to be heard."""

    until: float
    """When it is too late, on the monotonic clock."""
    silences: int
    """How often silence had fallen; once it falls again, it isn't heard any more."""
    sound: Path | None
    """The sound to play; None for a sentence."""
    text: str = ""
    """The sentence to say."""
    language: str = ""
    """Its language."""


class Speaker:
    """A loudspeaker. Its methods return at once, and may be called from any thread."""

    def __init__(
        self,
        player: AudioPlayer,
        sounds: Mapping[str, Path],
        voice: Voice | None = None,
        *,
        device: str = "",
        volume: int = 100,
        runner: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Prepare to play.

        sounds: the WAV files of 16 bits by their names, none to play no sounds; voice: None to say
        nothing; device: as the player names it, empty for the usual one; volume: in percent;
        runner: returns a command that runs the programs, or nothing; may raise OSError.
        """
        self._runner = runner
        self._player, self._sounds, self._voice = player, sounds, voice
        self._device, self._volume = device, volume
        self._tasks: deque[_Task] = deque(maxlen=WAITING)
        self._wake: Callable[[], None] = lambda: None
        self._changed = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._working = False
        self._silences = 0

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` when something waits, for a thread that then calls `play_next`."""
        self._wake = wake

    @property
    def backlog(self) -> int:
        """How many sounds and sentences wait or are heard."""
        with self._changed:
            return len(self._tasks) + self._working

    def play(self, sound: str) -> None:
        """Play a sound after what waits; one that this speaker doesn't have isn't played."""
        if sound in self._sounds:
            self._add(self._sounds[sound])

    def say(self, text: str, language: str) -> None:
        """Say a sentence after what waits."""
        if self._voice is not None:
            self._add(None, text, language)

    def silence(self) -> None:
        """Stop at once, and drop what waits."""
        with self._changed:
            self._silences += 1
            self._tasks.clear()
            if self._running is not None:
                self._running.kill()

    def _add(self, sound: Path | None, text: str = "", language: str = "") -> None:
        with self._changed:
            until = time.monotonic() + LATE_S
            self._tasks.append(_Task(until, self._silences, sound, text, language))
        self._wake()

    def play_next(self, waiting: Waiting = nullcontext) -> bool:
        """Play what waits longest; return whether it was heard. For one thread.

        waiting: entered while a program may take its time. Raises OSError or SpeakerError if it
        can't be played.
        """
        with self._changed:
            task = self._next()
            self._working = task is not None
        if task is None:
            return False
        try:
            with tempfile.TemporaryDirectory(prefix="bang-speaker-") as folder:
                file = Path(folder) / "heard.wav"
                longest = self._make(task, file, waiting)
                command = self._player.command(self._device, file)
                return longest is not None and self._run(command, task, longest, waiting)
        except (wave.Error, EOFError) as error:
            raise SpeakerError(str(error)) from error
        finally:
            self._working = False

    def _next(self) -> _Task | None:
        """Return what to play next, without what is too late."""
        while self._tasks:
            task = self._tasks.popleft()
            if time.monotonic() <= task.until:
                return task
        return None

    def _make(self, task: _Task, file: Path, waiting: Waiting) -> float | None:
        """Write what is to be played; return how long that may take, None if silence fell."""
        source = task.sound
        if source is None:
            assert self._voice is not None
            source = file.with_name("spoken.wav")
            if not self._run(self._voice.command(task.language, source), task, SLACK_S, waiting):
                return None
        return min(LONGEST_S, _copy(source, file, self._volume) + SLACK_S)

    def _run(self, words: Sequence[str], task: _Task, longest: float, waiting: Waiting) -> bool:
        """Run a program; return False if silence fell before it ended.

        longest: seconds that it may take. Raises SpeakerError if it fails.
        """
        with self._changed:
            if task.silences != self._silences:
                return False
            running = self._running = subprocess.Popen(
                [*self._runner(), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        try:
            with waiting():
                _, errors = running.communicate(f"{task.text}\n".encode(), timeout=longest)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            raise SpeakerError(f"{words[0]} doesn't end") from None
        finally:
            with self._changed:
                self._running = None
        if task.silences != self._silences:
            return False
        if running.returncode:
            said = errors.decode("utf-8", "replace").strip().splitlines()
            reason = said[-1] if said else f"status {running.returncode}"
            name = Path(words[0]).name
            raise SpeakerError(reason if reason.startswith(name) else f"{name}: {reason}")
        return True


def _copy(source: Path, target: Path, volume: int) -> float:
    """Write a WAV file of 16 bits again, at a volume in percent; return its length in seconds."""
    with wave.open(str(source), "rb") as read:
        parameters, frames = read.getparams(), read.readframes(read.getnframes())
    if parameters.sampwidth != 2:
        raise SpeakerError(f"{source}: {8 * parameters.sampwidth} bits instead of 16")
    loud = np.frombuffer(frames, "<i2") * (volume / 100)
    with wave.open(str(target), "wb") as written:
        written.setparams(parameters)
        written.writeframes(np.round(loud).astype("<i2").tobytes())
    return parameters.nframes / parameters.framerate
