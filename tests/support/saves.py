"""Plays tables and saves them as a pulled plug does.

    python tests/support/saves.py tests/saved/VERSION

What one version left and found is described in JSON, for the next ones to be held against.
"""

import dataclasses
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from evening import Evening
from people import claim_seat, join
from stand_ins import Die, dice_game, reading
from strategies import FAIR, loaded

from companion.camera.empty_tray import EmptyTray
from companion.camera.setup_store import SetupStore
from companion.camera.workers import FrameWorkers
from companion.games.cards.game import CARD_GAME
from companion.games.cards.laid import LAID_CARD_RULES
from companion.games.cards.players import random_move as random_card_move
from companion.games.cards.rules.moves import CardMove, Pass
from companion.games.cards.rules.record import view_line as card_view_line
from companion.games.cards.rules.views import CardView
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Roll, Stop
from companion.games.dice.rules.record import view_line
from companion.games.dice.rules.roles import Role
from companion.settings import load
from companion.table import moves, rounds, seats, stand_ins
from companion.table.changes import claim_of, person_of
from companion.table.scene import Phase, Scene, running
from companion.table.surface.cards.state import PileObservation, PileVerdict
from companion.table.surface.cards.surface import CardSurface
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Place, TrayMark
from companion.table.views import DealingView, TableView
from vision.cards.deck import LearnedCard, TaughtDeck, encode_picture, load_deck, save_deck
from vision.dice.profile import PICTURE, Profile, load_profile, save_profile
from vision.imaging.geometry import Image
from vision.profile_files import SHIPPED

Json = Any

EXPECTED = "expected.json"
BLOODY = loaded((*FAIR, Face.BULLSEYE1, Face.BULLSEYE2, Face.GATLING, Face.ARROW))
"""What dice show that keep games short."""

WRONG = (Face.ARROW, Face.BEER)
"""What the camera takes the die for that is corrected: the first, unless it shows that."""

RENDERS = Path(__file__).parents[1] / "pictures" / "renders" / "D"


class SavedEvening(Evening):
    """A table that is left, or opened again; phones that ask for a seat have tokens, too."""

    def __init__(self, folder: Path, people: int = 0, phones: int | None = None, **of: Any) -> None:
        self.chance, self.rolls = random.Random(1), 0
        super().__init__(folder, people, phones, chance=random.Random(1), **of)

    @property
    def view(self) -> TableView:
        """What the phone of the first to come shows."""
        return self.table.view(1)

    def play(self) -> None:
        """Make a move by chance; a camera sees the dice, and a player corrects one of them."""
        move = random_move(self.state, self.chance, BLOODY)
        owner = self.view.people[move.seat]
        person = owner.id if owner.has_phone else 1
        if isinstance(move, Stop):
            self.do(rolling.stop, by=person)
        elif isinstance(move, Roll):
            self._roll(person, move)
        else:
            self.do(moves.move, move, by=person)

    def _roll(self, person: int, roll: Roll) -> None:
        thrown = range(5) if roll.rerolled is None else roll.rerolled
        # Never where the last ones lay: two dice that stay are no throw of all five.
        self.rolls += 1
        y = 100 + 60 * (self.rolls % 4)
        lay = [die.place for die in self.history.lying] or [None] * 5
        self.table.see(reading("moving"))
        dice = []
        for number, (face, place) in enumerate(zip(roll.dice, lay, strict=True)):
            if number in thrown or place is None:
                place = Place(100.0 * number + 50, y, 40.0)
            dice.append(Die(face, place.x, place.y, place.size, likely=(face,)))
        wrong = thrown[0]
        dice[wrong] = dataclasses.replace(dice[wrong], face=WRONG[roll.dice[wrong] == WRONG[0]])
        self.table.see(reading("ok", dice))
        numbers = [die.place and die.place.x for die in self.view.tray.dice]
        corrected, mark = numbers.index(dice[wrong].x), TrayMark(roll.dice[wrong], thrown=True)
        self.do(rolling.mark, corrected, mark, by=person)
        self.do(rolling.accept, by=person)

    def tap(self, move: CardMove) -> None:
        """Make a move of the card game on its player's phone."""
        self.do(moves.move, move, by=self.view.people[move.seat].id)

    def play_while(self, condition: Callable[[TableView], bool]) -> None:
        while condition(self.view):
            self.play()


