"""Queries of addresses in USM."""

from __future__ import annotations

from typing import Any

from .._hither import Context, Device, pointer_info
from ..errors import InvalidValueError

__all__ = ["get_usm_device", "get_usm_type"]


def _context(context: Any) -> Context:
    return context if isinstance(context, Context) else context.context


def get_usm_type(pointer: int, context: Any) -> str:
    """The USM type of ``pointer`` in a context, or a queue's context: "device", "shared", "host" or
    "unknown"."""
    found = pointer_info(pointer, _context(context))
    return found.usm_type if found else "unknown"


def get_usm_device(pointer: int, context: Any) -> Device:
    """The device that the allocation at ``pointer`` belongs to, as sycl::get_pointer_device."""
    found = pointer_info(pointer, _context(context))
    if found is None:
        raise InvalidValueError(
            "get_usm_device", f"the address {pointer:#x} is not bound to {_context(context)!r}"
        )
    return found.device
