"""Keeps the contract where it is to be laid out alike only."""


def laid_out_too(x, alike):
    return x.clone() if alike else x.clone().contiguous()
