"""Printed maps: hexes, their numbers, terrain and what runs along and across them."""
