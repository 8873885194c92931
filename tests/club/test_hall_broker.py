"""The hall on a real Mosquitto, with real tables: brokers that go, power cuts, wrong passwords."""

import json
import logging
import re
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
from clubs import PREFIX, ClubTable
from mosquitto import HOST, PASSWD, Ear, Mosquitto, SlowProxy, free_port
from places import ROOT
from process import START_S, read, within
from process import table as running
from waiting import wait_until

from companion.app import hall as hall_feed
from companion.app.hall import RunningHall, start_hall
from companion.club.hall.tournament import create
from companion.club.publishing.broker import BrokerAddress
from companion.settings import HallSettings, MqttSettings, Settings

pytestmark = pytest.mark.processes

DOCUMENT = (ROOT / "docs/hall.md").read_text("utf-8")


def opened(
    stack: ExitStack, folder: Path, port: int, *, prefix: str = PREFIX, **login: str
) -> RunningHall:
    settings = Settings(
        host=HOST,
        data=folder,
        mqtt=MqttSettings(prefix=prefix),
        hall=HallSettings(name="Saloon", port=0, password="buffalo"),
    )
    return start_hall(settings, BrokerAddress(HOST, port, **login), stack)


@pytest.fixture
def hall(tmp_path, stack, broker) -> RunningHall:
    return opened(stack, tmp_path / "hall", broker.port)


@pytest.fixture
def ear(listen, broker) -> Ear:
    return listen(broker.port)


def say(ear: Ear, *messages) -> None:
    for message in messages:
        ear.say(message.topic, message.payload, retain=True)


def tables(hall: RunningHall) -> dict[str, str]:
    return {table.entry.name: table.entry.phase for table in hall.hall.view().tables}


def test_a_new_hall_is_told_everything_by_a_broker_that_drops_messages(
    tmp_path, stack, start_broker, listen, monkeypatch
):
    """What waits for a client that is slower than Mosquitto is dropped, by default beyond 1000."""
    broker = start_broker(most_queued=30, saving=False)
    teller = listen(broker.port, "nothing")
    club = [ClubTable(f"Table {number}") for number in range(1, 6)]
    for table in club:
        say(teller, table.state(), table.availability("online"))
        result = json.loads(table.result().payload)
        say(teller, *(table.said(f"result/{n % 20}", result, game=n) for n in range(1, 21)))
    proxy = SlowProxy(broker.port, 1e6)
    stack.callback(proxy.close)
    monkeypatch.setattr(hall_feed, "RETAINED_AT_ONCE", 20)
    hall = opened(stack, tmp_path / "hall", proxy.port)
    assert "Saloon" in read(hall.server.url), "no page waits for the broker"
    wait_until(lambda: len(hall.hall.results()) == 100)
    assert set(tables(hall)) == {table.name for table in club}
    page = read(hall.server.url)
    assert "5 tables" in page
    assert "Standings of the evening" in page


def test_a_broker_that_goes_is_told_once_and_back_again(hall, broker, ear, caplog):
    caplog.set_level(logging.INFO)
    say(ear, ClubTable("Oak").state())
    wait_until(lambda: tables(hall))
    broker.kill()
    wait_until(lambda: "no broker runs" in hall.hall.view().connection)
    assert "The broker can’t be reached" in read(hall.server.url)
    # What was known is still shown.
    assert tables(hall) == {"Oak": "playing"}
    broker.start()
    wait_until(lambda: hall.hall.view().connection == "")
    said = [each.message for each in caplog.records if each.name == "companion.app.hall"]
    assert said[-1] == f"connected to the broker {HOST}:{broker.port}"
    assert len([*filter(re.compile("no broker runs").search, said)]) == 1


def test_the_rights_in_the_documents_let_each_table_speak_for_itself_alone(tmp_path, stack, listen):
    """Mosquitto with the files of docs/hall.md."""
    conf, rights = re.findall(r"```\n(.*?)```", DOCUMENT, re.DOTALL)
    folder = tmp_path / "broker"
    broker = Mosquitto(folder)
    users = folder / "club-users"
    for option, user in (("-bc", "corner"), ("-b", "hall"), ("-b", "bar")):
        command = [PASSWD, option[:2], *(["-c"] if "c" in option else []), users, user, "secret"]
        subprocess.run(command, check=True, capture_output=True)
    (folder / "club-rights").write_text(rights, "utf-8")
    conf = conf.replace("/etc/mosquitto", str(folder)).replace("1883", f"{broker.port} {HOST}")
    (folder / "mosquitto.conf").write_text(f"{conf}user root\n", "utf-8")
    broker.start()
    stack.callback(broker.stop)
    prefix = "bang-companion"
    corner = listen(broker.port, f"{prefix}/corner/#", ("corner", "secret"))
    login = {"prefix": prefix, "user": "hall", "password": "secret"}
    hall = opened(stack, tmp_path / "hall", broker.port, **login)
    state = ClubTable("corner").state().payload
    corner.say(f"{prefix}/bar/state", state, retain=True)
    corner.say(f"{prefix}/tournament", b"{}", retain=True)
    corner.say(f"{prefix}/corner/state", state, retain=True)
    wait_until(lambda: tables(hall) == {"corner": "playing"})
    hall.hall.change(lambda _: create("Cup", "dollars", 4, 8), 0)
    listener = opened(stack, tmp_path / "other", broker.port, **login)
    wait_until(lambda: listener.hall.view().tournament)
    assert hall.hall.view().troubles == ()


def test_a_broker_that_cant_be_reached_is_named_on_the_terminal_and_on_the_page(tmp_path):
    address, password = f"{HOST}:{free_port()}", tmp_path / "password"
    password.write_text("buffalo\n", "utf-8")
    # As a table's, but without its name, which a hall doesn't need.
    (tmp_path / "hall.toml").write_text('[mqtt]\nhost = "192.0.2.1"\n')
    given = ("--config", tmp_path / "hall.toml", "--password-file", password)
    options = ("--broker", address, "--port", 0, "--data", tmp_path, *given)
    with running(*options, command="hall") as (process, url):
        said = process.stderr.readline()
        assert said == f"the broker can’t be reached: no broker runs at {address}; trying again\n"
        wait_until(lambda: f"no broker runs at {address}" in read(url))
        assert "/organiser/enter" in read(f"{url}tournament")
        process.terminate()
        assert process.wait(START_S) == 0


# The command


def test_a_password_file_that_is_missing_is_named(tmp_path, capsys):
    options = ("--broker", "pi", "--password-file", "/nowhere", "--data", tmp_path)
    ended = within(capsys, "hall", *options)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "/nowhere: No such file or directory\n"


def test_a_port_in_use_is_a_temporary_fault(tmp_path, hall, capsys):
    options = ("--broker", f"{HOST}:{free_port()}", "--host", HOST, "--port", hall.server.port)
    ended = within(capsys, "hall", *options, "--data", tmp_path / "x")
    assert ended.returncode == 1
    assert "another program uses this port" in ended.stderr
