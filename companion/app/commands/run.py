"""`bang-companion run`: run the table."""

import argparse
from pathlib import Path

from companion.app.commands.arguments import add_table_arguments, overrides, source_of, whole_number
from companion.app.commands.errors import CommandError, FaultError

SUMMARY = "run the table: camera, buttons, game and pages"
DESCRIPTION = (
    "Run the table: camera, buttons, game and pages. Prints its address once the page "
    "answers; stop it with Ctrl-C."
)
EXAMPLE = "bang-companion run --camera simulated --port 8000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that override the table's settings."""
    add_table_arguments(parser)
    parser.add_argument(
        "--stand-ins",
        type=whole_number,
        metavar="K",
        help="let K stand-ins play game after game by themselves, to show the table; the camera "
        "must be simulated; default: people play",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the table until SIGINT or SIGTERM."""
    import logging
    import sys

    from companion.settings import ConfigError, load
    from hardware.notify import JournalFormatter, in_journal

    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    if in_journal():
        logging.getLogger().handlers[0].setFormatter(JournalFormatter())
    try:
        settings = load(arguments.config, **overrides(arguments), stand_ins=arguments.stand_ins)
    except ConfigError as error:
        raise CommandError(str(error).replace("--stand_ins", "--stand-ins", 1)) from None
    if settings.stick is None:
        _check_folder(source_of("data", arguments), settings.data)

    from companion.app.service import run_table
    from companion.app.stick import StickError
    from companion.app.watchdog import PageError
    from companion.table.journal.journal import JournalError, NewerError
    from hardware.camera.interface import CameraError
    from vision.profile_files import ProfileError
    from web.serving.server import ServerError

    try:
        return run_table(settings, arguments.config)
    except NewerError as error:
        # A restart would not help.
        raise CommandError(str(error)) from None
    except (JournalError, ServerError, PageError, StickError) as error:
        raise FaultError(str(error)) from None
    except CameraError as error:
        raise CommandError(f"{source_of('camera', arguments)}: {error}") from None
    except ProfileError as error:
        raise CommandError(f"{source_of('profile', arguments)}: {error}") from None


def _check_folder(where: str, folder: Path) -> None:
    """Raise CommandError if the data folder can't be used, or belongs to somebody else.

    The table itself handles a full or read-only disk, and continues with what it can read.
    """
    import errno
    import os
    import tempfile

    from companion.settings import OWN_FOLDER

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.name == OWN_FOLDER and folder.stat().st_uid == os.getuid():
            # Earlier versions made it for everybody to read.
            folder.chmod(0o700)
        tempfile.TemporaryFile(dir=folder).close()
    except (FileExistsError, NotADirectoryError):
        raise CommandError(f"{where}: {folder}: a file is in the way; name a folder") from None
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.ENOSPC, errno.EDQUOT):
            raise CommandError(
                f"{where}: {folder}: {error.strerror}; name a folder that you can write to"
            ) from None
