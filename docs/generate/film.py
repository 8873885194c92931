"""Film one turn, from thrown dice to a shot, on real pages: make film

python -m docs.generate.film docs/pictures/turn.gif

Start a table with a simulated tray; four players join in a headless Chromium. The script chooses
the faces to throw; everything else is read from its pictures, pressed or tapped. Needs ffmpeg.
"""

import base64
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from browser import SCRIPTS, chromium
from playwright.sync_api import Browser, Locator, Page, expect

from companion.app.build import RunningTable, start_table
from companion.settings import Settings

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SEED = 6
"""The seed for dealing roles and characters."""

FIRST = ("bullseye1", "beer", "arrow", "gatling", "arrow")
AGAIN = "arrow"
"""The dice with this face are thrown again."""
SECOND = ("bullseye1", "bullseye2")
"""What they show afterwards."""

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
TELEVISION: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
TRAY = (448, 336)
FILM: dict[str, Any] = {"viewport": {"width": 880, "height": 540}}

GREEN, RED = 17, 27
"""Pins of the buttons."""

SHEET = """<!doctype html><meta charset="utf-8"><style>
* { box-sizing: border-box; margin: 0 }
body { width: 880px; height: 540px; background: #2c2018; color: #f6ead2;
  display: grid; grid-template: 342px 1fr / 608px 1fr; gap: 10px 14px; padding: 10px;
  font: 23px/1.35 "DejaVu Sans", sans-serif }
img { display: block; border-radius: 8px }
.television { width: 608px; height: 342px }
.phone { grid-row: 1 / 3; grid-column: 2; width: 240px; height: 520px; border-radius: 16px }
.below { display: grid; grid-template-columns: 224px 1fr; gap: 18px; align-items: center }
.tray { width: 224px; height: 168px }
.button { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .35em;
  border: 2px solid #f6ead2; vertical-align: -.05em }
</style>
<img class="television"><img class="phone"><div class="below"><img class="tray"><p></p></div>
"""


Picture = npt.NDArray[np.uint8]


class Frame(NamedTuple):
    """A picture of the film as PNG, and how many milliseconds it lasts."""

    picture: bytes
    lasts: int


