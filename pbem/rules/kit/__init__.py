"""What rule systems share: plain functions; what is a system's own comes in as an argument."""
