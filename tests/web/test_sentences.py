"""Sentences: one for everything that can happen, be asked, or lie in the tray."""

import random
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from dice_scenes import DICE_WORDS, MOVES
from scenario import dice, game, play, roll, shoot, throw
from scenes import rulings
from stand_ins import Die, dice_game, reading
from strategies import OPENINGS, deal, opening, play_on

from companion.games.common.endings import Result, Side
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules.check import check
from companion.games.dice.rules.events import (
    ArrowsTaken,
    Cause,
    Event,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Rolled,
    ShotsFired,
)
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.moves import Action, Roll, Shoot, Shot, Stop
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.views import Audience, view
from companion.games.dice.terms import LANGUAGES, terms
from companion.games.registry import GAMES
from companion.table import moves
from companion.table.changes import Press
from companion.table.history import Undone
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, SimulatedTray
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayMark
from companion.table.table import Table
from vision.dice.advice import Advice, Fault
from web.games.dice import story as stories
from web.games.dice.pages import DICE_PAGES
from web.games.dice.refusals import tell_refusal
from web.games.game import RECENT, recent
from web.play.tray import guide, read_dice
from web.setup.advice import describe
from web.text import sentence, translate


def lines(events, state, language="en"):
    """The sentences, with plain spaces."""
    words = terms(state.setup.ruleset, language)
    players = view(state, Audience.TABLE).players
    return [re.sub(r"\s", " ", line.text) for line in stories.tell(tuple(events), players, words)]


@pytest.mark.parametrize(
    ("language", "drinks", "gives", "in_vain"),
    [("en", "P0 drinks two beers and gains a life point.",
      "P0 gives three beers to P1, who gains three life points.",
      "P0 gives a beer to P2, who is already at full life."),
     ("fr", "P0 boit deux bières et gagne un point de vie.",
      "P0 offre trois bières à P1, qui gagne trois points de vie.",
      "P0 offre une bière à P2, qui a déjà tous ses points de vie.")],
)  # fmt: skip
def test_beers_are_one_line_for_each_drinker_and_say_whose_they_were(
    language, drinks, gives, in_vain
):
    def beers(seat, *counts):
        return [LifeGained(seat, count, Cause.BEER) for count in counts]

    happened = [TurnBegan(0), *beers(0, 1, 0), *beers(1, 1, 1, 1), *beers(2, 0)]
    assert lines(happened, game(FOUR), language)[1:] == [drinks, gives, in_vain]


def test_how_many_of_a_face_stays_with_its_name():
    words = terms(RULESETS["base"], "en")
    assert stories.faces(dice("ABA"), words) == "arrow\u00a0×2 and beer"


# The players are P0, P1, …; P0 begins.
FOUR = "S O R O"


def tells(state, words):
    """Whether pages say this of the last move; after `…`, whether it is what they say last."""
    said = " ".join(lines(state.events, state))
    wanted = " ".join(words).removeprefix("… ")
    return said.endswith(wanted) if words[0] == "…" else said == wanted


class Refusals:
    """What pages say of why a move is refused, in English; it is whole in each language."""

    def __init__(self):
        self.reasons = set()

    def of(self, state, move):
        word, *given = move.split()
        return self.tell(state, MOVES[word](given)(state))

    def tell(self, state, move):
        refusal = check(state, move)
        self.reasons.add(refusal.reason)
        names = [f"P{seat}" for seat in range(len(state.life))]
        for ruleset, language in product(RULESETS.values(), LANGUAGES):
            said = tell_refusal(refusal, names, terms(ruleset, language))
            assert not re.search(r"[{}_?]|seat", said)
        return tell_refusal(refusal, names, terms(RULESETS["base"], "en"))


REFUSALS = Refusals()
WORDS = DICE_WORDS._replace(refused=REFUSALS.of, facts={"told": tells})
SCENES = rulings(Path(__file__).with_name("sentences.txt"))


