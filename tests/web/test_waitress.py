"""What `web.serving` relies on inside waitress, as it was when it was tested.

It overrides and calls methods that are no public interface of waitress, and a release may change
those without a word. Then a test below fails and says what to read again.
"""

import hashlib
import inspect
from collections.abc import Iterator
from importlib.metadata import version

from waitress import channel, parser, server, task, trigger, wasyncore

from web.serving import connections

ANSWERS = "StreamTask: which responses close the connection, and how a stream takes it over"
SENDS = "StreamChannel.send_event and end_stream: what is locked, what is buffered, who is woken"
RECEIVES = "StreamChannel.readable and handle_read: how a client that hangs up is noticed"
CLOSES = "StreamChannel.handle_close: that no buffer is used again and the stream's place is freed"
WAITS = "StreamChannel._flush_outbufs_below_high_watermark: which worker may wait for a client"
ACCEPTS = "FairServer.accept: who is refused, who makes room, and that accepting never stops"
QUEUES = (
    "FairServer.add_task and run: that every request passes there, and when the loop looks again"
)
SECURE = (
    "SecureChannel: what receives, sends and closes, under which lock; SecureListener: how the "
    "loop asks what it watches, and how a connection becomes a channel"
)
PARSES = "StreamChannel.parser_class and Ignored: that no request is parsed once too many wait"
REFUSES = "Request.parse_header: which headers are refused, and that this is answered"
IDLES = "FairServer.maintenance: when idle connections, unfinished requests and streams are closed"
STOPS = "Server.stop: that the loop, the workers and all connections end within half a second"

RELIED_ON = {
    "task.Task.service": ("d96bb4019c48", ANSWERS),
    "task.Task.finish": ("9bc080ca7474", ANSWERS),
    "task.Task.set_close_on_finish": ("90433a0ffcaf", ANSWERS),
    "task.Task.build_response_header": ("2cf70b88816f", ANSWERS),
    "task.Task.has_body": ("e412f4c3b493", ANSWERS),
    "task.Task.write": ("f9a97135b3b5", ANSWERS),
    "task.WSGITask.execute": ("207afc60fcf3", ANSWERS),
    "channel.HTTPChannel.service": ("f73afa13748e", ANSWERS),
    "channel.HTTPChannel.received": ("08d6df73fb69", RECEIVES),
    "channel.HTTPChannel.readable": ("e4722238ce60", RECEIVES),
    "channel.HTTPChannel.handle_read": ("5f1fb08c95aa", RECEIVES),
    "channel.HTTPChannel.parser_class": ("f2b09de756c1", PARSES),
    "parser.HTTPRequestParser.received": ("b466c02de37d", PARSES),
    "parser.HTTPRequestParser.parse_header": ("c2c093b90178", REFUSES),
    "server.BaseWSGIServer.add_task": ("19e994eb9cc9", QUEUES),
    "task.WSGITask.get_environment": ("3bb57be6c7db", "StreamTask.get_environment: what it adds"),
    "wasyncore.dispatcher.recv": ("2e96a95e63f7", f"{RECEIVES}; {SECURE}"),
    "wasyncore.dispatcher.send": ("1f089e743902", f"{SENDS}; {SECURE}"),
    "wasyncore.dispatcher.writable": ("64345f568706", SECURE),
    "wasyncore.dispatcher.handle_accept": ("70f571b6a784", SECURE),
    "channel.HTTPChannel.writable": ("d0cbd4ae1b3b", SENDS),
    "channel.HTTPChannel.handle_write": ("6c900f395b30", SENDS),
    "channel.HTTPChannel.write_soon": ("20eedb92a823", SENDS),
    "channel.HTTPChannel._flush_exception": ("c9f3751ffdb0", SENDS),
    "channel.HTTPChannel._flush_some": ("fe7a9a752a41", SENDS),
    "channel.HTTPChannel._flush_some_if_lockable": ("51e124355e63", SENDS),
    "channel.HTTPChannel._flush_outbufs_below_high_watermark": ("27a2b75117ab", WAITS),
    "channel.HTTPChannel.handle_close": ("8f59b9aaa455", CLOSES),
    "channel.HTTPChannel.del_channel": ("a018ed85e5e5", CLOSES),
    "wasyncore.dispatcher.close": ("dd4afafdd011", CLOSES),
    "wasyncore.dispatcher.accept": ("f74c690fd884", ACCEPTS),
    "server.BaseWSGIServer.__init__": ("e70a16b5b63c", ACCEPTS),
    "server.BaseWSGIServer.readable": ("4eea9c1036b5", ACCEPTS),
    "server.BaseWSGIServer.handle_accept": ("69bfcf0fc140", ACCEPTS),
    "server.BaseWSGIServer.maintenance": ("4ab5b7f595bc", IDLES),
    "server.BaseWSGIServer.run": ("f6d4f8a820ec", STOPS),
    "server.BaseWSGIServer.pull_trigger": ("bf12fa7216ed", SENDS),
    "server.BaseWSGIServer.close": ("310014cd5a5b", STOPS),
    "task.ThreadedTaskDispatcher.shutdown": ("f2550ddbfb8d", STOPS),
    "trigger._triggerbase.pull_trigger": ("50c47b99aa2d", STOPS),
    "trigger._triggerbase.handle_read": ("e21685b20f08", STOPS),
    "wasyncore.loop": ("9c04aac11e1c", f"{STOPS}; {QUEUES}"),
}
"""What is called or overridden: its digest, and what to check again when it changes."""

