"""The cards laid in the tray, which is the discard pile: what the camera sees, what is named."""
