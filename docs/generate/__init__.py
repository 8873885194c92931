"""What writes documents, drawings and catalogues that are made from the sources."""
