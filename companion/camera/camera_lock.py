"""Keeps a camera's exposure, white balance and focus as the host locked them."""

import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeGuard, TypeVar, runtime_checkable

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.camera.frames import SharedCamera
from companion.camera.setup_store import MAINS, SetupStore
from hardware.camera.interface import Camera

_log = logging.getLogger(__name__)

_T = TypeVar("_T")


@runtime_checkable
class LockableCamera(Camera, Protocol):
    """A camera that can hold its settings, such as `hardware.camera.pi.PiCamera`."""

    def lock(self) -> Mapping[str, Any]:
        """Hold exposure, white balance and focus as they are; return them."""

    def hold(self, held: Mapping[str, Any]) -> None:
        """Hold the settings that `lock` returned once."""

    def release(self, hertz: int) -> None:
        """Adjust them again; `hertz`: frequency of the mains, with which lamps flicker."""


class LockState(StrEnum):
    """Whether the camera's settings are held."""

    NONE = "none"
    """The camera can't hold them, or none works."""
    OPEN = "open"
    LOCKED = "locked"


class CameraLock:
    """Locks the camera that is open, and locks it again at the next start. Any thread may call."""

    def __init__(self, shared: SharedCamera, store: SetupStore) -> None:
        """Lock the camera of `shared`; what is held, by the camera's name, is in `store`."""
        self._shared, self._store = shared, store
        self.listeners = Listeners()
        """Told after every change."""

    @property
    def state(self) -> LockState:
        """Whether the settings of the camera that works now are held."""
        camera = self._shared.camera
        if camera is None or not _can_lock(camera):
            return LockState.NONE
        return LockState.LOCKED if camera.name in self._store.stored.held else LockState.OPEN

    @property
    def mains(self) -> int:
        """Frequency of the mains in hertz."""
        return self._store.stored.mains

    def restore(self, camera: Camera) -> None:
        """Lock a camera that was just opened as it was locked before, or let it adjust itself."""
        if not _can_lock(camera):
            return
        held = self._store.stored.held.get(camera.name)
        try:
            if held is None:
                camera.release(self.mains)
            else:
                camera.hold(held)
        except Exception as error:
            # Frames whose exposure drifts are better than none.
            _log.warning("%s: what was locked can't be held: %s", camera.name, error)

    def lock(self) -> None:
        """Hold exposure, white balance and focus as they are. Raises Refused."""
        name, held = self._run(lambda camera: (camera.name, camera.lock()))
        self._store.save(held={**self._store.stored.held, name: held})
        self.listeners.tell()

    def release(self, mains: int | None = None) -> None:
        """Let the camera adjust them; `mains`: another frequency, in hertz. Raises Refused."""
        if mains not in (None, *MAINS):
            raise Refused(Problem.ILLEGAL, "the mains frequency must be 50 or 60 Hz")
        hertz = mains or self.mains

        def release(camera: LockableCamera) -> str:
            camera.release(hertz)
            return camera.name

        name = self._run(release)
        held = {other: values for other, values in self._store.stored.held.items() if other != name}
        self._store.save(held=held, mains=hertz)
        self.listeners.tell()

    def _run(self, task: Callable[[LockableCamera], _T]) -> _T:
        try:
            return self._shared.run(lambda camera: task(_lockable(camera)))
        except Refused:
            raise
        except Exception as error:
            raise Refused(Problem.FAILED, str(error) or type(error).__name__) from error


def _can_lock(camera: Camera) -> TypeGuard[LockableCamera]:
    return isinstance(camera, LockableCamera)


def _lockable(camera: Camera) -> LockableCamera:
    if not _can_lock(camera):
        raise Refused(
            Problem.ILLEGAL, "%(camera)s has no settings that can be locked", camera=camera.name
        )
    return camera
