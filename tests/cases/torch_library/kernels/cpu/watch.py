NOTES = []


def watch(x, out):
    out.copy_(x)
    NOTES.append(x.sum().item())
