"""What CTest runs: the package is imported from the build tree, or from wherever it is installed."""

import torch
from studio import colours

white = torch.ones(3, 2, 2)
assert torch.allclose(colours.grey(white), torch.ones(2, 2))

red = torch.zeros(3, 1, 1)
red[0] = 1
assert colours.fade_(red, 1.0) is red
assert torch.allclose(red, torch.full((3, 1, 1), 0.2126))
print("ok")
