"""The table's pages over HTTPS: its certificates, and what is wrong with those of its owner."""
