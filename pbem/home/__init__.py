"""What lies on a player's disk."""
