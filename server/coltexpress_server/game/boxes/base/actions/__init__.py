"""The action cards of the base box, one module each (RULES.md 1.6)."""
