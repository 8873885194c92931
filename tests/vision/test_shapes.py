from pathlib import Path

import pytest

from vision.simulate.shapes import Disc, Polygon, Polyline, box, read_drawings


def write(folder: Path, *lines: str) -> Path:
    path = folder / "drawings.toml"
    path.write_text('[group]\nname = """\n{}\n"""\n'.format("\n".join(lines)))
    return path


def test_each_line_of_a_drawing_is_a_shape_over_those_before(tmp_path):
    lines = "poly 0,0 9,0 9,9", "bare line 2.5 0,0 9,-9", "disc 4 5 3", "bare box 1 2 3 4"
    shapes = Polyline(((0, 0), (9, -9)), 2.5, 0), Disc(4, 5, 3), box(1, 2, 3, 4, 0)
    drawn = (Polygon(((0, 0), (9, 0), (9, 9))), *shapes)
    assert read_drawings(write(tmp_path, *lines)) == {"group": {"name": drawn}}


def test_mirror_adds_all_that_stands_before_it(tmp_path):
    lines = "disc 30 5 3", "line 4 10,0 20,9", "mirror", "disc 1 1 1"
    left = Disc(30, 5, 3), Polyline(((10, 0), (20, 9)), 4)
    right = Disc(70, 5, 3), Polyline(((90, 0), (80, 9)), 4)
    drawn = read_drawings(write(tmp_path, *lines))["group"]["name"]
    assert drawn == (*left, *right, Disc(1, 1, 1))


@pytest.mark.parametrize("line", ["disk 1 2 3", "disc 1 2", "line 0,0 1,1", "disc 1 2 x", "bare "])
def test_a_line_that_is_no_shape_is_refused(tmp_path, line):
    with pytest.raises(ValueError):  # noqa: PT011
        read_drawings(write(tmp_path, line))