@pytest.mark.parametrize("scene", SCENES, ids=[scene.title for scene in SCENES])
def test_what_happens_and_what_is_refused_is_told_in_one_sentence_each(scene):
    scene.check(WORDS)


@pytest.mark.parametrize(
    ("ruleset", "language", "expected"),
    [
        ("base", "fr",
         "À P1 de jouer. P1 obtient flèche ×2, bière et Gatling ×2. P1 prend deux flèches. "
         "La dernière flèche est prise : les Indiens attaquent. "
         "P1 perd deux points de vie à cause des Indiens. P1 relance un dé : viseur 1. "
         "P1 tire sur P0 ×2 et P2, avec un tir doublé par une bière. "
         "P1 prend une flèche pour avoir touché El Gringo. P0 est hors jeu : Shérif. "
         "Les Hors-la-loi l’emportent : le Shérif est tombé."),
        ("walking-dead", "en",
         "It is P1’s turn. P1 rolls Walker ×2, First Aid and Grenade ×2. P1 takes two Walkers. "
         "The last Walker is taken: everybody is overrun. P1 loses two Health to the Walkers. "
         "P1 rolls a die again: Range 1. P1 shoots P0 ×2 and P2, one shot doubled by a First Aid. "
         "P1 takes a Walker for hitting The Governor. P0 is out: Leader. "
         "The Saviors win: the Leader has fallen."),
        ("walking-dead", "fr",
         "À P1 de jouer. P1 obtient rôdeur ×2, soin et grenade ×2. P1 prend deux rôdeurs. "
         "Le dernier rôdeur est pris : tout le monde est submergé. "
         "P1 perd deux points de santé à cause des rôdeurs. P1 relance un dé : portée 1. "
         "P1 tire sur P0 ×2 et P2, avec un tir doublé par un soin. "
         "P1 prend un rôdeur pour avoir touché The Governor. P0 est hors jeu : Chef. "
         "Les Sauveurs l’emportent : le Chef est tombé."),
    ],
)  # fmt: skip
def test_every_edition_is_told_in_its_own_terms(ruleset, language, expected):
    story = [
        TurnBegan(1),
        Rolled(1, dice("AABGG"), (0, 1, 2, 3, 4)),
        ArrowsTaken(1, 1, Cause.ROLL),
        ArrowsTaken(1, 1, Cause.ROLL),
        IndiansAttacked(),
        LifeLost(1, 2, Cause.INDIANS),
        Rolled(1, dice("1ABGG"), (0,)),
        ShotsFired(1, (Shot(0, 0, beer=2), Shot(1, 2))),
        ArrowsTaken(1, 1, Cause.ABILITY),
        Eliminated(0, Role.SHERIFF),
        GameEnded(Result(Side.OUTLAWS, (1, 3))),
    ]
    assert " ".join(lines(story, game("S:el_gringo O R O", ruleset=ruleset), language)) == expected


def test_shots_that_reach_nobody_are_lost():
    assert lines([ShotsFired(0, (Shot(0, None),))], game(FOUR)) == [
        "P0 has nobody in reach: the shots are lost."
    ]


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
        story = tuple(event for step in played.events for event in step)
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
    (play(game(FOUR), roll("BBBBB")), Roll(0, dice("BBBBB"), (1, 0)), NO_MOVE),
    (play(game(FOUR), roll("BBBBB")), Roll(0, dice("BBBBB"), (5,)), NO_MOVE),
    (play(game(FOUR), roll("B2BBB")), Roll(0, dice("BGBBB"), (0,)),
     "Die 2 was kept: it must still show bull’s eye 2, not Gatling."),
    (throw(game(FOUR), "1BBBB"), Shoot(0, ()), "Each bull’s eye needs one target."),
    (play(throw(game("O S R O", life={1: 1}), "1DDAA"), shoot(1)), Stop(0), "The game is over."),
]  # fmt: skip
"""What no page offers."""


def test_every_refusal_is_told():
    for state, move, expected in UNSENT:
        assert REFUSALS.tell(state, move) == expected
    for scene in SCENES:
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


