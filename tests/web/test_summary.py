"""The summary of a finished game: a picture that the Pi draws, and a text."""

import re
import sys

import cv2
import numpy as np
import pytest
from places import RECORDED
from sites import Site, finish, reason

from companion.games.registry import GAMES
from companion.table.past.replays import from_record
from web.replay import summary
from web.replay.summary import colours, font_size, lines, render_png


@pytest.fixture
def over(tmp_path) -> Site:
    return finish(Site(tmp_path).start())


def decoded(png: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)


def test_the_text_says_who_won_and_who_was_who(over):
    text = over.stranger.client.get("/watch/1/summary.txt").text
    view = over.table.past.replay(1, over.table.scene).end
    for player in view.game.players:
        assert f"{player.name}: " in text
    assert re.match(r"Bang companion, \d{1,2}\u00a0[A-Z][a-z]+ 20\d\d, 24 turns\n", text)
    won = [view.people[seat].name for seat in view.standing.outcome.winners]
    assert f"Won: {won[0]}" in text
    french = over.stranger.client.get("/watch/1/summary.txt", headers={"Accept-Language": "fr"})
    day = r"\d{1,2}(er)?\u00a0[a-zûé]+ 20\d\d"
    assert re.match(rf"Bang companion, {day}, 24 tours\n", french.text)


def test_the_picture_is_drawn_in_each_language(over):
    pictures = [
        over.stranger.client.get("/watch/1/summary.png", headers={"Accept-Language": language})
        for language in ("en", "fr")
    ]
    for answer in pictures:
        assert answer.mimetype == "image/png"
        height, width, _ = decoded(answer.data).shape
        assert (width, height > 800) == (1080, True)
    assert pictures[0].data != pictures[1].data


@pytest.mark.parametrize("name", ["summary.png", "summary.txt"])
def test_only_finished_games_have_one(site, name):
    reason(site.stranger.client.get(f"/watch/1/{name}"), 404)
    site.start()
    reason(site.stranger.client.get(f"/watch/1/{name}"), 404)


def written(text: str, size: int = 32) -> np.ndarray:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-family="DejaVu Sans">'
        f'<text x="5" y="40" font-size="{size}" font-weight="bold">{text}</text></svg>'
    )
    # Black on a transparent ground: what was drawn is what is opaque.
    flags = cv2.IMREAD_UNCHANGED
    return cv2.imdecode(np.frombuffer(render_png(svg), np.uint8), flags)[:, :, 3] > 128


@pytest.mark.parametrize(
    "text", ["Ève", "Çléo", "Ñandú", "Даниил", "Ελένη", "Łukasz", "Nguyễn", "★"]
)
def test_names_are_drawn_with_their_accents(text):
    missing = written("\N{REPLACEMENT CHARACTER}")
    shown = written(text)
    assert shown.sum() > 50
    assert not np.array_equal(shown, missing)
    for letter in text:
        assert written(letter).sum() > 5, letter


def test_without_fonts_or_library_it_says_so(over, tmp_path, monkeypatch):
    render_png.cache_clear()
    monkeypatch.setattr(summary, "FONTS", tmp_path / "none")
    said = reason(over.stranger.client.get("/watch/1/summary.png"), 503)
    assert said == ("The picture can’t be drawn: its fonts are missing. Install the program again.")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = reason(over.stranger.client.get("/watch/1/summary.png"), 503)
    assert said == "The picture can’t be drawn: the library resvg-py is missing."
    assert "Won:" in over.stranger.client.get("/watch/1/summary.txt").text


def test_colours_are_those_of_the_pages():
    assert len(colours()) == 8
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours())


@pytest.mark.parametrize("broken", ["", "one", "one two|three", "extraordinarily|long"])
def test_headings_are_broken_between_words(broken):
    assert lines(broken.replace("|", " "), 8) == tuple(broken.split("|"))


def test_each_player_reaches_the_picture_with_one_tap(over):
    for phone in over.phones:
        assert re.search('<a [^>]*href="/watch/1/summary.png"[^>]* data-share', phone.open().text)
    assert "data-share" not in over.stranger.open("/").text


@pytest.mark.parametrize("record", ["eight-players-lost-shot", "cards/five-players-law"])
def test_the_picture_has_all_that_it_uses_and_the_winners_large_and_centred_above_the_others(
    tmp_path, monkeypatch, record
):
    monkeypatch.setattr(summary, "render_png", str.encode)
    replay = from_record((RECORDED / f"{record}.jsonl").read_bytes(), GAMES)
    with Site(tmp_path).app.test_request_context("/"):
        svg = summary.picture(replay).decode()
    assert set(re.findall('href="#(.*?)"', svg)) <= set(re.findall(' id="(.*?)"', svg))
    large = re.findall(r'class="winner" x="(\d+)" y="\d+" font-size="(\d+)".*?>(.*?)<', svg)
    end = replay.end
    won = [end.people[seat].name for seat in end.standing.outcome.winners]
    assert [name for _, _, name in large] == won
    assert sum(int(x) for x, _, _ in large) / len(won) == pytest.approx(summary.WIDTH / 2, abs=2)
    assert min(int(size) for _, size, _ in large) > 34, "the others' size"


@pytest.mark.parametrize(
    "name",
    [
        *("A", "W" * 20, "m" * 20, "Jean-Christophe-Anne", "Ж" * 20, "Wilhelmina œuvre"),
        # Of the system's fonts, which a bare Debian lacks.
        pytest.param("ﬃ" * 20, marks=pytest.mark.processes),
    ],
)
def test_a_name_fits_its_place_whole(name):
    size = font_size(name, 380, 34)
    columns = np.flatnonzero(written(name, size).any(axis=0))
    assert columns[-1] - columns[0] <= 380
    assert size == 34 or columns[-1] - columns[0] > 200, "not smaller than it must be"
