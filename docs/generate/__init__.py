"""Generators of documents, drawings and catalogues from the sources."""
