"""Every event has its cue, every sound its file, and every sentence its language."""

from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from sites import Site

from companion.games.cards.rules.events import CardEvent, CardPlayed
from companion.games.cards.rules.titles import Title
from companion.games.common.events import Eliminated, TurnBegan
from companion.games.dice.rules.events import (
    ArrowsTaken,
    Cause,
    Event,
    GatlingFired,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Shot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import SeatView
from companion.games.dice.terms import LANGUAGES, terms
from companion.games.game import Correction
from companion.table.history import EntryStatus, Undone
from docs.generate import sounds
from web.assets import FOLDER, SOUNDS, Assets
from web.games.cards.cues import CUES as CARD_CUES
from web.games.cards.cues import PLAYED, cue_of
from web.games.cues import DEAL, Cue
from web.games.dice.cues import CUES, audio
from web.games.dice.moments import latest_moments
from web.games.moments import LATEST
from web.play.narration import DICE

FILES = sorted((FOLDER / SOUNDS).iterdir())
PLAYERS = tuple(SeatView(name, "el_gringo", None, 7, 7, 0, True) for name in ("Ann", "Bob", "Cleo"))
STORY = (
    TurnBegan(0),
    Rolled(0, (Face.BULLSEYE1,) * 5, (0, 1, 2, 3, 4)),
    ArrowsTaken(0, 2, Cause.ROLL),
    ShotsFired(0, (Shot(0, 1), Shot(1, 1), Shot(2, 2))),
    LifeLost(1, 2, Cause.BULLSEYE),
    Eliminated(1, Role.OUTLAW),
    GatlingFired(0),
    Undone(0, 0, 0, "shoot"),
)


def test_every_event_has_its_line():
    assert CUES.keys() == {*get_args(Event), Undone, Correction}
    assert CARD_CUES.keys() >= set(get_args(CardEvent))
    assert cue_of(CardPlayed(0, Title.GATLING, None)).sounds == ("gatling",)


def test_every_moment_of_the_television_is_heard():
    words = terms(RULESETS["base"], "en")
    numbers = {event.number for event in audio(STORY, PLAYERS, words, LATEST)}
    moments = latest_moments(STORY, (EntryStatus(0),) * len(STORY), PLAYERS)
    assert {moment.number for moment in moments} <= numbers


def test_every_sound_has_a_file_and_every_file_is_played():
    cues = (*CUES.values(), *CARD_CUES.values(), *(Cue(each, True) for each in PLAYED.values()))
    played = {sound for cue in cues for sound in cue.sounds} | {DICE, DEAL, "heart"}
    assert played == sounds.SOUNDS.keys() == {file.stem for file in FILES} == {*Assets().sounds}


def test_what_is_said_is_one_short_sentence_in_the_words_of_the_edition():
    said = {
        (ruleset, language): [
            event.says for event in audio(STORY, PLAYERS, terms(RULESETS[ruleset], language), 32)
        ]
        for ruleset in ("base", "walking-dead")
        for language in LANGUAGES
    }
    assert "|".join(said["base", "en"]) == (
        "It is Ann’s turn.||Ann shoots Bob and Cleo.||Bob is out: Outlaw."
        "|Ann fires the Gatling at everybody.|"
    )
    assert said["base", "fr"][2] == "Ann tire sur Bob et Cleo."
    assert len({tuple(sentences) for sentences in said.values()}) == len(said)
    for sentence in (text for sentences in said.values() for text in sentences):
        assert "×" not in sentence
        assert len(sentence) < 80


def test_only_the_latest_events_are_heard_by_their_numbers():
    words = terms(RULESETS["base"], "en")
    found = audio(STORY * 30, PLAYERS, words, 8)
    assert [event.number for event in found] == [233, *range(235, 241)]
    assert found[-1].undoes


def test_a_correction_that_waits_takes_no_number(tmp_path):
    """What is heard last stays last, whether the correction stays or goes."""
    site = Site(tmp_path).start()
    site.throw(*(Face.BEER,) * 5)
    page = site.host.open("/table").text
    site.host.post("/dice/mark", die=0, face=Face.ARROW)
    assert site.view.story != site.table.scene.history.story
    moments = page.partition('id="moments"')[2].partition("</ol>")[0]
    assert moments in site.host.open("/table").text
    assert 'data-says="It is Ann’s turn."' in moments


@pytest.mark.parametrize("name", sounds.SOUNDS)
def test_the_files_are_what_the_command_makes(name):
    made, kept = sounds.wav(name), (FOLDER / SOUNDS / f"{name}.wav").read_bytes()
    assert made[:44] == kept[:44]
    # Processors round the last bit of a sine differently.
    samples = [np.frombuffer(wav[44:], "<i2").astype(int) for wav in (made, kept)]
    assert np.abs(samples[0] - samples[1]).max() <= 1


@pytest.mark.parametrize("name", sounds.SOUNDS)
def test_a_sound_is_short_heard_at_once_and_ends_without_a_click(name):
    samples = sounds.samples(name) / 32767
    assert len(samples) / sounds.RATE <= 2
    loud = np.flatnonzero(np.abs(samples) > 0.05 * sounds.SOUNDS[name].peak)
    assert loud[0] / sounds.RATE < 0.2
    assert np.abs(samples).max() == pytest.approx(sounds.SOUNDS[name].peak, abs=1e-4)
    assert np.abs(samples[-20:]).max() < 0.01
    # Small loudspeakers give nothing below 200 Hz.
    spectrum = np.abs(np.fft.rfft(samples)) ** 2
    above = spectrum[np.fft.rfftfreq(len(samples), 1 / sounds.RATE) > 200]
    assert above.sum() > 0.1 * spectrum.sum()


def test_sounds_are_told_apart():
    """No two have nearly the same spectrum over time."""
    prints = {name: spectrogram(sounds.samples(name)) for name in sounds.SOUNDS}
    for one, other in combinations(sorted(prints), 2):
        assert float((prints[one] * prints[other]).sum()) < 0.9, (one, other)


def spectrogram(samples: np.ndarray) -> np.ndarray:
    """Its loudness in bands of an octave, every 50 ms, as a vector of length 1."""
    step, found = sounds.RATE // 20, np.zeros((40, 8))
    for place in range(min(40, len(samples) // step)):
        spectrum = np.abs(np.fft.rfft(samples[place * step : (place + 1) * step]))
        pitches = np.fft.rfftfreq(step, 1 / sounds.RATE)
        for band in range(8):
            inside = (pitches >= 45 * 2**band) & (pitches < 90 * 2**band)
            found[place, band] = np.sqrt((spectrum[inside] ** 2).sum())
    return found / np.sqrt((found**2).sum())
