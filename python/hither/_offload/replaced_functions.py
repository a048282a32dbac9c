"""Parallel versions of NumPy's functions in place of some of Numba's, which give other results.

Numba's `linspace` divides by zero for one number, and writes outside of an array without elements.
Its `argmin` and `argmax` copy an array that is not contiguous before their loop. If Numba fuses
that loop with an earlier one, the copy precedes what the earlier loop writes. Its functions of
extremes look at the first axis only to find that an array has no elements.
"""

from __future__ import annotations

import numpy as np

from .array_type import is_on_device
from .compilation import current
from .numba_adapter import (
    OffloadPass,
    PreParforTransformation,
    argmax_checker,
    argmin_checker,
    as_numpy_dtype,
    find_callname,
    get_type_max_value,
    get_type_min_value,
    guard,
    max_checker,
    min_checker,
    mk_unique_var,
    numba,
    numba_ir,
    register_pass,
    swap_functions_map,
    types,
    typing,
)


def _linspace(result, *arguments):
    if len(arguments) < 3:
        return swap_functions_map["linspace", "numpy"](result, *arguments)
    dtype = as_numpy_dtype(result.dtype)

    def linspace(start, stop, num):
        numba.parfors.parfor.init_prange()
        made = np.empty(num, dtype)
        steps = max(num - 1, 1)
        for i in numba.parfors.parfor.internal_prange(num):
            made[i] = start + (stop - start) * (i / steps)
        return made

    return linspace


def _argmin(result, array):
    def argmin(in_arr):
        numba.parfors.parfor.init_prange()
        argmin_checker(len(in_arr))
        best = typing.builtins.IndexValue(0, get_type_max_value(in_arr.dtype))
        for i in numba.parfors.parfor.internal_prange(len(in_arr)):
            best = min(best, typing.builtins.IndexValue(i, in_arr[i]))
        return best.index

    def argmin_of_elements(in_arr):
        numba.parfors.parfor.init_prange()
        argmin_checker(in_arr.size)
        elements = in_arr.ravel()
        best = typing.builtins.IndexValue(0, get_type_max_value(elements.dtype))
        for i in numba.parfors.parfor.internal_prange(len(elements)):
            best = min(best, typing.builtins.IndexValue(i, elements[i]))
        return best.index

    return argmin if _is_vector(array) else argmin_of_elements


def _argmax(result, array):
    def argmax(in_arr):
        numba.parfors.parfor.init_prange()
        argmax_checker(len(in_arr))
        best = typing.builtins.IndexValue(0, get_type_min_value(in_arr.dtype))
        for i in numba.parfors.parfor.internal_prange(len(in_arr)):
            best = max(best, typing.builtins.IndexValue(i, in_arr[i]))
        return best.index

    def argmax_of_elements(in_arr):
        numba.parfors.parfor.init_prange()
        argmax_checker(in_arr.size)
        elements = in_arr.ravel()
        best = typing.builtins.IndexValue(0, get_type_min_value(elements.dtype))
        for i in numba.parfors.parfor.internal_prange(len(elements)):
            best = max(best, typing.builtins.IndexValue(i, elements[i]))
        return best.index

    return argmax if _is_vector(array) else argmax_of_elements


def _min(result, array):
    def minimum(in_arr):
        numba.parfors.parfor.init_prange()
        min_checker(in_arr.size)
        least = get_type_max_value(in_arr.dtype)
        for i in numba.pndindex(in_arr.shape):
            least = min(least, in_arr[i])
        return least

    return minimum if _has_axes(array) else swap_functions_map["min", "numpy"](result, array)


def _max(result, array):
    def maximum(in_arr):
        numba.parfors.parfor.init_prange()
        max_checker(in_arr.size)
        greatest = get_type_min_value(in_arr.dtype)
        for i in numba.pndindex(in_arr.shape):
            greatest = max(greatest, in_arr[i])
        return greatest

    return maximum if _has_axes(array) else swap_functions_map["max", "numpy"](result, array)


def _copy(result, array):
    """A copy is a loop if the host cannot access the array, or if the loop runs on the CPU, whose
    threads copy faster than one of them."""
    if not _is_copied_by_loop(array) or result.layout != "C":
        return None
    dtype = as_numpy_dtype(result.dtype)

    def copied(in_arr):
        numba.parfors.parfor.init_prange()
        made = np.empty(in_arr.shape, dtype)
        for i in numba.pndindex(in_arr.shape):
            made[i] = in_arr[i]
        return made

    return copied


def _is_copied_by_loop(array) -> bool:
    if is_on_device(array):
        return True
    compilation = current.get()
    # Loops of few elements need no launch where the version has small regions.
    return (
        compilation is not None
        and compilation.version.small
        and isinstance(array, types.Array)
        and array.ndim > 0
        and isinstance(array.dtype, (types.Number, types.Boolean))
    )


def _name_copies(state) -> None:
    """Makes calls of np.copy of x.copy(), where the copy is a loop. Numba replaces functions, and
    few methods."""
    for block in state.func_ir.blocks.values():
        body = []
        for statement in block.body:
            array = _copied(statement, state)
            if array is not None:
                name = numba_ir.Var(block.scope, mk_unique_var("$hither.copy"), statement.loc)
                state.typemap[name.name] = state.typingctx.resolve_value_type(np.copy)
                body.append(
                    numba_ir.Assign(numba_ir.Global("copy", np.copy, name.loc), name, name.loc)
                )
                state.func_ir._definitions[name.name] = [body[-1].value]
                call, signature = statement.value, state.calltypes.pop(statement.value)
                statement.value = numba_ir.Expr.call(name, [array], (), call.loc)
                state.calltypes[statement.value] = signature.replace(
                    args=(state.typemap[array.name],)
                )
                state.func_ir._definitions[statement.target.name] = [statement.value]
            body.append(statement)
        block.body = body


def _copied(statement, state):
    """The array x of a statement y = x.copy(), or None."""
    call = statement.value if isinstance(statement, numba_ir.Assign) else None
    if not isinstance(call, numba_ir.Expr) or call.op != "call" or call.args or call.kws:
        return None
    name, owner = guard(find_callname, state.func_ir, call, state.typemap) or (None, None)
    is_method = name == "copy" and isinstance(owner, numba_ir.Var)
    return owner if is_method and _is_copied_by_loop(state.typemap[owner.name]) else None


def _is_vector(numba_type) -> bool:
    return isinstance(numba_type, types.Array) and numba_type.ndim == 1


def _has_axes(numba_type) -> bool:
    return isinstance(numba_type, types.Array) and numba_type.ndim > 1


_FUNCTIONS = {
    **swap_functions_map,
    ("linspace", "numpy"): _linspace,
    ("argmin", "numpy"): _argmin,
    ("argmax", "numpy"): _argmax,
    ("min", "numpy"): _min,
    ("amin", "numpy"): _min,
    ("max", "numpy"): _max,
    ("amax", "numpy"): _max,
    ("copy", "numpy"): _copy,
}


@register_pass(mutates_CFG=True, analysis_only=False)
class ReplaceFunctions(OffloadPass):
    """Numba's PreParforPass with these functions."""

    _name = "hither_replace_functions"

    def run_pass(self, state):
        _name_copies(state)
        PreParforTransformation(
            state.func_ir,
            state.typemap,
            state.calltypes,
            state.typingctx,
            state.targetctx,
            state.flags.auto_parallel,
            state.parfor_diagnostics.replaced_fns,
            _FUNCTIONS,
        ).run()
        return True