class Studio:
    """A table, its four phones and its television, and the sheet on which they are filmed."""

    def __init__(self, running: RunningTable, browser: Browser) -> None:
        self.running = running
        self.frames: list[Frame] = []
        self._tray_seen: list[Picture] = []
        self._to_throw = [*FIRST, *SECOND]
        self._prepare_tray()
        url = running.server.url

        def opened(address: str, options: dict[str, Any]) -> Page:
            page = browser.new_context(**options).new_page()
            page.add_init_script(path=SCRIPTS / "looked.js")
            page.set_default_timeout(60_000)
            page.goto(address)
            return page

        self.television = opened(f"{url}table", TELEVISION)
        self.phones = []
        for name in NAMES:
            phone = opened(f"{url}?code={running.table.scene.code}", PHONE)
            phone.get_by_label("Your name").fill(name)
            phone.locator("#join button").click()
            phone.wait_for_url("**/seat")
            self.phones.append(phone)
        self.phones[0].get_by_role("button", name="Start the game").click()
        for page in (self.television, *self.phones):
            expect(page.get_by_role("list", name="The dice")).to_be_visible()
        self.turn = running.table.view().game.turn
        self.sheet = browser.new_context(**FILM).new_page()
        self.sheet.set_content(SHEET)

    def _prepare_tray(self) -> None:
        """Make the tray throw FIRST and SECOND, and keep each picture that the camera takes."""
        tray = self.running.watching.simulated.tray
        throw, draw = tray.throw, tray.frame

        def throw_as_told(keep: Sequence[int] = ()) -> None:
            thrown = [number for number in range(5) if number not in keep]
            faces = {number: self._to_throw.pop(0) for number in thrown}
            throw(keep, [faces.get(number, AGAIN) for number in range(5)])

        def keep_picture() -> Picture:
            picture = draw()
            # Crop most of the table around it.
            height, width = (side // 12 for side in picture.shape[:2])
            shown = picture[height:-height, width:-width]
            self._tray_seen.append(cv2.resize(shown, TRAY, interpolation=cv2.INTER_AREA))
            return picture

        tray.throw, tray.frame = throw_as_told, keep_picture

    @property
    def phone(self) -> Page:
        """The phone of the player whose turn is filmed."""
        return self.phones[self.turn]

    def press(self, pin: int) -> None:
        """Press and release a button, and wait until all pages show the result."""
        wire = self.running.controls.pins.factory.pin(pin)
        wire.drive_low()
        wire.drive_high()
        self.settle()

    def settle(self) -> None:
        """Wait until every page shows the table as it is."""
        version = str(self.running.table.view().version)
        for page in (self.television, *self.phones):
            shown = page.locator("[data-version]").first
            expect(shown).to_have_attribute("data-version", version, timeout=60_000)

    def take(self, caption: str, lasts: int, tap: Locator | None = None) -> None:
        """Take a picture of everything; `tap`: the element under the finger."""
        if tap is not None:
            tap.evaluate("element => element.scrollIntoView({ block: 'nearest' })")
            box = tap.bounding_box()
            assert box is not None
            middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
            self.phone.evaluate(_FINGER, middle)
        self._expose(
            caption,
            lasts,
            television=self.television.screenshot(),
            phone=self.phone.screenshot(),
            tray=_png(self._tray_seen[-1]),
        )
        if tap is not None:
            self.phone.evaluate("document.querySelector('#finger').remove()")

    def _expose(self, caption: str, lasts: int, **pictures: bytes) -> None:
        """Put new pictures on the sheet, keeping the others, and take it as a frame."""
        for place, picture in pictures.items():
            source = "data:image/png;base64," + base64.b64encode(picture).decode()
            self.sheet.locator(f".{place}").evaluate(
                "(img, source) => { img.src = source; return img.decode(); }", source
            )
        self.sheet.locator("p").evaluate("(line, said) => { line.innerHTML = said; }", caption)
        self.frames.append(Frame(self.sheet.screenshot(), lasts))

    def throw(self, caption: str, then: str) -> None:
        """Throw the dice, film how they roll, and wait until they are read."""
        button = self.phone.locator("[data-press='/dice/throw']")
        self.take(caption, 1600, tap=button)
        begun = len(self._tray_seen)
        button.click()
        rolling_page = self.phone.screenshot()
        expect(self.phone.locator("#tray.certain")).to_be_visible(timeout=60_000)
        seen = self._tray_seen[begun:]
        rolling = [
            picture for before, picture in pairwise(seen) if cv2.absdiff(before, picture).max() > 60
        ]
        self._expose(caption, 130, phone=rolling_page)
        for picture in rolling:
            self._expose(caption, 260 if picture is rolling[-1] else 130, tray=_png(picture))
        self.settle()
        self.take(then, 2400)


def _png(picture: Picture) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


_FINGER = """([x, y]) => {
  const finger = document.createElement("div");
  finger.id = "finger";
  finger.style.cssText = `position: fixed; left: ${x - 24}px; top: ${y - 24}px; width: 48px;
    height: 48px; border-radius: 50%; background: #0006; border: 3px solid #fffc; z-index: 99`;
  (document.querySelector("dialog[open]") || document.body).append(finger);
}"""


def play(studio: Studio) -> None:
    """Play the turn."""
    name = NAMES[studio.turn]
    green = '<i class="button" style="background:#2f9e5f"></i>'
    red = '<i class="button" style="background:#c0392b"></i>'
    studio.throw(f"{name} throws the dice.", "The camera reads them.")
    studio.press(GREEN)
    studio.take(f"{green}Green accepts the roll. {name} takes two arrows.", 2400)
    dice = studio.running.table.view().game.dice
    for die in (number for number, face in enumerate(dice) if face == AGAIN):
        chosen = studio.phone.locator(f"[data-press='/dice/pick'][data-with='die={die}']")
        studio.take(f"{name} picks the dice to roll again.", 700, tap=chosen)
        chosen.click()
        expect(chosen).to_have_attribute("aria-pressed", "true")
    studio.throw("The others stay where they lie.", "Only the new ones are read.")
    studio.press(GREEN)
    studio.press(RED)
    studio.take(f"{red}Red stops rolling.", 1800)
    while studio.phone.locator("#question").count():
        answer(studio, name)
    studio.take("Every phone and the television show what happened.", 3600)


def answer(studio: Studio, name: str) -> None:
    """Answer the question on the player's phone with the first choice of each step."""
    form = studio.phone.locator(
        f"#question[data-keep='question-{studio.running.table.view().version}']"
    )
    expect(form).to_be_visible()
    steps = [step.locator(".target") for step in form.locator("[data-step]").all()]
    for targets in steps or [form.locator("button.target, button.main")]:
        studio.take(f"{name} decides on the phone.", 1100, tap=targets.first)
        targets.first.click()
    expect(form).to_be_hidden()
    studio.settle()


def write(frames: Sequence[Frame], folder: Path, film: Path) -> None:
    """Write the frames into a folder and turn them into a looping GIF."""
    lines = []
    for number, frame in enumerate(frames):
        (folder / f"{number:02}.png").write_bytes(frame.picture)
        lines.append(f"file {number:02}.png\nduration {frame.lasts / 1000}\n")
    (folder / "frames.txt").write_text("".join(lines))
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-y", "-f", "concat", "-i", str(folder / "frames.txt")),
            *("-filter_complex", "[0]split[a][b];[a]palettegen=stats_mode=full[colours];"
              "[b][colours]paletteuse=dither=none:diff_mode=rectangle"),
            # ffmpeg takes the last frame's duration only from this, in hundredths of a second.
            *("-fps_mode", "vfr", "-final_delay", str(frames[-1].lasts // 10)),
            *("-loop", "0", str(film)),
        ],
        check=True,
    )  # fmt: skip


@contextmanager
def studio() -> Iterator[Studio]:
    """Start the table and open its pages."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(host="127.0.0.1", port=0, camera="simulated", data=data)
        running = start_table(settings, stack, seed=SEED)
        yield Studio(running, stack.enter_context(chromium()))


def main(film: str) -> None:
    """Film the turn."""
    with studio() as made:
        play(made)
    with tempfile.TemporaryDirectory() as folder:
        write(made.frames, Path(folder), Path(film))
    seconds = sum(frame.lasts for frame in made.frames) / 1000
    size = Path(film).stat().st_size / 1e6
    print(f"{film}: {len(made.frames)} frames, {seconds:.0f} s, {size:.2f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
