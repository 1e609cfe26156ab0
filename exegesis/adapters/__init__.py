"""One file per technology, each implementing ports. The only importers of qdrant, redis, celery, httpx and onnxruntime."""
