"""The names of hither's two targets in Numba.

`hither_debug` has bounds checks and sees every overload of `hither`. Two targets keep code that was
compiled with checks apart from code without.
"""

from __future__ import annotations

from .numba_adapter import GPU, target_registry

TARGET = "hither"
DEBUG_TARGET = "hither_debug"


class HitherKernel(GPU):
    """The target's class in Numba's hierarchy. It sees overloads for generic targets, for GPUs, and
    for `hither`."""


class HitherKernelDebug(HitherKernel):
    """The target with checks of bounds and of integer divisors."""


target_registry[TARGET] = HitherKernel
target_registry[DEBUG_TARGET] = HitherKernelDebug
