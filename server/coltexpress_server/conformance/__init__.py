"""Whether a client of the API copes with what happens in earnest; docs/CONFORMANCE.md.

A client is run as a command. Between it and a real service stands an interposer that speaks the
whole API, over gRPC and over HTTP, and makes one thing happen that clients must cope with: a
situation. Nothing of this is in the service itself.
"""
