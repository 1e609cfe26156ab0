"""One module per language, a file or, where that would be long, a folder. The folder is scanned by ``services.indexer.language``."""
