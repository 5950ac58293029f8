"""Frozen dataclasses that are quick to declare.

``dataclasses`` compiles six functions for each class, which takes the better part of a millisecond; a run that lints one file
imports some hundred and fifty classes, and makes instances of a third of them. Here ``__init__`` is compiled when the first
instance is made, and the other methods are not compiled at all. Fields, ``replace``, ``match`` and all else are the standard
library's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        declared: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> type | Callable[[type], type]:
        """Do what ``dataclasses.dataclass`` does; a class that isn't frozen is left to it."""
        if not frozen:
            decorate = dataclasses.dataclass(slots=slots, eq=eq)
            return decorate if declared is None else decorate(declared)
        return lambda declared: _frozen(declared, slots=slots, eq=eq)


def _frozen(declared: type, *, slots: bool, eq: bool) -> type:
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(declared)

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it is one
        made.__init__ = _initializer(made)
        made.__init__(self, *values, **named)

    methods = {"__init__": __init__, "__repr__": _repr, "__setattr__": _refuse, "__delattr__": _refuse}
    if eq:
        methods |= _comparison(made)
    for name, method in methods.items():
        if name not in vars(declared):
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]  # what a decorator returns is the class


def _initializer(made: Any) -> Any:
    """Compile the ``__init__`` of a class, as ``dataclasses`` would."""
    known: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    parameters, keywords, body = ["self"], list[str](), list[str]()
    if made.__dictoffset__:
        body.append(" self__dict__ = self.__dict__")  # no field is called so
    for field in dataclasses.fields(made):
        name = parameter = value = field.name
        if field.default is not dataclasses.MISSING:
            parameter = f"{name}=default_{name}"
            known[f"default_{name}"] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            parameter, value = f"{name}=MISSING", f"make_{name}() if {name} is MISSING else {name}"
            known[f"make_{name}"] = field.default_factory
        (keywords if field.kw_only else parameters).append(parameter)
        slot = getattr(made, name, None)
        if isinstance(slot, MemberDescriptorType):  # filled in half the time
            body.append(f" set_{name}(self, {value})")
            known[f"set_{name}"] = slot.__set__
        else:  # filled in half the time of `object.__setattr__`, too
            body.append(f" self__dict__[{name!r}] = {value}")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    if keywords:
        parameters += ["*", *keywords]
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *body, " return"]), known)  # noqa: S102 - of names of fields
    return known["__init__"]


def _comparison(made: Any) -> dict[str, Any]:
    names = [field.name for field in dataclasses.fields(made) if field.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: Any, other: Any) -> Any:  # noqa: N807 - it is one
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    return {"__eq__": __eq__, "__hash__": lambda self: hash(values(self))}


def _repr(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: object, name: str, *_value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r} of {type(self).__qualname__}")
