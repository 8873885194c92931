"""The page that leads the host through a new table."""
