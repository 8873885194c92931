"""A table on a real Mosquitto: what it says, and what happens when the broker or the power goes."""

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
import trustme
from mosquitto import HOST, SlowProxy, free_port
from process import read, run
from process import table as running
from published import CardEvening, PublishedTable, Witness
from waiting import wait_until

from companion import __version__
from companion.app.publishing import build_publisher
from companion.base.worker import Supervisor
from companion.club.publishing import owner, publisher
from companion.club.publishing.broker import Acknowledged, Connected, Received, refusal
from companion.club.publishing.home_assistant import announcements
from companion.club.publishing.messages import TableName, encode, state_message
from companion.club.publishing.outbox import FILE
from companion.club.publishing.progress import Sent, due
from companion.club.publishing.topics import Topics
from companion.settings import MqttSettings, Settings
from companion.table import seats
from companion.table.past.past_games import record_of
from companion.table.scene import Phase, Trouble

pytestmark = pytest.mark.processes


CLAIM_S = owner.CLAIM_S


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other table is there to answer a claim."""
    monkeypatch.setattr(owner, "CLAIM_S", 0.1)


LEAKY = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""After a failed handshake, paho leaves its socket to the garbage collector, which closes it."""

Make = Callable[..., PublishedTable]


@pytest.fixture
def make(tmp_path: Path, stack: ExitStack) -> Make:
    """Makes a table that isn't published yet; it is closed at the end."""

    def made(port: int, folder: str = "table", **given) -> PublishedTable:
        table = PublishedTable(tmp_path / folder, port, **given)
        stack.callback(lambda: table.close())
        return table

    return made


@pytest.fixture
def hear(listen: Callable[..., Witness]) -> Callable[..., Witness]:
    return partial(listen, kind=Witness)


def counted(events: int) -> list[int]:
    return list(range(1, events + 1))


def test_a_broker_hears_what_spectators_see_and_nothing_else_in_any_script(broker, make, hear):
    """Whose bytes are the same whatever the hidden roles: `test_public_messages` compares twins."""
    witness, table = hear(broker.port), make(broker.port, name="मेज़ १")
    witness.topics = topics = table.topics
    table.do(seats.add_person, "สมชาย")
    table.publish()
    wait_until(lambda: (state := witness.state()) and state["people"][-1]["name"] == "สมชาย")
    name, shown = TableName(table.publisher.id, topics.name, __version__), set()
    lobby = witness.on(topics.state)
    table.table.follow(lambda *_: shown.add(encode(state_message(table.table.view(), name))))
    table.start_game()
    table.finish_game()
    wait_until(lambda: witness.results(1) and table.publisher.is_idle)
    outgoing, _ = due(table.table.view(), record_of(table.table.scene), Sent(), name)
    *events, result = (message.payload for message in outgoing)
    assert witness.on(topics.event) == events
    assert witness.on(topics.result(1)) == [result]
    states = witness.on(topics.state)[len(lobby) :]
    assert states[-1] == encode(state_message(table.table.view(), name))
    assert set(states) <= shown
    others = {"owner": b"session", "availability": b"online"}
    for heard in witness.heard:
        kind = heard.topic.removeprefix(f"{topics.base}/")
        assert kind in ("event", "result/1", "state") or others[kind] in heard.payload
    late = hear(broker.port)
    late.topics = topics
    wait_until(lambda: late.state() and late.results(1))
    assert (late.availability(), late.numbers()) == ("online", [])
    assert table.trouble == ""


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_nothing_is_lost_while_the_broker_is_gone(start_broker, make, hear, stack, how):
    broker = start_broker()
    proxy = SlowProxy(broker.port, 1e6)
    stack.callback(proxy.close)
    table = make(proxy.port)
    table.publish()
    first = hear(broker.port)
    table.start_game()
    table.move(5)
    wait_until(lambda: len(first.numbers()) == table.events)
    before = table.events
    getattr(broker, how)()
    proxy.shut = True
    wait_until(lambda: table.trouble)
    table.move(20)
    broker.start()
    second = hear(broker.port)
    proxy.shut = False
    wait_until(lambda: len(second.numbers()) >= table.events - before)
    late = [number for number in second.numbers() if number > before]
    assert late == list(range(before + 1, table.events + 1))
    wait_until(lambda: not table.trouble)
    wait_until(lambda: (state := second.state()) and state["game"]["events"] == table.events)


