"""Draw cards in the tray without a camera."""
