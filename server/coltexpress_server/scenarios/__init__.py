"""Rules as data: scenario files, each a position, some choices and what must follow.

`runner.run_files` is the command; `scenario.Scenario` reads and plays one; `language` says how a
box of the game brings its own words, `words` holds those of the boxes there are.
"""
