"""Builds the running table from its parts: game, controls, camera and pages.

The parts meet only here and in the modules `controls`, `watching` and `cameras`, which pass them to
each other's constructors.
"""

import os
import random
import re
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from flask import Flask

from companion import __version__
from companion.app.controls import Controls, build_controls
from companion.app.demonstration import build_demonstration
from companion.app.https.opening import open_https
from companion.app.publishing import build_publisher, table_name
from companion.app.sound import build_announcer
from companion.app.watching import EMPTY_TRAY, TRAY_MODEL, Watching, build_watching, dice_in_use
from companion.base import set_aside
from companion.base.clock import SYNCHRONISER, Clock
from companion.base.whole_file import read_whole
from companion.base.worker import Supervisor
from companion.camera.pictures import CorrectionPictures, card_jpeg, die_jpeg
from companion.camera.roll_pictures import RollPictures
from companion.camera.setup_store import SetupStore, note_files
from companion.club.publishing.outbox import FILE as OUTBOX
from companion.club.publishing.public_table import PublicTable
from companion.games.game import Selection
from companion.games.odds import OddsWorker
from companion.games.registry import GAMES, LIST
from companion.games.simulator_process import SimulatorProcess
from companion.memory.backup.backups import RESTORING, Backups
from companion.memory.statistics.database import FILE as STATISTICS
from companion.memory.statistics.deletion import FILE as DELETING
from companion.memory.statistics.deletion import PICTURES as CORRECTIONS
from companion.memory.statistics.keeper import Statistics
from companion.memory.statistics.notes import USED
from companion.settings import Settings
from companion.settings_file import read_sections, rewrite
from companion.setup.first_run import FirstRun
from companion.setup.machine.helper import HelperFollower, RootHelper, places_of
from companion.setup.machine.settings_editor import SettingsEditor
from companion.setup.machine.updates import Updates, describe
from companion.setup.machine.wifi import Wifi
from companion.setup.unfinished import FOLDER as LESSONS
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.journal import ROLLS, STORIES, Journal
from companion.table.journal.migrations import SIDE_FILES
from companion.table.lessons import (
    find_kept,
    picture_accepted,
    picture_corrected,
    picture_retitled,
)
from companion.table.scene import Trouble
from companion.table.stand_ins import StandIns
from companion.table.table import Table
from vision.dice.learn import open_profile
from web.access import queue_of, sender_of
from web.app import create_app
from web.serving.address import PublicAddress
from web.serving.server import Server, serve
from web.serving.stream import Broadcast
from web.site import TableSite


class RunningTable(NamedTuple):
    """A running table."""

    table: Table
    """The table."""
    server: Server
    """The web server."""
    controls: Controls
    """Pins, buttons and light."""
    watching: Watching
    """What the camera needs, and what is taught with it."""
    supervisor: Supervisor
    """Looks after the threads."""
    first_run: FirstRun
    """The guided first run."""
    statistics: Statistics
    """The statistics of all games."""
    clock: Clock
    """Tells the time."""
    app: Flask
    """The Flask application."""


