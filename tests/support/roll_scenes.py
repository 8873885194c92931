"""The words of scenes at a watched tray of dice; how a text of scenes is read: scenes.py.

A scene is `Table`: four players with phones, of whom the first is the Sheriff and the host, and who
are asked about everything; `as` whom the Sheriff plays, `phones` how many have one. Dice are
letters as in dice_scenes.py, in a row: `ABG@300` lies 300 pixels from the top instead of 100,
`A@500,300` at that place, and `A@500,300,60` is 60 pixels large; `B?BG` is taken for a beer, or
perhaps for Gatling, and `B/` may lean; `ABG#` are followed since they lay there, by the numbers 0
to 2, and `A#2` by the number 2.
"""

import json
import re
from collections.abc import Callable, Sequence

from dice_scenes import FACES
from evening import Evening
from scenes import Words, options
from stand_ins import PLAIN, Dealer, Die
from table_scenes import Steps, Told, spaced, table_words

from companion.games.dice.rules.moves import Beer
from companion.table import moves, rounds
from companion.table.scene import CameraStatus, SimulatedTray
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayDie, TrayMark
from web.games.dice.pages import DICE_PAGES

LETTERS = {face: letter for letter, face in FACES.items()}


def dice_of(words: Sequence[str]) -> list[Die]:
    """Dice as a scene describes them; in a row, they lie 100 pixels apart."""
    found: list[Die] = []
    for word in words:
        text, _, at = word.partition("@")
        text, leaning, _ = text.partition("/")
        text, doubted, likely = text.partition("?")
        letters, followed, number = text.partition("#")
        for letter in letters:
            x, y, size = f"{100 * (len(found) + 1)}", at or "100", "40"
            if "," in at:
                x, y, size = (*at.split(","), size)[:3]
            found.append(
                Die(
                    FACES[letter],
                    *map(float, (x, y, size)),
                    sure=not (doubted or leaning),
                    likely=tuple(FACES[each] for each in likely),
                    number=int(number or len(found)) if followed else None,
                    leans=bool(leaning),
                )
            )
    return found


def mark(evening: Evening, die: str, said: TrayMark, seat: int = 0) -> None:
    evening.do(rolling.mark, int(die), said, by=evening.person(seat))


def blind(evening: Evening) -> None:
    """Do without a camera, also after a restart."""
    evening.camera = CameraStatus()
    evening.table.watch(evening.camera)


STEPS: Steps = {
    "see": lambda evening, verdict, *dice: evening.see(verdict, *dice_of(dice)),
    "blind": blind,
    "green": lambda evening: evening.table.press_green(),
    "red": lambda evening: evening.table.press_red(),
    "mark": lambda evening, die, letter, seat=0: mark(evening, die, TrayMark(FACES[letter]), seat),
    "thrown": lambda evening, die: mark(evening, die, TrayMark(thrown=True)),
    "kept": lambda evening, die: mark(evening, die, TrayMark(thrown=False)),
    "by-hand": lambda evening: evening.do(rolling.enter_by_hand),
    "beside": lambda evening, *dice, seat=0: evening.do(
        rolling.keep_beside, tuple(map(int, dice)), by=evening.person(seat)
    ),
    "leave-out": lambda evening, die, seat=0: evening.do(
        rolling.leave_out, int(die), by=evening.person(seat)
    ),
    "add": lambda evening, letter, seat=0: evening.do(
        rolling.add, FACES[letter], by=evening.person(seat)
    ),
    "stop": lambda evening: evening.do(rolling.stop),
    "drink": lambda evening, *targets, seat=0: evening.do(
        moves.move,
        Beer(evening.view.question.seat, tuple(map(int, targets))),
        by=evening.person(seat),
    ),
    "simulated": lambda evening: evening.table.watch(CameraStatus("x", tray=SimulatedTray())),
    "pick": lambda evening, die: evening.do(rolling.pick, int(die)),
    "undo": lambda evening, seat=0: evening.do(moves.undo, by=evening.person(seat)),
    "new-game": lambda evening: evening.do(rounds.new_game),
    "start": lambda evening: evening.start(),
    "restart": lambda evening: evening.reopen(),
}


def letters(faces: Sequence[str | None] | None) -> str:
    return "".join(LETTERS[face] if face else "-" for face in faces or ())  # type: ignore[index]


def having(evening: Evening, what: Callable[[TrayDie], object]) -> str:
    """The numbers of the dice of which something holds."""
    return spaced(number for number, die in enumerate(evening.view.tray.dice) if what(die))


TOLD: Told = {
    "is": lambda evening: evening.status,
    "light": lambda evening: evening.table.scene.signal,
    "says": lambda evening: evening.view.notice,
    "shows": lambda evening: letters([die.face for die in evening.view.tray.dice]),
    "likely": lambda evening: spaced(
        letters(die.likely) for die in evening.view.tray.dice if not die.sure
    ),
    "thrown": lambda evening: having(evening, lambda die: die.thrown),
    "bumped": lambda evening: having(evening, lambda die: die.bumped),
    "away": lambda evening: having(evening, lambda die: die.place is None),
    "seen": lambda evening: evening.view.tray.seen,
    "picked": lambda evening: spaced(sorted(evening.view.picked)),
    "counted": lambda evening: len(evening.view.tray.counted),
    "marks": lambda evening: len(evening.table.scene.surface.state.marks),
    "choices": lambda evening: " | ".join(map(spaced, evening.view.tray.choices)),
    "dice": lambda evening: letters(evening.game.dice),
    "rolls": lambda evening: evening.game.rolls,
    "arrows": lambda evening: spaced(player.arrows for player in evening.game.players),
    "turn": lambda evening: evening.turn,
    "just": lambda evening: re.sub(
        r"\s", " ", " ".join(line.text for line in DICE_PAGES.just_happened(evening.view))
    ),
    "format": lambda evening: json.loads(evening.history.record.splitlines()[0])["version"],
    "corrected": lambda evening: " | ".join(
        spaced(said.values())
        for said in json.loads(evening.history.record.splitlines()[-1]).get("corrected", ())
    ),
    "asks": lambda evening: spaced((evening.view.question.seat, evening.view.question.action)),
}


def roll_words(open_evening: Callable[..., Evening], told: Told = TOLD) -> Words:
    """The words of scenes at tables that are opened as the fixture `evenings` does."""

    def scene(text: str) -> Callable[[], Evening]:
        _, given = options(text)
        dealer = Dealer("sroo", (*given.get("as", ()), *PLAIN))
        phones = int(given.get("phones", "4")[0])
        return lambda: open_evening(phones=phones, ask_always=True, chance=dealer).start()

    return table_words(scene, STEPS, {}, told)