# Tables


def lobby(folder: Path) -> SavedEvening:
    """Play: people with phones and without, options, a claim to a seat, a vote on the host."""
    evening = SavedEvening(folder, people=5, phones=4, selection=dice_game("walking-dead"))
    evening.choose(characters="choice", sheriff="turn", fallen="roles")
    evening.do(seats.order_people, (2, 1, 5, 4, 3))
    evening.tokens.append(claim_seat(evening.table, 5, evening.table.scene.code))
    evening.do(seats.bid, by=2)
    evening.do(seats.vote, 2, yes=True, by=3)
    return evening


def dealing(folder: Path) -> SavedEvening:
    """Play: after a game that was left, cards that some have entered and others not yet."""
    evening = SavedEvening(folder, people=4, phones=3)
    evening.start()
    for _ in range(6):
        evening.play()
    evening.do(rounds.new_game)
    evening.start(roles="cards", characters="choice")
    for person in (1, 2):
        dealt = evening.table.view(person).dealing
        assert dealt is not None
        evening.do(rounds.enter, person - 1, *chosen(dealt, person - 1), dealt.round, by=person)
    return evening


def chosen(dealt: DealingView, seat: int) -> tuple[Role | None, str | None]:
    """What a player enters, so that the roles make a game of four."""
    held = dealt.to_enter[seat]
    role = (Role.SHERIFF, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW)[seat]
    return role if held.roles else None, held.characters[-1] if held.characters else None


def playing(folder: Path) -> SavedEvening:
    """Play: a second game, by a house rule, with undone moves, a fallen player and their guess."""
    french = dice_game("base-fr", (HouseRule.ONE_ARROW_A_TURN,))
    evening = SavedEvening(folder, people=5, selection=french)
    evening.start()
    evening.play_while(lambda view: view.phase is Phase.PLAYING)
    evening.do(rounds.play_again)
    for _ in range(5):
        evening.play()
    for _ in range(2):
        evening.undo()
    evening.play_while(lambda _: all(evening.state.life))
    fallen = evening.state.life.index(0)
    evening.do(moves.guess, Side.LAW, by=evening.view.people[fallen].id)
    for _ in range(6):
        evening.play()
    assert evening.view.phase is Phase.PLAYING
    return evening


def over(folder: Path) -> SavedEvening:
    """Play: a game to its end."""
    evening = SavedEvening(folder, people=4, phones=1, selection=dice_game("quick"))
    evening.start()
    evening.play_while(lambda view: view.phase is Phase.PLAYING)
    return evening


def guests(folder: Path) -> SavedEvening:
    """Play: somebody left and a stand-in plays on, a guest waits, the sound is off, in French."""
    evening = SavedEvening(folder, people=5, phones=4)
    evening.do(rounds.choose_language, "fr")
    evening.start()
    for _ in range(8):
        evening.play()
    evening.tokens.append(join(evening.table, "Fay", evening.table.scene.code))
    evening.do(seats.leave, by=3)
    evening.do(stand_ins.assign, 5, "sensible")
    evening.do(rounds.mute, on=True)
    return evening


def cards(folder: Path) -> SavedEvening:
    """Play: a game of cards with one undone, to a Gatling that somebody answers early."""
    evening = SavedEvening(folder, people=5, selection=CARD_GAME.select("base"))
    evening.start()
    for _ in range(60):
        evening.tap(random_card_move(evening.state, evening.chance))
    evening.undo()
    while not (asked := list(LAID_CARD_RULES.answerers(evening.state))[1:]):
        evening.tap(random_card_move(evening.state, evening.chance))
    evening.table.see(PileObservation(PileVerdict.NONE))
    evening.do(moves.answer_early, Pass(asked[0]), by=evening.view.people[asked[0]].id)
    return evening


TABLES: Mapping[str, Callable[[Path], SavedEvening]] = {
    played.__name__: played for played in (lobby, dealing, playing, over, guests, cards)
}
"""By the name of the folder."""

SINCE = {"guests": (0, 3, 0), "cards": (0, 3, 0)}
"""The first version that left such a table, where it isn't the first of all."""


