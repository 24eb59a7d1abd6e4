"""The events of this box's round cards, one module each (RULES.md 3.7)."""
