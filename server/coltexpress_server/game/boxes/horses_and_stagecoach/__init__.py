"""The box Horses & Stagecoach (RULES.md section 3)."""
