"""The rules of Colt Express as a pure library: no input or output, no clock, no network.

The verbs: `new_game`, `decisions`, `apply`, `view`, `determinize`, `score`.
"""
