"""Retrieval measured on all question sets at once; ``__main__`` is the command."""
