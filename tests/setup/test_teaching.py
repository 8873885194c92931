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
from companion.setup.lesson import EDITIONS, CapturedFace, LessonWait, begin_lesson
from vision.dice.profile import EDITIONS as PROFILE_EDITIONS
from vision.dice.profile import PICTURE, load_profile
from vision.imaging.crop import Crop
from vision.profile_files import SHIPPED

pytestmark = pytest.mark.pictures


@pytest.fixture
def lesson(tmp_path) -> Iterator[Class]:
    made = Class(Site(tmp_path))
    yield made
    made.shared.close()


def test_a_picture_is_taken_each_time_the_die_was_moved_and_lies(lesson):
    lesson.begin()
    # It lies there from before: nobody has shown it.
    lesson.see(False)
    assert lesson.taken == 0
    for count in range(1, 7):
        lesson.see(True)
        lesson.see(None)
        assert lesson.taken == count - 1
        lesson.see(False)
        lesson.see(False)
        assert lesson.taken == count
    assert lesson.lesson.wait is LessonWait.ENOUGH
    lesson.see(True)
    lesson.see(False)
    assert lesson.taken == 6
    assert reason(lesson.press("take"), 422) == "6 pictures of a face are enough"


def test_the_next_face_waits_for_the_die_to_be_turned(lesson):
    lesson.begin()
    lesson.see(True)
    lesson.do("face", face="beer")
    lesson.see(False)
    assert lesson.taken == 0
    assert "with beer on top" in lesson.page()


def test_what_is_no_die_is_not_taken_and_what_is_doubtful_can_be_thrown_away(lesson):
    lesson.begin()
    lesson.school.shown = Crop(None, "more than one die")
    lesson.do("take")
    assert lesson.taken == 0
    assert "Not saved: more than one die." in lesson.page()
    lesson.school.shown = Crop(PICTURES["beer"][0], "blurred")
    lesson.do("take")
    page = lesson.page()
    assert "Blurred" in page
    assert "Retake" in page
    assert "Not saved" not in page
    (picture,) = lesson.lesson.pictures[Face.ARROW]
    assert lesson.site.host.open(f"/teach/{picture.id}.jpg").data == b"jpeg"
    lesson.do("drop", picture=picture.id)
    assert lesson.taken == 0
    assert lesson.site.host.open(f"/teach/{picture.id}.jpg").status_code == 204


def test_dice_are_kept_whole_when_they_are_used_and_not_before(lesson):
    lesson.begin().show_all(times=2)
    for path in ("check", "use"):
        assert reason(lesson.press(path), 422) == "each face needs at least 3 pictures"
    lesson.show_all(times=1)
    lesson.do("check")
    page = lesson.page()
    assert "Compared with the others, 94% of the pictures are read correctly." in page
    assert "Beer looks like arrow (40%). Check below that their pictures show" in page
    # All that was learned is shown before it is used.
    assert page.count("<img src=") == 18
    assert reason(lesson.press("take"), 422)
    folder = lesson.site.folder / "taught"
    folder.write_text("no folder")
    assert reason(lesson.press("use"), 503).startswith("nothing was changed: ")
    assert (lesson.lesson.name, lesson.sets.used) == ("Mine", "pips")
    folder.unlink()
    lesson.do("use")
    assert lesson.taught == dict.fromkeys(Face, 3)
    assert (lesson.sets.open("Mine").edition, lesson.sets.used) == ("base", "Mine")
    assert (lesson.teaching.lesson, lesson.school.lessons) == (None, 0)


def test_a_face_is_taught_again_before_and_after(lesson):
    lesson.begin().show_all()
    lesson.do("check")
    lesson.do("face", face="beer", anew=1)
    assert lesson.taken == 0
    for _ in range(4):
        lesson.do("take")
    assert reason(lesson.press("use"), 422) == "check the pictures first"
    lesson.do("check")
    lesson.do("use")
    lesson.do("begin-again", name="Mine")
    lesson.do("face", face="beer", anew=1)
    assert reason(lesson.press("use"), 422)
    for _ in range(5):
        lesson.do("take")
    lesson.do("check")
    lesson.do("use")
    assert (lesson.taught["beer"], lesson.taught["arrow"]) == (5, 3)


