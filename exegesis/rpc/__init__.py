"""Promises kept elsewhere: what every gRPC client and server of Exegesis has in common.

    address     how a place to listen or to call is written
    channel     a connection, with the limits, patience and retries that all of them have
    ask         the client's side of a call: deadline, identifiers, cancellation, errors
    serve       the servicer's side of a call: blocking code in threads, one stream in one thread
    pages       lists that grow with a repository, cut into messages
    deadline    how long the call under way may still take, known to everything it calls
    hurry       a language model that stops in time for the rest of the answer
    identity    the identifier of the request that a call belongs to
    tracing     one trace across processes
    failures    errors as statuses and back, by one table
    around      the decorators of a server, in their order
    server      a process that serves: health, reflection, draining
    watch       whoever has left, noticed for many at one time
    tls         certificates: those that a server shows, and whose a caller trusts
    probe       whether a service can be used, for those who restart it

A service puts its own two halves into its ``remote.py``: a client, which *is* one, and a servicer, which *takes* one.
"""
