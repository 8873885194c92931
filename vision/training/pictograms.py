"""Draw pictograms as faces: `python -m vision.training.pictograms OUT.npz PACKAGE...`.

Each PACKAGE is the unpacked folder of an icon set in Iconify's JSON: @iconify-json/game-icons 1.2.4
(CC BY 3.0), ph 1.2.2 (MIT), tabler 1.2.41 (MIT), mdi 1.2.3 (Apache 2.0). They only train networks
to tell shapes apart; none is shipped. Needs resvg_py, which the product does not.
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import resvg_py

SEED = 7
EDGE = 96
MOST = 3000  # of one set
LEAST_INK, MOST_INK = 0.04, 0.62


def ink(body: str, width: int, height: int) -> np.ndarray:
    """The icon's opacity, (EDGE, EDGE) uint8, filling the square up to a small margin."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{EDGE * 2}" height="{EDGE * 2}" color="#fff">{body}</svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg)
    decoded = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_UNCHANGED)
    assert decoded is not None
    alpha = decoded[..., 3]
    rows, cols = np.flatnonzero(alpha.any(1)), np.flatnonzero(alpha.any(0))
    if not len(rows):
        return np.zeros((EDGE, EDGE), np.uint8)
    middle = (cols[0] + cols[-1]) / 2, (rows[0] + rows[-1]) / 2
    scale = EDGE / (max(cols[-1] - cols[0], rows[-1] - rows[0]) + 1)
    move = np.array([[scale, 0, EDGE / 2 - scale * middle[0]], [0, scale, 0]], np.float32)
    move[1, 2] = EDGE / 2 - scale * middle[1]
    return cv2.warpAffine(alpha, move, (EDGE, EDGE), flags=cv2.INTER_AREA)


def main() -> None:
    """Draw the icons of all packages into one file."""
    rng = np.random.default_rng(SEED)
    found = []
    for folder in sys.argv[2:]:
        (path,) = Path(folder).rglob("icons.json")
        data = json.loads(path.read_text())
        names = rng.permutation(sorted(data["icons"]))[:MOST]
        for name in names:
            icon = data["icons"][name]
            width = icon.get("width", data.get("width", 16))
            height = icon.get("height", data.get("height", 16))
            drawn = ink(icon["body"], width, height)
            if LEAST_INK < drawn.mean() / 255 < MOST_INK:
                found.append(drawn)
        print(path.parent, len(found), flush=True)
    np.savez_compressed(sys.argv[1], ink=np.stack(found))


if __name__ == "__main__":
    main()
