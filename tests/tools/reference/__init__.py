"""The rules a second time, written from the rulings alone, and random records to compare by."""
