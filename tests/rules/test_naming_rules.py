import keyword

import pytest


def test_every_keyword_of_a_schema_is_reported(lint_file):
    text = "opgen: 1\nnamespace: mylib\nops:\n  - func: lambda.try(Tensor from, bool async=False) -> (Tensor yield)\n"
    found = [d for d in lint_file(text) if d.code.id == "OPG300"]
    words = {text[slice(*d.location.span)] for d in found if "argument" in d.message or "return" in d.message}
    assert words == {"from", "async", "yield"}
    assert len(found) == 5
    assert all(word in keyword.kwlist for word in words)


@pytest.mark.parametrize("word", ["from_", "type", "match", "self", "into", "is_causal"])
def test_names_that_are_no_keywords_are_free(word, lint_op):
    assert "OPG300" not in lint_op(f"f(Tensor x, float {word}) -> Tensor")


def test_a_repeated_argument_points_at_the_second_and_notes_the_first(lint_file):
    text = "opgen: 1\nnamespace: mylib\nops:\n  - func: f(Tensor x, int n, float n) -> Tensor\n"
    (found,) = [d for d in lint_file(text) if d.code.id == "OPG301"]
    assert found.location.span.start == text.rindex("n)")
    assert found.notes[0].location.span.start == text.index("n, float")


@pytest.mark.parametrize(
    ("func", "has_it"),
    [
        ("f(Tensor x) -> (Tensor y, Tensor y)", True),
        ("f(Tensor x) -> (Tensor x, Tensor y)", True),
        ("f(Tensor(a!) x) -> Tensor(a!) x", False),
        ("f(Tensor x) -> (Tensor, Tensor)", False),
    ],
)
def test_returns_need_names_of_their_own(func, has_it, lint_op):
    assert ("OPG302" in lint_op(func)) == has_it


def test_identifiers_collide_over_overloads_and_letter_case(lint_file):
    text = (
        "opgen: 1\nnamespace: mylib\nops:\n"
        "  - func: f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
        "  - func: F_out(Tensor x) -> Tensor\n"
    )
    (found,) = [d for d in lint_file(text) if d.code.id == "OPG303"]
    assert "mylib::f.out" in found.message
    assert "mylib::F_out" in found.message


@pytest.mark.parametrize(
    ("func", "has_it"),
    [
        ("add_(Tensor x) -> Tensor", True),
        ("add_(Tensor(a!) x) -> ()", False),
        ("lambda_(Tensor x) -> Tensor", False),
        ("__add__(Tensor x) -> Tensor", False),
    ],
)
def test_a_trailing_underscore_promises_a_write(func, has_it, lint_op):
    assert ("OPG305" in lint_op(func)) == has_it
