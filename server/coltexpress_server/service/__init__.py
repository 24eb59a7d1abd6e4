"""The use cases: what a caller can do with games, one function each.

Between the API, which knows messages, and the game and the store, which know neither each other nor
who is calling. No protobuf, no gRPC, no Redis in here.
"""
