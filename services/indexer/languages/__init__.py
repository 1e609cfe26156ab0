"""One file per language. The folder is scanned by ``services.indexer.language``; adding a file adds a language."""
