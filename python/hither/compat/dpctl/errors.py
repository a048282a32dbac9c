"""dpctl's exceptions, as aliases of the exceptions that hither raises instead."""

from __future__ import annotations

import hither

__all__ = [
    "SyclContextCreationError",
    "SyclDeviceCreationError",
    "SyclKernelInvalidRangeError",
    "SyclKernelSubmitError",
    "SyclQueueCreationError",
    "SyclSubDeviceCreationError",
]

SyclContextCreationError = hither.Error
SyclDeviceCreationError = hither.Error
SyclQueueCreationError = hither.Error
SyclSubDeviceCreationError = hither.Error
SyclKernelInvalidRangeError = hither.InvalidValueError
SyclKernelSubmitError = hither.Error
