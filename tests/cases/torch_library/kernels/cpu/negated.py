def negated(x, out):
    out.copy_(-x)
