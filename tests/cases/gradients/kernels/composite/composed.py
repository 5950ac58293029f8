def composed(x):
    return (x * x.sin()).contiguous()
