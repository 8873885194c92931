"""The web server, and the streams that push pages to phones."""
