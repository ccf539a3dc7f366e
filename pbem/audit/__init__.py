"""What anyone can tell from a log, without a key."""
