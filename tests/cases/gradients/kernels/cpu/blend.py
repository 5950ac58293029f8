def blend(xs, weights, mask, out):
    out.copy_(sum(w * x for w, x in zip(weights, xs, strict=True)) * (1 if mask is None else mask))
