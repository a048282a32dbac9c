"""The names of hither's two targets in Numba.

There are two, so that nothing compiled with bounds checks is ever reused without them: `hither`,
and `hither_debug`, which sees every overload of the former.
"""

from __future__ import annotations

from .numba_adapter import GPU, target_registry

TARGET = "hither"
DEBUG_TARGET = "hither_debug"


class HitherKernel(GPU):
    """Place in Numba's hierarchy of targets: sees overloads for any target, any GPU, and ours."""


class HitherKernelDebug(HitherKernel):
    """The same with checks of bounds and of integer divisors."""


target_registry[TARGET] = HitherKernel
target_registry[DEBUG_TARGET] = HitherKernelDebug
