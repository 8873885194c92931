"""What must still be sent is in a file, in order, together with how far a table was told."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from companion.club.publishing.outbox import FILE, Outbox, redact
from companion.club.publishing.progress import Outgoing, Sent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


@pytest.fixture
def outbox(path: Path) -> Iterator[Outbox]:
    made = Outbox(path, 1000)
    yield made
    made.close()


def message(number: int, size: int = 10) -> Outgoing:
    return Outgoing("event", f"{number}".encode().rjust(size), False)


def payloads(outbox: Outbox, most: int = 100, after: int = 0) -> list[int]:
    return [int(waiting.message.payload) for waiting in outbox.first(most, after)]


def change(path: Path, script: str) -> None:
    """Change a file beside the outbox that has it open."""
    with closing(sqlite3.connect(path)) as file:
        file.executescript(script)


def test_messages_wait_in_order_until_they_have_arrived(outbox):
    outbox.add(map(message, (1, 2, 3)), Sent(1, 3))
    outbox.add([message(4), Outgoing("result/1", b"5", True)], Sent(1, 4, 4))
    assert payloads(outbox) == [1, 2, 3, 4, 5]
    assert outbox.first(9)[-1].message == Outgoing("result/1", b"5", True)
    first, second, *_ = outbox.first(2)
    assert payloads(outbox, 2, after=second.number) == [3, 4]
    outbox.remove([second.number, first.number])
    assert payloads(outbox) == [3, 4, 5]
    assert outbox.sent == Sent(1, 4, 4)


def test_another_thread_goes_on_with_it_where_one_has_ended(outbox):
    with ThreadPoolExecutor(1) as thread:
        thread.submit(outbox.add, [message(1)], Sent(1, 1)).result()
    assert payloads(outbox) == [1]


def test_a_process_that_is_killed_loses_nothing(outbox, path):
    outbox.add(map(message, (1, 2)), Sent(3, 2))
    outbox.remove([outbox.first(1)[0].number])
    # The file as it is now, with its log, and without anybody who closes it.
    copied = path.with_name("copy.sqlite3")
    for suffix in ("", "-wal"):
        source = path.with_name(path.name + suffix)
        copied.with_name(copied.name + suffix).write_bytes(source.read_bytes())
    copy = Outbox(copied)
    assert (payloads(copy), copy.sent, copy.id) == ([2], Sent(3, 2), outbox.id)
    copy.add([message(7)], Sent(3, 3))
    assert payloads(copy) == [2, 7]
    copy.close()


def test_the_oldest_are_dropped_where_there_is_no_room(outbox):
    for number in range(1, 16):
        outbox.add([message(number, 100)], Sent(1, number))
    left = payloads(outbox)
    assert left == list(range(outbox.dropped + 1, 16))
    assert 5 <= len(left) <= 10
    outbox.remove([waiting.number for waiting in outbox.first(20)])
    outbox.add([message(number, 100) for number in range(16, 26)], Sent(1, 25))
    assert payloads(outbox) == list(range(16, 26))


def test_a_write_that_fails_adds_nothing(outbox, path):
    outbox.add([message(1)], Sent(1, 1))
    change(
        path,
        "CREATE TRIGGER full BEFORE INSERT ON message WHEN CAST(NEW.payload AS TEXT) LIKE '%3' "
        "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    with pytest.raises(OSError, match="disk is full"):
        outbox.add(map(message, (2, 3)), Sent(1, 3))
    assert (payloads(outbox), outbox.sent) == ([1], Sent(1, 1))
    outbox.add([message(2)], Sent(1, 2))
    assert payloads(outbox) == [1, 2]


@pytest.mark.parametrize("content", [b"nonsense" * 200, None])
def test_a_file_that_is_damaged_or_of_another_version_is_kept_and_made_anew(path, content):
    if content is None:
        change(path, "PRAGMA user_version = 9; CREATE TABLE message (words TEXT)")
    else:
        path.write_bytes(content)
    outbox = Outbox(path)
    assert (payloads(outbox), outbox.sent) == ([], Sent())
    outbox.close()
    kept = path.with_name(f"{FILE}.damaged")
    if content is not None:
        assert kept.read_bytes() == content
        return
    with closing(sqlite3.connect(kept)) as other, other:
        assert other.execute("SELECT * FROM message").description[0][0] == "words"


def test_a_disk_that_fails_while_messages_are_dropped_is_told(outbox, path):
    fails = "BEGIN SELECT RAISE(ABORT, 'full'); END"
    change(path, f"CREATE TRIGGER full BEFORE DELETE ON message {fails}")
    many = [message(number, 100) for number in range(11)]
    with pytest.raises(OSError, match="full"):
        outbox.add(many, Sent(1, 11))
    # Nothing was lost, and it goes on once the disk works.
    assert (outbox.sent, outbox.dropped, len(payloads(outbox))) == (Sent(1, 11), 0, 11)
    change(path, "DROP TRIGGER full")
    outbox.add([message(11, 100)], Sent(1, 12))
    assert payloads(outbox) == list(range(5, 12))


def test_what_waits_is_changed_while_the_outbox_is_open(outbox, path):
    said = [{"says": f"secret {number}", "number": number} for number in range(24)]
    outbox.add((Outgoing("event", json.dumps(one).encode(), False) for one in said), Sent(2, 5))
    # What was sent is no longer in the table, but its bytes are still in the file.
    outbox.remove([outbox.first(1)[0].number])

    def change(message: dict[str, object], sent: Sent) -> dict[str, object] | None:
        assert sent == Sent(2, 5)
        if message["number"] == 3:
            return None
        return {**message, "says": "nothing"} if message["number"] < 9 else {"number": 0}

    path.with_name(f"{FILE}-wal.damaged").write_bytes(b"secret")
    redact(path, change)
    files = [each.read_bytes() for each in path.parent.iterdir()]
    assert len(files) == 3
    assert not [content for content in files if b"secret" in content]
    left = [json.loads(waiting.message.payload)["number"] for waiting in outbox.first(99)]
    assert left == [1, 2, 4, 5, 6, 7, 8] + [0] * 15
    # The outbox goes on, and doesn't count what was removed when its room runs out.
    outbox.add([Outgoing("event", b"x" * 300, False)], Sent(2, 6))
    assert outbox.dropped == 0
    assert len(outbox.first(99)) == 23


def test_a_message_or_file_that_cannot_be_understood_is_deleted(outbox, path):
    outbox.add([Outgoing("event", b"secret", False), Outgoing("event", b"{}", False)], Sent())
    redact(path, lambda message, sent: message)
    assert [waiting.message.payload for waiting in outbox.first(9)] == [b"{}"]
    outbox.close()
    path.write_bytes(b"no database, but a secret")
    redact(path, lambda message, sent: message)
    assert not path.exists()
    redact(path, lambda message, sent: message)
    assert list(path.parent.iterdir()) == []
