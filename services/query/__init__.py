"""The answer: retrieval, symbol mapping, traversal, ranking, composition, generation. Read ``pipeline.py`` first."""
