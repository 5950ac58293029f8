"""``opgen lint``: reads sources, runs the rules, selects findings and applies fixes."""
