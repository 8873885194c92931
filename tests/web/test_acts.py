"""What the stage draws at any time: a function of what is shown, the step and the time.

The real modules run in the Node that comes with the driver of the browser, without any page.
"""

import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import playwright
import pytest

from web.assets import FOLDER
from web.games.registry import LIST

pytestmark = pytest.mark.processes

SHOWN = json.loads(Path(__file__).with_name("acts.json").read_text("utf-8"))
"""Where seats, middle, tray and pile are shown, and what else the page says of them."""
PLACES, MIDDLE = SHOWN["places"], SHOWN["middle"]
MOVED = re.compile(r"translate\((\S+)px, (\S+)px\)")


def moment(kind: str, *to: int, by: int | None = None, amount: int = 1, **more: Any) -> dict:
    sender = {} if by is None else {"from": by}
    return {"kind": kind, "to": list(to), "amount": amount, "number": 9, **sender, **more}


def step(*moments: dict, losses: tuple[dict, ...] = (), **more: Any) -> dict:
    return {"kind": moments[0]["kind"], "moments": moments, "losses": losses, **more}


LOSS = moment("loss", 1)
STEPS = {
    "deal": step(moment("deal", 0)),
    "turn": step(moment("turn", 2)),
    "arrows": step(moment("arrows", 1, amount=2)),
    "returned": step(moment("returned", by=1)),
    "indians": step(moment("indians"), losses=(LOSS,)),
    "dynamite": step(moment("dynamite", 3), losses=(moment("loss", 3),)),
    "shots": step(moment("shots", 1, 2, by=0), losses=(LOSS, moment("loss", 2))),
    "gatling": step(moment("gatling", 1, 2, 3, by=0), losses=(LOSS,)),
    "loss": step(moment("loss", 3, amount=2)),
    "gain": step(moment("gain", 1, cause="beer")),
    "death": step(moment("death", 2)),
    "card": step(moment("card", 2, by=0, card="panic")),
    "draw": step(moment("draw", 1, amount=2)),
    "move": step(moment("move", 2, by=1)),
    "flip": step(moment("flip", 1, card="H", text="8")),
    "duel": step(moment("duel", 2, by=1)),
    "jail": step(moment("jail", 2, by=1)),
    "missed": step(moment("missed", 1)),
    "shuffle": step(moment("shuffle")),
    "corrected": step(
        moment("corrected", card="D", text="9", was="H", wasText="8", picture="/card/1.jpg")
    ),
}
STEPS["undone"] = step(moment("undone"), back=[STEPS["arrows"], STEPS["shots"], STEPS["death"]])


@pytest.fixture(scope="module")
def run():
    node = Path(playwright.__file__).with_name("driver") / "node"
    scripts = dict.fromkeys(script for game in LIST.values() for script in game.scripts)
    command = [node, Path(__file__).with_name("acts.mjs"), f"file://{FOLDER}/scripts/", *scripts]

    def drawn(steps: list[dict], at: dict = SHOWN, trays: Any = ()) -> dict:
        given = json.dumps({"steps": steps, "at": at, "trays": trays})
        said = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)
        assert not said.returncode, said.stderr
        return json.loads(said.stdout)

    return drawn


@pytest.fixture(scope="module")
def scenes(run) -> dict[str, list]:
    return dict(zip(STEPS, run(list(STEPS.values()))["drawn"], strict=True))


def place(sprite: dict, time: float) -> tuple[float, float]:
    """Return where a sprite is at a share of its step."""
    for before, after in pairwise(sprite["frames"]):
        if before["offset"] <= time < after["offset"] or after["offset"] == time == 1:
            share = (time - before["offset"]) / ((after["offset"] - before["offset"]) or 1)
            ends = (MOVED.search(frame["transform"]) for frame in (before, after))
            (x, y), (to_x, to_y) = (map(float, found.groups()) for found in ends)
            return x + share * (to_x - x), y + share * (to_y - y)
    raise AssertionError(time)


def test_each_step_is_drawn_by_transforms_and_opacity_and_leaves_nothing(scenes):
    for kind, (sprites, again, length, landing) in scenes.items():
        assert sprites == again, kind
        assert sprites, kind
        assert 0 <= landing < length, kind
        for sprite in sprites:
            frames = sprite["frames"]
            offsets = [frame["offset"] for frame in frames]
            assert offsets == sorted(offsets), (kind, sprite)
            assert (offsets[0], offsets[-1]) == (0, 1), kind
            assert set().union(*frames) <= {"transform", "opacity", "offset", "easing"}
            if "seat" not in sprite:
                last = frames[-1]
                assert last["opacity"] == 0 or "scaleX(0)" in last["transform"], (kind, sprite)
        # Two animations of one element would leave the compositor.
        moved = [sprite["seat"] for sprite in sprites if "seat" in sprite]
        assert len(moved) == len(set(moved)), kind


def test_roles_are_dealt_face_down_and_only_open_ones_turn_over(scenes):
    sprites, *_ = scenes["deal"]
    backs = [sprite for sprite in sprites if "back" in sprite.get("look", "")]
    assert len(backs) == len(PLACES)
    for sprite, seat in zip(backs, PLACES.values(), strict=True):
        assert place(sprite, 0) == (MIDDLE["x"], MIDDLE["y"])
        assert place(sprite, 0.5) == pytest.approx((seat["x"], seat["y"]))
    shown = [sprite["content"] for sprite in sprites if sprite.get("content")]
    assert shown == [{"seat": 0, "part": ".role .icon"}]


