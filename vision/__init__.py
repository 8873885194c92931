"""Read dice and cards in pictures: arrays in, readings out.

| step | where |
|---|---|
| crop, scale and feed networks | `imaging` |
| tell when the tray is at rest, and average the frames | `motion` |
| tell whether the camera has moved | `camera_shift` |
| read dice | `dice` |
| read cards on a pile | `cards` |
| keep taught dice and decks in files | `profile_files` |
| draw dice and cards without a camera | `simulate` |

`training` made the networks. It is not installed with the product.
"""
