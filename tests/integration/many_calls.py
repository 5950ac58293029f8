"""A package in many threads, in forked and spawned processes, and called over and over: ``python many_calls.py FOLDER COUNT``.

Prints one JSON object: what went wrong in threads and processes, and by how many KiB the process grew over COUNT calls of each
contract.
"""

import gc
import importlib
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable

import torch

THREADS = 16
PAGE = os.sysconf("SC_PAGE_SIZE")


def in_threads(work: Callable[[int], object]) -> list[str]:
    """Do the same in all threads at once; return what was raised."""
    raised: list[str] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            raised.append(repr(error))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return raised


def in_a_fork(work: Callable[[], object]) -> int:
    """Do it in a copy of this process; return how that ended: 0 for well."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)  # no clean-up: what is here belongs to the parent
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def package() -> object:
    """Import it."""
    return importlib.import_module("many_ops")


def contracts() -> dict[str, Callable[[], object]]:
    """Return a call of each contract; it raises where the result is wrong."""
    many = importlib.import_module("many_ops")
    x, out, wrong = torch.arange(8.0), torch.empty(8), torch.zeros(3, 3)
    still, leaf = torch.zeros(8), torch.arange(8.0, requires_grad=True)
    twice = x * 2

    def formula() -> None:
        (gradient,) = torch.autograd.grad(many.scaled(leaf, 2.0).sum(), leaf)
        assert torch.equal(gradient, torch.full((8,), 2.0))

    def refused() -> None:
        try:
            many.scaled(x, 2.0, out=wrong)
        except RuntimeError:
            return
        raise AssertionError

    return {
        "functional": lambda: _same(many.scaled(x, 2.0), twice),
        "in-place": lambda: _same(many.scaled_(still, 2.0), still),
        "out=": lambda: _same(many.scaled(x, 2.0, out=out), twice),
        "mutable": lambda: _same(many.scale_into(out, x, 2.0), None) or _same(out, twice),
        "a formula": formula,
        "refused": refused,
    }


def _same(found: object, expected: object) -> None:
    if isinstance(found, torch.Tensor) and isinstance(expected, torch.Tensor):
        assert torch.equal(found, expected)
    else:
        assert found is expected


def call_all(times: int = 1) -> None:
    """Call each contract."""
    for _ in range(times):
        for call in contracts().values():
            call()


def resident() -> int:
    """Return how many bytes this process has in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - read a million times over, cheaply
        return int(file.read().split()[1]) * PAGE


def growth(call: Callable[[], object], count: int) -> float:
    """Return by how many KiB memory grows over calls; what the first thousands leave behind is left out."""
    for _ in range(min(count, 5000)):
        call()
    gc.collect()
    before = resident()
    for _ in range(count):
        call()
    gc.collect()
    return (resident() - before) / 1024


def main(folder: str, count: int) -> None:
    """Do it all, first what has to come before the package is imported here."""
    sys.path.insert(0, folder)
    torch.set_num_threads(1)
    found: dict[str, object] = {"imported in a fork": in_a_fork(call_all)}
    modules: list[object] = []
    found["imported in threads"] = in_threads(lambda _: modules.append(package()))
    found["packages"] = len(set(map(id, modules)))
    found["called in threads"] = in_threads(lambda _: call_all(50))
    found["called in a fork"] = in_a_fork(call_all)
    spawned = multiprocessing.get_context("spawn").Process(target=call_all)
    spawned.start()
    spawned.join()
    found["called in a spawned process"] = spawned.exitcode
    found["growth"] = {name: growth(call, count) for name, call in contracts().items()}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