def test_a_broker_that_hangs_delays_no_press(broker, make, hear, monkeypatch):
    monkeypatch.setattr(publisher, "GOODBYE_S", 0.1)
    table = make(broker.port)
    table.publish()
    witness = hear(broker.port)
    wait_until(lambda: witness.availability() == "online")
    broker.pause(True)
    table.start_game()
    table.finish_game()
    assert table.table.view().phase is Phase.OVER
    broker.pause(False)
    wait_until(lambda: len(witness.numbers()) >= table.events)
    assert sorted(set(witness.numbers())) == counted(table.events)


def test_what_a_table_said_while_it_was_off_the_network_comes_after_a_power_cut_too(
    broker, make, hear, tmp_path
):
    dead = make(free_port())
    dead.publish()
    dead.start_game()
    dead.move(8)
    wait_until(lambda: dead.publisher.last_sent.events == dead.events)
    cut(dead)
    assert dead.events > 8
    dead.move(3)
    dead.address = dead.address._replace(port=broker.port)
    witness = hear(broker.port)
    dead.publish()
    wait_until(lambda: witness.numbers() == counted(dead.events))
    before = dead.events
    cut(dead)
    dead.publish()
    dead.move(3)
    wait_until(lambda: dead.events in witness.numbers())
    told = witness.numbers()
    assert sorted(set(told)) == counted(dead.events)
    once = [json.dumps(event) for event in witness.events()]
    assert len(set(once)) == dead.events > before


def cut(table: PublishedTable) -> None:
    """Cut the power: nothing is said, and only files are left."""
    table.publisher.say_goodbye = lambda: None
    table.publisher.stop()
    table.journal.close()
    table.open()


def test_what_the_file_lost_the_journal_tells_again(broker, make, hear):
    """After a power cut, the outbox may be as it was some moments before."""
    table = make(broker.port)
    table.publish()
    table.start_game()
    table.move(4)
    witness = hear(broker.port)
    wait_until(lambda: table.publisher.last_sent.events == table.events)
    earlier = table.publisher.last_sent
    table.finish_game()
    wait_until(lambda: witness.results(1))
    number = table.publisher.id
    cut(table)
    with outbox_of(table) as file:
        file.execute("UPDATE told SET game = ?, events = ?, result = ?", earlier)
        file.execute("DELETE FROM message")
    table.start_game()
    again = hear(broker.port)
    table.publish()
    wait_until(lambda: again.numbers(2) == counted(table.events))
    assert again.numbers(1)[0] == earlier.events + 1
    assert again.results(1)
    assert {event["table"]["id"] for event in again.events()} == {number}


@contextmanager
def outbox_of(table: PublishedTable) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(table.folder / FILE)) as file, file:
        yield file


def test_a_disk_that_fails_is_named_and_tried_again(broker, make, hear, monkeypatch):
    monkeypatch.setattr(publisher, "AGAIN_S", 0.2)
    table = make(broker.port)
    (table.folder / FILE).mkdir()
    witness = hear(broker.port)
    table.publish()
    table.start_game()
    wait_until(lambda: "unable to open" in table.trouble)
    table.move(3)
    (table.folder / FILE).rmdir()
    wait_until(lambda: witness.numbers() == counted(table.events))
    wait_until(lambda: not table.trouble)


def test_a_table_that_forgot_what_it_sent_gets_another_number(broker, make, hear):
    table = make(broker.port)
    witness = hear(broker.port)
    table.publish()
    table.start_game()
    table.move(3)
    wait_until(lambda: witness.numbers() == counted(table.events))
    wait_until(lambda: table.publisher.is_idle)
    cut(table)
    with outbox_of(table) as file:
        file.execute("UPDATE told SET game = 7")
    table.publish()
    wait_until(lambda: len(witness.numbers()) == 2 * table.events)
    assert witness.numbers() == counted(table.events) * 2
    assert len({event["table"]["id"] for event in witness.events()}) == 2


def announce(table: PublishedTable) -> None:
    """Publish a table, and announce it to Home Assistant."""
    table.announce = announcements(table.topics, "homeassistant", buttons=True)
    table.publish()


def rename(table: PublishedTable, name: str) -> None:
    table.publisher.stop()
    table.topics = Topics("bang", name)
    announce(table)


