"""Which rows answer what an author asks first; a name is checked where the page is laid out."""

PROMISES = (
    ("The call returns the object that was passed", "in-place, out=, two outs", ("a tensor",)),
    (
        "A call bumps the version once, of a view and its base alike",
        "in-place, out=",
        ("a tensor", "a view", "inference mode"),
    ),
    ("An inference tensor can be written in inference mode only", "in-place", ("an inference tensor outside of it",)),
    (
        "A leaf that requires grad, or a view of one, can't be written, except under `no_grad`",
        "in-place",
        ("a leaf that requires grad", "a view of such a leaf", "such a leaf under no grad"),
    ),
    ("`backward` detects that a saved tensor was overwritten", "in-place", ("a saved tensor is overwritten",)),
    ("Gradients flow to the arguments that were read", "in-place", ("y requires grad",)),
    (
        "out= is not part of any graph, and works without one",
        "out=",
        ("y requires grad", "a leaf that requires grad", "y requires grad under no grad"),
    ),
    ("A tensor whose elements share memory can't be written", "in-place, out=", ("w is expanded",)),
    (
        "An input may be the written tensor, but may not partially overlap it",
        "in-place, out=",
        (
            "y is w",
            "only one of two inputs is w",
            "y overlaps with w by a part",
            "only one of two inputs overlaps with w",
        ),
    ),
    ("Two outputs need two buffers", "two outs", ("w is both outs", "both outs share memory")),
    (
        "Dtypes: none that the result can't be cast to; a wider one",
        "in-place, out=",
        ("w holds integers and y does not", "w is wider than y"),
    ),
    ("Sizes in-place: they must fit, and nothing grows", "in-place", ("y has other sizes", "w would have to grow")),
    (
        "Sizes of `out`: with elements, and without",
        "out=, two outs",
        ("y has other sizes", "w has no elements and y has"),
    ),
    ("`out` on another device", "out=", ("w is on another device",)),
    ("`out` keeps its strides", "out=", ("w is transposed",)),
    ("Meta tensors", "in-place, out=", ("meta tensors",)),
    ("`vmap` writes every slice", "in-place", ("vmap over what the caller passes",)),
    ("The functionalised result is the same", "in-place", ("functionalize",)),
    (
        "Compiled by inductor, later reads see what was written, also through two views",
        "in-place, out=",
        ("inductor reads what was written", "inductor writes two views of one base"),
    ),
)
"""What is promised, the forms that it is promised of first, and the situations that show it."""
