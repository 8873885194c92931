"""A certificate and its key, tried as a phone would: in a handshake, without a network."""

import ssl
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

from companion.base.refused import Message
from companion.base.whole_file import read_whole

_WHATEVER_DATE = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME: a Pi's clock may be wrong, the table knows more of it."""


class HttpsError(Exception):
    """Pages can't be served over HTTPS; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Certificate(NamedTuple):
    """A certificate that can be served."""

    context: ssl.SSLContext
    """What serves it, with its key."""
    names: tuple[str, ...]
    """The host names and addresses that it is for."""
    ends: float
    """Until when it is valid, in seconds since 1970."""


def open_certificate(certificate: Path, key: Path) -> Certificate:
    """Return a certificate from the files of it, with all below its authority, and of its key.

    Raises HttpsError if they are missing, damaged, don't belong together, or serve no name.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    for file in (certificate, key):
        try:
            read_whole(file)
        except OSError as error:
            told = Message("%(file)s: %(reason)s", file=str(file), reason=error.strerror)
            raise HttpsError(told) from error
    try:
        # With a password, OpenSSL would ask for it on the terminal.
        context.load_cert_chain(certificate, key, password="")
        seen = _seen_by_phones(context, certificate)
    except (ssl.SSLError, ValueError) as error:
        raise HttpsError(_reason(error, certificate, key)) from error
    given = seen.get("subjectAltName", ())
    hosts = [name for kind, name in given if kind == "DNS" and "*" not in name]
    addresses = [str(ip_address(name.strip())) for kind, name in given if kind == "IP Address"]
    if not (names := (*hosts, *addresses)):
        raise HttpsError(Message("%(file)s is for no host name", file=str(certificate)))
    return Certificate(context, names, ssl.cert_time_to_seconds(seen["notAfter"]))


def _reason(error: Exception, certificate: Path, key: Path) -> Message:
    if getattr(error, "reason", "") == "KEY_VALUES_MISMATCH":
        return Message("%(key)s is not the key of %(file)s", key=str(key), file=str(certificate))
    return Message("%(file)s or %(key)s is damaged, has a password, or isn’t for web servers",
                   file=str(certificate), key=str(key))  # fmt: skip


def _seen_by_phones(context: ssl.SSLContext, certificate: Path) -> dict[str, Any]:
    """Return what a client reads in the certificate if it trusts just that. Raises SSLError."""
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.check_hostname = False
    trust.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | _WHATEVER_DATE
    trust.load_verify_locations(certificate)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    phone, table = trust.wrap_bio(down, up), context.wrap_bio(up, down, server_side=True)
    for side in (phone, table) * 2:
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    return dict(phone.getpeercert() or {})
