"""The functions of kernels, for kernels that run as Python functions."""

from __future__ import annotations

import dis
import functools
import sys
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from ..language import (
    atomic,
    bits,
    constant,
    cuda_names,
    cuda_warp,
    group_function,
    local,
    private,
    work_item,
)
from ..language.atomic_ref import AtomicRef
from ..language.device_func import DeviceFunction
from .group import SUB_GROUP_SIZE, Place, Request, ask, current, linear
from .races import note_atomic, watch

__all__ = ["install"]


def _extent(place: Place) -> int:
    """The number of items in the group."""
    return int(np.prod(place.local_size))


def _in_dimension(sizes: str, beyond: int, name: str) -> Any:
    def function(dim: int) -> int:
        values = getattr(current(name), sizes)
        if not 0 <= dim <= 2:
            raise IndexError(f"{name}: dimension {dim} does not exist: a range has 0 to 2")
        return int(values[dim]) if dim < len(values) else beyond

    return function


_OF_DIMENSION = {
    "get_global_id": ("global_id", 0),
    "get_global_size": ("global_size", 1),
    "get_local_id": ("local_id", 0),
    "get_local_size": ("local_size", 1),
    "get_group_id": ("group_id", 0),
    "get_num_groups": ("num_groups", 1),
}


def get_global_linear_id() -> int:
    place = current("get_global_linear_id")
    return linear(place.global_id, place.global_size)


def get_local_linear_id() -> int:
    return current("get_local_linear_id").number


def get_group_linear_id() -> int:
    place = current("get_group_linear_id")
    return linear(place.group_id, place.num_groups)


def get_sub_group_id() -> int:
    return current("get_sub_group_id").number // SUB_GROUP_SIZE


def get_sub_group_local_id() -> int:
    return current("get_sub_group_local_id").number % SUB_GROUP_SIZE


