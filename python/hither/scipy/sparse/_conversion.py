"""Sparse matrices of SciPy and CuPy, in and out."""

from __future__ import annotations

from typing import Any

from ... import _hither as h
from ..._libraries.scipy_module import scipy_module
from ...errors import UnsupportedError
from . import _arguments
from ._arguments import Place

__all__: list[str] = []


def converted(place: Place, given: Any, family: Any, copy: bool) -> Any:
    """A sparse array of hither, SciPy or CuPy as one of `family`'s format in the place."""
    if _arguments.is_foreign(given):
        return _imported(place, given, family, copy)
    x = given.asformat(family.format)
    if place.asked is not None or place.usm_type is not None:
        x = x.to_device(place.asked or x.queue, usm_type=place.usm_type)
    data = place.cast(x.data, copy)
    if family.format == "coo":
        c = x._coordinates()._replace(data=data)
        made = family._of_coordinates(c, x.shape)
    else:
        made = family._of_lines(x._lines().with_data(data), x.shape)
    return made.copy() if copy else made


def _imported(place: Place, given: Any, family: Any, copy: bool) -> Any:
    """CuPy's memory is shared. SciPy's is copied, because the host owns it."""
    x = given.asformat(family.format)
    if len(x.shape) > 2:
        raise UnsupportedError(place.function, f"shape is {x.shape}; at most 2 extents are stored")
    if family.format == "coo":
        coords = getattr(x, "coords", None) or (x.row, x.col)
        c, shape = _arguments.coordinates(place, (x.data, coords), x.shape, copy)
        return family._of_coordinates(c, shape)
    arrays = (x.data, x.indices, x.indptr)
    lines, shape = _arguments.compressed(place, arrays, x.shape, family._turned, copy)
    return family._of_lines(lines, shape)


def to_scipy(x: Any) -> Any:
    """SciPy's sparse array with copies of the arrays."""
    sparse = scipy_module("sparse", "get")
    if sparse is None:
        raise UnsupportedError("get", "SciPy is not installed; A.toarray().get() needs NumPy alone")
    kind = getattr(sparse, f"{x.format}_{'matrix' if x._is_matrix else 'array'}")
    if x.format == "coo":
        coords = tuple(h.asnumpy(line) for line in x.coords)
        return kind((h.asnumpy(x.data), coords), shape=x.shape)
    arrays = tuple(h.asnumpy(line) for line in (x.data, x.indices, x.indptr))
    return kind(arrays, shape=x.shape)
