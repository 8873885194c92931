"""Check the Pi's own loudspeaker: the programs that play and speak, and the device."""

from companion.app.doctor.findings import Check, Finding, fine, no_access, wrong
from companion.app.doctor.installation import Installation
from hardware.speaker import AudioPlayer, SpeakerError, Voice, find_player, find_voice

TRIED = "role"
"""The sound that is played to try the device: a card that is turned over."""


def _which(examined: Installation, name: str) -> str | None:
    return name if examined.machine.run(name, "--version") is not None else None


def _missing(error: SpeakerError) -> Finding:
    detail, _, mend = str(error).partition(": sudo ")
    return wrong(detail, f"sudo {mend}" if mend else "correct sound.voice")


def _speaker(examined: Installation) -> Finding:
    wanted = examined.settings.sound
    if not wanted.is_on:
        return fine("none is switched on in the settings: a television plays the sounds")
    if closed := examined.machine.closed_devices(examined.user, "snd/pcm*"):
        return no_access(examined, closed)
    try:
        player = find_player(lambda name: _which(examined, name))
    except SpeakerError as error:
        return _missing(error)
    if examined.table is not None:
        return fine(f"{player.name} plays; the running table uses the device")
    return _play_sound(examined, player)


def _play_sound(examined: Installation, player: AudioPlayer) -> Finding:
    from companion.app.sound import sounds

    device = examined.settings.sound.device
    answer = examined.machine.run(*player.command(device, sounds()[TRIED]))
    if answer is None:
        return wrong(f"{player.name} doesn't end", "try another sound.device")
    if answer.status == 0:
        return fine(f"{player.name} played a short sound")
    said = (answer.err.splitlines() or [f"status {answer.status}"])[-1]
    mend = (
        "end the program that uses it, or choose another sound.device"
        if "busy" in said
        else "connect a loudspeaker, or set sound.device to one that aplay -L lists"
    )
    return wrong(f"the speaker plays nothing ({said})", mend)


def _announcer(examined: Installation) -> Finding:
    wanted = examined.settings.sound
    if not wanted.announcer:
        return fine("not switched on in the settings")
    try:
        voice: Voice = find_voice(wanted.voice, lambda name: _which(examined, name))
    except SpeakerError as error:
        return _missing(error)
    return fine(f"{voice.name} speaks")


CHECKS = (
    Check("speaker", "the program that plays, and the device", _speaker),
    Check("announcer", "the program that speaks, and its voice", _announcer),
)
"""The checks: first the device, without which nobody hears the voice."""
