"""The Colt Express server."""
