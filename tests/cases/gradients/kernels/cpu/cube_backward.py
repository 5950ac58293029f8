def cube_backward(grad, x, y, mask, out0, out1):  # noqa: PLR0913, PLR0917 - a kernel takes what the op takes
    out0.copy_(grad * 3 * x * x * y * mask[0])
    out1.copy_(grad * x * x * x * mask[1])