OURS = [
    value
    for value in vars(connections).values()
    if inspect.isclass(value) and value.__module__ == connections.__name__
]


def found(name: str) -> object:
    """Return what a name of `RELIED_ON` means."""
    module, *path = name.split(".")
    value: object = {
        "channel": channel,
        "parser": parser,
        "server": server,
        "task": task,
        "trigger": trigger,
        "wasyncore": wasyncore,
    }[module]
    for part in path:
        value = getattr(value, part, None)
    return value.fget if isinstance(value, property) else value


def digest(function: object) -> str:
    return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:12]  # type: ignore[arg-type]


def changes(relied_on: dict[str, tuple[str, str]]) -> Iterator[str]:
    """What became of that which was relied on, wherever it isn't what was tested."""
    for name, (tested, check) in relied_on.items():
        function = found(name)
        if function is None:
            yield f"{name} is gone. Check again: {check}"
        elif (now := digest(function)) != tested:
            yield f"{name} changed. Check again: {check}. Then write {now} here"


def test_waitress_is_what_our_connections_were_written_for() -> None:
    now = list(changes(RELIED_ON))
    assert not now, "\n".join([f"waitress {version('waitress')}:", *now])


def test_a_part_of_waitress_that_changed_is_named_with_what_to_check() -> None:
    gone = changes({"channel.HTTPChannel.nothing": ("", "A")})
    assert list(gone) == ["channel.HTTPChannel.nothing is gone. Check again: A"]
    (changed,) = changes({"wasyncore.loop": ("0", "B")})
    assert changed.startswith("wasyncore.loop changed. Check again: B. Then write 9c04")


def overridden(ours: type, name: str) -> str:
    """Return the method of waitress that a method of ours overrides, or nothing."""
    for base in ours.__mro__[1:]:
        if base.__module__.startswith("waitress.") and name in vars(base):
            return f"{base.__module__.removeprefix('waitress.')}.{base.__name__}.{name}"
    return ""


def test_every_method_that_we_override_is_compared() -> None:
    methods = {
        overridden(ours, name)
        for ours in OURS
        for name, value in vars(ours).items()
        if inspect.isfunction(value) and name != "__init__"
    } - {""}
    assert {"channel.HTTPChannel._flush_some", "task.Task.finish"} <= methods <= set(RELIED_ON)


def test_a_changed_method_has_another_digest() -> None:
    assert digest(channel.HTTPChannel.readable) == digest(channel.HTTPChannel.readable)
    assert digest(connections.StreamChannel.readable) != digest(channel.HTTPChannel.readable)
