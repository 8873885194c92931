"""Read cards on a pile: arrays in, readings out.

| step | where |
|---|---|
| find the outline of a new card, or of one alone | `outline` |
| tell its title and where exactly it lies | `titles` |
| read its sign: rank and suit | `signs` |
| find cards that lie over each other, and a pile that was pushed | `keypoints` |
| read one picture and the one before | `reader`, which gives a `reading` |
| follow a pile from frame to frame | `follow` |
| teach a deck, keep it in a file | `teach`, `deck` |
"""
