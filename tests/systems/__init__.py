"""What every rule system must stand: perft, playthroughs, random play, whole games, determinism, orders, reports."""
