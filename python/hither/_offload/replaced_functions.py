"""Parallel versions of NumPy's functions in place of some of Numba's, which give other results.

Numba's `linspace` divides by zero for one number, and writes outside of an array without elements.
Its `argmin` and `argmax` copy an array that is not contiguous before their loop. If Numba fuses
that loop with an earlier one, the copy precedes what the earlier loop writes. Its functions of
extremes look at the first axis only to find that an array has no elements.
"""

from __future__ import annotations

import numpy as np

from .numba_adapter import (
    OffloadPass,
    PreParforTransformation,
    argmax_checker,
    argmin_checker,
    as_numpy_dtype,
    get_type_max_value,
    get_type_min_value,
    max_checker,
    min_checker,
    numba,
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
}


@register_pass(mutates_CFG=True, analysis_only=False)
class ReplaceFunctions(OffloadPass):
    """Numba's PreParforPass with these functions."""

    _name = "hither_replace_functions"

    def run_pass(self, state):
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
