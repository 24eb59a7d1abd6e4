"""Programs that the service lets play where nobody else does.

A bot is asked like a player: it gets a decision and what its seat may see of the game, and no more.
`bot` is the interface, `levels` lists those there are, one module each.
"""
