"""The page that guides the host through setting up a new table."""
