"""Methods of hither.Array that Python says in a line."""

from __future__ import annotations

from typing import Any

from ._hither import Array, asarray, asnumpy, copy

__all__: list[str] = []


def _tolist(self: Array) -> Any:
    """Nested lists of Python numbers; waits."""
    return asnumpy(self).tolist()


def _copy(self: Array) -> Array:
    return copy(self)


def _deepcopy(self: Array, memo: dict) -> Array:
    return copy(self)


def _reduce(self: Array) -> tuple:
    # Queues belong to a process: the array comes back on the device of the same name.
    return _restore, (asnumpy(self), self.device.filter_string, self.usm_type)


def _restore(values: Any, device: str, usm_type: str) -> Array:
    return asarray(values, device=device, usm_type=usm_type)


Array.tolist = _tolist
Array.__copy__ = _copy
Array.__deepcopy__ = _deepcopy
Array.__reduce__ = _reduce
