"""Installing, booting, upgrading, pulling the plug: on a Debian of its own (`make boot-test`)."""
