"""The surface of hand-written sources."""

from __future__ import annotations

from opgen.breaking.surface import Surface
from opgen.rules.registrations.joined import Joined
from opgen.source import Location


def surface_of_sources(joined: Joined) -> Surface:
    """Return the surface of what C++ and Python register."""
    read = {name: one.op for name, one in joined.ops.items() if one.op is not None}
    backends: dict[str, frozenset[str]] = {}
    for name, one in joined.ops.items():
        keys = {key for made in one.implementations if made.role == "kernel" for key in made.keys}
        given = any(each.statement.function is not None for each in one.definitions)
        if keys or given:
            backends[name] = frozenset(keys | ({"CompositeImplicitAutograd"} if given else set()))
    places: dict[str, Location] = {}
    for definition in joined.registrations.definitions:
        for key in (definition.location.source.path, ""):
            places.setdefault(key, definition.location)
    return Surface(
        ops=read,
        backends=backends,
        unreadable=frozenset(name for name, one in joined.ops.items() if one.definitions and one.op is None),
        whole=not joined.registrations.unread and not joined.registrations.failures,
        places=places,
    )