def get_num_sub_groups() -> int:
    return -(-_extent(current("get_num_sub_groups")) // SUB_GROUP_SIZE)


def get_sub_group_size() -> int:
    first = get_sub_group_id() * SUB_GROUP_SIZE
    return min(SUB_GROUP_SIZE, _extent(current("get_sub_group_size")) - first)


def get_group() -> work_item.Group:
    return work_item.Group()


def get_sub_group() -> work_item.SubGroup:
    return work_item.SubGroup()


def _collective(name: str, group: Any, value: Any = None, argument: Any = None) -> Any:
    return ask(Request(name, isinstance(group, work_item.SubGroup), value, argument))


def barrier(fence: int = 3) -> None:
    ask(Request("barrier", False))


def group_barrier(group: Any, fence_scope: int = 2) -> None:
    _collective("barrier", group)


def _fence(name: str) -> Any:
    """Items run one by one, so that all accesses are in order: a fence only tells races.py."""

    def function(*_: Any, **__: Any) -> None:
        current(name).has_synchronised = True

    return function


def _of_operation(name: str) -> Any:
    def function(group: Any, x: Any, op: Any) -> Any:
        return _collective(name, group, x, op)

    return function


def _of_condition(name: str) -> Any:
    def function(group: Any, condition: Any) -> bool:
        return bool(_collective(name, group, condition))

    return function


def group_broadcast(group: Any, x: Any, local_id: int = 0) -> Any:
    return _collective("broadcast", group, x, local_id)


def shuffle(group: Any, x: Any, local_id: int) -> Any:
    return _collective("shuffle", group, x, local_id)


def shuffle_xor(group: Any, x: Any, mask: int) -> Any:
    return _collective("shuffle_xor", group, x, mask)


def shuffle_up(group: Any, x: Any, delta: int) -> Any:
    return _collective("shuffle_up", group, x, delta)


def shuffle_down(group: Any, x: Any, delta: int) -> Any:
    return _collective("shuffle_down", group, x, delta)


_GROUP_FUNCTIONS = {
    "barrier": barrier, "group_barrier": group_barrier, "mem_fence": _fence("mem_fence"),
    "atomic_fence": _fence("atomic_fence"), "group_broadcast": group_broadcast, "shuffle": shuffle,
    "shuffle_xor": shuffle_xor, "shuffle_up": shuffle_up, "shuffle_down": shuffle_down,
    "group_reduce": _of_operation("reduce"),
    "group_inclusive_scan": _of_operation("inclusive_scan"),
    "group_exclusive_scan": _of_operation("exclusive_scan"),
    "group_any_of": _of_condition("any_of"), "group_all_of": _of_condition("all_of"),
    "group_none_of": _of_condition("none_of"),
}  # fmt: skip


def _dtype(given: Any) -> np.dtype:
    """The dtype that the argument of an array's constructor means, which may be Numba's."""
    try:
        return np.dtype(given)
    except TypeError:
        if not type(given).__module__.startswith("numba."):
            raise
        from numba.np.numpy_support import as_dtype

        return as_dtype(given)


def undefined_array(shape: Any, given: Any) -> np.ndarray:
    """An array whose elements are not useful by chance: NaN, or the largest integer."""
    dtype = _dtype(given)
    made = np.empty(shape, dtype)
    if made.dtype.kind in "fc":
        made[...] = np.nan
    elif made.dtype.kind in "iu":
        made[...] = np.iinfo(made.dtype).max
    else:
        made = np.zeros(shape, dtype)
    return made.view(np.recarray) if made.dtype.fields else made


def _variable_of(frame: FrameType) -> str | None:
    """The variable to which the call that runs in a frame is assigned."""
    code = dis.get_instructions(frame.f_code)
    following = next((step for step in code if step.offset > frame.f_lasti), None)
    if following is None or not following.opname.startswith("STORE_FAST"):
        return None
    name = following.argval  # a tuple where the instruction stores two variables
    return name if isinstance(name, str) else name[0]


def shared_array(place: Place, shape: Any, dtype: Any, name: str | FrameType) -> np.ndarray:
    """The n-th array that an item makes is the n-th of all items of its group. `name` may be the
    frame whose call makes it, and assigns it to a variable."""
    number = place.made_arrays
    place.made_arrays += 1
    if number == len(place.local_arrays):
        made = undefined_array(shape, dtype)
        shown = name if isinstance(name, str) else _variable_of(name) or f"local array {number}"
        place.local_arrays.append(watch(place.kernel, shown, made))
    return place.local_arrays[number]


def local_array(shape: Any, dtype: Any) -> np.ndarray:
    place = current("local.array")
    if place.fiber is None:
        raise TypeError("local.array needs work-groups: launch the kernel over a hither.NdRange")
    return shared_array(place, shape, dtype, sys._getframe(1))


def private_array(shape: Any, dtype: Any, zero: bool = True) -> np.ndarray:
    current("private.array")
    if not zero:
        return undefined_array(shape, dtype)
    made = np.zeros(shape, _dtype(dtype))
    return made.view(np.recarray) if made.dtype.fields else made


def private_array_of_dpex(shape: Any, dtype: Any, fill_zeros: bool = False) -> np.ndarray:
    return private_array(shape, dtype, fill_zeros)


def array_like(array: Any) -> np.ndarray:
    made = np.array(array)
    made.flags.writeable = False
    return made


def _of_bits(name: str, of_text: Any) -> Any:
    """A function of the bits of an integer, the highest one first."""

    def function(x: Any) -> Any:
        current(name)
        kind = x.dtype if isinstance(x, np.integer) else np.dtype(np.int64)
        width = 8 * kind.itemsize
        return of_text(f"{int(x) % 2**width:0{width}b}", kind)

    return function


def _reversed(bits: str, kind: np.dtype) -> Any:
    return np.array(int(bits[::-1], 2), f"u{kind.itemsize}").view(kind)[()]


_BITS = {
    "popc": _of_bits("popc", lambda bits, kind: bits.count("1")),
    "clz": _of_bits("clz", lambda bits, kind: len(bits) - len(bits.lstrip("0"))),
    "ffs": _of_bits("ffs", lambda bits, kind: bits[::-1].find("1") + 1),
    "brev": _of_bits("brev", _reversed),
}


def report_mask(is_wrong: bool) -> None:
    if is_wrong:
        raise ValueError(cuda_warp.WRONG_MASK)


def _update(name: str, change: Any) -> Any:
    def function(array: Any, index: Any, value: Any) -> Any:
        current(f"atomic.{name}")
        array = note_atomic(array, index)
        old = array[index]
        array[index] = change(old, value)
        return old

    return function


def _load(array: Any, index: Any) -> Any:
    current("atomic.load")
    return note_atomic(array, index, write=False)[index]


def _store(array: Any, index: Any, value: Any) -> None:
    current("atomic.store")
    note_atomic(array, index)[index] = value


def _compare_exchange(array: Any, index: Any, expected: Any, value: Any) -> Any:
    current("atomic.cas")
    array = note_atomic(array, index)
    old = array[index]
    if old == expected:
        array[index] = value
    return old


_ATOMICS = {
    "add": _update("add", lambda old, value: old + value),
    "sub": _update("sub", lambda old, value: old - value),
    "min": _update("min", lambda old, value: value if value < old else old),
    "max": _update("max", lambda old, value: value if value > old else old),
    "and_": _update("and_", lambda old, value: old & value),
    "or_": _update("or_", lambda old, value: old | value),
    "xor": _update("xor", lambda old, value: old ^ value),
    "exch": _update("exch", lambda old, value: value),
    "load": _load, "store": _store, "cas": _compare_exchange,
}  # fmt: skip
_ATOMICS["exchange"] = _ATOMICS["exch"]
_ATOMICS["compare_exchange"] = _ATOMICS["compare_and_swap"] = _compare_exchange


class _Indices:
    """x, y and z of numba.cuda's threadIdx and others."""

    def __init__(self, queries: type) -> None:
        self._queries = queries

    def __getattr__(self, name: str) -> int:
        query = getattr(self._queries, name)
        return getattr(work_item, query.function.__name__)(_cuda_dimension(query.dim))


def _cuda_dimension(dim: int) -> int:
    """The dimension of x, y or z (2, 1, 0) in a range that may have fewer than three."""
    return dim - 3 + len(current("threadIdx").global_size) if dim >= 0 else dim


def _grid(name: str) -> Any:
    def function(ndim: int) -> Any:
        values = getattr(current("grid"), name)[::-1]
        values = (*values, *(0 if name == "global_id" else 1 for _ in range(3)))[:ndim]
        return int(values[0]) if ndim == 1 else tuple(map(int, values))

    return function


def _replace(module: ModuleType, names: dict[str, Any]) -> None:
    """Replaces functions of a module, also in the modules of the language that import them."""
    for name, value in names.items():
        old = getattr(module, name)
        if old is value:
            continue  # another name of a function that has been replaced
        functools.update_wrapper(value, old)
        for user in (module, cuda_names, cuda_warp):
            for known in [n for n, found in vars(user).items() if found is old]:
                setattr(user, known, value)


def _replace_methods() -> None:
    """Items, groups and sub-groups ask the functions of the same meaning."""
    renamed = {
        "get_id": "get_global_id", "get_range": "get_global_size",
        "get_linear_id": "get_global_linear_id", "get_global_range": "get_global_size",
        "get_local_range": "get_local_size", "get_group_range": "get_num_groups",
    }  # fmt: skip
    totals = {
        "get_linear_range": "global_size", "get_global_linear_range": "global_size",
        "get_local_linear_range": "local_size", "get_group_linear_range": "num_groups",
    }  # fmt: skip
    for kind in (work_item.Item, work_item.NdItem, work_item.Group):
        for name in [n for n in vars(kind) if not n.startswith("_")]:
            if name == "dimensions":
                method: Any = property(lambda self: len(current("dimensions").global_size))
            elif name == "leader":
                method = lambda self: get_local_linear_id() == 0  # noqa: E731
            elif name in totals:
                method = _total(totals[name])
            else:
                method = _method(renamed.get(name, name))
            setattr(kind, name, method)
    sub_group = work_item.SubGroup
    sub_group.get_local_id = _method("get_sub_group_local_id")  # type: ignore[method-assign]
    sub_group.get_local_range = _method("get_sub_group_size")  # type: ignore[method-assign]
    sub_group.get_group_id = _method("get_sub_group_id")  # type: ignore[method-assign]
    sub_group.get_group_range = _method("get_num_sub_groups")  # type: ignore[method-assign]
    sub_group.leader = lambda self: get_sub_group_local_id() == 0  # type: ignore[method-assign]


def _method(name: str) -> Any:
    return lambda self, *arguments: getattr(work_item, name)(*arguments)


def _total(sizes: str) -> Any:
    return lambda self: int(np.prod(getattr(current(sizes), sizes)))


def _atomic(method: Any, write: bool) -> Any:
    """A method of AtomicRef whose accesses are noted as one atomic operation."""

    @functools.wraps(method)
    def call(self: AtomicRef, *arguments: Any) -> Any:
        array = self._ref
        self._ref = note_atomic(array, self._index, write=write)
        try:
            return method(self, *arguments)
        finally:
            self._ref = array

    return call


def _call_device_function(self: DeviceFunction, *arguments: Any, **keywords: Any) -> Any:
    return self.py_func(*arguments, **keywords)


def install() -> None:
    """Replaces the functions of the kernel language. Called once, before programs import them."""
    functions = {n: _in_dimension(*facts, n) for n, facts in _OF_DIMENSION.items()}
    for function in (
        get_global_linear_id, get_local_linear_id, get_group_linear_id, get_sub_group_id,
        get_sub_group_local_id, get_num_sub_groups, get_sub_group_size, get_group, get_sub_group,
    ):  # fmt: skip
        functions[function.__name__] = function
    _replace(work_item, functions)
    _replace_methods()
    _replace(group_function, _GROUP_FUNCTIONS)
    _replace(atomic, _ATOMICS)
    for name in ("load", "store", "_replace"):
        setattr(AtomicRef, name, _atomic(getattr(AtomicRef, name), write=name != "load"))
    _replace(cuda_warp, {"report_mask": report_mask})
    _replace(bits, _BITS)
    _replace(local, {"array": local_array})
    _replace(private, {"array": private_array, "PrivateArray": private_array_of_dpex})
    _replace(constant, {"array_like": array_like})
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
        setattr(cuda_names, name, _Indices(getattr(cuda_names, name)))
    _replace(cuda_names, {"grid": _grid("global_id"), "gridsize": _grid("global_size")})
    setattr(DeviceFunction, "__call__", _call_device_function)  # noqa: B010 - for mypy
