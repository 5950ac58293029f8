def scale(x, factor, out):
    out.copy_(x * factor)
