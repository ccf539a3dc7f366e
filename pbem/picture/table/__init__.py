"""A table without hexes drawn from above: bases to scale with their figures, the ground, moves, fires and attacks."""
