"""What every part of the table uses: refusals, workers, listeners, whole files."""
