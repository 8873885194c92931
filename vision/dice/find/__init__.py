"""Find dice and the tray in a picture, and estimate how each die lies."""
