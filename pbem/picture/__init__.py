"""A map drawn as SVG text, a pure function of plain data, and as PNG."""
