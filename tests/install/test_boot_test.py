"""What the boot test leans on still holds: it runs seldom, as root, and takes half an hour."""

import re
from contextlib import ExitStack

import pytest

from companion.app.build import start_table
from companion.settings import Settings
from tests.tools.boot.evening import BROKEN
from tests.tools.boot.player import Phone, play
from tests.tools.boot.root import PROJECT

pytestmark = [pytest.mark.processes, pytest.mark.slow]


def test_its_phone_plays_on_and_tells_the_story(tmp_path):
    settings = Settings(host="127.0.0.1", port=0, camera="simulated", data=tmp_path / "data")
    with ExitStack() as stack:
        url = start_table(settings, stack, seed=1).server.url
        memory = tmp_path / "phone.json"
        story = play(url, memory, 6)
        assert any(" rolls " in line for line in story)
        assert play(url, memory, 0) == story
        phone = Phone(url, memory)
        assert phone.story() == story
        assert phone.shown == "/story/1"
        assert phone.story(phone.shown) == story


@pytest.mark.parametrize("reason", sorted(BROKEN))
def test_what_breaks_an_upgrade_is_in_the_source_once(reason):
    name, old, _ = BROKEN[reason]
    files = list(PROJECT.glob(name))
    assert files
    for file in files:
        assert len(re.findall(old, file.read_text(), re.MULTILINE)) == 1
