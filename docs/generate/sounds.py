"""Synthesise the sounds of the game: `python -m docs.generate.sounds web/static/sounds`.

Each is a function of this module, made of plucked strings, struck things and filtered noise, and
written as a WAV file: 16 bits, mono, 22,050 samples a second. Nothing is recorded, and no chance is
involved: noise comes from numpy's generator whose numbers never change (`RandomState`).
"""

import io
import sys
import wave
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RATE = 22_050
"""Samples a second."""

FADE_S = 0.01
"""How long each sound fades out, so that its end doesn't click."""

Samples = NDArray[np.float64]


class Sound(NamedTuple):
    make: Callable[[], Samples]
    """Returns it, as loud as it happens to be."""
    peak: float
    """Its largest sample in the file, as a share of the largest possible one."""


# What sounds are made of


def times(length: float) -> Samples:
    """Return the time of each sample of `length` seconds."""
    return np.arange(round(length * RATE)) / RATE


def decay(time: Samples, half: float) -> Samples:
    """Return a loudness that halves every `half` seconds."""
    return 0.5 ** (time / half)


def swell(time: Samples, peak: float) -> Samples:
    """Return a loudness that rises until `peak` seconds and falls until the end."""
    return np.interp(time, [0.0, peak, time[-1]], [0.0, 1.0, 0.0]) ** 2


def hiss(length: float, low: float, high: float, seed: int) -> Samples:
    """Return noise between two frequencies, an octave of slope on either side."""
    count = round(length * RATE)
    spectrum = np.fft.rfft(np.random.RandomState(seed).uniform(-1, 1, count))
    octaves = np.log2(np.fft.rfftfreq(count, 1 / RATE) + 1e-9)
    below, above = octaves - np.log2(low) + 1, np.log2(high) + 1 - octaves
    found = np.fft.irfft(spectrum * np.clip(below, 0, 1) * np.clip(above, 0, 1), count)
    return found / np.abs(found).max()


def struck(length: float, *partials: tuple[float, float, float]) -> Samples:
    """Return something struck: of each partial its pitch, loudness and time to halve."""
    time = times(length)
    return sum(
        (
            level * np.sin(2 * np.pi * pitch * time) * decay(time, half)
            for pitch, level, half in partials
        ),
        np.zeros(len(time)),
    )


def sliding(length: float, begin: float, end: float, half: float) -> Samples:
    """Return a tone that slides from one pitch to another, and dies away."""
    time = times(length)
    pitch = end + (begin - end) * decay(time, length / 8)
    return np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * decay(time, half)


