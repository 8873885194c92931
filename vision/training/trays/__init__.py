"""Draw trays with dice whose faces carry symbols, to train on."""
