"""The hall: all tables of a club night on one page, and tournaments, over the broker alone."""
