"""The loudspeaker with real programs: a player that notes what it was given is the device."""

import logging
import re
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from waiting import wait_until

from companion.app.sound import SpeakerWorker
from hardware import speaker as speakers
from hardware.speaker import PLAYERS, WAITING, AudioPlayer, Speaker, SpeakerError, Voice
from web.assets import FOLDER, SOUNDS

FILES = {file.stem: file for file in (FOLDER / SOUNDS).glob("*.wav")}

NOTES = """
import os, shutil, sys, time
folder = os.path.dirname(sys.argv[0])
copy = os.path.join(folder, f"{time.monotonic_ns()}")
shutil.copy(sys.argv[-1], copy)
with open(os.path.join(folder, "played"), "a") as file:
    print(copy, *sys.argv[1:-1], file=file)
"""
SPEAKS = """
import os, shutil, sys
with open(os.path.join(os.path.dirname(sys.argv[0]), "said"), "a") as file:
    print(*sys.argv[1:-1], sys.stdin.read(), sep="|", end="", file=file)
shutil.copy(SOUND, sys.argv[-1])
"""
HANGS = """
import os, sys, time
open(os.path.join(os.path.dirname(sys.argv[0]), "hangs"), "a").close()
time.sleep(1000)
"""


class Bench:
    """Programs in a folder of their own, and what they noted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def program(self, name: str, source: str) -> str:
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n{source}")
        path.chmod(0o755)
        return str(path)

    def player(self, source: str = NOTES) -> AudioPlayer:
        return AudioPlayer(self.program("player", source), ("--quiet",), "--device")

    def voice(self) -> Voice:
        return Voice(self.program("voice", SPEAKS.replace("SOUND", repr(str(FILES["turn"])))))

    def noted(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    def played(self) -> list[tuple[np.ndarray, list[str]]]:
        """The frames of each file that was played, with the options."""
        lines = [line.split() for line in self.noted("played")]
        return [(frames(copy), options) for copy, *options in lines]

    def check_heard(self, sound: str) -> None:
        """Wait until something was played, and hold that it was this sound alone."""
        wait_until(lambda: self.noted("played"))
        ((heard, _),) = self.played()
        assert np.array_equal(heard, frames(FILES[sound]))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Speaker], Speaker]]:
    """Starts speakers with a thread that hardly waits after a fault."""
    monkeypatch.setattr("companion.base.worker.FIRST_RETRY_S", 0.01)
    workers: list[SpeakerWorker] = []

    def start(speaker: Speaker) -> Speaker:
        workers.append(SpeakerWorker(speaker))
        workers[-1].start()
        return speaker

    yield start
    for worker in workers:
        worker.stop()


def frames(file: str | Path) -> np.ndarray:
    with wave.open(str(file), "rb") as read:
        return np.frombuffer(read.readframes(read.getnframes()), "<i2")


def test_sounds_and_sentences_are_heard_in_order_at_their_volume(bench, started):
    speaker = started(Speaker(bench.player(), FILES, bench.voice(), device="hw:1", volume=50))
    speaker.play("shot")
    speaker.say("À Zoé de jouer.", "fr")
    speaker.play("beer")
    wait_until(lambda: len(bench.noted("played")) == 3)
    for (heard, options), sound in zip(bench.played(), ("shot", "turn", "beer"), strict=True):
        assert options == ["--quiet", "--device", "hw:1"]
        assert np.abs(heard - frames(FILES[sound]) / 2).max() <= 0.5
    # The sentence isn't part of the command: no name can be taken for an option.
    assert bench.noted("said") == ["-v|fr|--stdin|-w|À Zoé de jouer."]


def test_what_was_not_wanted_is_not_heard(bench, started):
    speaker = started(Speaker(bench.player(), {"shot": FILES["shot"]}))
    speaker.say("Nobody hears this.", "en")
    speaker.play("beer")
    speaker.play("shot")
    bench.check_heard("shot")


def test_a_player_that_hangs_holds_nothing_up(bench, started):
    speaker = started(Speaker(bench.player(HANGS), FILES))
    speaker.play("shot")
    wait_until(lambda: (bench.folder / "hangs").exists())
    before = threading.active_count()
    for _ in range(1000):
        speaker.play("beer")
    assert threading.active_count() == before
    assert speaker.backlog == WAITING + 1


def test_silence_ends_what_is_heard_and_what_waits(bench, started):
    speaker = started(Speaker(bench.player(HANGS), FILES))
    speaker.play("shot")
    wait_until(lambda: (bench.folder / "hangs").exists())
    speaker.play("beer")
    bench.player()
    speaker.silence()
    speaker.play("death")
    bench.check_heard("death")


def test_what_is_late_is_left_out(bench, started, monkeypatch):
    speaker = Speaker(bench.player(), FILES)
    speaker.play("shot")
    clock = time.monotonic
    monkeypatch.setattr("hardware.speaker.time.monotonic", lambda: clock() + 10)
    speaker.play("beer")
    started(speaker)
    bench.check_heard("beer")


def test_a_trouble_is_logged_once_until_it_has_passed(bench, started, caplog):
    caplog.set_level(logging.INFO)
    busy = 'import sys; sys.exit("audio open error: Device or resource busy")'
    speaker = started(Speaker(bench.player(busy), FILES))
    for _ in range(3):
        speaker.play("shot")
    wait_until(lambda: not speaker.backlog)
    assert caplog.messages == ["speaker: player: audio open error: Device or resource busy"]
    bench.player()
    speaker.play("shot")
    wait_until(lambda: len(caplog.messages) == 2)
    assert caplog.messages[1] == "speaker: works again"


@pytest.mark.parametrize(
    ("source", "reason"),
    [("", ""), ("import sys; sys.exit(3)", "status 3"), ("raise SystemExit('dumb')", "dumb")],
)
def test_a_voice_that_fails_takes_no_sound_along(bench, started, caplog, source, reason):
    speaker = started(Speaker(bench.player(), FILES, Voice(bench.program("voice", source))))
    speaker.say("It is Ann's turn.", "en")
    speaker.play("shot")
    bench.check_heard("shot")
    assert re.match(f"speaker: .*{reason}", caplog.messages[0])


def test_a_program_that_went_is_a_trouble_too(bench, started, caplog):
    odd = bench.folder / "odd.wav"
    with wave.open(str(odd), "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(b"\x80" * 80)
    started(Speaker(bench.player(), {"odd": odd})).play("odd")
    wait_until(lambda: caplog.messages)
    assert "8 bits instead of 16" in caplog.messages[0]
    started(Speaker(AudioPlayer(str(bench.folder / "gone"), (), "-D"), FILES)).play("shot")
    wait_until(lambda: len(caplog.messages) > 1)
    assert "No such file" in caplog.messages[1]


def test_the_first_player_that_is_installed_plays():
    assert [player.name for player in PLAYERS] == ["aplay", "pw-play"]
    assert speakers.find_player(lambda name: name) is PLAYERS[0]
    assert speakers.find_player({"pw-play": "/usr/bin/pw-play"}.get) is PLAYERS[1]
    with pytest.raises(SpeakerError, match="sudo apt install alsa-utils"):
        speakers.find_player(lambda name: None)
    assert PLAYERS[0].command("", Path("a.wav")) == ("aplay", "--quiet", "a.wav")


def test_the_voice_of_the_settings_speaks(tmp_path):
    assert speakers.find_voice("", lambda name: name) == Voice("espeak-ng")
    with pytest.raises(SpeakerError, match="sudo apt install espeak-ng"):
        speakers.find_voice("", lambda name: None)
    with pytest.raises(SpeakerError, match="no such voice"):
        speakers.find_voice("/nowhere/fr.onnx", lambda name: name)
    model = tmp_path / "fr.onnx"
    model.touch()
    voice = speakers.find_voice(str(model), lambda name: name)
    command = ("piper", "--model", str(model), "--output_file", "a.wav")
    assert voice.command("fr", Path("a.wav")) == command
    with pytest.raises(SpeakerError, match="piper is not installed"):
        speakers.find_voice(str(model), lambda name: None)
