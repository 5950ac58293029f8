"""Observe every form in every situation: `python observe.py aten`, or `python observe.py PACKAGE FOLDER`; prints JSON.

A process of its own, which needs nothing but torch and the package, so that any release of PyTorch can run it.
"""

from __future__ import annotations

import importlib
import json
import logging
import sys
import warnings
from functools import partial
from typing import Any

import torch
import torch._inductor.config
from observation import attempt, plain
from situations import SECTIONS
from subjects import Aten, Twins, forms_of


def observe(subject: Any) -> dict[str, dict[str, Any]]:
    """Return what is seen, by situation and form; as JSON has it, so that it can be compared and kept."""
    seen: dict[str, dict[str, Any]] = {}
    for situation in (situation for section in SECTIONS.values() for situation in section):
        calls = {form.name: partial(form.call, subject) for form in forms_of(situation)}
        if situation.joint:
            every = attempt(partial(situation.see, calls))
            found = every if isinstance(every, dict) else dict.fromkeys(calls, every)
        else:
            found = {name: attempt(partial(situation.see, call)) for name, call in calls.items()}
        seen[situation.name] = {name: plain(value) for name, value in found.items()}
    return seen


def main(name: str, folder: str = "") -> None:
    """Print what is seen of one subject."""
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)  # PyTorch logs what it raises while it traces
    torch.set_num_threads(2)
    # A cached graph is found by the names of its operators, whatever is registered for them by now.
    torch._inductor.config.force_disable_caches = True
    if folder:
        sys.path.insert(0, folder)
    print(json.dumps(observe(Aten() if name == "aten" else Twins(importlib.import_module(name)))))  # noqa: T201 - a script, whose output is read


if __name__ == "__main__":
    main(*sys.argv[1:])
