def exact(xs, bias, by, out):
    out.copy_((sum(xs) + (0 if bias is None else bias)) * by)