def start_table(
    settings: Settings, stack: ExitStack, *, seed: int | None = None, file: Path | None = None
) -> RunningTable:
    """Start everything; leaving `stack` stops it in the opposite order.

    seed: makes deals and the throws of the simulated tray repeatable. file: the settings file.
    """
    store = SetupStore(settings.data)
    named = settings.profile
    settings = replace(settings, profile=dice_in_use(settings, store))
    profile = open_profile(settings.profile, settings.profiles)
    supervisor = Supervisor(stack)
    clock = Clock(synchroniser=SYNCHRONISER)
    table = build_table(settings, clock, supervisor, stack, seed)
    table.report(Trouble.MISSING, ", ".join(note_files(settings.data)))
    table.report(Trouble.SETUP, store.set_damaged_aside())
    clear_the_way(settings)
    controls = build_controls(settings, table, supervisor, stack)
    build_announcer(settings, table, supervisor)
    publisher = build_publisher(settings, table, supervisor)
    watching = build_watching(settings, table, store, profile, supervisor, stack, seed, named)
    build_demonstration(settings, table, watching.simulated, supervisor)
    first_run = FirstRun(
        table,
        store,
        watching.setup,
        controls.buttons,
        controls.light,
        wired=controls.pins.real,
        deck=lambda: watching.decks.used,
    )
    streams = Broadcast()
    backups = Backups(settings.data, table, store, watching.sets, watching.decks, now=clock.now)
    rolls = build_roll_pictures(settings, table, watching, supervisor)
    kept = rolls.picture if rolls is not None else None
    statistics = build_statistics(settings, table, watching, backups, supervisor)
    # Without those that were set aside since the start.
    note_files(settings.data)
    stack.callback(note_files, settings.data)
    take = partial(die_jpeg, table, watching.watcher)
    pictures = CorrectionPictures(settings.data / CORRECTIONS, take)
    if watching.card_teaching is not None:
        watching.card_teaching.listeners.add(first_run.look)
    address = PublicAddress(settings.host)
    names = address.lasting_names()
    https, serve_https = open_https(settings, names, clock.seconds(), stack)
    site = TableSite(
        table,
        streams,
        die_picture=take,
        correction_picture=pictures.picture,
        card_picture=partial(card_jpeg, table, watching.piles, kept or (lambda *_: None)),
        roll_picture=kept,
        setup=watching.setup if watching.watcher is not None else None,
        teaching=watching.teaching,
        card_teaching=watching.card_teaching,
        collecting=watching.collecting,
        first_run=first_run,
        clock=clock,
        power=controls.power,
        updates=build_updates(table, supervisor),
        settings=build_settings_editor(file, table, supervisor),
        wifi=build_wifi(table, supervisor),
        backups=backups,
        statistics=statistics,
        public=PublicTable(table, lambda: table_name(settings, publisher)),
        hotspot=settings.hotspot if settings.hotspot.name else None,
        address=address,
        https=https,
        origins=settings.origins,
        language=settings.language,
    )
    app = build_pages(site)
    table.follow(partial(picture_corrected, pictures))
    server = serve(
        app,
        streams,
        settings.host,
        settings.port,
        sender_of=sender_of(table),
        queue_of=queue_of(table),
    )
    serve_https(server)
    stack.callback(server.stop)
    # Before the server stops: its live views wait for frames.
    stack.callback(watching.shared.close)
    for worker in streams.workers:
        supervisor.watch(worker, partial(table.report, Trouble.PAGES, part=worker.name))
    if watching.watcher is not None:
        watching.watcher.start()
        stack.callback(watching.watcher.stop)
    supervisor.start()
    return RunningTable(
        table, server, controls, watching, supervisor, first_run, statistics, clock, app
    )


def build_table(
    settings: Settings, clock: Clock, supervisor: Supervisor, stack: ExitStack, seed: int | None
) -> Table:
    """Return the table as its journal left it, with threads for odds and stand-ins."""
    journal = Journal(settings.data, now=clock.now)
    stack.callback(journal.close)
    clock.know(*(line.at for line in journal.saved.lines), *newest_dates(settings.data / RECORDS))
    table = Table(
        journal,
        GAMES,
        selection_of(settings),
        now=clock.date,
        chance=None if seed is None else random.Random(seed),
        ask_always=settings.ask_always,
        fallen_see_roles=settings.fallen_see_roles,
    )
    odds = OddsWorker(SimulatorProcess(), table.spectators.wanted, table.spectators.show)
    table.follow(lambda *_: odds.wake())
    table.spectators.listeners.add(odds.wake)
    supervisor.start_worker(odds, partial(table.report, Trouble.ODDS))
    stand_ins = StandIns(table)
    table.follow(lambda *_: stand_ins.wake())
    supervisor.start_worker(stand_ins, partial(table.report, Trouble.STAND_INS))
    return table


NEWEST = 20
"""So many records are looked into for the time that was last known."""


def newest_dates(folder: Path) -> list[str]:
    """Return the dates of the newest records in a folder; none if it can't be read."""
    dates, files = [], []
    with suppress(OSError):
        files = sorted(folder.glob("*.jsonl"), key=lambda file: file.lstat().st_mtime)
    for file in files[-NEWEST:]:
        with suppress(OSError):
            header = read_whole(file).partition(b"\n")[0]
            if found := re.search(rb'"date": ?"([\w:?-]+)"', header):
                dates.append(found[1].decode())
    return dates


