"""What a player does with what lies on his disk and comes by mail."""
