"""Compiles a Python function to a kernel module for the types of a call, by Numba."""

from __future__ import annotations

import functools
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module

from ..language.item_parameter import item_parameter
from ..language.options import CompileOptions
from . import entry, fault
from .access import WRITTEN
from .argument_type import ArgumentType
from .device_function import target_for
from .explain import explain
from .lower_print import number_prints, prints
from .lower_work_item import ITEM_TYPES
from .numba_adapter import as_numba_dtype, compiler, global_compiler_lock, target_override, types
from .pipeline import EntryCompiler
from .refused import KernelRefused
from .runtime_functions import define_runtime_functions
from .signature import declared_types

_log = logging.getLogger("hither.kernels")

_NAME = re.compile(r'@"([^"]+)"')
_DEFINED = re.compile(r'^define [^\n]*?@"([^"]+)"', re.MULTILINE)
_ROUNDED = re.compile(r"(?<== )(fadd|fsub|fmul|fneg) (?!.*\b(?:fast|contract)\b)")
_KEPT = re.compile(r"^(llvm|hither)\.")
_RENAMED = {
    "numba_gamma": "tgamma",
    "numba_gammaf": "tgammaf",
    "numba_lgamma": "lgamma",
    "numba_lgammaf": "lgammaf",
    "numba_frexp": "frexp",
    "numba_frexpf": "frexpf",
    "numba_ldexp": "ldexp",
    "numba_ldexpf": "ldexpf",
}
_SCALARS = {
    str(t): t
    for t in (
        types.int8, types.int16, types.int32, types.int64,
        types.uint8, types.uint16, types.uint32, types.uint64,
        types.float32, types.float64, types.complex64, types.complex128,
    )
} | {"bool": types.boolean}  # fmt: skip


_GROUPS = re.compile(
    r'@"?hither\.(?:barrier|sub_group|group_(?:reduce|inclusive|exclusive|broadcast|any|all))'
)


@dataclass(frozen=True)
class FrontEndResult:
    """The fields of target::KernelModule and launch::KernelSource that the front end determines."""

    entry: str
    texts: list[str]
    parameters: list[int]
    written: list[bool]
    independent: bool
    has_groups: bool
    file: str
    messages: list[str]
    prints: list[str] = field(default_factory=list)  # what calls of print print; see lower_print.py
    key: str = ""


def compile_kernel(
    function: Callable, arguments: Sequence, options: CompileOptions
) -> FrontEndResult:
    """Runs Numba's front end. `arguments` have the form that argument_type.ArgumentType documents.

    The call takes tens of milliseconds, and Numba's lock admits one caller at a time. Raises
    KernelRefused.
    """
    try:
        given = [_numba_type(argument) for argument in arguments]
        kind = item_parameter(function)
        implicit = [] if kind is None else [ITEM_TYPES[kind]]
        with global_compiler_lock:
            started = time.perf_counter()
            result = _compile(function, implicit, given, options)
    except KernelRefused:
        raise
    except Exception as error:  # Numba also raises internal exceptions
        raise KernelRefused(explain(error, function)) from error
    _log.debug(
        "Numba compiled %s for (%s) in %.1f ms",
        function.__qualname__, ", ".join(map(str, given)), (time.perf_counter() - started) * 1e3,
    )  # fmt: skip
    return result


def number_type(dtype: str):
    """Numba's type for the name of a dtype. Raises KernelRefused."""
    if dtype not in _SCALARS:
        raise KernelRefused(
            f"{dtype} cannot be passed to a kernel written in Python: Numba has no arithmetic for "
            "it; convert the argument, for example with astype(x, float32)"
        )
    return _SCALARS[dtype]


def _numba_type(described):
    if isinstance(described, list):
        return _tuple_type(*described)
    argument = ArgumentType(*described)
    if argument.record is not None:
        if argument.record.hasobject:
            raise KernelRefused(
                "a record that contains Python objects cannot be passed to a kernel"
            )
        element = as_numba_dtype(argument.record)
    else:
        element = number_type(argument.dtype)
    if argument.rank < 0:
        return element
    if argument.local:
        return entry.LocalArray(element, argument.rank)
    return types.Array(
        element,
        argument.rank,
        argument.layout,
        readonly=argument.readonly,
        aligned=argument.aligned,
    )


def _tuple_type(tuple_class, *items):
    given = [_numba_type(item) for item in items]
    if any(isinstance(item, entry.LocalArray) for item in given):
        raise KernelRefused("a LocalAccessor must be an argument itself, not an item of a tuple")
    if tuple_class is None:
        return types.Tuple(given)
    if not hasattr(tuple_class, "_fields"):
        raise KernelRefused(f"{tuple_class.__name__} is a subclass of tuple without named fields")
    if len(set(given)) == 1:
        return types.NamedUniTuple(given[0], len(given), tuple_class)
    return types.NamedTuple(given, tuple_class)


