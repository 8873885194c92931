"""What pages say, offer and refuse: pages.txt, card_pages.txt."""

from itertools import count
from pathlib import Path

import pytest
from page_scenes import page_words
from scenes import rulings
from sites import Site

pytestmark = pytest.mark.tables

SCENES = [
    scene
    for file in ("pages.txt", "card_pages.txt")
    for scene in rulings(Path(__file__).with_name(file))
]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_pages_say_offer_and_refuse_what_their_scene_tells(scene, tmp_path):
    folders = (tmp_path / f"table-{number}" for number in count())
    scene.check(page_words(lambda **options: Site(next(folders), **options)))
