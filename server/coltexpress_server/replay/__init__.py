"""Finished games as files, and their verification by code that shares nothing with the engine.

`document` is the format, `export` writes it, `verifier` checks it: the seed against the hash that
was published, every shuffle and draw against the seed, every event against the rules
(docs/FAIRNESS.md). Only `export` knows the engine.
"""
