"""The Pi's camera, through picamera2 and libcamera."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np

from hardware.camera.interface import FPS, SIZE, CameraError, Frame

FROZEN_AFTER = 5.0
"""Seconds without a picture after which the Pi's camera counts as frozen."""

# What a lock sets: the control that ends automatic adjustment, and the values that it found, by
# libcamera's names (its src/libcamera/control_ids_core.yaml): microseconds and a gain; the gains of
# red and blue; dioptres. In newer versions AeEnable wraps two controls, with the same effect.
_HELD = {
    "AeEnable": ("ExposureTime", "AnalogueGain"),
    "AwbEnable": ("ColourGains",),
    "AfMode": ("LensPosition",),
}

# Share by which an exposure may differ from the one that was asked for, which is rounded to lines
# of the sensor, and frames after which it is there: those already queued, and two of the sensor.
_EXPOSED, _QUEUED = 0.1, 12

# Conversions to BGR by libcamera's name of the format. The name gives the order in a word, not in
# memory: RGB888 is B, G, R in memory. picamera2 decodes MJPEG to R, G, B.
_TO_BGR: dict[str, int | None] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "YVYU": cv2.COLOR_YUV2BGR_YVYU,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
    "MJPEG": cv2.COLOR_RGB2BGR,
}


class _Exposure(NamedTuple):
    """How a frame is exposed."""

    time: float
    """Microseconds."""
    gain: float

    @property
    def light(self) -> float:
        """How bright a frame becomes."""
        return self.time * self.gain

    def darken(self, share: float) -> "_Exposure":
        """Return an exposure with this share of the light.

        The gain is reduced first: short exposures show bands under lamps that flicker.
        """
        gain = max(1.0, self.gain * share)
        return _Exposure(self.light * share / gain, gain)


