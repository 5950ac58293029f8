def plus(x, y, by, out):
    out.copy_(x + by * y)