@contextmanager
def reopened(folder: Path) -> Iterator[SavedEvening]:
    """A table on a copy of a folder, which is left alone itself."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        evening = SavedEvening(Path(copy))
        with closing(evening.journal):
            yield evening


def described(folder: Path, tokens: Sequence[str]) -> Json:
    """What the table in a folder is like, secrets too, and how it goes when all is undone.

    tokens: of all phones.
    """
    with reopened(folder) as evening:
        view, table = evening.view, evening.table
        phones = [table.view(person.id) for person in view.people]
        bids = [phone.requests.bid for phone in phones]
        claims = [(token, claim_of(table.scene, token)) for token in tokens]
        found: Json = {
            "version": view.version,
            "code": view.code,
            "phase": view.phase,
            "people": [[each.id, each.name, each.has_phone, each.host] for each in view.people],
            "phones": {token: person_of(table.scene, token) for token in tokens},
            "claims": {token: [claim.person, claim.mark] for token, claim in claims if claim},
            "bid": [[bid.name, bid.yes, bid.asked] for bid in bids if bid],
            "options": json.loads(view.choices.options.to_json()),
            "troubles": sorted(view.troubles),
            "game": view.game_number,
        }
        past = (
            (number, table.past.replay(number, table.scene))
            for number in range(1, view.game_number)
        )
        found["stories"] = {number: len(told.history.moments) for number, told in past if told}
        if view.dealing is not None:
            found["round"] = view.dealing.round
            found["entered"] = view.dealing.entered
            found["to_enter"] = [each.dealing.to_enter for each in phones if each.dealing]
            found["dealt"] = dealt(evening)
        if view.game is not None:
            found["record"] = evening.history.record.splitlines()
            found["guesses"] = running(evening.table.scene).guesses
            found["shown"] = shown(evening)
            found["scene"] = around(evening.table.scene)
            found["undone"] = list(undone(evening))
        return json.loads(json.dumps(found))


def dealt(evening: SavedEvening) -> Json:
    """Enter all cards that are missing: the players of the game that begins."""
    for person in evening.view.people:
        view = evening.table.view(person.id if person.has_phone else 1)
        seat = evening.view.people.index(person)
        if view.dealing is not None and not view.dealing.entered[seat]:
            cards = chosen(view.dealing, seat)
            evening.do(rounds.enter, seat, *cards, view.dealing.round, by=view.person)
    return json.loads(evening.history.record.splitlines()[0])["players"]


def undone(evening: SavedEvening) -> Iterator[Json]:
    """Undo everything, step by step: what each step takes back, and what it leaves."""
    while (step := evening.view.to_undo) is not None:
        evening.undo()
        game = evening.history
        places = [die.place and [die.place.x, die.place.y, die.place.size] for die in game.lying]
        read = [die.read for die in game.lying]
        yield [step[:4], game.record.count("\n"), read, places, shown(evening)]


def shown(evening: SavedEvening) -> str:
    """What the first to come sees of the game, as a line of text."""
    game = evening.view.game
    return card_view_line(game) if isinstance(game, CardView) else view_line(game)


def around(scene: Scene) -> Json:
    """What else a game needs: guests, those who left, stand-ins, choices, early answers, cards."""
    surface = scene.surface
    early = surface.early if isinstance(surface, CardSurface) else {}
    return {
        "queue": [[guest.id, guest.name] for guest in scene.requests.queue],
        "left": sorted(scene.left),
        "stand-ins": scene.stand_ins.levels,
        "muted": scene.choices.muted,
        "language": scene.choices.language,
        "early": {seat: str(move) for seat, move in early.items()},
        "pile": [scene.shown.status, scene.shown.title] if running(scene).game.cards else None,
    }


def save_table(name: str, folder: Path) -> None:
    """Leave a table in `folder` as a pulled plug does, with the description of it."""
    done = subprocess.run(
        [sys.executable, __file__, "--killed", name, folder],
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode != -signal.SIGKILL:
        raise RuntimeError(done.stderr)
    tokens, version = json.loads(done.stdout)
    expected = described(folder, tokens) | {"version": version}
    (folder / EXPECTED).write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


def play_and_die(name: str, folder: Path) -> None:
    """Play, print the secrets of all phones and what version they show, and end at once."""
    evening = TABLES[name](folder)
    print(json.dumps([evening.tokens, evening.view.version]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


# Other files

SETTINGS = Path(__file__).parents[1] / "saved/0.3.0/files/settings.toml"
"""All settings that there are; one that is new since then is added to what is saved."""

PIPS = """\
kind = "pips"
faces = ["gatling", "beer", "bullseye2", "bullseye1", "dynamite", "arrow"]
"""


def save_files(folder: Path) -> None:
    """Leave the other files, with the description of them."""
    tray = picture(RENDERS / "empty" / "000.jpg", 320, 240)
    EmptyTray(folder / "tray.png", FrameWorkers()).keep(tray)
    SetupStore(folder).save(
        mains=60,
        held={"picamera": {"ExposureTime": 9987, "ColourGains": [2.1, 1.7], "LensPosition": 4.5}},
        profile="ours",
        steps={"camera": "done", "tray": "done", "dice": "without", "buttons": "done"},
    )
    save_profile(our_dice(), folder / "profiles" / "ours.dice")
    save_deck(our_deck(), folder / "profiles" / "ours.cards")
    (folder / "profiles" / "upside-down.toml").write_text(PIPS, "utf-8")
    shutil.copy(SETTINGS, folder)
    expected = described_files(folder)
    (folder / EXPECTED).write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


def picture(path: Path, width: int, height: int) -> Image:
    """A picture from a file, in this size."""
    return np.asarray(cv2.resize(np.asarray(cv2.imread(str(path))), (width, height)), np.uint8)


def our_dice() -> Profile:
    """Dice taught by one picture of each face; of one face another was learned."""
    pictures = {}
    for face in Face:
        paths = sorted((RENDERS / "teach" / face).glob("*.jpg"))[:2]
        pictures[face.value] = [picture(path, PICTURE, PICTURE) for path in paths]
    return Profile(
        "ours",
        edition="walking-dead",
        taught={face: tuple(each[:1]) for face, each in pictures.items()},
        learned={"beer": tuple(pictures["beer"][1:])},
        sources={"beer": ("ABCD-1-3",)},
    )


def our_deck() -> TaughtDeck:
    """A deck of three titles, taught by a picture of each; of one another was learned."""
    taught = load_deck(SHIPPED / "print.cards").cards[:3]
    again = LearnedCard(taught[0].title, None, encode_picture(taught[0].picture[::-1]), "ABCD-2-5")
    return TaughtDeck("ours", taught, (again,))


def described_files(folder: Path) -> Json:
    """What these files say."""
    tray = EmptyTray(folder / "tray.png", FrameWorkers()).picture
    assert tray is not None
    profile = load_profile("ours", folder / "profiles")
    found: Json = {
        "settings": dataclasses.asdict(load(folder / "settings.toml")),
        "setup": dataclasses.asdict(SetupStore(folder).stored),
        "tray": tray.shape,
        "edition": profile.edition,
        "taught": sums(profile.taught),
        "learned": sums(profile.learned),
        "sources": profile.sources,
        "pips": load_profile("upside-down", folder / "profiles").faces,
    }
    decks = folder / "profiles" / "ours.cards"
    if decks.exists():
        deck = load_deck(decks)
        found["deck"] = [[c.title, c.sign, int(c.picture.sum())] for c in deck.cards]
        found["cards learned"] = [[c.title, c.source, int(c.picture.sum())] for c in deck.learned]
    return json.loads(json.dumps(found, default=sorted_or_text))


def sums(pictures: Mapping[str, Sequence[Any]]) -> dict[str, list[int]]:
    """What tells pictures of faces from others, short enough to be written down."""
    return {face: [int(each.sum()) for each in shown] for face, shown in pictures.items()}


def sorted_or_text(value: object) -> Json:
    """What JSON can't hold: a set in order, or anything else as text."""
    return sorted(value) if isinstance(value, frozenset) else str(value)


def save(folder: Path) -> None:
    """Leave everything that a version leaves, in a folder that is not there yet."""
    folder.mkdir(parents=True)
    for name in TABLES:
        save_table(name, folder / name)
    save_files(folder / "files")


if __name__ == "__main__":
    if sys.argv[1] == "--killed":
        play_and_die(sys.argv[2], Path(sys.argv[3]))
    else:
        save(Path(sys.argv[1]))
