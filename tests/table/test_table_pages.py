"""Pages before a game, beside the dice and after it, in scenes of pages.txt; what comes first."""

from contextlib import ExitStack
from dataclasses import replace
from itertools import count

import pytest
from page_scenes import page_words
from scenes import each_scene
from sites import Site
from stand_ins import dice_game

from companion.app.build import start_table
from companion.games.cards.game import CARD_GAME
from companion.games.registry import GAMES
from companion.settings import Settings
from companion.table.journal.journal import Journal
from companion.table.table import Table

pytestmark = pytest.mark.tables


@each_scene(__file__, "pages.txt")
def test_pages_of_the_table_go_as_their_scene_tells(ruling, tmp_path):
    folders = (tmp_path / f"table-{number}" for number in count())
    ruling.check(page_words(lambda **options: Site(next(folders), **options)))


def test_saved_rules_that_nobody_knows_are_set_aside(site, tmp_path):
    for text in ('{"game": "chess"}', "[]", '{"game": "bang-dice", "ruleset": "x"}', "["):
        saved = site.journal.saved
        site.journal.save(replace(saved, facts={**saved.facts, "rules": text}))
        site.journal.close()
        site.journal = Journal(tmp_path)
        site.table = Table(site.journal, GAMES, dice_game())
        assert site.view.selection == dice_game()


def test_the_settings_file_names_the_first_game(tmp_path):
    settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path, game="cards")
    with ExitStack() as stack:
        assert start_table(settings, stack).table.view().selection.game is CARD_GAME
