"""From a Python function and the types of a call to a kernel module, through Numba."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import entry, fault
from .access import WRITTEN
from .decorator import takes_item
from .explain import explain
from .lower_work_item import item_type
from .numba_adapter import compiler, global_compiler_lock, target_override, types
from .pipeline import EntryCompiler
from .runtime_functions import define_runtime_functions
from .target import target_for

_NAME = re.compile(r'@"([^"]+)"')
_DEFINED = re.compile(r'^define [^\n]*?@"([^"]+)"', re.MULTILINE)
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


@dataclass(frozen=True)
class ArgumentType:
    """Type of one argument of a call: a scalar of `dtype`, or an array if `rank` is not
    negative."""

    dtype: str
    rank: int = -1
    layout: str = "C"
    readonly: bool = False
    aligned: bool = True


@dataclass(frozen=True)
class FrontEndResult:
    """What the core needs: see target::KernelModule."""

    entry: str
    texts: list[str]
    parameters: list[int]
    written: list[bool]
    independent: bool
    file: str
    messages: list[str]


class KernelRefused(Exception):
    """The function cannot be a kernel for these types; the text says why and what to do."""


def compile_kernel(
    function: Callable, arguments: Sequence[tuple], debug: bool, fastmath: bool
) -> FrontEndResult:
    """Runs Numba's front end. Each of `arguments` is the fields of an ArgumentType.

    Blocks for tens of milliseconds, one caller at a time. Raises KernelRefused.
    """
    described = [ArgumentType(*fields) for fields in arguments]
    try:
        given = [_numba_type(argument) for argument in described]
        implicit = [item_type] if takes_item(function) else []
        with global_compiler_lock:
            return _compile(function, implicit, given, debug, fastmath)
    except KernelRefused:
        raise
    except Exception as error:  # Numba also lets its internal ones out
        raise KernelRefused(explain(error, function)) from error


def _numba_type(argument: ArgumentType):
    if argument.dtype not in _SCALARS:
        raise KernelRefused(
            f"{argument.dtype} cannot enter a kernel written in Python: Numba has no arithmetic "
            "for it; convert the argument, for example with astype(x, float32)"
        )
    element = _SCALARS[argument.dtype]
    if argument.rank < 0:
        return element
    return types.Array(
        element,
        argument.rank,
        argument.layout,
        readonly=argument.readonly,
        aligned=argument.aligned,
    )


def _compile(function, implicit, given, debug, fastmath) -> FrontEndResult:
    target = target_for(debug)
    context = target.target_context
    flags = compiler.Flags()
    target.options.parse_as_flags(
        flags, {"nopython": True, "fastmath": fastmath, "boundscheck": debug}
    )
    with target_override(target.name):
        compiled = compiler.compile_extra(
            target.typing_context,
            context,
            function,
            tuple(implicit + given),
            None,
            flags,
            {},
            pipeline_class=EntryCompiler,
        )
    # Numba would keep the function, and the globals of its module, for the life of the process.
    context.remove_user_function(compiled.entry_point)
    seen: dict = {}
    texts = compiled.library.texts(seen)
    name = _entry_name(function, texts)
    text, parameters = entry.emit_entry(context, compiled, name)
    texts = define_runtime_functions([text, *texts], seen, target)
    file = function.__code__.co_filename
    texts, messages = fault.number_faults(_with_stable_names(texts, name), file)
    written = compiled.metadata[WRITTEN]
    return FrontEndResult(
        entry=name,
        texts=texts,
        parameters=parameters,
        written=[position + len(implicit) in written for position in range(len(given))],
        independent=not any("atomicrmw" in text or "cmpxchg" in text for text in texts),
        file=file,
        messages=messages,
    )


def _entry_name(function: Callable, texts: list[str]) -> str:
    """The function's name, which messages show, unless it is also that of something the kernel
    calls."""
    name = re.sub(r"\W", "_", function.__name__, flags=re.ASCII)
    taken = any(f'@"{name}"' in text for text in texts) or name.startswith(("hither", "llvm"))
    return f"{name}.kernel" if taken else name


def _with_stable_names(texts: list[str], entry_name: str) -> list[str]:
    """Numba's names hold counters of the process; equal kernels shall have equal text."""
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
        return f'@"{names.setdefault(name, f"function.{len(names)}")}"'

    return [_NAME.sub(rename, text) for text in texts]
