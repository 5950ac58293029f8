"""What a row is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Call = Callable[..., Any]
EVERY = "every form"


def on(reason: str, *forms: str) -> dict[str, str]:
    """Say that some forms differ on purpose."""
    return dict.fromkeys(forms, reason)


@dataclass(frozen=True)
class Situation:
    """A function that calls an operator on `w` and `y` of its making and returns what it sees, as plain data.

    Attributes:
        see: the function; a ``joint`` one takes the calls of all forms at once, by name, and returns what it sees of each.
        differs: form, or `EVERY` -> why opgen deliberately differs from ATen, a key of `DIFFERENCES`.
        needs: what a form must have for this to make sense, attributes of `Form`.
    """

    see: Callable[..., Any]
    differs: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    joint: bool = False

    @property
    def name(self) -> str:
        """The name of the function as a sentence."""
        return self.see.__name__.replace("_", " ")


class Situations(list[Situation]):
    """The situations of one module, in order; it decorates their functions."""

    def __call__(
        self, *needs: str, joint: bool = False, differs: Mapping[str, str] | None = None
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def keep(see: Callable[..., Any]) -> Callable[..., Any]:
            self.append(Situation(see, differs or {}, needs, joint))
            return see

        return keep
