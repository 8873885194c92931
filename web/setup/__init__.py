"""The page on which the host sets the camera up."""
