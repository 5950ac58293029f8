def affine(x, weight, bias, out):
    out.copy_(x * (1 if weight is None else weight) + (0 if bias is None else bias))
