"""Builds what publishes the table on a message broker, if the settings name one."""

import errno
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__
from companion.base.refused import Message, Refused
from companion.base.whole_file import read_whole
from companion.base.worker import Supervisor
from companion.club.publishing.home_assistant import MUTE, NEXT_GAME, UNMUTE, announcements
from companion.club.publishing.messages import TableName
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.topics import Topics
from companion.settings import MqttSettings, Settings
from companion.table import rounds
from companion.table.changes import Press
from companion.table.scene import Phase, Trouble
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.club.publishing.broker import BrokerAddress
    from companion.club.publishing.publisher import Publisher


def build_publisher(settings: Settings, table: Table, supervisor: Supervisor) -> "Publisher | None":
    """Start publishing; return None if the settings name no broker."""
    wanted = settings.mqtt
    if not wanted.host:
        return None
    # Tables without a broker needn't load what talks to one.
    from companion.club.publishing.broker import BrokerConnection
    from companion.club.publishing.publisher import Publisher

    try:
        address = address_of(wanted)
    except OSError as error:
        reason = Message("%(file)s: %(reason)s", file=error.filename, reason=error.strerror)
        table.report(Trouble.MQTT, reason)
        return None
    topics = Topics(wanted.prefix, wanted.name)
    publisher = Publisher(
        table,
        partial(Outbox, settings.data / FILE),
        topics,
        partial(BrokerConnection, address),
        announce=announcements(topics, wanted.home_assistant, buttons=wanted.buttons),
        presses=presses(table) if wanted.buttons else None,
    )
    table.follow(lambda *_: publisher.look())
    supervisor.start_worker(publisher, publisher.note)
    return publisher


def table_name(settings: Settings, publisher: "Publisher | None") -> TableName:
    """Return which table messages are from. publisher: None if none publishes."""
    return TableName(publisher.id if publisher else "", settings.mqtt.name, __version__)


def address_of(wanted: MqttSettings) -> "BrokerAddress":
    """Return where the broker of the settings is. Raises OSError if the password can't be read."""
    from companion.club.publishing.broker import BrokerAddress

    password = wanted.password
    if wanted.password_file:
        file = Path(wanted.password_file).expanduser()
        try:
            password = read_whole(file).decode().strip()
        except UnicodeDecodeError:
            raise OSError(errno.EILSEQ, "not UTF-8 text", str(file)) from None
    port = wanted.port or (8883 if wanted.tls else 1883)
    return BrokerAddress(wanted.host, port, wanted.user, password, wanted.tls, wanted.ca)


def presses(table: Table) -> dict[bytes, "partial[None]"]:
    """Return what remote buttons do, by what they send. No button accepts or stops a roll."""
    return {
        MUTE: partial(_mute, table, True),
        UNMUTE: partial(_mute, table, False),
        NEXT_GAME: partial(_next_game, table),
    }


def _mute(table: Table, on: bool) -> None:
    with suppress(Refused):
        table.do(rounds.mute, Press(_host(table)), on)


def _next_game(table: Table) -> None:
    """Deal the next game, if one is over."""
    view = table.view()
    if view.phase is Phase.OVER:
        with suppress(Refused):
            table.do(rounds.play_again, Press(_host(table), view.version))


def _host(table: Table) -> int | None:
    return next((person.id for person in table.view().people if person.host), None)
