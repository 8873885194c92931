"""Cameras with one small interface: the Pi's, USB cameras, and files played as a camera.

| what | where |
|---|---|
| what every camera can do, and the error that it reports | `interface` |
| open a camera by the name of its source | `sources` |
| the Pi's camera, the only user of picamera2 | `pi` |
| a USB camera | `usb` |
| pictures, a video file, or drawings, played as a camera | `folder`, `video`, `drawn` |
| every frame of a folder or a video once, without delay | `frames` |
| read one picture file, after checking what it declares | `pictures`, `headers` |
| limit a loop to a number of turns a second; read from OpenCV | `pace`, `opencv` |

A camera reports a fault as a `CameraError`, one line that begins with its name. The caller decides
what to do about it: close the camera, try again later, or ask the players for the dice.
"""
