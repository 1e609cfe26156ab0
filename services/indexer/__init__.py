"""Repository -> chunks, symbols, references, vectors."""