def test_a_shot_reaches_its_target_when_it_lands(scenes):
    sprites, _, length, landing = scenes["shots"]
    tip = next(sprite for sprite in sprites if sprite.get("look") == "tip")
    seat = PLACES["1"]
    assert place(tip, landing / length) == pytest.approx((seat["x"], seat["y"]))
    lost = next(sprite for sprite in sprites if sprite.get("content") == "−1")
    assert next(frame for frame in lost["frames"] if frame["opacity"])["offset"] > landing / length


def test_the_heart_beats_of_who_has_one_life_point_left(run):
    def beats(life: int, *amounts: int, shown: bool = False) -> int:
        losses = tuple(moment("loss", 1, amount=amount) for amount in amounts)
        at = {**SHOWN, "places": {**PLACES, "1": {**PLACES["1"], "life": life}}}
        hit = step(moment("shots", 1, by=0), losses=losses, shown=shown)
        said = run([hit], at)
        assert said["last"][0] in (["1"], [])
        drawn = sum("beat" in sprite.get("look", "") for sprite in said["drawn"][0][0])
        assert drawn == len(said["last"][0])
        return drawn

    assert [beats(2, 1), beats(3, 2), beats(3, 1), beats(1, 1)] == [1, 1, 0, 0]
    # Where nothing moves, the page shows at once what is left.
    assert [beats(1, 1, shown=True), beats(2, 1, shown=True)] == [1, 0]


def test_a_card_is_shown_large_and_flies_on_to_whom_it_is_for(scenes):
    sprites, *_ = scenes["card"]
    card = next(sprite for sprite in sprites if "card" in sprite.get("look", ""))
    # It is 300 pixels high, and covers the tray, but not what is below it.
    ends = [PLACES["0"], {**MIDDLE, "y": 400 - 150}, PLACES["2"]]
    for time, there in zip((0, 0.5, 1), ends, strict=True):
        assert place(card, time) == pytest.approx((there["x"], there["y"]))


def test_a_corrected_card_stands_beside_its_picture_after_what_it_was_taken_for(scenes, run):
    sprites, _, _, _ = scenes["corrected"]
    picture, taken, card = sprites
    assert picture["content"] == {"picture": "/card/1.jpg"}
    assert (taken["text"], card["text"]) == ("8", "9")
    assert "struck" in taken["look"]
    assert place(taken, 0.3) == place(card, 0.7)
    assert place(picture, 0.5)[0] < MIDDLE["x"] < place(card, 0.5)[0]
    # Without a picture both stand in the middle; a card of another player goes to them.
    alone = step(moment("corrected", card="beer", was="bang"))
    given = step(moment("corrected", 2, by=1, card="bang"))
    (drawn, *_), (moved, *_) = run([alone, given])["drawn"]
    assert [place(sprite, 0.5)[0] for sprite in drawn] == [MIDDLE["x"]] * 2
    assert place(moved[0], 1) == pytest.approx((PLACES["2"]["x"], PLACES["2"]["y"]))


def test_an_undo_tells_what_was_told_backwards(scenes):
    sprites, *_ = scenes["undone"]
    look = [sprite.get("look") for sprite in sprites]
    # The latest is the first to run back.
    assert look.index("card-back turning") < look.index("tip") < look.index("sprite")
    arrow = next(sprite for sprite in sprites if sprite.get("content") == ["faces", "arrow"])
    there, pile = PLACES["1"], SHOWN["pile"]
    assert place(arrow, 0) == pytest.approx((there["x"], there["y"]))
    assert place(arrow, 1) == pytest.approx((pile["x"], pile["y"]))
    assert not any("seat" in sprite for sprite in sprites)


def tray(faces: str, states: str = "", *, read: bool = True) -> dict:
    """`states`: k for kept, r for rolling, else thrown; a dot is an unknown face."""
    words = {"k": "kept", "r": "rolling"}
    dice = [
        {"face": None if face == "." else face, "state": words.get(state, "")}
        for face, state in zip(faces, states.ljust(5), strict=True)
    ]
    return {"read": read, "dice": dice}


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (tray(".....", "rrrrr", read=False), tray("AB12G"), [0, 1, 2, 3, 4]),
        # Only those that were thrown again.
        (tray("AB12G", "kkkkk", read=False), tray("AB2DG", "kk  k"), [2, 3]),
        # What nobody touched keeps still.
        (tray("AB12G"), tray("AB12G"), []),
        (tray("AB12G"), tray("AB1DG"), [3]),
        (tray("AB12."), tray("AB12G"), [4]),
        (tray("AB12G"), tray("AB12G", "kkkkk", read=False), []),
    ],
)  # fmt: skip
def test_only_dice_that_were_thrown_or_corrected_move(run, before, after, moved):
    dice = run([], trays=[[before, after]])["dice"][0]
    assert [die["die"] for die in dice] == moved
    assert all(die["frames"][-1]["transform"] == "none" for die in dice)
