"""Builds the parts that watch the tray: camera, reader, set-up, lessons and learning."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from companion.app.cameras import CameraSource, choose_camera
from companion.base.worker import Supervisor
from companion.camera.camera_lock import CameraLock
from companion.camera.correction_worker import CorrectionWorker
from companion.camera.deck_learner import DeckLearner
from companion.camera.empty_tray import EmptyTray
from companion.camera.frames import SharedCamera
from companion.camera.game_follower import GameFollower, pile_state, plays_cards
from companion.camera.pile_reader import PileFollower, PileReader
from companion.camera.setup_store import SetupStore
from companion.camera.simulated_cards import SimulatedCards
from companion.camera.simulated_dice import SimulatedDice
from companion.camera.table_reader import TableReader, TrayModelKeeper, load_known_model
from companion.camera.watcher import Watcher
from companion.camera.workers import FrameWorkers
from companion.games.registry import card_signs
from companion.settings import Settings
from companion.setup.aiming import CameraSetup, TrayInspector
from companion.setup.card_capture import CardCapture
from companion.setup.collecting import Collecting
from companion.setup.decks import Decks, open_deck
from companion.setup.dice_sets import DICE, DiceSets
from companion.setup.other_dice import OtherDice
from companion.setup.teaching import FaceCapture, Teaching
from companion.setup.unfinished import FOLDER as LESSONS
from companion.setup.unfinished import UnfinishedLesson
from companion.table.lessons import picture_accepted
from companion.table.scene import SimulatedTray, Trouble
from companion.table.surface.cards.surface import CardSurface
from companion.table.surface.dice.surface import DiceSurface
from companion.table.table import Table
from vision.cards.deck import PICTURE as CARD
from vision.cards.deck import TaughtDeck
from vision.dice.learn import ProfileLearner
from vision.dice.profile import PICTURE as FACE
from vision.dice.profile import Profile, counts, load_profile
from vision.profile_files import ProfileError

EMPTY_TRAY = "tray.png"
"""The file name of the picture of the empty tray, in the data folder."""

TRAY_MODEL = "tray.json"
"""The file name of what else is known of the tray, in the data folder."""

OWN_DECK = "print"
"""The deck that simulated cards are drawn from, which comes with the product."""

_log = logging.getLogger(__name__)


class Watching(NamedTuple):
    """The parts that watch the tray of one table."""

    shared: SharedCamera
    """The camera, shared by everything that needs its frames."""
    reader: TableReader
    """Reads the dice and learns from corrections."""
    setup: CameraSetup
    """Aims and locks the camera, and keeps the empty tray."""
    sets: DiceSets
    """The sets of dice."""
    decks: Decks
    """The decks of cards."""
    piles: PileReader
    """Reads the cards, and keeps the pictures of the last ones."""
    watcher: Watcher | None = None
    """The watcher, not started yet; None if dice are entered by hand."""
    teaching: Teaching | None = None
    """Teaches dice from the phone; None without a camera."""
    card_teaching: Teaching | None = None
    """Teaches cards from the phone; None without a camera."""
    collecting: Collecting | None = None
    """Collects pictures to give away; None without a camera."""
    simulated: SimulatedDice | None = None
    """The dice of a simulated camera; None with any other."""
    cards: SimulatedCards | None = None
    """The cards of a simulated camera; None with any other."""


def build_watching(
    settings: Settings,
    table: Table,
    store: SetupStore,
    profile: Profile,
    supervisor: Supervisor,
    stack: ExitStack,
    seed: int | None,
    named: str = "",
) -> Watching:
    """Return the parts that watch the tray, for the dice of `profile`. Raises CameraError.

    named: the set of dice that the settings name; "": none.
    """
    shared, workers = SharedCamera(), FrameWorkers()
    stack.callback(workers.close)
    empty_tray = EmptyTray(settings.data / EMPTY_TRAY, workers)
    reader = TableReader(profile, empty_tray, load_known_model(settings.data / TRAY_MODEL))
    lock = CameraLock(shared, store)
    inspector = TrayInspector(reader, workers)
    sets = DiceSets(settings.profiles, store, reader, named)
    signs = card_signs()
    piles = PileReader(signs=signs)
    piles.listeners.add(lambda: _unwatch_without_deck(piles, table))
    decks = Decks(settings.profiles, store, piles, signs)
    chosen = choose_camera(settings.camera, table, reader, seed)
    dice = chosen.simulated if chosen is not None else None
    cards = chosen.cards if chosen is not None else None
    if cards is not None:
        table.follow(lambda _, now: cards.follow(now))
    piles.use(deck_in_use(settings, store, OWN_DECK if cards else ""))
    setup = CameraSetup(table, shared, lock, empty_tray, inspector, dice)
    reader.listeners.add(lambda: _tell_pips(table, reader.profile))
    if chosen is not None or named or store.stored.profile:
        _tell_pips(table, profile)
    if chosen is None:
        return Watching(shared, reader, setup, sets, decks, piles)
    other_dice = OtherDice(reader, sets.opened, partial(table.report, Trouble.DICE))
    # What fails in it is in the log: players name the dice, as without it.
    supervisor.start_worker(other_dice, lambda _: None)
    watcher = Watcher(
        table,
        CameraSource(chosen, lock, shared).open,
        lambda take_darker: GameFollower(
            lambda: plays_cards(table.scene),
            lambda: reader.follower(take_darker, other_dice.see),
            lambda: PileFollower(piles, lambda: pile_state(table.scene)),
        ),
        SimulatedTray(dice.throw, cards) if dice is not None else None,
    )
    keeper = TrayModelKeeper(reader, settings.data / TRAY_MODEL)
    # That it can't be saved is in the log: nothing is lost until the next start.
    supervisor.start_worker(keeper, lambda _: None)
    table.follow(partial(picture_accepted, keeper))
    reader.listeners.add(lambda: table.lessons.show(counts(reader.profile.learned)))
    if settings.learn:
        _start_learner(settings, table, reader, watcher, supervisor)
        _start_card_learner(settings, table, piles, supervisor)
    teaching = Teaching(
        table, shared, sets, FaceCapture(workers),
        UnfinishedLesson(settings.data / LESSONS / "dice", (FACE, FACE)), chosen.layer,
    )  # fmt: skip
    card_teaching = Teaching(
        table, shared, decks, CardCapture(workers, empty_tray),
        UnfinishedLesson(settings.data / LESSONS / "cards", CARD), cards,
    )  # fmt: skip
    collecting = Collecting(table, shared, reader, workers)
    return Watching(
        shared, reader, setup, sets, decks, piles,
        watcher, teaching, card_teaching, collecting, dice, cards,
    )  # fmt: skip


def _tell_pips(table: Table, profile: Profile) -> None:
    """Tell the table what pips stand for, also where chosen dice are entered by hand."""
    pips = profile.faces if profile.pips else ()
    table.watch(replace(table.scene.camera, pips=pips))


def _unwatch_without_deck(piles: PileReader, table: Table) -> None:
    if piles.deck is None:
        table.see(None)


def dice_in_use(settings: Settings, store: SetupStore) -> str:
    """Return the set of dice to read: the one that the host chose, or the one in the settings.

    A set that the settings name since the host chose comes first.
    """
    chosen = store.stored.profile
    if not chosen or store.stored.instead_of != settings.profile:
        return settings.profile or DICE
    try:
        load_profile(chosen, settings.profiles)
    except ProfileError as error:
        instead = settings.profile or DICE
        _log.warning("%s; %s are read instead", error, instead)
        return instead
    return chosen


def deck_in_use(settings: Settings, store: SetupStore, usual: str) -> TaughtDeck | None:
    """Return the deck of cards to read: the one that the host chose, or the usual one.

    None if there is none, as the host may have chosen, too.
    """
    chosen = usual if store.stored.deck is None else store.stored.deck
    if not chosen:
        return None
    try:
        return open_deck(chosen, settings.profiles)
    except ProfileError as error:
        _log.warning("%s; every card is tapped", error)
        return None


def _start_card_learner(
    settings: Settings, table: Table, piles: PileReader, supervisor: Supervisor
) -> None:
    def show(_: Mapping[str, int], fault: str) -> None:
        if fault:
            table.lessons.show(table.scene.learned, fault)

    learner = CorrectionWorker(
        DeckLearner(piles, settings.profiles), piles.pictures, show, "card learner"
    )
    table.lessons.teach(CardSurface, learner)
    supervisor.start_worker(learner, partial(table.report, Trouble.LEARNING, part=learner.name))


def _start_learner(
    settings: Settings,
    table: Table,
    reader: TableReader,
    watcher: Watcher,
    supervisor: Supervisor,
) -> None:
    trainer = ProfileLearner(lambda: reader.reader, settings.profile, settings.profiles)
    learner = CorrectionWorker(trainer, lambda: watcher.read_frame, table.lessons.show)
    reader.listeners.add(learner.refresh)
    table.lessons.teach(DiceSurface, learner)
    supervisor.start_worker(learner, partial(table.report, Trouble.LEARNING, part=learner.name))
