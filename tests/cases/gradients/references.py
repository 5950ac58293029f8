import torch


def spread(grad_low, grad_high, x, place):
    """Send gradients to the places that the elements came from."""
    low = x.argmin(-1, keepdim=True)
    return (
        x.new_zeros(x.shape).scatter_add(-1, low, grad_low[:, None]).scatter_add(-1, place[:, None], grad_high[:, None])
    )


def like_each_factor(x, factors):
    return [torch.empty_like(x) for _ in factors]


def like_each_length(x, lengths):
    total = torch.empty_like(x, memory_format=torch.contiguous_format)
    return [torch.empty_like(x) for _ in lengths], total, [torch.empty_like(x) for _ in lengths]


def waves_backward(grad_sines, grad_total, x, lengths, signs):
    """Return the gradient of all waves; that their signs are given too shows that lists of results can be kept."""
    assert len(signs) == len(grad_sines)
    waves = zip(grad_sines, lengths, strict=True)
    return sum(((grad + grad_total) * (x * w).cos() * w for grad, w in waves), torch.zeros_like(x))
