"""Read dice in pictures: arrays in, readings out.

| step | where |
|---|---|
| crop, scale and feed networks | `imaging` |
| find dice and the tray, estimate how each die lies | `find` |
| count pips | `pips` |
| tell taught faces apart | `faces` |
| decide how far to trust a reading | `decide` |
| read one picture | `reader`, which gives a `reading` |
| follow dice from frame to frame | `motion`, `matching`, `follow` |
| teach dice, and learn while they are played | `profile`, `teach`, `learn` |
| aim the camera | `aim`, `advice`, `camera_shift` |
| read cards on a pile | `cards` |
| draw dice without a camera | `simulate` |

`training` made the networks. It is not installed with the product.
"""
