"""The Python client of the Colt Express service."""