def kept(port: int, hear: Callable[..., Witness]) -> set[str]:
    """The topics under which a broker keeps anything."""
    ear = hear(port, topic="#")
    # The broker sends what it keeps first, then what is new.
    ear.say("end", b"")
    wait_until(lambda: ear.on("end"))
    found = {heard.topic for heard in ear.heard if heard.retained}
    ear.close()
    return found


def names(table: PublishedTable) -> list[str]:
    """The names under which a table knows that the broker may keep something."""
    with outbox_of(table) as file:
        return [name for (name,) in file.execute("SELECT name FROM presented")]


def test_nothing_is_left_of_a_name_that_a_table_had(broker, make, hear):
    table = make(broker.port)
    announce(table)
    table.start_game()
    table.finish_game()
    wait_until(lambda: f"{table.topics.base}/result/1" in kept(broker.port, hear))
    before, number = kept(broker.port, hear), table.publisher.id
    assert any(topic.startswith("homeassistant") for topic in before)
    rename(table, "window")
    wait_until(lambda: not before & kept(broker.port, hear))
    wait_until(lambda: names(table) == ["window"])
    assert {"bang/window/state", "bang/window/availability"} <= kept(broker.port, hear)
    assert table.publisher.id == number
    rename(table, "corner")
    wait_until(lambda: not any("window" in topic for topic in kept(broker.port, hear)))
    assert {"bang/corner/state", "bang/corner/availability"} <= kept(broker.port, hear)


def test_a_name_that_another_table_has_by_now_is_left_alone(broker, make, hear):
    one, other = make(broker.port), make(broker.port, "other", name="corner")
    announce(one)
    one.start_game()
    one.finish_game()
    wait_until(lambda: "bang/corner/result/1" in kept(broker.port, hear))
    one.publisher.stop()
    announce(other)
    wait_until(lambda: other.publisher.owns and other.publisher.is_idle)
    others = kept(broker.port, hear) - {"bang/corner/result/1"}
    one.topics = Topics("bang", "window")
    announce(one)
    wait_until(lambda: names(one) == ["window"])
    now = kept(broker.port, hear)
    assert others <= now
    # The result was the first one's.
    assert "bang/corner/result/1" not in now


def test_a_copy_of_a_table_takes_nothing_from_it(broker, make, hear, tmp_path):
    """A memory card that was copied has the number of the table, too."""
    table = make(broker.port)
    announce(table)
    wait_until(lambda: "bang/corner/state" in kept(broker.port, hear))
    table.publisher.stop()
    copied = make(broker.port, "copied", name="window")
    for file in table.folder.glob(f"{FILE}*"):
        shutil.copy(file, copied.folder / file.name)
    announce(table)
    wait_until(lambda: table.publisher.owns and table.publisher.is_idle)
    announce(copied)
    wait_until(lambda: "bang/window/state" in kept(broker.port, hear))
    wait_until(lambda: copied.publisher.is_idle)
    assert copied.publisher.id == table.publisher.id
    assert {"bang/corner/state", "bang/corner/availability"} <= kept(broker.port, hear)
    table.publisher.stop()
    # Once it is gone, nobody has the name.
    wait_until(lambda: "bang/corner/state" not in kept(broker.port, hear))


def test_what_is_no_longer_announced_is_removed(broker, make, hear):
    table = make(broker.port)
    announce(table)
    wait_until(lambda: any("homeassistant" in topic for topic in kept(broker.port, hear)))
    table.publisher.stop()
    table.announce = ()
    table.publish()
    wait_until(lambda: not any("homeassistant" in topic for topic in kept(broker.port, hear)))
    assert "bang/corner/state" in kept(broker.port, hear)


def test_a_wrong_password_is_named(start_broker, make, hear):
    broker = start_broker(login=("tables", "right"))
    table = make(broker.port, user="tables", password="wrong")
    table.publish()
    told = f"{HOST}:{broker.port} refuses the user or the password"
    assert refusal(table.address) == told
    assert refusal(table.address._replace(password="right")) is None
    wait_until(lambda: table.trouble == told)
    table.start_game()
    table.move(3)
    table.publisher.stop()
    table.address = table.address._replace(password="right")
    witness = hear(broker.port, login=("tables", "right"))
    table.publish()
    wait_until(lambda: witness.numbers() == counted(table.events))
    wait_until(lambda: not table.trouble)


