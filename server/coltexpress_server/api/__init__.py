"""The API over gRPC: messages to and from the domain, principals, errors, words for people.

It knows neither rules nor the store: what it says of a game is what the game's views show.
"""
