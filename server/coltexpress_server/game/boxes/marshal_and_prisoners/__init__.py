"""The box Marshal & Prisoners (RULES.md section 4)."""
