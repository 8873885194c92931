"""From what speaks for each die to the verdict."""

from dataclasses import replace

import numpy as np
import pytest
from test_tilt import SPREAD, lying_at

from vision.dice.decide import TAUGHT, Evidence, decide, leans_of, logistic_probabilities
from vision.dice.find.candidate import Candidate
from vision.dice.find.detector import Detections
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.reading import FACES, DiceReading, LyingDie, TrayVerdict
from vision.imaging.geometry import FaceBox

EDGE, CELL, WIDTH, HEIGHT = 40.0, 8.0, 800, 600
PLACES = (*SPREAD, (400, 480))
SURELY = 3.0


def evidence(*log_odds: float, covered: int = 0) -> Evidence:
    """Flat dice in a tray, with the log-odds that each is one; a hand over so many cells."""
    dice = tuple(lying_at(*PLACES[: len(log_odds)]))
    tray = np.ones((round(HEIGHT / CELL), round(WIDTH / CELL)), np.float32)
    hand = np.zeros_like(tray)
    hand.ravel()[:covered] = 1
    offset, detector, *_ = TAUGHT.is_die
    rows = np.zeros((len(dice), 6), np.float32)
    rows[:, 0] = (np.array(log_odds) - offset) / detector
    likely = np.tile(np.arange(6), (len(dice), 1))
    trusted = np.ones(len(dice), bool)
    is_die = logistic_probabilities(rows, TAUGHT.is_die)
    look = Detections((), tray, hand, CELL)
    return judged(Evidence(dice, rows, is_die, likely, trusted, ~trusted, ~trusted, look, WIDTH))


def judged(seen: Evidence) -> Evidence:
    """Return the evidence with log-odds that grow with how far each die leans from a flat one."""
    leans = leans_of(seen)
    far = np.linalg.norm(leans.tilts, axis=2).max(0)
    return with_lean_odds(seen, dict(zip(leans.dice, 40 * far**2 - 6, strict=True)))


def with_lean_odds(seen: Evidence, odds: dict[int, float]) -> Evidence:
    """Return the evidence with these log-odds that dice lean, by their numbers."""
    dice = [
        replace(die, lean_odds=odds.get(n, die.lean_odds)) for n, die in enumerate(seen.candidates)
    ]
    return replace(seen, candidates=tuple(dice))


def lying(seen: Evidence, dice: tuple[Candidate, ...]) -> Evidence:
    """The same evidence for dice that lie otherwise."""
    return judged(replace(seen, candidates=dice))


def at_table(seen: Evidence, model: TrayModel) -> Evidence:
    """The same dice at a table of which this is known."""
    return judged(replace(seen, model=model))


def sure(seen: Evidence) -> Evidence:
    """Return the same dice with faces that lead all others by far."""
    rows = seen.rows.copy()
    leads = 2 * SURELY
    rows[:, 3] += leads
    rows[:, 0] -= leads * TAUGHT.is_die[4] / TAUGHT.is_die[1]
    return replace(seen, rows=rows, is_die=logistic_probabilities(rows, TAUGHT.is_die))


def five_sure() -> Evidence:
    return sure(evidence(*[2 * SURELY] * 5))


def tilted(seen: Evidence, lean: float) -> Evidence:
    """The same dice, of which the first leans."""
    first, *flat = seen.candidates
    first = replace(first, lean=first.lean + np.array((0, lean), np.float32))
    return lying(seen, (first, *flat))


def read(seen: Evidence) -> DiceReading:
    return decide(seen, TAUGHT, FACES)


@pytest.mark.parametrize(("last", "verdict"), [(-1.2, "unsure"), (-1.6, "count")])
def test_the_fifth_die_may_be_less_likely_than_the_others(last, verdict):
    assert read(evidence(*[SURELY] * 4, last)).verdict == verdict