def test_a_picture_that_repeats_another_is_refused_and_names_it(lesson):
    lesson.begin()
    lesson.do("take")
    (first,) = lesson.lesson.pictures[Face.ARROW]
    lesson.school.same = first.id
    lesson.do("take")
    page = lesson.page()
    assert "Not saved: the same picture as this one. Move and turn the die." in page
    lesson.do("face", face="gatling")
    lesson.do("take")
    page = lesson.page()
    assert "Not saved: the same picture as this one of arrow. Put the die with Gatling" in page
    assert page.count(f"/teach/{first.id}.jpg") == 1
    assert lesson.taken == 0
    lesson.school.same = None
    lesson.do("take")
    assert "Not saved" not in lesson.page()
    assert lesson.taken == 1


def test_a_face_that_looks_like_one_taught_before_is_said_at_once(lesson):
    lesson.begin().show_all()
    lesson.do("face", face="gatling", anew=1)
    lesson.school.like = "arrow"
    lesson.do("take")
    page = lesson.page()
    assert "This looks like your arrow. If Gatling isn’t on top, retake the picture." in page
    assert "Looks like arrow" in page
    lesson.school.like = None
    lesson.do("take")
    assert "This looks like" not in lesson.page()


def test_dice_are_deleted_from_the_page_after_a_question(lesson):
    lesson.begin().teach()
    assert "These dice are in use" in lesson.page()
    assert reason(lesson.press("delete", name="pips"), 422).startswith("no set of dice")
    lesson.begin("Others")
    assert reason(lesson.press("delete", name="Mine"), 422) == "first finish or stop teaching"
    lesson.do("leave")
    lesson.do("delete", name="Mine")
    assert lesson.sets.names() == []
    assert "Mine" not in lesson.page()


def test_a_lesson_that_is_left_leaves_nothing(lesson):
    lesson.begin().show_all()
    lesson.do("leave")
    assert (lesson.sets.names(), lesson.school.lessons) == ([], 0)
    assert reason(lesson.press("take"), 422) == "no dice are being taught"


def test_known_dice_are_chosen(lesson):
    lesson.begin().teach()
    lesson.do("choose", name="pips")
    assert lesson.sets.used == "pips"
    said = reason(lesson.press("choose", name="../pips"), 422)
    assert said == "there is no set of dice with this name"


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


def test_two_sets_have_two_names_and_an_edition_is_one(lesson):
    assert "has this name" in reason(lesson.press("begin", name="pips", edition="base"), 422)
    assert "whose symbols" in reason(lesson.press("begin", name="x", edition="pips"), 422)
    assert reason(lesson.begin().press("face", face="wheel"), 400) == "face: no such face"
    assert reason(lesson.press("drop", picture="x"), 400)


def test_no_lesson_is_given_during_a_game(lesson):
    lesson.begin()
    lesson.see(True)
    lesson.site.start()
    lesson.see(False)
    assert lesson.taken == 0
    for path in ("begin", "take", "check", "use", "lay"):
        why = reason(lesson.press(path, name="x", edition="base"), 422)
        assert why == "you can’t teach dice during a game"
    assert "A game is running." in lesson.page()
    lesson.do("leave")


def test_the_table_lays_the_die_that_is_asked_for_and_takes_nothing_without_a_camera(lesson):
    lesson.begin().do("face", face="gatling")
    lesson.do("lay")
    assert lesson.layer.laid == [(Face.GATLING, "")]
    lesson.camera.close()
    assert reason(lesson.press("take"), 503) == "no camera is working"


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
