"""Check the message broker on which the table is published."""

from companion.app.doctor.findings import Check, Finding, fine, wrong
from companion.app.doctor.installation import Installation


def _broker(examined: Installation) -> Finding:
    wanted = examined.settings.mqtt
    if not wanted.host:
        return fine("none is named in the settings: the table tells other programs nothing")
    from companion.app.publishing import address_of
    from companion.club.publishing.broker import refusal

    try:
        address = address_of(wanted)
    except OSError as error:
        return wrong(
            f"the broker's password can't be read: {error}",
            f"correct mqtt.password_file, and let {examined.user} read it",
        )
    reason = refusal(address)
    if reason is None:
        return fine("the broker lets the table in")
    return wrong(str(reason), _mend(reason.text))


def _mend(text: str) -> str:
    for words, mend in (
        ("password", "correct mqtt.user and mqtt.password, or the password file"),
        ("trusted", "set mqtt.ca to the certificate of the authority that signed the broker's"),
        ("TLS", "correct mqtt.tls and mqtt.port: usually 8883 with TLS, 1883 without"),
        ("address", "correct mqtt.host; a number such as 192.168.1.5 works without a name server"),
    ):
        if words in text:
            return mend
    return "correct mqtt.host and mqtt.port, and start the broker: sudo systemctl start mosquitto"


CHECKS = (Check("broker", "whether the message broker lets the table in", _broker),)
