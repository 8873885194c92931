"""Read cards on a pile: arrays in, readings out.

| step | where |
|---|---|
| find what changed, and the outline of a new card | `change` |
| find the outline of a card alone in the tray | `outline` |
| fit straight sides | `sides` |
| cut the taught cards alike | `agree` |
| tell its title and where exactly it lies | `titles` |
| read its sign: rank and suit | `signs` |
| tell a pile that was pushed | `push` |
| find cards that lie over each other | `keypoints` |
| read one picture and the one before | `reader`, which gives a `reading` |
| follow a pile from frame to frame | `follow` |
| teach a deck, keep it in a file | `teach`, `deck` |
"""
