def scaled(x, factors):
    return [x * factor for factor in factors]
