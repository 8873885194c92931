"""A connection to an MQTT broker that comes back whenever it is lost."""

import logging
import queue
import random
import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.base.refused import Message

_log = logging.getLogger(__name__)

QOS = 1
"""Every message arrives at least once."""

KEEPALIVE_S = 30
"""After one and a half times this without a word, the broker takes the table for gone."""

CONNECT_S = 10.0
"""How long a broker may take to answer, before the next try."""

FIRST_RETRY_S, LAST_RETRY_S = 1.0, 30.0
"""How long to wait before connecting again: twice as long after each failure, up to the last."""

GOODBYE_S = 1.0
"""How long the end of a connection is waited for; a dead network must not delay a stop."""


class BrokerAddress(NamedTuple):
    """Where a broker is, and how to log in."""

    host: str
    """Its name or address."""
    port: int
    """Its port."""
    user: str = ""
    """The user to log in as; empty: without a password."""
    password: str = ""
    """That user's password."""
    tls: bool = False
    """Whether the connection is encrypted."""
    ca: str = ""
    """The file of the certificate authority to trust; empty: those that the system trusts."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Connected(NamedTuple):
    """The broker has let us in, and the subscriptions are on their way."""


class Lost(NamedTuple):
    """There is no connection; the next try comes by itself."""

    reason: Message
    """Why not."""


class Received(NamedTuple):
    """A message has come."""

    topic: str
    """Its topic."""
    payload: bytes
    """What it holds: anything."""
    retained: bool
    """Whether the broker had kept it from before."""


class Acknowledged(NamedTuple):
    """The broker has a message that was sent."""

    mid: int
    """Its number in this connection."""


BrokerNews = Connected | Lost | Received | Acknowledged


class Will(NamedTuple):
    """What the broker says of us if the connection breaks; it retains that."""

    topic: str
    """Where."""
    payload: str
    """What."""


class BrokerConnection:
    """Keeps a connection to a broker, in threads of its own. Nothing here waits for the network."""

    def __init__(
        self,
        address: BrokerAddress,
        client_id: str,
        topics: Sequence[str],
        tell: Callable[[BrokerNews], None],
        will: Will | None = None,
        *,
        retry_s: float = FIRST_RETRY_S,
    ) -> None:
        """Prepare the connection.

        client_id: unique on the broker; topics: filters to subscribe to; tell: gets the news, in
        order, in another thread, and must not wait; retry_s: the first wait before another try.
        """
        self._address, self._client_id = address, client_id
        self._topics, self._tell, self._will = topics, tell, will
        self._retry_s = retry_s
        self._client: Client | None = None
        self._stopped = threading.Event()
        self._ended = threading.Event()
        self._answered = threading.Event()
        self._reason = _UNKNOWN
        self._thread = threading.Thread(target=self._work, name="mqtt connection", daemon=True)

    def start(self) -> None:
        """Connect in a thread of its own, and stay connected."""
        self._thread.start()

    def stop(self) -> None:
        """Say goodbye, so that the broker doesn't publish the will; returns within a moment."""
        self._stopped.set()
        client = self._client
        if client is not None:
            client.disconnect()
        self._ended.set()
        self._thread.join(GOODBYE_S)

    def publish(self, topic: str, payload: bytes | str, *, retain: bool) -> int | None:
        """Hand a message over; return its number, or None while there is no connection.

        Once the broker has it, `Acknowledged` comes; after `Lost`, that is unknown.
        """
        client = self._client
        if client is None:
            return None
        sent = client.publish(topic, payload, QOS, retain)
        return sent.mid if sent.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    def subscribe(self, topics: Sequence[str]) -> None:
        """Subscribe to more topics if there is a connection, until it is lost."""
        client = self._client
        if client is not None:
            client.subscribe([(topic, QOS) for topic in topics])

    def _work(self) -> None:
        wait = self._retry_s
        while not self._stopped.is_set():
            self._ended.clear()
            self._answered.clear()
            self._reason = _UNKNOWN
            try:
                self._connect_once()
            except Exception as error:
                # Whatever it is, another try may succeed.
                self._reason = failure_reason(error, self._address)
            self._client = None
            if self._stopped.is_set():
                return
            self._tell(Lost(self._reason))
            wait = self._retry_s if self._answered.is_set() else min(2 * wait, LAST_RETRY_S)
            # Many tables must not come back at the same moment.
            self._stopped.wait(wait * random.uniform(0.5, 1.0))

    def _connect_once(self) -> None:
        """Connect, and return once the connection has ended. Raises OSError or ValueError."""
        client = new_client(self._address, self._client_id)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, QOS, True)
        client.connect(self._address.host, self._address.port, KEEPALIVE_S)
        client.loop_start()
        try:
            if not self._ended.wait(CONNECT_S) and not self._answered.is_set():
                self._reason = Message("%(broker)s doesn’t answer", broker=self._address)
                return
            self._ended.wait()
        finally:
            self._client = None
            client.disconnect()
            client.loop_stop()

    def _on_connect(
        self,
        client: Client,
        userdata: object,
        flags: ConnectFlags,
        code: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if code.is_failure:
            self._reason = _refusal(code, self._address)
            return
        self._answered.set()
        if self._topics:
            client.subscribe([(topic, QOS) for topic in self._topics])
        self._client = client
        self._tell(Connected())

    def _on_disconnect(
        self,
        client: Client,
        userdata: object,
        flags: DisconnectFlags,
        code: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if self._answered.is_set():
            self._reason = Message("the connection to %(broker)s broke", broker=self._address)
        self._client = None
        self._ended.set()

    def _on_message(self, client: Client, userdata: object, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._tell(Received(topic, bytes(message.payload), message.retain))

    def _on_publish(
        self,
        client: Client,
        userdata: object,
        mid: int,
        code: ReasonCode,
        properties: Properties | None,
    ) -> None:
        self._tell(Acknowledged(mid))


def new_client(address: BrokerAddress, client_id: str) -> Client:
    """Return a client that can log in at a broker; it doesn't connect again by itself.

    Raises OSError if the file of the certificate authority can't be used.
    """
    client = Client(CallbackAPIVersion.VERSION2, client_id=client_id, reconnect_on_failure=False)
    client.connect_timeout = CONNECT_S
    if address.user:
        client.username_pw_set(address.user, address.password)
    if address.tls:
        client.tls_set_context(ssl.create_default_context(cafile=address.ca or None))
    return client


def refusal(address: BrokerAddress) -> Message | None:
    """Return why a broker doesn't let us in; None if it does. Waits for its answer."""
    answered: queue.SimpleQueue[ReasonCode] = queue.SimpleQueue()
    client = new_client(address, f"bang-companion-{secrets.token_hex(8)}")
    client.on_connect = lambda client, data, flags, code, properties: answered.put(code)
    try:
        client.connect(address.host, address.port, KEEPALIVE_S)
        client.loop_start()
        code = answered.get(timeout=CONNECT_S)
        client.disconnect()
        client.loop_stop()
    except (OSError, ValueError) as error:
        return failure_reason(error, address)
    except queue.Empty:
        client.loop_stop()
        return Message("%(broker)s doesn’t answer", broker=address)
    return _refusal(code, address) if code.is_failure else None


_UNKNOWN = Message("the connection broke")


def failure_reason(error: Exception, address: BrokerAddress) -> Message:
    """Return why a broker can't be reached, in a few words."""
    match error:
        case ssl.SSLCertVerificationError():
            return Message(
                "the certificate of %(broker)s is not trusted: %(reason)s",
                broker=address,
                reason=error.verify_message,
            )
        case ssl.SSLError():
            return Message(
                "%(broker)s can’t be reached with TLS: %(reason)s",
                broker=address,
                reason=error.reason or error,
            )
        case socket.gaierror():
            return Message("there is no machine called %(host)s", host=address.host)
        case ConnectionRefusedError():
            return Message("no broker runs at %(broker)s", broker=address)
        case TimeoutError():
            return Message("%(broker)s doesn’t answer", broker=address)
        case OSError(filename=str(name)) if name:
            return Message("%(file)s: %(reason)s", file=name, reason=error.strerror or error)
    reason = getattr(error, "strerror", None) or error
    return Message("%(broker)s can’t be reached: %(reason)s", broker=address, reason=reason)


def _refusal(code: ReasonCode, address: BrokerAddress) -> Message:
    if code.getName() in ("Bad user name or password", "Not authorized"):
        return Message("%(broker)s refuses the user or the password", broker=address)
    return Message("%(broker)s refuses: %(reason)s", broker=address, reason=code.getName())