def plucked(length: float, pitch: float, seed: int, damping: float = 0.996) -> Samples:
    """Return a plucked string, by the method of Karplus and Strong."""
    count, period = round(length * RATE), round(RATE / pitch)
    string = hiss(period / RATE, 60, 5000, seed)
    rounds = [string]
    for _ in range(count // period):
        string = damping * (string + np.roll(string, 1)) / 2
        rounds.append(string)
    return np.concatenate(rounds)[:count]


def blown(length: float, pitch: float) -> Samples:
    """Return a note of a horn, softer the higher its partial."""
    time = times(length)
    bright = np.interp(time, [0.0, 0.06, length], [0.3, 1.0, 0.45])
    wobble = 0.004 * np.sin(2 * np.pi * 5.5 * time) * np.clip(time / length, 0, 1)
    phase = 2 * np.pi * np.cumsum(pitch * (1 + wobble)) / RATE
    tone = sum(bright**n * np.sin(n * phase) / n**1.2 for n in range(1, 9))
    return np.asarray(tone * np.interp(time, [0, 0.03, 0.7 * length, length], [0, 1, 0.7, 0]))


def mixed(length: float, *parts: tuple[float, float, Samples]) -> Samples:
    """Return parts laid over each other: of each its begin, loudness and samples."""
    whole = np.zeros(round(length * RATE))
    for begin, level, part in parts:
        first = round(begin * RATE)
        room = whole[first : first + len(part)]
        room += level * part[: len(room)]
    return whole


def in_a_canyon(samples: Samples, gaps: Sequence[float], level: float) -> Samples:
    """Return a sound with echoes, each softer and duller."""
    echo, whole = samples, samples.copy()
    for gap in gaps:
        echo = level * np.convolve(echo, np.full(6, 1 / 6), "same")
        whole = mixed(len(whole) / RATE, (0, 1, whole), (gap, 1, echo))
    return whole


def driven(samples: Samples) -> Samples:
    """Return a low sound with overtones, by which small loudspeakers let it be heard."""
    return np.tanh(3 * samples) / 2


def drummed(pitch: float, seed: int) -> Samples:
    """Return a low drum."""
    skin = driven(sliding(0.42, 1.7 * pitch, pitch, 0.08))
    touch = hiss(0.06, 300, 1400, seed) * decay(times(0.06), 0.012)
    return mixed(0.42, (0, 0.8, skin), (0, 0.6, touch))


def bang(seed: int, length: float = 0.5) -> Samples:
    """Return a single shot, without echo."""
    time = times(length)
    crack = hiss(length, 700, 7000, seed) * decay(time, 0.016)
    smoke = hiss(length, 90, 900, seed + 1) * decay(time, 0.06)
    return mixed(
        length, (0, 1, crack), (0.002, 0.9, smoke), (0, 0.6, driven(sliding(0.2, 240, 70, 0.04)))
    )


# The sounds


def dice() -> Samples:
    """Five dice that come to rest on wood."""
    begins = (0.0, 0.07, 0.115, 0.18, 0.225, 0.30, 0.335, 0.36)
    levels = (1.0, 0.75, 0.9, 0.5, 0.6, 0.35, 0.28, 0.2)
    pitches = (1900, 2300, 1700, 2600, 2050, 2400, 1850, 2200)
    knocks = [
        mixed(
            0.09,
            (0, 1, struck(0.09, (pitch, 1, 0.008), (1.51 * pitch, 0.5, 0.005), (410, 0.6, 0.014))),
            (0, 0.4, hiss(0.02, 2000, 7000, seed) * decay(times(0.02), 0.003)),
        )
        for seed, pitch in enumerate(pitches)
    ]
    return mixed(0.48, *zip(begins, levels, knocks, strict=True))


def turn() -> Samples:
    """Two plucked strings, a fifth apart: somebody's turn."""
    return mixed(0.75, (0, 0.9, plucked(0.6, 392.0, 3)), (0.14, 1, plucked(0.61, 587.3, 4)))


def arrow() -> Samples:
    """An arrow that flies past, hits, and shakes."""
    rush = hiss(0.24, 900, 4200, 11) * swell(times(0.24), 0.19)
    time = times(0.3)
    shaft = np.sin(2 * np.pi * 148 * time) * (1 + np.sin(2 * np.pi * 31 * time)) * decay(time, 0.05)
    thud = hiss(0.08, 150, 1600, 12) * decay(times(0.08), 0.012)
    return mixed(0.5, (0, 0.55, rush), (0.2, 1, thud), (0.2, 0.45, shaft))


def returned() -> Samples:
    """Arrows that go back into the quiver."""
    taps = [struck(0.1, (pitch, 1, 0.01), (2.4 * pitch, 0.4, 0.006)) for pitch in (620, 740, 560)]
    rustle = hiss(0.3, 1200, 5000, 13) * swell(times(0.3), 0.1)
    return mixed(
        0.34, (0, 0.5, rustle), (0.05, 1, taps[0]), (0.12, 0.7, taps[1]), (0.2, 0.9, taps[2])
    )


def indians() -> Samples:
    """Drums that come nearer."""
    begins = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 1.0)
    levels = (0.5, 0.35, 0.65, 0.45, 0.55, 0.9, 1.0)
    pitches = (165, 139, 165, 139, 139, 165, 124)
    drums = [drummed(pitch, 20 + seed) for seed, pitch in enumerate(pitches)]
    return mixed(1.4, *zip(begins, levels, drums, strict=True))


