"""Sentences: one for everything that can happen, be asked, or lie in the tray."""

import random
import re
from functools import partial
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from cases import cases
from dice_scenes import DICE_WORDS, dice, game, move_of, play, throw
from roll_scenes import roll_words
from scenes import each_scene, rulings
from stand_ins import dice_game
from strategies import OPENINGS, deal, opening, play_on

from companion.games.common.endings import Result, Side
from companion.games.common.events import GameEnded, TurnBegan
from companion.games.dice.rules.check import check
from companion.games.dice.rules.events import Event, GatlingFired
from companion.games.dice.rules.moves import Action, Roll, Shoot, Stop
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import Audience, view
from companion.games.dice.terms import LANGUAGES, terms
from companion.games.registry import GAMES
from companion.memory.statistics.fairness import examine
from companion.table.history import Undone
from companion.table.journal.journal import Journal
from companion.table.table import Table
from vision.dice.advice import Advice, Fault
from web.games.dice import story as stories
from web.games.dice.pages import DICE_PAGES
from web.games.dice.refusals import tell_refusal
from web.games.game import RECENT, recent
from web.play.tray import guide, read_dice
from web.setup.advice import describe
from web.statistics.sentences import verdict
from web.text import sentence, translate


def lines(events, state, language="en"):
    """The sentences, with plain spaces."""
    words = terms(state.setup.ruleset, language)
    players = view(state, Audience.TABLE).players
    return [re.sub(r"\s", " ", line.text) for line in stories.tell(tuple(events), players, words)]


def test_how_many_of_a_face_stays_with_its_name():
    words = terms(RULESETS["base"], "en")
    assert stories.faces(dice("ABA"), words) == "arrow\u00a0×2 and beer"


# The players are P0, P1, …; P0 begins.
FOUR = "S O R O"


def tells(state, words, language="en"):
    """Whether pages say this of the last move; after `…`, whether it is what they say last."""
    said = " ".join(lines(state.events, state, language))
    wanted = " ".join(words).removeprefix("… ")
    return said.endswith(wanted) if words[0] == "…" else said == wanted


class Refusals:
    """What pages say of why a move is refused, in English; it is whole in each language."""

    def __init__(self):
        self.reasons = set()

    def of(self, state, text):
        return self.tell(state, move_of(state, text))

    def tell(self, state, move):
        refusal = check(state, move)
        self.reasons.add(refusal.reason)
        names = [f"P{seat}" for seat in range(len(state.life))]
        for ruleset, language in product(RULESETS.values(), LANGUAGES):
            said = tell_refusal(refusal, names, terms(ruleset, language))
            assert not re.search(r"[{}_?]|seat", said)
        return tell_refusal(refusal, names, terms(RULESETS["base"], "en"))


REFUSALS = Refusals()
WORDS = DICE_WORDS._replace(
    refused=REFUSALS.of, facts={"told": tells, "told-fr": partial(tells, language="fr")}
)


@each_scene(__file__, "sentences.txt")
def test_what_happens_and_what_is_refused_is_told_in_one_sentence_each(ruling):
    ruling.check(WORDS)


@pytest.mark.parametrize(
    ("undone", "language", "expected"),
    [
        (Undone(2, 0, 0, Action.ROLL), "en", "P0 undoes a roll."),
        (Undone(2, 0, 1, Action.STOP), "en", "P0 undoes P1’s decision to stop rolling."),
        (Undone(1, 1, 0, Action.BEER), "en", "P1 undoes a decision by P0."),
        (Undone(1, 1, 0, Action.ROLL), "fr", "P1 annule un lancer fait par P0."),
        (Undone(3, 1, 0, Action.ROLL, 2), "en", "P1 undoes the last two moves."),
        (Undone(3, 1, 0, Action.ROLL, 2), "fr", "P1 annule les deux derniers coups."),
    ],
)
def test_who_took_back_what_is_said(undone, language, expected):
    (line,) = stories.tell(
        (undone,), view(game(FOUR), Audience.TABLE).players, terms(RULESETS["base"], language)
    )
    assert (line.kind, line.text) == ("Undone", expected)


