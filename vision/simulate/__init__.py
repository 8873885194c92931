"""Draw a tray in which dice are thrown, as a camera above it would see it."""