def selection_of(settings: Settings) -> Selection:
    """Return the game that the settings name, with those of their rules that it has."""
    game = LIST[settings.game].load()
    ruleset = settings.ruleset if settings.ruleset in game.rulesets else next(iter(game.rulesets))
    return game.select(ruleset, settings.house_rules & set(game.house_rules))


def clear_the_way(settings: Settings) -> None:
    """Set aside what lies in the data folder where the table keeps something else."""
    databases = (STATISTICS, OUTBOX)
    side_files = [f"{file}{end}" for file in databases for end in SIDE_FILES]
    files = [EMPTY_TRAY, TRAY_MODEL, USED, DELETING, *side_files]
    folders = [STORIES, ROLLS, CORRECTIONS, RESTORING, LESSONS]
    set_aside.clear_the_way(
        [settings.data / name for name in files],
        [settings.profiles, *(settings.data / name for name in folders)],
    )


def build_roll_pictures(
    settings: Settings, table: Table, watching: Watching, supervisor: Supervisor
) -> RollPictures | None:
    """Return what keeps pictures of rolls and cards; without any, if the settings say so."""
    folder = settings.data / ROLLS
    if not settings.dice_pictures:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    watcher, card = watching.watcher, watching.piles.picture
    pictures = RollPictures(folder, lambda: watcher.read_frame if watcher else None)
    supervisor.start_worker(pictures, partial(table.report, Trouble.ROLLS))
    table.amend(partial(find_kept, pictures.picture))
    table.follow(partial(picture_accepted, pictures))
    table.follow(
        partial(
            picture_retitled,
            lambda game, entry, number: pictures.keep_card(game, entry, card(number)),
        )
    )
    return pictures


def build_statistics(
    settings: Settings,
    table: Table,
    watching: Watching,
    backups: Backups,
    supervisor: Supervisor,
) -> Statistics:
    """Return the statistics of all games, with a thread that works them out."""
    statistics = Statistics(settings.data, table, lambda: watching.reader.profile.name)
    table.follow(lambda *_: statistics.look())
    # Games may have been restored.
    backups.listeners.add(statistics.reload)
    supervisor.start_worker(statistics, partial(table.report, Trouble.STATISTICS))
    return statistics


def build_updates(table: Table, supervisor: Supervisor) -> Updates:
    """Return what updates the table from the host's page, if a service runs it."""
    helper = build_helper("update")
    updates = Updates(table, __version__, helper, partial(describe, __version__))
    follow_helper(helper, "update", updates.notice, table, supervisor)
    return updates


def build_settings_editor(
    file: Path | None, table: Table, supervisor: Supervisor
) -> SettingsEditor:
    """Return what changes the settings file from the host's page."""
    helper = build_helper("settings")
    editor = SettingsEditor(table, file, helper, read_sections, rewrite)
    follow_helper(helper, "settings", editor.notice, table, supervisor)
    return editor


def build_wifi(table: Table, supervisor: Supervisor) -> Wifi:
    """Return what joins another Wi-Fi from the host's page, if a service runs the table."""
    helper = build_helper("wifi")
    wifi = Wifi(table, helper)
    follow_helper(helper, "wifi", wifi.notice, table, supervisor)
    return wifi


def build_helper(name: str) -> RootHelper:
    """Return what asks root for something, if a service runs the table."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return RootHelper(places_of(name, Path(folder)) if folder else None)


def follow_helper(
    helper: RootHelper, name: str, notice: Callable[[], str], table: Table, supervisor: Supervisor
) -> None:
    """Tell everybody what root does. notice: returns what they are to read."""
    if helper.places is not None:
        follower = HelperFollower(name, helper, table, notice)
        supervisor.start_worker(follower, partial(table.report, Trouble.PAGES, part=name))


def build_pages(site: TableSite) -> Flask:
    """Return the pages, which are rendered again whenever something on them changes."""
    site.table.follow(lambda *_: site.streams.notify())
    lessons = (site.setup, site.teaching, site.card_teaching, site.collecting)
    kept = (site.backups, site.statistics, site.clock, site.updates, site.settings, site.wifi)
    for part in (site.table.opened, site.first_run, *kept, *lessons):
        if part is not None:
            part.listeners.add(site.streams.notify)
    return create_app(site)
