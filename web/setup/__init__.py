"""The page where the host sets up the camera."""
