"""Which of several tables of one name may publish: the one that has had the name for longest.

A table asks before it publishes, and the one that has had the name for longer answers. There is no
central list, and nothing is retained: after a crash nobody is in the way. The clocks of tables
needn't agree, because they tell each other only how long they have had the name.
"""

from companion.club.publishing import reading
from companion.club.publishing.messages import encode
from companion.club.publishing.reading import SCHEMA, UnreadableMessageError

CLAIM_S = 2.0
"""How long an answer to a claim is waited for."""

AGAIN_S = 20.0
"""After so long, a table that was refused asks again."""

PEACE_S = 3 * AGAIN_S
"""After so long without a claim of another table, there is none any more."""

TIE_S = 5.0
"""Two tables that have had a name for about as long as each other are told apart by chance."""

ANSWER_S = 1.0
"""The least time between two answers, whatever is claimed."""


class Ownership:
    """Whether this table has its name. Times are seconds of any steady clock."""

    def __init__(self, session: str) -> None:
        """`session`: drawn at random at each start, so that no two are the same."""
        self._session = session
        self._since: float | None = None
        """Since when it has had the name; None if it hasn't."""
        self._asked: float | None = None
        """When it claimed it; None if it must wait, or isn't connected."""
        self._refused: float | None = None
        """When another table refused it."""
        self._rival: float | None = None
        """When another table last claimed the name that this one has."""
        self._answered = float("-inf")
        self._connected = False

    @property
    def owns(self) -> bool:
        """Whether this table may publish."""
        return self._connected and self._since is not None and self._asked is None

    @property
    def is_refused(self) -> bool:
        """Whether another table has the name."""
        return self._refused is not None

    @property
    def has_rival(self) -> bool:
        """Whether another table wants the name that this one has."""
        return self._rival is not None

    def ask(self, now: float) -> bytes:
        """Return the claim to send on a new connection."""
        self._connected, self._asked = True, now
        return self._claim(now)

    def lose_connection(self) -> None:
        """Note that the connection is lost."""
        self._connected, self._asked = False, None

    def hear(self, payload: bytes, now: float) -> bytes | None:
        """Return the answer to what was said about the name; None if there is none to give."""
        try:
            claim = reading.read("owner", payload)
        except UnreadableMessageError:
            return None
        if claim["session"] == self._session:
            return None
        if self._is_ahead(claim["session"], claim["held_s"], now):
            if self._refused is not None:
                return None
            self._rival = now
            if now - self._answered < ANSWER_S:
                return None
            self._answered = now
            return self._claim(now)
        self._since = self._asked = self._rival = None
        self._refused = now
        return None

    def _is_ahead(self, session: str, held_s: float, now: float) -> bool:
        """Return whether this table, not another one, may have the name."""
        if (self._since is None) != (held_s == 0):
            return self._since is not None
        ahead = 0.0 if self._since is None else now - self._since - held_s
        return ahead > TIE_S or (abs(ahead) <= TIE_S and self._session < session)

    def tick(self, now: float) -> bytes | None:
        """Take the time into account; return a claim to send, if it is time for one."""
        if not self._connected:
            return None
        if self._asked is not None and now - self._asked >= CLAIM_S:
            self._asked = self._refused = None
            self._since = now if self._since is None else self._since
        if self._rival is not None and now - self._rival >= PEACE_S:
            self._rival = None
        if self._refused is not None and self._asked is None and now - self._refused >= AGAIN_S:
            self._asked = now
            return self._claim(now)
        return None

    def next_tick(self) -> float | None:
        """Return when `tick` has something to do; None if it hasn't."""
        if not self._connected:
            return None
        times = [
            start + wait
            for start, wait in (
                (self._asked, CLAIM_S),
                (self._rival, PEACE_S),
                (self._refused if self._asked is None else None, AGAIN_S),
            )
            if start is not None
        ]
        return min(times, default=None)

    def _claim(self, now: float) -> bytes:
        # 0 means that it only wants the name.
        held = 0.0 if self._since is None else max(0.1, round(now - self._since, 1))
        return encode({"schema": SCHEMA, "session": self._session, "held_s": held})
