"""What is shown while the USB stick with the table's data is missing."""
