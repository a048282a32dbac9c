"""The work-items of a group, which run one by one up to each group function."""

from __future__ import annotations

import functools
import itertools
import operator
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...errors import KernelError
from .fiber import Fiber, Threads, on_one_cpu

# The largest sub-group; that of real devices differs.
SUB_GROUP_SIZE = 32
_running = threading.local()


class Request(NamedTuple):
    """A call of a group function."""

    function: str
    of_sub_group: bool
    value: Any = None
    argument: Any = None  # the operation, the local id, the mask or the distance


@dataclass
class Place:
    """A work-item. Sizes of dimensions that the range lacks are 1."""

    kernel: str
    global_id: tuple[int, ...]
    global_size: tuple[int, ...]
    local_id: tuple[int, ...]
    local_size: tuple[int, ...]
    local_arrays: list[np.ndarray]  # shared by the group
    fiber: Fiber | None = None  # None if the launch has no groups
    made_arrays: int = 0
    barriers: int = 0  # that the item has passed
    sub_group_barriers: int = 0
    has_synchronised: bool = False  # by an atomic operation or a fence

    @property
    def group_id(self) -> tuple[int, ...]:
        return tuple(g // n for g, n in zip(self.global_id, self.local_size, strict=True))

    @property
    def num_groups(self) -> tuple[int, ...]:
        return tuple(g // n for g, n in zip(self.global_size, self.local_size, strict=True))

    @property
    def number(self) -> int:
        """The linear id in the group."""
        return linear(self.local_id, self.local_size)


def linear(index: tuple[int, ...], size: tuple[int, ...]) -> int:
    """The position of an index in row-major order."""
    return functools.reduce(
        lambda sum_, pair: sum_ * pair[1] + pair[0], zip(index, size, strict=True), 0
    )


def running() -> Place | None:
    """The work-item that runs in this thread, if any."""
    return getattr(_running, "place", None)


def run_item(place: Place | None) -> Place | None:
    """Sets the work-item that runs in this thread, and returns the former one."""
    before = running()
    _running.place = place
    return before


def current(function: str) -> Place:
    """The work-item that runs in this thread."""
    place = running()
    if place is None:
        raise TypeError(
            f"{function} has a value only inside a function decorated with @hither.kernel"
        )
    return place


def ask(request: Request) -> Any:
    """Waits for the other items of the group, and returns the group function's result."""
    place = current(request.function)
    if place.fiber is None:
        raise TypeError(
            f"{request.function} needs work-groups: launch the kernel over a hither.NdRange"
        )
    return place.fiber.ask(request)


@dataclass
class Launch:
    """Runs `body(local_arrays)` for every work-item of a range."""

    name: str
    body: Callable[[Place], None]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None

    def run(self) -> None:
        if self.local_size is None:
            one = (1,) * len(self.global_size)
            for index in itertools.product(*map(range, self.global_size)):
                self._run_item(Place(self.name, index, self.global_size, (0,) * len(one), one, []))
            return
        groups = (g // n for g, n in zip(self.global_size, self.local_size, strict=True))
        with on_one_cpu(), Threads() as threads:
            for group in itertools.product(*map(range, groups)):
                self._run_group(list(self._places(group, self.local_size)), threads)

    def _places(self, group: tuple[int, ...], local: tuple[int, ...]) -> Iterator[Place]:
        arrays: list[np.ndarray] = []
        for index in itertools.product(*map(range, local)):
            first = (g * n + i for g, n, i in zip(group, local, index, strict=True))
            yield Place(self.name, tuple(first), self.global_size, index, local, arrays)

    def _run_item(self, place: Place, fiber: Fiber | None = None) -> None:
        place.fiber = fiber
        before = run_item(place)
        try:
            self.body(place)
        except Exception as error:
            error.add_note(f"in kernel {self.name}, work-item {place.global_id}")
            raise
        finally:
            run_item(before)

    def _run_group(self, places: list[Place], threads: Threads) -> None:
        fibers = [Fiber(functools.partial(self._run_item, place), threads) for place in places]
        answers: dict[int, Any] = dict.fromkeys(range(len(fibers)))
        try:
            while answers:
                for i, answer in answers.items():
                    fibers[i].resume(answer)
                waiting = {i: f.request for i, f in enumerate(fibers) if not f.is_done}
                answers = self._answers(waiting, places)
                _pass_barrier([places[i] for i in answers], waiting)
        finally:
            for fiber in fibers:
                fiber.abandon()

    def _answers(self, waiting: dict[int, Request], places: list[Place]) -> dict[int, Any]:
        """The results for items that have all arrived: of a sub-group, or of the whole group."""
        for _, numbers in itertools.groupby(waiting, lambda i: i // SUB_GROUP_SIZE):
            members = {i: waiting[i] for i in numbers}
            if all(request.of_sub_group for request in members.values()):
                return self._results(members, places)
        return self._results(waiting, places) if waiting else {}

    def _results(self, members: dict[int, Request], places: list[Place]) -> dict[int, Any]:
        functions = {i: (r.function, r.of_sub_group) for i, r in members.items()}
        first = next(iter(functions))
        other = next((i for i in functions if functions[i] != functions[first]), None)
        if other is not None:
            raise KernelError(
                self.name,
                f"the items of a group wait for each other in different group functions: "
                f"{places[first].global_id} in {functions[first][0]}, {places[other].global_id} in "
                f"{functions[other][0]}; all items of a group must call the same functions",
            )
        try:
            return results_of(members)
        except IndexError as error:
            raise KernelError(self.name, str(error)) from None


def _pass_barrier(members: list[Place], waiting: dict[int, Request]) -> None:
    """Orders what the members did before with what they do after. All of them get the order that
    atomic operations and fences gave one of them."""
    synchronised = any(place.has_synchronised for place in members)
    for place in members:
        place.has_synchronised = synchronised
        if waiting[place.number].of_sub_group:
            place.sub_group_barriers += 1
        else:
            place.barriers += 1


def results_of(members: dict[int, Request]) -> dict[int, Any]:
    """The results of a group function, by the numbers of the items that call it."""
    function, of_sub_group, _, argument = next(iter(members.values()))
    values = {i: r.value for i, r in members.items()}
    if function in ("any_of", "all_of", "none_of"):
        found = {"any_of": any, "all_of": all, "none_of": lambda v: not any(v)}[function]
        return dict.fromkeys(values, found([bool(v) for v in values.values()]))
    if function == "reduce":
        return dict.fromkeys(values, functools.reduce(combination(argument), values.values()))
    if function == "inclusive_scan":
        sums = itertools.accumulate(values.values(), combination(argument))
        return dict(zip(values, sums, strict=True))
    if function == "exclusive_scan":
        sums = itertools.accumulate(values.values(), combination(argument))
        first = identity(argument, next(iter(values.values())))
        return dict(zip(values, [first, *sums], strict=False))
    if function == "barrier":
        return dict.fromkeys(values)
    start = next(iter(values)) // SUB_GROUP_SIZE * SUB_GROUP_SIZE if of_sub_group else 0
    sources = {i: start + _source(function, i - start, members[i].argument) for i in values}
    if function == "broadcast" and not {*sources.values()} <= values.keys():
        raise IndexError(
            "group_broadcast: the item that has the value has returned or is not there"
        )
    return {i: values.get(source, values[i]) for i, source in sources.items()}


def _source(function: str, local_id: int, argument: Any) -> int:
    """The local id of the item whose value an item gets."""
    distance = int(argument)
    return {
        "broadcast": distance,
        "shuffle": distance,
        "shuffle_xor": local_id ^ distance,
        "shuffle_up": local_id - distance,
        "shuffle_down": local_id + distance,
    }[function]


_COMBINATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "mul": operator.mul, "min": min, "max": max, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
_BY_FUNCTION = {f: name for name, f in _COMBINATIONS.items()} | {
    np.add: "add", np.multiply: "mul", np.minimum: "min", np.maximum: "max",
    np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor",
}  # fmt: skip


def _name_of(operation: Any) -> str:
    return operation if isinstance(operation, str) else _BY_FUNCTION.get(operation, str(operation))


def combination(operation: Any) -> Callable[[Any, Any], Any]:
    """The function of two values that `op` names."""
    name = _name_of(operation)
    if name not in _COMBINATIONS:
        raise ValueError(f"op={operation!r} is none of {', '.join(_COMBINATIONS)}")
    return _COMBINATIONS[name]


def identity(operation: Any, like: Any) -> Any:
    """The value that does not change another one under `op`, in the dtype of `like`."""
    dtype = np.asarray(like).dtype
    name = _name_of(operation)
    if name in ("min", "max"):
        if dtype.kind == "b":
            return dtype.type(name == "min")
        limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
        if dtype.kind == "f":
            return dtype.type(np.inf if name == "min" else -np.inf)
        return dtype.type(limits.max if name == "min" else limits.min)
    if name == "and":
        return dtype.type(True) if dtype.kind == "b" else ~dtype.type(0)
    return dtype.type(1 if name == "mul" else 0)
