"""Say how a simulated tray is built, lit and seen."""

from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Grey levels of B, G and R."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderSettings:
    """How the tray is built, lit and seen. Raises ValueError for values that can't be drawn."""

    dice_colour: Colour | None = None
    """Of the dice; None for that of their kind."""
    ink_colour: Colour | None = None
    """Of what is printed on the dice; None for that of their kind."""
    felt_colour: Colour = (58, 92, 40)
    """Of the tray's floor."""
    wall_colour: Colour = (44, 72, 112)
    """Of the tray's wooden walls."""
    table_colour: Colour = (150, 152, 150)
    """Of what is around the tray."""
    floor: tuple[float, float] = (26.0, 19.0)
    """Width and depth of the floor, cm."""
    wall: float = 2.5
    """Height of the walls, cm."""
    edge: float = 1.6
    """Of a die, cm, 0.8 to 3."""
    height: float = 28.0
    """Of the camera above the floor, cm, 15 to 80."""
    tilt: float = 6.0
    """Of the camera from straight down, degrees, 0 to 30."""
    turn: float = 0.0
    """Of the camera about its axis, degrees."""
    field_of_view: float = 66.0
    """Across the picture, degrees, 30 to 100."""
    light: tuple[float, float] = (125.0, 55.0)
    """Direction of the light: degrees from the picture's right, and above the table (20 to 90)."""
    ambient: float = 0.55
    """Share of the light that comes from everywhere, 0 to 1."""
    noise: float = 3.0
    """Standard deviation of the sensor's noise in grey levels, 0 to 40."""
    blur: float = 0.6
    """Standard deviation of the lens's blur in pixels of a picture 820 wide, 0 to 5."""
    vignette: float = 0.22
    """Share of the light that is missing in the corners."""

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("height", self.height, 15, 80),
            ("tilt", self.tilt, 0, 30),
            ("field_of_view", self.field_of_view, 30, 100),
            ("the light's height", self.light[1], 20, 90),
            ("ambient", self.ambient, 0, 1),
            ("noise", self.noise, 0, 40),
            ("blur", self.blur, 0, 5),
            ("edge", self.edge, 0.8, 3.0),
        ):
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}: not between {low} and {high}")
