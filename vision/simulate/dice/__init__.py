"""Draw dice in the tray without a camera."""
