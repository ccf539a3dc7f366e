"""Samurai: a battle of miniatures on a table."""
