"""Parallel versions of NumPy's functions in place of some of Numba's, which give other results.

Numba's `linspace` divides by zero for one number, and writes outside of an array without elements.
Its `argmin` and `argmax` copy an array that is not contiguous before their loop. If Numba fuses
that loop with an earlier one, the copy precedes what the earlier loop writes.
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

    return argmin if _is_vector(array) else swap_functions_map["argmin", "numpy"](result, array)


def _argmax(result, array):
    def argmax(in_arr):
        numba.parfors.parfor.init_prange()
        argmax_checker(len(in_arr))
        best = typing.builtins.IndexValue(0, get_type_min_value(in_arr.dtype))
        for i in numba.parfors.parfor.internal_prange(len(in_arr)):
            best = max(best, typing.builtins.IndexValue(i, in_arr[i]))
        return best.index

    return argmax if _is_vector(array) else swap_functions_map["argmax", "numpy"](result, array)


def _is_vector(numba_type) -> bool:
    return isinstance(numba_type, types.Array) and numba_type.ndim == 1


_FUNCTIONS = {
    **swap_functions_map,
    ("linspace", "numpy"): _linspace,
    ("argmin", "numpy"): _argmin,
    ("argmax", "numpy"): _argmax,
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