@LEAKY
def test_only_the_right_authority_is_trusted(tmp_path, start_broker, make, hear):
    right, wrong = trustme.CA(), trustme.CA()
    broker = start_broker(authority=right)
    files = [tmp_path / "right.pem", tmp_path / "wrong.pem"]
    for authority, file in zip((right, wrong), files, strict=True):
        authority.cert_pem.write_to_path(file)
    table = make(broker.port, tls=True, ca=str(files[1]))
    table.publish()
    wait_until(lambda: "is not trusted" in table.trouble)
    assert "is not trusted" in str(refusal(table.address))
    table.publisher.stop()
    table.address = table.address._replace(ca=str(files[0]))
    witness = hear(broker.port, authority=str(files[0]))
    table.publish()
    wait_until(lambda: witness.availability() == "online")
    wait_until(lambda: not table.trouble)


@LEAKY
def test_tls_to_a_broker_without_it_and_no_broker_at_all_are_named(broker, make):
    table = make(broker.port, tls=True)
    table.publish()
    wait_until(lambda: "with TLS" in table.trouble or "doesn’t answer" in table.trouble
               or "reached" in table.trouble)  # fmt: skip
    port = free_port()
    other = make(port, "other")
    other.publish()
    wait_until(lambda: other.trouble == f"no broker runs at {HOST}:{port}")


def test_of_two_tables_with_one_name_one_publishes_and_both_say_so(broker, make, hear, monkeypatch):
    monkeypatch.setattr(owner, "CLAIM_S", CLAIM_S)
    monkeypatch.setattr(owner, "AGAIN_S", 0.5)
    first, second = make(broker.port), make(broker.port, "second")
    witness = hear(broker.port)
    first.publish()
    wait_until(lambda: witness.availability() == "online")
    second.publish()
    wait_until(lambda: second.trouble == "another table publishes as corner: rename one")
    wait_until(lambda: first.trouble == "another table is named corner, too: rename one")
    second.start_game()
    first.start_game()
    first.move(3)
    wait_until(lambda: len(witness.numbers()) == first.events)
    assert {event["table"]["id"] for event in witness.events()} == {first.publisher.id}
    # Once the name is free, the other has it.
    first.publisher.stop()
    wait_until(lambda: (state := witness.state()) and state["table"]["id"] == second.publisher.id)
    wait_until(lambda: not second.trouble)


def test_foreign_and_broken_messages_change_nothing(broker, make, hear):
    pressed: list[str] = []
    table, witness = make(broker.port), hear(broker.port)
    table.presses = {b"mute": lambda: pressed.append("mute")}
    witness.say("bang/corner/press", "mute", retain=True)
    table.publish()
    wait_until(lambda: witness.availability() == "online")
    broken = [
        *(b"", b"\xff" * 100, b"[" * 5000, b"{}", b"null", b"0" * 2_000_000),
        b'{"schema": 2, "session": "x"}',
        b'{"schema": 1, "session": 3, "held_s": "long"}',
    ]
    for topic in ("owner", "press", "state", "event", "availability"):
        for payload in broken:
            witness.say(f"bang/corner/{topic}", payload)
    witness.say("bang/corner/availability", "offline", retain=True)
    wait_until(lambda: witness.availability() == "online")
    table.start_game()
    wait_until(lambda: table.publisher.last_sent.events == table.events)
    assert pressed == []
    witness.say("bang/corner/press", "mute")
    wait_until(lambda: pressed == ["mute"])
    assert table.trouble == ""


class Link:
    """A broker whose answers the test gives."""

    def __init__(self, tell: Callable[[object], None], table: PublishedTable) -> None:
        self.tell, self.table = tell, table
        self.published: list[tuple[str, bytes | str]] = []
        self.pressed: list[str] = []

    def publish(self, topic: str, payload: bytes | str, *, retain: bool) -> int:
        self.published.append((topic, payload))
        return len(self.published)

    def start(self) -> None:
        self.tell(Connected())

    def stop(self) -> None:
        pass

    def subscribe(self, topics: object) -> None:
        pass

    @property
    def said_online(self) -> list[int]:
        """The numbers of the messages that said that the table is there."""
        here = self.table.topics.availability, "online"
        return [number for number, one in enumerate(self.published, start=1) if one == here]


