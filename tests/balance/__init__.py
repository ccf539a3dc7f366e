"""Whole games of every scenario by the bots, counted: how they end, when the front breaks, what they cost."""
