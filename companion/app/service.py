"""Runs the table until a signal stops it."""

import logging
import os
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from companion.app.build import RunningTable, start_table
from companion.app.commands.errors import FaultError
from companion.app.interrupts import end_soon, take_endings
from companion.app.results import print_result
from companion.app.stick import StickError, check_stick, wait_for_stick
from companion.app.watchdog import Watchdog, tell_ready
from companion.camera.workers import limit_memory, trim_memory
from companion.settings import Settings
from companion.table.scene import Trouble
from hardware.keys import Keys
from hardware.notify import notify, watchdog_s
from web.templating import compile_templates

TOLD_S = 1.0
"""Seconds for pages to say that the USB stick was pulled out, before the table ends."""

_log = logging.getLogger(__name__)


def run_table(settings: Settings, file: Path | None = None) -> int:
    """Run the table until SIGINT or SIGTERM. Raises what can't be used: see `cli`.

    file: where the settings are from; None: from no file.
    """
    settings = wait_for_stick(settings)
    wait_for_end = take_endings(partial(_look_after, settings))
    limit_memory()
    set_time_zone(settings.time_zone)
    with ExitStack() as stack:
        running = start_table(settings, stack, file=file)
        tell_ready(notify, running.server.here, running.server.url)
        url = running.server.url
        print_result({"url": url}, f"Open {url} to see the table. Ctrl-C stops it.")
        _start_watchdog(running, stack)
        buttons = running.controls.buttons
        keys = Keys({"g": buttons.press_green, "r": buttons.press_red})
        if stack.enter_context(keys).is_listening:
            _log.info("keys: g is the green button, r the red one")
        # Do this after start-up, so that the first page load is fast.
        compile_templates(running.app)
        try:
            wait_for_end()
        except StickError as error:
            running.table.report(Trouble.SAVING, error.args[0])
            time.sleep(TOLD_S)
            end_soon(FaultError.status)
            raise
        _log.info("stopping")
        end_soon()
        notify(STOPPING="1")
    return 0


def _look_after(settings: Settings) -> None:
    """Do what is due every second."""
    trim_memory()
    check_stick(settings)


def set_time_zone(name: str) -> None:
    """Let pages tell times in this zone; an empty name leaves the machine's."""
    if name:
        os.environ["TZ"] = name
        time.tzset()


def _start_watchdog(running: RunningTable, stack: ExitStack) -> None:
    period = watchdog_s()
    if period is None:
        return
    supervisor, watcher = running.supervisor, running.watching.watcher
    loops = {"supervisor": lambda: supervisor.turns}
    if watcher is not None:
        loops["camera loop"] = lambda: watcher.turns
    watchdog = Watchdog(notify, running.server.here, loops, period)
    watchdog.start()
    stack.callback(watchdog.stop)
