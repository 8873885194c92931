"""A USB stick that holds the data folder: waited for at the start, and missed while the table runs.

Nothing is ever kept anywhere else in its place. Pulling it out is like pulling the plug: the table
ends, is started again, and waits for the stick.
"""

import logging
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.base.refused import Message
from companion.base.whole_file import sync
from companion.settings import OWN_FOLDER, Settings
from hardware.notify import notify

LOOK_S = 1.0
"""Seconds between two looks whether the stick is there."""

_log = logging.getLogger(__name__)


class StickError(Exception):
    """The stick was pulled out, or can't be used; the message says so."""


def is_plugged_in(stick: Path) -> bool:
    """Return whether a stick is mounted at this folder, and answers."""
    try:
        os.listdir(stick)
        return stick.is_mount()
    except OSError:
        return False


def on_stick(settings: Settings) -> Settings:
    """Return the settings with the data folder on the stick, if they name one."""
    stick = settings.stick
    return settings if stick is None else replace(settings, data=stick / OWN_FOLDER)


def wait_for_stick(settings: Settings) -> Settings:
    """Wait until the stick is there, while a page says so; return the settings as of `on_stick`.

    A stick without a data folder gets a copy of the present one. Raises StickError.
    """
    stick, moved = settings.stick, on_stick(settings)
    if stick is None:
        return settings
    if not is_plugged_in(stick):
        with _page(settings):
            _log.warning("%s: no USB stick is there; waiting for it", stick)
            notify(READY="1", STATUS="waiting for the USB stick")
            while not is_plugged_in(stick):
                time.sleep(LOOK_S)
                notify(WATCHDOG="1")
    try:
        _move_in(settings.data, moved.data)
    except OSError as error:
        raise StickError(f"{moved.data}: {error.strerror or error}") from error
    return moved


def _move_in(data: Path, folder: Path) -> None:
    if folder.is_dir():
        return
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    if data.is_dir():
        _log.info("%s: begins as a copy of %s", folder, data)
        shutil.copytree(data, part, symlinks=True)
    else:
        part.mkdir(mode=0o700)
    os.sync()
    part.rename(folder)
    sync(folder.parent)


@contextmanager
def _page(settings: Settings) -> Iterator[None]:
    """Say at the table's address what is missing."""
    # The doctor looks for the stick, too, and needs no pages.
    from web.missing_stick.page import make_server

    try:
        server = make_server(settings.host, settings.port)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise StickError(f"{where}: {error.strerror or error}") from error
    with server:
        threading.Thread(target=server.serve_forever, name="missing stick", daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


def check_stick(settings: Settings) -> None:
    """Raise StickError once the stick is gone."""
    if settings.stick is not None and not is_plugged_in(settings.stick):
        raise StickError(Message("the USB stick was pulled out: plug it in again"))