@pytest.mark.parametrize("side", Side)
def test_every_end_of_a_game_is_told(side):
    words = terms(RULESETS["base"], "en")
    assert lines([GameEnded(Result(side, ()))], game(FOUR)) == [words.story.ends[side]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_games_are_told_whatever_happens_in_them(ruleset, language):
    kinds = set()
    for seed in range(20):
        chance = random.Random(seed)
        setup = deal(RULESETS[ruleset], chance.choice(RULESETS[ruleset].players), chance)
        played = play_on(opening(setup, chance.choice(OPENINGS), chance), chance)
        story = tuple(event for state in played.states[1:] for event in state.events)
        players = view(played.states[-1], Audience.TABLE).players
        for line in stories.tell(story, players, terms(setup.ruleset, language)):
            assert re.fullmatch("[A-ZÀÉ][^_<{}]*[.]", line.text)
            kinds.add(line.kind)
    assert kinds == {kind.__name__ for kind in get_args(Event)}


# What is refused


NO_MOVE = "There is no such move. Reload this page."
UNSENT = [
    (game(FOUR), Roll(1, dice("BBBBB")), "Not now: P0 throws the dice."),
    (game(FOUR), Roll(0, dice("BBBBB"), (0,)), "The first roll throws all five dice."),
    (play(game(FOUR), "roll BBBBB"), Roll(0, dice("BBBBB"), (1, 0)), NO_MOVE),
    (play(game(FOUR), "roll BBBBB"), Roll(0, dice("BBBBB"), (5,)), NO_MOVE),
    (play(game(FOUR), "roll B2BBB"), Roll(0, dice("BGBBB"), (0,)),
     "Die 2 was kept: it must still show bull’s eye 2, not Gatling."),
    (throw(game(FOUR), "1BBBB"), Shoot(0, ()), "Each bull’s eye needs one target."),
    (play(throw(game("O S R O", life={1: 1}), "1DDAA"), "shoot 1"), Stop(0), "The game is over."),
]  # fmt: skip
"""What no page offers."""


def test_every_refusal_is_told():
    for state, made, expected in UNSENT:
        assert REFUSALS.tell(state, made) == expected
    for scene in rulings(Path(__file__).with_name("sentences.txt")):
        scene.check(WORDS)
    assert REFUSALS.reasons == set(Reason)


def test_what_the_table_refuses_is_in_words_already():
    assert translate("you can’t do that during a game") == "you can’t do that during a game"
    assert sentence("you can’t do that during a game") == "You can’t do that during a game."
    assert sentence("At most an arrow.") == "At most an arrow."


def test_recent_events_begin_with_a_turn():
    story = (TurnBegan(0), GatlingFired(0), TurnBegan(1), GatlingFired(1), TurnBegan(2))
    assert recent(story) == story[2:]
    assert recent(story[:2]) == story[:2]
    assert recent(()) == ()
    again = story + (GatlingFired(2),) * RECENT
    assert recent(again) == again[-RECENT:]


# What the dice need, and what just happened


def told_of(tell):
    """What a page says of a table's view, with plain spaces."""
    return lambda evening: re.sub(r"\s", " ", tell(evening.table.view()))


TOLD = {
    "phone": lambda evening: guide(evening.table.view(evening.person(0))),
    "others": told_of(guide),
    "heard": told_of(read_dice),
    "just": told_of(lambda view: " ".join(line.text for line in DICE_PAGES.just_happened(view))),
}


@each_scene(__file__, "tray.txt")
def test_pages_say_what_the_dice_need_and_what_just_happened(ruling, evenings):
    ruling.check(roll_words(evenings, TOLD))


def test_nothing_is_asked_of_the_dice_before_the_game(tmp_path):
    assert guide(Table(Journal(tmp_path), GAMES, dice_game()).view()) == ""


def test_dice_that_are_too_small_are_told_with_their_size():
    assert describe(Advice(Fault.TOO_FAR, None, 15, 26)) == (
        "Too far away: move the camera closer. Dice are 15 pixels wide and must be at least 26."
    )


@pytest.mark.parametrize(("found", "said"), cases("web/fair_dice.txt", "How often"))
def test_whether_dice_are_fair_is_told_in_a_sentence(found, said):
    arrows, others = map(int, found.split())
    assert verdict(examine([arrows, *[others] * 5], {}), terms(RULESETS["base"], "en")) == said
