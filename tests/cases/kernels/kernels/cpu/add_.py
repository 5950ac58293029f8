def add_(x, y, others):
    x.add_(y)
    for other in others:
        x.add_(other)
