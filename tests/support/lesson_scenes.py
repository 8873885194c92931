"""The words of scenes in which the host teaches dice or cards; see scenes.py and page_scenes.py.

A scene is `Dice` or `Cards`, where a lesson has begun. `teach` presses something on its page, of
which facts speak. What is in the tray `moves`, is `unclear`, or `lies`; the camera sees a new face
each time unless the scene `show`s another, or nothing, and why. A card is `lay`n by its title, at
some x and with a flaw, or as a `copy` whose sign is said. The new picture is `like` another face,
or the `same` as its last one. `drop` throws the last picture of a face away.
"""

from collections.abc import Callable
from functools import partial

from page_scenes import FACTS as PAGES
from page_scenes import press, refused
from scenes import Words
from school import PICTURES, Class, DeckClass, Lessons
from table_scenes import Facts, Steps, Told, spaced, table_words

from companion.base.refused import Message
from companion.games.dice.rules.faces import Face
from vision.cards.capture import CardFlaw
from vision.imaging.crop import Crop


def teach(lessons: Lessons, path: str, *fields: str) -> None:
    press(lessons.site, f"/teach/{path}", *fields)


def number(lessons: Lessons, face: str) -> int:
    """The number of the last picture of a face."""
    return lessons.lesson.pictures[face][-1].id


def drop(lessons: Lessons, face: str) -> None:
    teach(lessons, "drop", f"picture={number(lessons, face)}")


def show(lessons: Class, what: str, *flaw: str) -> None:
    """Let the camera see this from now on: a face, or nothing."""
    picture = PICTURES[what][0] if what in PICTURES else None
    lessons.capture.shown = Crop(picture, Message(" ".join(flaw)))


def like(lessons: Lessons, *face: str) -> None:
    lessons.capture.like = next(iter(face), None)


def same(lessons: Class, *face: str) -> None:
    lessons.capture.same = number(lessons, *face) if face else None


def lay(lessons: DeckClass, title: str, x: str = "100", *flaw: str) -> None:
    """Lay a card there, of whose picture something may be wrong."""
    found = CardFlaw[flaw[0]] if flaw else None
    lessons.lay(Crop(lessons.cards[title].picture, found, (float(x), 100.0, 60.0)))


def lay_each(lessons: DeckClass, sign: str) -> None:
    """Lay a card for each title that is asked for, and say that it has this sign."""
    for _ in lessons.cards:
        teach(lessons, "sign", f"rank={sign[:-1]}", f"suit={sign[-1]}")
        lessons.lay_title(lessons.lesson.face)


def copy(lessons: DeckClass, *titles: str) -> None:
    """Show titles, and say which copies these are."""
    for title in titles:
        teach(lessons, "face", f"face={title}")
        lessons.lay_copy(title)


def kept(lessons: Lessons) -> object:
    """How many pictures an unfinished lesson has on the disk."""
    folder = lessons.site.folder / "lesson"
    return len([*folder.glob("*.png")]) if folder.exists() else "-"


STEPS: Steps = {
    "teach": teach,
    "take": lambda lessons, times: [teach(lessons, "take") for _ in range(int(times))],
    "drop": drop,
    "moves": partial(Lessons.see, motion=True),
    "unclear": partial(Lessons.see, motion=None),
    "lies": partial(Lessons.see, motion=False),
    "show": show,
    "show-all": lambda lessons, times: lessons.show_all(int(times)),
    "like": like,
    "same": same,
    "lay": lay,
    "lay-each": lay_each,
    "lay-no-card": lambda lessons: lessons.lay(Crop(None, CardFlaw.SEVERAL)),
    "lay-nothing": lambda lessons: lessons.lay(None),
    "copy": copy,
    "unplug": lambda lessons: lessons.camera.close(),
    "start": lambda lessons: press(lessons.site, "/game/start"),
    "restart": lambda lessons: lessons.begin_table(),
}
FACTS: Facts = {
    word: lambda lessons, words, fact=fact: fact(lessons.site, ["0/teach", *words])
    for word, fact in PAGES.items()
}
TOLD: Told = {
    "taken": lambda lessons: lessons.taken,
    "face": lambda lessons: lessons.lesson.face,
    "lesson": lambda lessons: lessons.teaching.lesson.name if lessons.teaching.lesson else "-",
    "stage": lambda lessons: lessons.lesson.stage,
    "missing": lambda lessons: len(lessons.lesson.missing),
    "sets": lambda lessons: spaced(lessons.sets.names()) or "-",
    "used": lambda lessons: lessons.sets.used,
    "taught": lambda lessons: spaced(map(lessons.taught.get, Face)),
    "edition": lambda lessons: lessons.sets.open("Mine").edition,
    "loaded": lambda lessons: lessons.capture.lessons,
    "laid": lambda lessons: spaced(face for face, _ in lessons.layer.laid),
    "kept": kept,
}


def lesson_words(dice: Callable[[], Class], cards: Callable[[], DeckClass]) -> Words:
    """The words of scenes of lessons that these begin."""
    words = table_words({"Dice": dice, "Cards": cards}.__getitem__, STEPS, FACTS, TOLD)
    return words._replace(refused=refused)
