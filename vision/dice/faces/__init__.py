"""Read dice whose faces were taught by pictures."""