@pytest.mark.parametrize(("sixth", "verdict"), [(-0.9, "ok"), (-0.4, "unsure"), (SURELY, "count")])
def test_a_sixth_die_must_be_likelier_than_one_that_is_the_fifth(sixth, verdict):
    assert read(sure(evidence(*[2 * SURELY] * 5, sixth))).verdict == verdict


@pytest.mark.parametrize(("in_tray", "verdict"), [(0.05, "ok"), (0.3, "unsure"), (1.0, "count")])
def test_a_sixth_die_on_the_brink_of_the_tray_may_be_of_the_throw(in_tray, verdict):
    seen = sure(evidence(*[2 * SURELY] * 6))
    *five, sixth = seen.candidates
    assert read(lying(seen, (*five, replace(sixth, in_tray=in_tray)))).verdict == verdict


UNREAD = {
    "strong": (5.0, EDGE, PLACES[5], "unsure"),
    "weak": (3.0, EDGE, PLACES[5], "ok"),
    "of another size": (5.0, 2 * EDGE, PLACES[5], "ok"),
    "on a die that is read": (5.0, EDGE, PLACES[4], "ok"),
    "half on one": (5.0, EDGE, (PLACES[4][0] + round(0.7 * EDGE), PLACES[4][1]), "ok"),
}


@pytest.mark.parametrize(("logit", "edge", "place", "verdict"), UNREAD.values(), ids=UNREAD)
def test_five_sure_dice_beside_one_that_is_not_read_are_asked_about(logit, edge, place, verdict):
    axes = np.eye(2, dtype=np.float32) * (edge / 2)
    one = Candidate(FaceBox(*place, axes, 0.9), np.zeros(2, np.float32), logit, 0.0, 1.0, 0.0)
    reading = read(replace(five_sure(), unread=(one,)))
    assert reading.verdict == verdict
    assert [die.sure for die in reading.dice] == [True] * 5


def test_what_is_hardly_a_die_does_not_lean():
    seen = evidence(*[SURELY] * 4, -1.2)
    *flat, last = seen.candidates
    leaning = replace(last, lean=last.lean + np.array((0.6, 0), np.float32))
    assert read(lying(seen, (*flat, leaning))).verdict is TrayVerdict.UNSURE
    assert read(lying(evidence(*[SURELY] * 5), (*flat, leaning))).verdict is TrayVerdict.COCKED


@pytest.mark.parametrize("lean", [0.5, 0.65])
def test_only_the_die_that_may_lean_is_asked_about(lean):
    reading = read(tilted(five_sure(), lean))
    first, *others = reading.dice
    assert (first.x, first.y, first.confidence) == (*PLACES[0], 0.0)
    assert [die.leans for die in reading.dice] == [True, *[False] * 4]
    assert [die.sure for die in reading.dice] == [False, *[True] * 4]
    assert all(die.confidence > TAUGHT.sure for die in others)


def plane(below: tuple[float, float] = (WIDTH / 2, HEIGHT / 2)) -> TrayModel:
    """Return the plane that earlier throws showed, if the camera is above this pixel."""
    flat = [
        LyingDie(x / WIDTH, y / WIDTH, (below[0] - x) / 616, (below[1] - y) / 616)
        for x in range(100, WIDTH, 150)
        for y in range(100, HEIGHT, 150)
    ]
    return TrayModel(None, (WIDTH, HEIGHT), tuple(flat))


def test_a_plane_that_does_not_explain_the_throw_tells_nothing():
    seen = tilted(five_sure(), 0.65)
    assert read(at_table(seen, plane((0, 0)))) == read(seen)


@pytest.mark.parametrize(("model", "asked"), [(UNKNOWN, 2), (plane(), 1)])
def test_a_known_table_says_which_die_may_lean(model, asked):
    """By the others, one seems to lean beside one that does."""
    seen = at_table(tilted(five_sure(), 0.65), model)
    reading = read(with_lean_odds(seen, {0: 2.0, 1: 0.5}))
    assert reading.verdict is TrayVerdict.UNSURE
    assert reading.dice[0].leans
    assert sum(die.leans for die in reading.dice) == asked
    assert sum(not die.sure for die in reading.dice) == asked