def shot() -> Samples:
    """A shot, with the echo of a street."""
    return in_a_canyon(mixed(0.7, (0, 1, bang(31))), (0.11, 0.12, 0.13), 0.4)


def gatling() -> Samples:
    """Ten shots in a second, not quite alike."""
    shots = [bang(40 + 2 * seed, 0.22) for seed in range(10)]
    levels = [1.0, 0.85, 0.95, 0.8, 1.0, 0.9, 0.85, 1.0, 0.9, 1.0]
    begins = [0.088 * number + 0.006 * (number % 3) for number in range(10)]
    volley = mixed(1.3, *zip(begins, levels, shots, strict=True))
    return in_a_canyon(volley, (0.13, 0.14), 0.35)


def hit() -> Samples:
    """A dull blow: somebody loses life points."""
    blow = hiss(0.12, 300, 1600, 61) * decay(times(0.12), 0.018)
    return mixed(0.34, (0, 0.8, driven(sliding(0.32, 330, 130, 0.05))), (0, 0.8, blow))


def beer() -> Samples:
    """Two glasses touch, and one is emptied."""
    glass = [
        struck(0.4, (pitch, 1, 0.06), (1.62 * pitch, 0.6, 0.045), (2.41 * pitch, 0.35, 0.03))
        for pitch in (2093, 2349)
    ]
    gulp = swell(times(0.09), 0.02)
    gulps = [
        gulp * sliding(0.09, 260 + 60 * number, 520 + 70 * number, 0.05) for number in range(3)
    ]
    return mixed(
        0.8,
        (0, 0.6, glass[0]),
        (0.025, 0.55, glass[1]),
        *((0.34 + 0.13 * number, 0.8, gulp) for number, gulp in enumerate(gulps)),
    )


def heart() -> Samples:
    """A heart that beats twice."""
    thump = [driven(sliding(0.2, 3 * pitch, pitch, 0.035)) for pitch in (120, 150)]
    return mixed(1.0, *((at, 1, thump[nth % 2]) for nth, at in enumerate((0, 0.18, 0.6, 0.78))))


def dynamite() -> Samples:
    """A fuse burns down, and the dynamite explodes."""
    fuse = hiss(0.4, 3000, 8000, 71) * np.interp(times(0.4), [0, 0.05, 0.4], [0, 0.6, 1])
    time = times(1.3)
    roar = hiss(1.3, 80, 1100, 72) * decay(time, 0.17)
    rubble = hiss(1.3, 500, 3500, 73) * decay(time, 0.09)
    boom = driven(sliding(0.9, 140, 45, 0.16))
    return mixed(1.7, (0, 0.16, fuse), (0.4, 1, roar), (0.4, 0.5, rubble), (0.4, 1, boom))


def death() -> Samples:
    """A church bell, once."""
    partials = ((0.5, 0.5, 0.5), (1, 1, 0.28), (1.19, 0.7, 0.24), (1.5, 0.45, 0.17))
    high = ((2, 0.6, 0.13), (2.66, 0.3, 0.07), (3.01, 0.25, 0.05))
    return struck(1.5, *((311 * of, level, half) for of, level, half in (*partials, *high)))


def role() -> Samples:
    """A card that is turned over."""
    slide = hiss(0.16, 1500, 6500, 81) * swell(times(0.16), 0.11)
    snap = hiss(0.07, 700, 5000, 82) * decay(times(0.07), 0.008)
    table = struck(0.1, (180, 1, 0.02))
    return mixed(0.26, (0, 0.6, slide), (0.14, 1, snap), (0.145, 0.5, table))


