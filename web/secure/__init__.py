"""How a phone comes to trust this table's pages over HTTPS."""
