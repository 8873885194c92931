"""The chairs of the table page, taken and free."""

import re

import pytest
from sites import NAMES, Site

pytestmark = pytest.mark.tables


def page(site: Site) -> str:
    return site.stranger.open("/table").text


@pytest.mark.parametrize("people", range(1, 9))
def test_the_table_has_a_chair_for_everybody_who_can_play(tmp_path, people):
    site = Site(tmp_path, roles="soroodds"[:people])
    sides = re.findall(r"<ul>(.*?)</ul>", page(site).partition("<aside>")[0], re.DOTALL)
    chairs = [re.findall(r'<li class="place (free)?', side) for side in sides]
    assert [len(side) for side in chairs] == [4, 4]
    assert sum(not free for side in chairs for free in side) == people
    # Clockwise: the far side from left to right, then the near one from right to left.
    names = [re.findall(r"<strong>(\w+)</strong>", side) for side in sides]
    assert tuple(names[0] + names[1][::-1]) == NAMES[:people]