def test_a_plane_makes_no_throw_surer():
    for lean in np.arange(0.0, 0.8, 0.05):
        seen = tilted(five_sure(), float(lean))
        assert read(at_table(seen, plane())).verdict is read(seen).verdict


@pytest.mark.parametrize(
    ("lean", "odds", "verdict"),
    [(0.1, -6, "ok"), (0.1, 0, "ok"), (0.1, 2, "unsure"), (0.1, 10, "cocked"),
     (0.65, -6, "ok"), (0.65, 2, "unsure"), (0.65, 8, "cocked")],
)  # fmt: skip
def test_the_look_of_a_die_says_whether_it_leans_more_than_its_tilt(lean, odds, verdict):
    assert read(with_lean_odds(tilted(five_sure(), lean), {0: odds})).verdict == verdict


@pytest.mark.parametrize(("lean", "sure_dice"), [(0.12, 5), (0.2, 4)])
def test_a_face_that_only_its_edges_show_is_sure_where_no_die_seems_to_lean(lean, sure_dice):
    reading = read(replace(tilted(five_sure(), lean), outlined=np.arange(5) == 4))
    assert reading.verdict == ("ok" if sure_dice == 5 else "unsure")
    assert sum(die.sure for die in reading.dice) == sure_dice


@pytest.mark.parametrize(
    ("alike", "leads", "lean", "sure_dice"),
    [(3, 1, 0.0, 4), (4, 1, 0.12, 5), (4, 0, 0.0, 4), (2, 1, 0.0, 2), (4, 1, 0.2, 4)],
)
def test_a_face_that_leads_clearly_is_sure_beside_three_sure_ones_that_lie_flat(
    alike, leads, lean, sure_dice
):
    dice = np.arange(5)
    clear = (dice == alike) & (leads > 0)
    reading = read(replace(tilted(five_sure(), lean), trusted=dice < alike, clear=clear))
    assert sum(die.sure for die in reading.dice) == sure_dice
    assert reading.verdict == ("ok" if sure_dice == 5 else "unsure")


def test_what_leads_clearly_beside_sure_dice_is_likelier_a_die():
    hardly = replace(five_sure(), is_die=np.array([1, 1, 1, 1, 0.9], np.float32))
    assert read(hardly).verdict is TrayVerdict.UNSURE
    assert read(replace(hardly, clear=np.arange(5) == 4)).verdict is TrayVerdict.OK


@pytest.mark.parametrize(("faces", "dice", "blocked"), [(10, 5, 0), (20, 5, 1), (10, 4, 1)])
def test_more_may_lie_beside_five_dice_than_beside_fewer(faces, dice, blocked):
    cells = round(faces * (EDGE / CELL) ** 2)
    reading = read(evidence(*[SURELY] * dice, covered=cells))
    assert (reading.verdict is TrayVerdict.BLOCKED) == blocked


@pytest.mark.parametrize(
    ("edges", "logit", "verdict"),
    [((40,), 1, "empty"), ((0.2 * WIDTH,), 1, "blocked"), ((0.4 * WIDTH,), 1, "too_near"),
     ((40, 0.4 * WIDTH), 1, "too_near"), ((0.4 * WIDTH,), -1, "empty")],
)  # fmt: skip
def test_a_large_thing_like_a_die_that_is_not_read_is_no_empty_tray(edges, logit, verdict):
    seen = evidence(*[-SURELY] * len(edges))
    candidates = [
        replace(
            c,
            box=replace(c.box, axes=np.eye(2, dtype=np.float32) * (edge / 2)),
            detector_logit=logit,
            pose_logit=0.0,
        )
        for c, edge in zip(seen.candidates, edges, strict=True)
    ]
    reading = read(replace(seen, candidates=tuple(candidates)))
    assert (reading.verdict, reading.dice) == (verdict, ())
