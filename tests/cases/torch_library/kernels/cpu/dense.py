def dense(x, y, twice, total):
    twice.copy_(2 * x)
    total.copy_(x.sum(-1) if y is None else x.sum(-1) + y)
