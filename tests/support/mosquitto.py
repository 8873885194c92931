"""A real Mosquitto, who listens to it, and what comes between it and a table."""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import trustme
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from waiting import wait_until

HOST = "127.0.0.1"
MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or "mosquitto"
PASSWD = "mosquitto_passwd"
_SAVING = ("persistence true", "autosave_interval 1", "autosave_on_changes true")
"""Writes everything to the disk with each message."""


class Mosquitto:
    """A broker that can be stopped, killed and started again; it keeps what is retained."""

    def __init__(
        self,
        folder: Path,
        *,
        login: tuple[str, str] | None = None,
        authority: trustme.CA | None = None,
        saving: bool = True,
        most_queued: int = 0,
    ) -> None:
        """saving: whether it keeps what is retained when it is killed; that takes its time.
        most_queued: how many messages wait for a slow client, before others are dropped; 0: all.
        """
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self._folder, self._process = folder, None
        lines = [
            f"listener {self.port} {HOST}",
            f"allow_anonymous {'false' if login else 'true'}",
            *(_SAVING if saving else ()),
            f"persistence_location {folder}/",
            f"max_queued_messages {most_queued}",
            "set_tcp_nodelay true",
            "user root",
        ]
        if login:
            file = folder / "users"
            subprocess.run([PASSWD, "-b", "-c", file, *login], check=True, capture_output=True)
            lines.append(f"password_file {file}")
        if authority is not None:
            served = authority.issue_cert(HOST, "localhost")
            served.private_key_pem.write_to_path(folder / "key.pem")
            served.cert_chain_pems[0].write_to_path(folder / "certificate.pem")
            lines += [f"keyfile {folder}/key.pem", f"certfile {folder}/certificate.pem"]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n", "utf-8")

    def start(self) -> None:
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._folder / "mosquitto.conf"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: self._process.poll() is not None or answers(self.port))
        assert self._process.poll() is None, "Mosquitto didn't start"

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process = None

    def pause(self, stopped: bool) -> None:
        """Let it hang, or go on."""
        import signal

        self._process.send_signal(signal.SIGSTOP if stopped else signal.SIGCONT)


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection((HOST, port), timeout=5):
        return True
    return False


class Heard(NamedTuple):
    topic: str
    payload: bytes
    retained: bool


class Ear:
    """Hears everything on a broker, and may say something itself."""

    def __init__(
        self, port: int, topic: str = "#", login: tuple[str, str] | None = None, authority: str = ""
    ) -> None:
        self.heard: list[Heard] = []
        self._subscribed = threading.Event()
        self.client = client = Client(CallbackAPIVersion.VERSION2)
        if login:
            client.username_pw_set(*login)
        if authority:
            client.tls_set(authority)
        client.on_connect = lambda *_: client.subscribe(topic, 1)
        client.on_subscribe = lambda *_: self._subscribed.set()
        client.on_message = lambda _, __, message: self.heard.append(
            Heard(message.topic, message.payload, message.retain)
        )
        client.connect(HOST, port)
        client.loop_start()
        assert self._subscribed.wait(60)

    def on(self, topic: str) -> list[bytes]:
        """What was said on a topic; retained or not."""
        return [heard.payload for heard in self.heard if heard.topic == topic]

    def say(self, topic: str, payload: bytes | str, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, 1, retain).wait_for_publish(60)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


class SlowProxy:
    """Passes bytes on to a broker or a table, slowly, or not at all."""

    def __init__(self, port: int, bytes_per_s: float) -> None:
        self._target, self.bytes_per_s = port, bytes_per_s
        self.shut = False
        """Whether nobody is let through."""
        self.silent = False
        """Whether connections on which something is sent never speak again, without a word."""
        self._server = socket.create_server((HOST, 0))
        self.port: int = self._server.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._server.accept()
            except OSError:
                return
            try:
                if self.shut:
                    raise ConnectionRefusedError
                there = socket.create_connection((HOST, self._target))
            except ConnectionRefusedError:
                here.close()
                continue
            self._sockets += [here, there]
            self._start(self._pass, here, there)
            self._start(self._pass, there, here)

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(256):
                if self.silent:
                    return
                time.sleep(len(some) / self.bytes_per_s)
                target.sendall(some)
        self._shut((source, target))

    def _shut(self, sockets: Sequence[socket.socket]) -> None:
        for one in sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def cut(self) -> None:
        """Cut all connections; new ones are let through."""
        cut, self._sockets = self._sockets, []
        self._shut(cut)

    def close(self) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._shut(self._sockets)
        for thread in list(self._threads):
            thread.join(5)