class PiCamera:
    """The Pi's camera, through picamera2 and libcamera."""

    name = "picamera"

    def __init__(
        self, size: tuple[int, int] = SIZE, fps: float = FPS, timeout: float = FROZEN_AFTER
    ) -> None:
        """Open the first camera and wait for its first picture. Raises CameraError.

        size: the requested width and height; the camera may choose another. timeout: in seconds.
        """
        try:
            from libcamera import controls
            from picamera2 import Picamera2
        except Exception as error:  # a numpy of the wrong version raises ValueError
            raise CameraError(
                "picamera: picamera2 cannot be loaded (%(reason)s); "
                "on Raspberry Pi OS: sudo apt install python3-picamera2",
                reason=error,
            ) from error
        try:
            self._camera = Picamera2()
        except Exception as error:  # which one depends on the versions of picamera2 and libcamera
            raise CameraError(
                "picamera: no camera found or it is in use (%(reason)s); "
                "check its ribbon cable with the Pi switched off",
                reason=error.__cause__ or error,
            ) from error
        self._timeout = timeout
        self._exposure_held = False
        try:
            self._continuous_focus = controls.AfModeEnum.Continuous
            self._manual_focus = controls.AfModeEnum.Manual
            self._start(size, fps)
            self.frame()
        except CameraError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise CameraError(
                "picamera: the camera does not start: %(reason)s", reason=error
            ) from error

    def _start(self, size: tuple[int, int], fps: float) -> None:
        camera = self._camera
        controls = {}
        # Setting a control that the camera lacks raises an error.
        if "FrameDurationLimits" in camera.camera_controls:
            controls["FrameDurationLimits"] = (round(1e6 / fps), round(1e6 / fps))
        # By default, a small picture can come from a mode that uses only the middle of the sensor.
        # The mode nearest to half the resolution uses all of it, on every Pi camera.
        width, height = camera.sensor_resolution
        wanted = camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},
            sensor={"output_size": (width // 2, height // 2)},
            controls=controls,
        )
        camera.configure(wanted)
        # The camera can choose another format and size without an error.
        main = camera.camera_configuration()["main"]
        self._format, self._size = main["format"], tuple(main["size"])
        if self._format not in _TO_BGR:
            raise CameraError(f"picamera: pictures in {self._format} cannot be read")
        camera.start()
        # By default, a lens with autofocus is set to one metre.
        if "AfMode" in camera.camera_controls:
            camera.set_controls({"AfMode": self._continuous_focus})

    def frame(self) -> Frame:
        """Return the newest frame. Raises CameraError if none comes within the timeout."""
        return self._capture()[0]

    def _capture(self) -> tuple[Frame, Mapping[str, Any]]:
        """Return the newest frame and its metadata."""
        if not self._camera.is_open:
            raise CameraError("picamera: the camera is closed")
        try:
            (array,), seen = self._camera.capture_arrays(["main"], wait=self._timeout)
        except TimeoutError as error:
            # Otherwise the unanswered request stays first in the queue, and closing hangs.
            self._camera.cancel_all_and_flush()
            raise CameraError(
                "picamera: no picture for %(seconds)s s; is the ribbon cable loose?",
                seconds=f"{self._timeout:g}",
            ) from error
        except Exception as error:
            raise CameraError(f"picamera: {error}") from error
        return to_bgr(array, self._format, self._size), seen

    def darker_frame(self, share: float) -> Frame | None:
        """Return a frame with this share of the light; later frames are exposed as before.

        None if this camera can't set its exposure so. Raises CameraError if no frame comes.
        """
        _, seen = self._capture()
        known = self._camera.camera_controls
        if "AeEnable" not in known or not set(_HELD["AeEnable"]) <= set(seen):
            return None
        usual = _Exposure(*(float(seen[name]) for name in _HELD["AeEnable"]))
        frame = self._expose(usual.darken(share))
        # Automatic exposure goes on from the last values: without these it would begin dark.
        self._expose(usual)
        if not self._exposure_held:
            self._camera.set_controls({"AeEnable": True})
        return frame

    def _expose(self, wanted: _Exposure) -> Frame | None:
        """Set the exposure, and return the first frame that has it; None if none comes to it."""
        values = zip(_HELD["AeEnable"], (round(wanted.time), wanted.gain), strict=True)
        self._camera.set_controls({"AeEnable": False, **dict(values)})
        for _ in range(_QUEUED):
            frame, seen = self._capture()
            light = _Exposure(*(float(seen[name]) for name in _HELD["AeEnable"])).light
            if abs(light / wanted.light - 1) < _EXPOSED:
                return frame
        return None

    def lock(self) -> dict[str, Any]:
        """Lock exposure, white balance and focus at their present values.

        Returns libcamera's names with their values, for `hold` and for JSON. Raises CameraError if
        the camera has none of the three or delivers no picture.
        """
        try:
            seen = self._camera.capture_metadata(wait=self._timeout)
        except Exception as error:
            raise CameraError(f"picamera: {error}") from error
        held = {
            name: list(seen[name]) if name == "ColourGains" else seen[name]
            for control, names in _HELD.items()
            if control in self._camera.camera_controls
            for name in names
            if name in seen
        }
        if not held:
            raise CameraError("picamera: this camera has no settings that can be locked")
        self.hold(held)
        return held

    def hold(self, held: Mapping[str, Any]) -> None:
        """Set what an earlier `lock` returned, except what this camera doesn't have."""
        known = self._camera.camera_controls
        controls: dict[str, Any] = {}
        for control, names in _HELD.items():
            values = {name: held[name] for name in names if name in held}
            if control in known and len(values) == len(names):
                # The value takes effect only once automatic adjustment is off.
                controls[control] = self._manual_focus if control == "AfMode" else False
                controls |= values
        self._exposure_held = "AeEnable" in controls
        if "ColourGains" in controls:
            controls["ColourGains"] = tuple(controls["ColourGains"])
        self._camera.set_controls(controls)

    def release(self, hertz: int) -> None:
        """Adjust exposure, white balance and focus automatically again.

        hertz: the mains frequency, 50 or 60. Exposures become multiples of half its period, so that
        lamps don't flicker.
        """
        known = self._camera.camera_controls
        controls = {
            "AeEnable": True,
            "AwbEnable": True,
            "AfMode": self._continuous_focus,
            # Lamps flicker twice a period. libcamera numbers the modes: 1 is FlickerManual.
            "AeFlickerPeriod": round(1e6 / (2 * hertz)),
            "AeFlickerMode": 1,
        }
        self._exposure_held = False
        self._camera.set_controls({name: controls[name] for name in controls if name in known})

    def close(self) -> None:
        """Stop the camera and release it."""
        self._camera.close()


def to_bgr(array: Frame, pixel_format: str, size: tuple[int, int]) -> Frame:
    """Return a captured array of picamera2 as BGR, shape (height, width, 3).

    size: width and height. The rows of planar YUV arrays can be padded: their width is the stride,
    and the padding is cut off. YUV is converted as BT.601, video range.
    """
    code = _TO_BGR[pixel_format]
    image = array if code is None else cv2.cvtColor(array, code)
    width, height = size
    return np.ascontiguousarray(image[:height, :width], dtype=np.uint8)
