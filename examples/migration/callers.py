"""What users of the library do. Nothing here changes on the way."""

import torch
import wavelib  # noqa: F401 - it registers torch.ops.wave

x = torch.tensor([[0.5, -1.5, 2.0, -0.25], [1.0, 0.0, -1.0, 0.5]])
ops = torch.ops.wave

assert ops.gain(x, 2.0).equal(x * 2)
assert ops.mix(x, x.flip(1)).allclose((x + x.flip(1)) / 2)
assert ops.clip(x, limit=1.0).equal(x.clamp(-1, 1))
assert ops.gain_(x.clone(), 0.5).equal(x / 2)
total = torch.zeros_like(x)
ops.accumulate(total, x)
assert total.equal(x)
assert ops.rms(x).allclose(x.pow(2).mean(1).sqrt())
assert ops.peak(x).equal(x.abs().amax(1))
assert ops.decimate(x, 3).equal(x[:, ::3])
assert ops.histogram(x, 4, -2.0, 3.0).equal(torch.histc(x, 4, -2.0, 3.0).long())
assert ops.crossings(x[0]).tolist() == [1, 2, 3]
print("ten operators, all of them right")
