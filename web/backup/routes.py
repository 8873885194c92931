"""Routes of the backup: one file to keep, and to restore at this table or another."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, request, send_file
from flask.typing import ResponseReturnValue

from web import forms
from web.access import For, get, looks, person, post, press
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.site import need, site

if TYPE_CHECKING:
    from companion.memory.backup.backups import Backups

backup = Blueprint("backup", __name__)


@get(backup, "/backup", For.HOST)
def backup_shown() -> ResponseReturnValue:
    """Show the page where the host saves and restores everything that the table keeps."""
    return draw_page("backup", looks(), _context()())


@get(backup, "/live/backup", For.HOST)
def live_backup() -> ResponseReturnValue:
    """Stream the backup page."""
    return stream_to_phone("backup", _context())


@get(backup, "/backup/file.zip", For.HOST)
def backup_file() -> ResponseReturnValue:
    """Send a new backup, without the running game."""
    made = _backups().make()
    return send_file(
        made.file,
        "application/zip",
        as_attachment=True,
        download_name=made.name,
        # No part of it is asked for alone: each request makes another.
        conditional=False,
    )


@post(backup, "/backup/piece", For.HOST)
def receive() -> None:
    """Take a piece of a backup, which is the whole body; `at`, `size`: in the address."""
    at, size = forms.field(request.args, "at"), forms.field(request.args, "size")
    _backups().receive(person(), at, size, request.data)


@post(backup, "/backup/discard", For.HOST)
def discard() -> None:
    """Delete the uploaded backup."""
    _backups().discard(press())


@post(backup, "/backup/restore", For.HOST)
def restore() -> None:
    """Restore the uploaded backup."""
    _backups().restore(press())


def _backups() -> "Backups":
    return need(site().backups, gettext("this table keeps nothing"))


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the backup page shows besides the table."""
    backups = _backups()
    return lambda: {"shown": backups.view()}