@pytest.fixture
def link(make, monkeypatch) -> Link:
    """What a table is connected to that is there, and has a button."""
    monkeypatch.setattr(publisher, "GOODBYE_S", 0.0)
    links: list[Link] = []
    table = make(0)
    table.connect = lambda _, __, tell, ___: links.append(Link(tell, table)) or links[0]
    table.presses = {b"mute": lambda: links[0].pressed.append("mute")}
    table.publish()
    wait_until(lambda: links[0].said_online)
    return links[0]


def test_a_flood_of_lies_about_its_presence_or_of_presses_counts_once_at_a_time(link, monkeypatch):
    gone = Received(link.table.topics.availability, b"offline", False)
    press = Received(link.table.topics.press, b"mute", False)
    monkeypatch.setattr(publisher, "PRESS_S", 1e6)
    for _ in range(50):
        link.tell(gone)
        link.tell(press)
    link.tell(Acknowledged(link.said_online[0]))
    wait_until(lambda: len(link.said_online) == 2)
    assert link.pressed == ["mute"]
    monkeypatch.setattr(publisher, "PRESS_S", 0.0)
    for message in (press, Acknowledged(link.said_online[1]), gone):
        link.tell(message)
    wait_until(lambda: len(link.said_online) == 3)
    link.tell(Acknowledged(link.said_online[2]))
    link.table.publisher.stop()
    assert (len(link.said_online), len(link.pressed)) == (3, 2)


def test_a_table_that_ends_says_so_and_one_that_dies_is_said_to_be_gone(broker, make, hear, stack):
    proxy = SlowProxy(broker.port, 1e6)
    stack.callback(proxy.close)
    table, witness = make(proxy.port), hear(broker.port)
    table.publish()
    wait_until(lambda: witness.availability() == "online")
    table.publisher.stop()
    wait_until(lambda: witness.availability() == "offline")
    table.publish()
    wait_until(lambda: witness.availability() == "online")
    proxy.cut()
    wait_until(lambda: witness.on("bang/corner/availability").count(b"offline") >= 2)
    wait_until(lambda: witness.availability() == "online")


def test_the_service_publishes_what_its_settings_say(tmp_path, start_broker, hear):
    broker = start_broker(login=("tables", "secret"))
    witness = hear(broker.port, login=("tables", "secret"))
    (tmp_path / "password").write_text("secret\n", "utf-8")
    settings = tmp_path / "settings.toml"
    settings.write_text(
        f'camera = "none"\n[mqtt]\nhost = "{HOST}"\nport = {broker.port}\nname = "corner"\n'
        f'prefix = "bang"\nuser = "tables"\npassword_file = "{tmp_path}/password"\n',
        "utf-8",
    )
    with running("--config", settings, "--port", 0, "--data", tmp_path / "data") as (table, url):
        wait_until(witness.state)
        assert json.loads(read(f"{url}api/state")) == witness.state()
        wait_until(lambda: witness.on(f"homeassistant/sensor/{node(witness)}/phase/config"))
        table.terminate()
        table.wait()
        wait_until(lambda: witness.availability() == "offline")


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "No such file or directory"), (b"\xff\xfe", "not UTF-8 text")]
)
def test_a_password_that_cannot_be_read_is_named_and_the_table_runs(
    tmp_path, stack, content, reason
):
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    evening = CardEvening(tmp_path / "table")
    mqtt = MqttSettings(HOST, name="corner", user="tables", password_file=str(file))
    settings = Settings(data=tmp_path / "table", mqtt=mqtt)
    assert build_publisher(settings, evening.table, Supervisor(stack)) is None
    assert evening.table.view().troubles[Trouble.MQTT] == f"{file}: {reason}"
    evening.start_game()


def test_a_table_without_a_broker_loads_nothing_that_talks_to_one():
    program = "import sys, companion.app.service; print('paho' in sys.modules)"
    done = run(sys.executable, "-c", program)
    assert (done.stdout, done.stderr) == ("False\n", "")


def node(witness: Witness) -> str:
    """What Home Assistant calls the table."""
    topics = [heard.topic.split("/") for heard in witness.heard]
    return next((parts[2] for parts in topics if parts[0] == "homeassistant"), "")
