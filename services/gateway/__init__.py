"""People and programs: the command line now; gRPC, HTTP, bots and agents beside it."""
