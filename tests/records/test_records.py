"""Frozen dataclasses do what those of the standard library do."""

import dataclasses
from dataclasses import field, fields, replace

import pytest

from opgen import records


def declare(dataclass):
    @dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 0
        names: list = field(default_factory=list, compare=False)
        place: str = field(default="here", repr=False, compare=False, kw_only=True)

    @dataclass(frozen=True)
    class Named(Point):
        """A point that has a name, and is checked."""

        name: str = ""

        def __post_init__(self):
            if self.name == "wrong":
                raise ValueError(self.name)

        def __repr__(self):
            return self.name

    @dataclass(frozen=True, eq=False)
    class Unique:
        """Is equal to itself alone."""

        x: int

    @dataclass(frozen=True)
    class Worded:
        """Has fields called like what an initializer works with."""

        own: int
        values: list = field(default_factory=list)
        put: int = 0

    return Point, Named, Unique, Worded


OURS = declare(records.dataclass)
THEIRS = declare(dataclasses.dataclass)


def refused(act):
    try:
        act()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)
    return None


def observations(classes):
    point, named, unique, worded = classes
    one = point(1, place="there")
    yield [(each.name, each.default, each.kw_only) for each in fields(point)]
    yield one.x, one.y, one.names, one.place, one.names is point(1).names
    yield repr(one), repr(named(1, name="n"))
    yield repr(worded(1, put=2)).rpartition(".")[2], vars(worded(1, [3]))
    yield one == point(1), one == point(2), one == named(1), hash(one) == hash(point(1)), {one, point(1)} == {one}
    yield one != (1, 0), named(1, 2, [], "n") == named(1, 2, [3], "n"), named(1, name="n") == named(1, name="m")
    yield unique(1) == unique(1), len({unique(1), unique(1)})
    yield repr(replace(one, y=5)), replace(one, y=5).place
    yield point.__match_args__, hasattr(one, "__dict__"), point.__doc__
    yield refused(lambda: setattr(one, "x", 2)), refused(lambda: delattr(one, "x")), one.x
    yield refused(point), refused(lambda: point(1, z=2)), refused(lambda: point(1, 2, [], "there"))
    yield refused(lambda: named(1, name="wrong")), refused(lambda: named(1, name="right"))


@pytest.mark.parametrize(("mine", "theirs"), list(zip(observations(OURS), observations(THEIRS), strict=True)))
def test_a_frozen_dataclass_is_as_that_of_the_standard_library(mine, theirs):
    qualified = str(mine).replace("declare.<locals>.", "")
    assert qualified == str(theirs).replace("declare.<locals>.", "")


def test_what_is_not_frozen_is_left_to_the_standard_library():
    @records.dataclass
    class Counter:
        count: int = 0

    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)


def test_methods_of_the_class_itself_stay():
    @records.dataclass(frozen=True)
    class Whole:
        x: int

        def __eq__(self, other):
            return True

        __hash__ = None

    assert Whole(1) == 2
    with pytest.raises(TypeError):
        hash(Whole(1))
