"""What CTest runs: the package is imported from the build tree, or from wherever it is installed."""

import signals_ops
import torch

x = torch.tensor([[1.0, 3.0, 2.0]])
assert signals_ops.running_max(x).tolist() == [[1.0, 3.0, 3.0]]

state = torch.zeros(2)
assert signals_ops.follow_(state, torch.tensor([4.0, 8.0]), 0.25) is state
assert state.tolist() == [1.0, 2.0]
print("ok")
