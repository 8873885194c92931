"""What is saved: the journal of a table, and how those of earlier versions are read."""
