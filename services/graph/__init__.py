"""Symbols and edges of every generation: linking, traversal, questions about the call graph."""