def victory() -> Samples:
    """A fanfare of three horns."""
    g4, c5, e5, g5 = 392.0, 523.25, 659.26, 783.99
    call = [(0.0, 0.16, g4), (0.16, 0.16, c5), (0.32, 0.16, e5), (0.48, 0.3, g5), (0.78, 0.14, e5)]
    chord = [(0.92, 1.0, c5), (0.92, 1.0, e5), (0.92, 1.0, g5)]
    return mixed(2.0, *((at, 1, blown(length, pitch)) for at, length, pitch in (*call, *chord)))


def undo() -> Samples:
    """A plucked string, backwards, and a lower one: something is taken back."""
    return mixed(0.5, (0, 0.9, plucked(0.25, 587.3, 5)[::-1]), (0.25, 0.8, plucked(0.25, 440.0, 6)))


def card() -> Samples:
    """A card that slides onto the pile."""
    slide = hiss(0.14, 2000, 7500, 91) * swell(times(0.14), 0.1)
    tap = hiss(0.05, 900, 4500, 92) * decay(times(0.05), 0.006)
    return mixed(0.2, (0, 0.5, slide), (0.12, 1, tap), (0.12, 0.4, struck(0.08, (220, 1, 0.015))))


def deal() -> Samples:
    """Cards that slide to the players, one after the other."""
    return mixed(1.25, *((0.13 * nth, 1 - 0.06 * nth, card()) for nth in range(8)))


def shuffle() -> Samples:
    """Cards that are riffled, and pushed together."""
    leaf = [hiss(0.03, 1500, 7000, 100 + nth) * decay(times(0.03), 0.006) for nth in range(22)]
    begins = [0.02 + 0.034 * nth - 0.0005 * nth * nth for nth in range(22)]
    push = hiss(0.25, 1200, 6000, 130) * swell(times(0.25), 0.18)
    return mixed(
        1.0, *((at, 0.8, one) for at, one in zip(begins, leaf, strict=True)), (0.68, 1, push)
    )


def ricochet() -> Samples:
    """A bullet that glances off."""
    crack = hiss(0.06, 1500, 8000, 141) * decay(times(0.06), 0.008)
    return mixed(0.6, (0, 0.8, crack), (0.01, 1, sliding(0.55, 2900, 900, 0.11)))


SOUNDS: Mapping[str, Sound] = {
    "dice": Sound(dice, 0.5),
    "turn": Sound(turn, 0.55),
    "arrow": Sound(arrow, 0.6),
    "returned": Sound(returned, 0.4),
    "indians": Sound(indians, 0.8),
    "shot": Sound(shot, 0.8),
    "gatling": Sound(gatling, 0.75),
    "hit": Sound(hit, 0.65),
    "beer": Sound(beer, 0.5),
    "heart": Sound(heart, 0.5),
    "dynamite": Sound(dynamite, 0.9),
    "death": Sound(death, 0.6),
    "role": Sound(role, 0.4),
    "victory": Sound(victory, 0.6),
    "undo": Sound(undo, 0.45),
    "card": Sound(card, 0.4),
    "deal": Sound(deal, 0.4),
    "shuffle": Sound(shuffle, 0.45),
    "ricochet": Sound(ricochet, 0.4),
}
"""Every sound, by the name of its file."""


def samples(name: str) -> NDArray[np.int16]:
    """Return a sound as its file has it."""
    sound = SOUNDS[name]
    made = sound.make()
    fading = round(FADE_S * RATE)
    made[-fading:] *= np.linspace(1, 0, fading)
    return np.round(made * (sound.peak * 32767 / np.abs(made).max())).astype("<i2")


def wav(name: str) -> bytes:
    """Return a sound as a WAV file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples(name).tobytes())
    return out.getvalue()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOUNDS:
        (folder / f"{name}.wav").write_bytes(wav(name))


if __name__ == "__main__":
    main()
