"""The web server, and how pages are pushed to phones."""
