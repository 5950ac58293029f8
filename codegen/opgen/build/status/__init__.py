"""``opgen status``: a matrix of what each op has and lacks."""