# What the dice need


THROWN = [Die("beer", 100.0 * n) for n in range(1, 6)]
DOUBTFUL = [Die("beer", 100.0 * n, sure=n > 2, likely=("beer", "arrow")) for n in range(1, 6)]


@pytest.fixture
def table(evenings):
    return evenings(phones=1).start().table


@pytest.mark.parametrize(
    ("verdict", "lying", "expected"),
    [
        ("empty", [], "Throw all five dice."),
        ("moving", [], "The dice are rolling."),
        ("ok", THROWN, "All dice are read. Accept the roll."),
        (
            "unsure",
            [*DOUBTFUL[:1], *THROWN[1:]],
            "One die is uncertain: tap it to choose its face.",
        ),
        ("unsure", DOUBTFUL, "Two dice are uncertain: tap each one to choose its face."),
        ("count", THROWN[:4], "The camera sees four dice. There must be five."),
        ("count", THROWN[:1], "The camera sees one die. There must be five."),
        ("cocked", THROWN, "A die is leaning: lay it flat or throw it again."),
        ("blocked", [], "Something covers the dice: clear the tray."),
        ("blind", [], "Throw the dice, then tap each one to choose its face."),
    ],
)
def test_the_first_roll_is_asked_for(table, verdict, lying, expected):
    if verdict == "blind":
        table.watch(CameraStatus("none"))
    else:
        table.see(reading(verdict, lying))
    assert guide(table.view(1)) == expected


def seen_by(table, verdict, lying):
    """Let the table see this; return the hint on a page that can’t act, and who throws."""
    table.see(reading(verdict, lying))
    view = table.view()
    return guide(view), view.people[view.standing.turn].name


@pytest.mark.parametrize(
    ("verdict", "lying", "expected"),
    [
        ("empty", [], "Waiting for {} to throw."),
        ("moving", [], "The dice are rolling."),
        ("ok", THROWN, "All dice are read. Waiting for {} to accept the roll."),
        ("unsure", DOUBTFUL, "Waiting for {} to say what the dice show."),
        ("count", THROWN[:4], "The camera sees four dice. There must be five."),
        ("cocked", THROWN, "A die is leaning. Waiting for {} to lay it flat."),
        ("blocked", [], "Something covers the dice."),
    ],
)
def test_a_page_that_cannot_act_says_what_it_waits_for(table, verdict, lying, expected):
    said, turner = seen_by(table, verdict, lying)
    assert said == expected.format(turner)


def test_where_a_stand_in_throws_the_host_is_waited_for(table):
    table.see(reading("unsure", DOUBTFUL))
    view = table.view()
    (host,) = (number for number, person in enumerate(view.people) if person.host)
    turn = next(number for number in range(len(view.people)) if number != host)
    people = [person._replace(stand_in="strong") if number == turn else person
              for number, person in enumerate(view.people)]  # fmt: skip
    standing = view.standing._replace(turn=turn)
    said = guide(replace(view, people=tuple(people), standing=standing))
    assert said == f"Waiting for {people[host].name} to say what the dice show."


def test_a_page_that_cannot_act_is_told_neither_to_throw_again_nor_to_tap(table):
    table.see(reading("ok", THROWN))
    table.press_green()
    for camera in (CameraStatus("simulated", tray=SimulatedTray()), CameraStatus("none")):
        table.watch(camera)
        said, turner = guide(table.view()), table.view().people[table.view().game.turn].name
        assert said == f"{turner} may throw dice again, or stop rolling."
    table.watch(CameraStatus("test"))
    table.see(reading("ok", THROWN))
    assert seen_by(table, "count", THROWN[:3])[0] == f"{turner} has dice in hand."


