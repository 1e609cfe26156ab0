"""What compilers and indexers know for certain about a repository, read from the files that they leave behind."""
