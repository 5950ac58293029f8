"""Tests of `acme::rms_norm`."""

from _support import Operator, OperatorTests, Wrong, tensor


class TestRmsNorm(OperatorTests):
    operator = Operator(
        package="acme_ops",
        schema="acme::rms_norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
        reference="x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight",
        kernels=["CPU"],
        outputs=["x.dtype [*batch, hidden]"],
        vmap=True,
        tolerance={"bfloat16": (0.03, 0.03)},
    )
    valid = {
        "bfloat16-transposed": {
            "x": tensor("bfloat16", 2, 3, strides=(1, 2)),
            "weight": tensor("bfloat16", 3, offset=1),
            "eps": 1e-06,
        },
    }
    sizes = {
        "sizes-0": {"x": tensor("float32", 17, 5), "weight": tensor("float32", 5), "eps": 1e-06},
        "sizes-1": {"x": tensor("float32", 19, 3), "weight": tensor("float32", 3), "eps": 1e-06},
        "sizes-2": {"x": tensor("float32", 23, 7), "weight": tensor("float32", 7), "eps": 1e-06},
        "sizes-3": {"x": tensor("float32", 29, 2), "weight": tensor("float32", 2), "eps": 1e-06},
    }
    wrong = [
        Wrong(
            "eps",
            mention=["argument 'eps'", "expected eps > 0"],
            arguments={
                "x": tensor("bfloat16", 2, 3, strides=(1, 2)),
                "weight": tensor("bfloat16", 3, offset=1),
                "eps": -1.0,
            },
        ),
    ]
