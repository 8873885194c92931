"""The page where the host saves and restores everything that the table keeps."""
