"""Read dice in the tray: arrays in, readings out.

| step | where |
|---|---|
| find dice and the tray, estimate how each die lies | `find` |
| count pips | `pips` |
| tell taught faces apart | `faces` |
| decide how far to trust a reading | `decide` |
| read one picture | `reader`, which gives a `reading` |
| follow dice from frame to frame | `follow`, `matching` |
| teach dice, keep them in a file, and learn while they are played | `teach`, `profile`, `learn` |
| aim the camera | `aim`, `advice` |
| show a reading, or hide all but the dice | `draw`, `redact` |
"""