@functools.cache
def _import_array_functions() -> None:
    """Imports NumPy's functions and methods of arrays for Numba. This imports SciPy, which takes
    longer than a first kernel, and few kernels need it."""
    import_module("numba.np.arraymath")


def _compile(function, implicit, given, options) -> FrontEndResult:
    try:
        return _compile_with_known(function, implicit, given, options)
    except KernelRefused:
        raise
    except Exception:
        if _import_array_functions.cache_info().currsize:
            raise
    _import_array_functions()
    return _compile_with_known(function, implicit, given, options)


def _compile_with_known(function, implicit, given, options) -> FrontEndResult:
    """Fails if the kernel uses functions that no imported module has registered with Numba."""
    target = target_for(options.debug)
    context = target.target_context
    flags = compiler.Flags()
    target.options.parse_as_flags(
        flags, {"nopython": True, "fastmath": options.fastmath, "boundscheck": options.debug}
    )
    seen_inside = [entry.inner_type(argument) for argument in given]
    wanted = declared_types(function, options.signatures, seen_inside, target.typing_context)
    with target_override(target.name):
        compiled = compiler.compile_extra(
            target.typing_context,
            context,
            function,
            tuple(implicit + wanted),
            None,
            flags,
            {},
            pipeline_class=EntryCompiler,
        )
    _refuse_written_records(function, implicit + wanted, compiled.metadata[WRITTEN])
    # Numba would keep the function and its module's globals alive until the process ends.
    context.remove_user_function(compiled.entry_point)
    seen: dict = {}
    texts = compiled.library.texts(seen)
    name = _entry_name(function, texts)
    text, parameters = entry.emit_entry(
        context, compiled, implicit + given, name, prints=prints(texts)
    )
    texts = define_runtime_functions([text, *texts], seen, target)
    file = function.__code__.co_filename
    if options.fma:
        texts = [_ROUNDED.sub(r"\1 contract ", text) for text in texts]
    texts, messages = fault.number_faults(with_stable_names(texts, name), file)
    texts, printed = number_prints(texts)
    return FrontEndResult(
        entry=name,
        texts=texts,
        parameters=parameters,
        written=_written_leaves(given, compiled.metadata[WRITTEN], len(implicit)),
        independent=not any("atomicrmw" in text or "cmpxchg" in text for text in texts),
        has_groups=entry.LOCAL_BYTES in parameters
        or any(_GROUPS.search(text) or "addrspace(3)" in text for text in texts),
        file=file,
        messages=messages,
        prints=printed,
    )


def _refuse_written_records(function, given, written) -> None:
    """A record is passed by value, so that writes to its fields would be lost."""
    names = function.__code__.co_varnames
    for position, argument in enumerate(given):
        if position in written and isinstance(argument, types.Record):
            raise KernelRefused(
                f"the kernel writes to the record {names[position]}, which is passed by value: "
                "pass an array that holds the record, and write to its element"
            )


def _written_leaves(given, written, first) -> list[bool]:
    """For each array and number, including items of tuples: whether the kernel may write to it."""

    def leaves(argument) -> int:
        if isinstance(argument, types.BaseTuple):
            return sum(leaves(item) for item in argument)
        return 1

    return [
        position + first in written
        for position, argument in enumerate(given)
        for _ in range(leaves(argument))
    ]


def _entry_name(function: Callable, texts: list[str]) -> str:
    """The name of the kernel in the module: the function's name, which messages show. It gets a
    suffix if a function that the kernel calls has the same name."""
    name = re.sub(r"\W", "_", function.__name__, flags=re.ASCII)
    taken = any(f'@"{name}"' in text for text in texts) or name.startswith(("hither", "llvm"))
    return f"{name}.kernel" if taken else name


def with_stable_names(texts: list[str], entry_name: str, prefix: str = "function") -> list[str]:
    """Replaces Numba's names, which contain counters of the process, so that equal kernels have
    equal text."""
    names: dict[str, str] = {}
    defined = {name for text in texts for name in _DEFINED.findall(text)}

    def rename(match: re.Match) -> str:
        name = match[1]
        if name == entry_name or _KEPT.match(name):
            return match[0]
        if name in _RENAMED:
            return f'@"{_RENAMED[name]}"'
        if name not in defined and not name.startswith((".", "_ZN")):
            return match[0]
        return f'@"{names.setdefault(name, f"{prefix}.{len(names)}")}"'

    return [_NAME.sub(rename, text) for text in texts]
