"""Lessons without a browser: what is taken, what is refused, and that nothing is half kept."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from school import PICTURES, Class, sets_in
from sites import Site, reason

from companion.base.refused import Refused
from companion.camera.setup_store import SetupStore
from companion.games.dice.rules.faces import Face
from companion.setup.dice_sets import DiceSets
from companion.setup.lesson import EDITIONS, CapturedFace, begin_lesson
from vision.dice.profile import EDITIONS as PROFILE_EDITIONS
from vision.dice.profile import PICTURE, load_profile
from vision.profile_files import SHIPPED

pytestmark = pytest.mark.pictures


@pytest.fixture
def lesson(tmp_path) -> Iterator[Class]:
    made = Class(Site(tmp_path))
    yield made
    made.shared.close()


def test_a_picture_is_shown_until_it_is_thrown_away(lesson):
    lesson.begin().do("take")
    (picture,) = lesson.lesson.pictures[Face.ARROW]
    assert lesson.site.host.open(f"/teach/{picture.id}.jpg").data == b"jpeg"
    lesson.do("drop", picture=picture.id)
    assert lesson.site.host.open(f"/teach/{picture.id}.jpg").status_code == 204


def test_what_cannot_be_kept_changes_nothing(lesson):
    lesson.begin().show_all()
    lesson.do("check")
    folder = lesson.site.folder / "taught"
    folder.write_text("no folder")
    assert reason(lesson.press("use"), 503).startswith("nothing was changed: ")
    assert (lesson.lesson.name, lesson.sets.used) == ("Mine", "pips")
    folder.unlink()
    lesson.do("use")


@pytest.mark.parametrize(
    "name", ["Les dés d'Ann", "Rouge & noir +1", "Würfel-2", "a" * 24, "  two   words "]
)
def test_dice_are_called_what_people_call_them(lesson, name):
    lesson.begin(name).teach()
    assert lesson.sets.used == " ".join(name.split())


def test_a_name_is_no_path(lesson):
    for name in ("", " ", "a" * 25, "../x", "a/b", "a.dice", ".hidden", "a\x00b", "a\nb/", "-x",
                 "C:x", "💥", "a\\b"):  # fmt: skip
        said = reason(lesson.press("begin", name=name, edition="base"), 422)
        assert said.startswith("a name starts with a letter or a digit"), name
        said = reason(lesson.press("begin-again", name=name), 422)
        assert said == "no set of dice with this name was taught here", name


# The folder of profiles


def teach(
    sets: DiceSets, name: str, edition: str, pictures: Mapping[str, Sequence[np.ndarray]]
) -> None:
    """Keep what a lesson with these pictures of each face taught."""
    known = {face: [CapturedFace(0, each) for each in shown] for face, shown in pictures.items()}
    sets.keep(begin_lesson(name, edition, sets.plan, known))


def test_what_is_taught_again_keeps_what_was_learned(tmp_path):
    sets, reader = sets_in(tmp_path)
    assert sets.used == "pips"
    assert list(sets.names()) == []
    assert "pips" in sets.others()
    assert sets.is_taken("pips")
    teach(sets, "Mine", "print", PICTURES)
    assert list(sets.names()) == ["Mine"]
    assert sets.is_taken("mine")
    assert not sets.is_taken("Yours")
    sets.use("Mine")
    assert (sets.used, reader.profile.edition) == ("Mine", "print")
    assert SetupStore(tmp_path).stored.profile == "Mine"
    before = sorted(path.name for path in tmp_path.iterdir())
    teach(sets, "Mine", "base", {**PICTURES, "beer": PICTURES["beer"][:4]})
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    mine = sets.open("Mine")
    assert (mine.edition, len(mine.taught["beer"])) == ("base", 4)
    assert load_profile(tmp_path / "Mine.dice").taught["beer"][0].shape == (PICTURE, PICTURE, 3)


def test_dice_are_deleted_whole_and_pips_are_read_before_that(tmp_path, monkeypatch):
    sets, reader = sets_in(tmp_path)
    teach(sets, "Mine", "print", PICTURES)
    teach(sets, "Yours", "print", PICTURES)
    sets.use("Mine")

    def unplugged(path: Path, **_: object) -> None:
        raise OSError(5, "Input/output error", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unplugged)
        with pytest.raises(Refused, match="could not be deleted"):
            sets.delete("Mine")
    # The table would start: it reads others, and these are whole.
    assert SetupStore(tmp_path).stored.profile == "pips"
    assert load_profile(tmp_path / "Mine.dice").taught.keys() == PICTURES.keys()
    sets.delete("Mine")
    with pytest.raises(Refused, match="no such profile"):
        sets.use("Mine")
    assert (list(sets.names()), sets.used, reader.profile.name) == (["Yours"], "pips", "pips")
    named = DiceSets(tmp_path, SetupStore(tmp_path), reader, named="Yours")
    with pytest.raises(Refused, match="settings file names these dice"):
        named.delete("Yours")
    assert list(sets.names()) == ["Yours"]


def test_what_was_learned_of_dice_that_come_with_the_product_is_no_set(tmp_path):
    sets, _ = sets_in(tmp_path)
    (tmp_path / "print.dice").write_bytes((SHIPPED / "print.dice").read_bytes())
    assert list(sets.names()) == []


def test_every_edition_of_a_lesson_is_one_of_a_profile():
    assert set(EDITIONS) <= set(PROFILE_EDITIONS)
