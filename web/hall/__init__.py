"""The pages of the hall: all tables of a club on one page, and tournaments."""