def test_what_thrown_dice_show_is_heard(table):
    assert read_dice(table.view()) == ""
    table.see(reading("ok", [*THROWN[:3], Die("arrow", 600.0), Die("gatling", 700.0)]))
    heard = "The dice show arrow, beer\u00a0×3 and Gatling."
    assert read_dice(table.view()) == heard
    table.see(reading("unsure", DOUBTFUL))
    assert read_dice(table.view()) == "The dice show beer\u00a0×3 and two uncertain dice."
    table.see(reading("ok", [Die("beer", 100.0 * n, 400.0) for n in range(5)]))
    table.press_green()
    assert read_dice(table.view()) == ""
    table.see(reading("ok", [*(Die("beer", 100.0 * n, 400.0) for n in range(4)), Die("arrow", 50)]))
    assert read_dice(table.view()) == "The dice show arrow."


@pytest.mark.parametrize(
    ("verdict", "lying", "expected"),
    [
        ("ok", THROWN, "Throw dice again, or stop rolling."),
        ("count", THROWN[:3], "Two dice are picked up: throw them or put them back."),
        ("count", THROWN[:4], "A die is picked up: throw it or put it back."),
        ("empty", [], "Throw dice again, or stop rolling."),
        ("blind", [], "Throw dice again and tap each one you threw, or stop rolling."),
        ("drawn", [], "Tap the dice to throw again, or stop rolling."),
    ],
)
def test_a_further_roll_is_asked_for(table, verdict, lying, expected):
    table.see(reading("ok", THROWN))
    table.press_green()
    assert table.view().notice == ""
    if verdict == "blind":
        table.watch(CameraStatus("none"))
    elif verdict == "drawn":
        table.watch(CameraStatus("simulated", tray=SimulatedTray()))
    else:
        table.see(reading(verdict, lying))
    assert guide(table.view(1)) == expected


def test_dice_said_by_hand_are_asked_for_until_all_are_known(table):
    table.see(reading("count", THROWN[:4]))
    table.do(rolling.enter_by_hand, Press(1, table.view().version))
    expected = "Tap each die with a question mark to choose its face."
    assert guide(table.view(1)) == expected
    view = table.view()
    table.do(rolling.mark, Press(1, view.version, view.reading), 4, TrayMark(Face.BEER))
    assert guide(table.view(1)) == "All dice are read. Accept the roll."


def test_nothing_is_asked_of_the_dice_before_the_game(tmp_path):
    assert guide(Table(Journal(tmp_path), GAMES, dice_game()).view()) == ""


def test_dice_that_are_too_small_are_told_with_their_size():
    assert describe(Advice(Fault.TOO_FAR, None, 15, 26)) == (
        "Too far away: move the camera closer. Dice are 15 pixels wide and must be at least 26."
    )


# What just happened


def happened(table):
    return " ".join(line.text for line in DICE_PAGES.just_happened(table.view()))


def show(table, letters, y=100.0):
    """Throw to a new place, and accept."""
    thrown = enumerate(dice(letters), 1)
    table.see(reading("ok", [Die(face, 100.0 * number, y) for number, face in thrown]))
    table.press_green()
    assert table.view().notice == ""


def test_what_just_happened_is_what_the_last_roll_brought_about(table):
    who = table.view().people[table.view().game.turn].name
    assert happened(table) == ""
    show(table, "BGDGG")
    assert happened(table) == f"{who} rolls dynamite, beer and Gatling ×3.".replace(" ×", "\u00a0×")
    table.do(moves.undo, Press(1, table.view().version))
    assert happened(table).endswith("undoes a roll." if who == "P0" else f"a roll by {who}.")
    show(table, "BAAGG", y=200.0)
    assert happened(table) == f"{who} takes two arrows."


def test_of_much_that_happened_the_headlines_are_told(table):
    for place, letters in enumerate(("AAADD", "DDDAA", "DDDAA")):
        show(table, letters, y=200.0 + 50 * place)
        if table.view().game.rolls:
            table.press_red()
    assert table.view().game.pile == 2
    show(table, "AABDG", y=500.0)
    told = DICE_PAGES.just_happened(table.view())
    assert [line.kind for line in told] == ["IndiansAttacked"]
