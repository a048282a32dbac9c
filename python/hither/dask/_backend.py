"""The array backend "hither" of Dask: functions that create arrays make hither's chunks."""

from __future__ import annotations

import functools
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.backends import ArrayBackendEntrypoint, array_creation_dispatch
from dask.utils import Dispatch

from .. import numpy as own
from .._hither import Array, asarray, empty

__all__ = ["ArrayBackend"]

to_hither = Dispatch("to_hither")


@to_hither.register(object)
def _to_hither(x: Any, **place: Any) -> Array:
    return asarray(x, **place)


class PCG64(np.random.PCG64):
    """The bit generator of Dask's random numbers that hither draws on devices from its seed. By the
    module of its class Dask finds the package with the generator."""


class ArrayBackend(ArrayBackendEntrypoint):
    """Dask's array backend "hither".

    ``dask.config.set({"array.backend": "hither"})`` selects it for Dask's functions that create
    arrays, and ``x.to_backend("hither")`` converts the chunks of an array.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> import hither.dask
    >>> with dask.config.set({"array.backend": "hither"}):
    ...     x = da.ones((4, 4), chunks=2)
    >>> x
    dask.array<ones_like, shape=(4, 4), dtype=float64, chunksize=(2, 2), chunktype=hither.Array>
    """

    @classmethod
    def to_backend_dispatch(cls) -> Any:
        """The table of functions that convert a chunk."""
        return to_hither

    @classmethod
    def to_backend(cls, data: Any, **place: Any) -> Any:
        """The Dask array with hither's chunks. Keywords go to hither.asarray()."""
        if isinstance(data._meta, Array) and not place:
            return data
        return data.map_blocks(to_hither, **place)

    @property
    def RandomState(self) -> Any:  # noqa: N802 - Dask's name
        """The class of generators for dask.array.random.RandomState."""
        return own.random.RandomState

    @property
    def default_bit_generator(self) -> Any:
        """The bit generator for dask.array.random.default_rng."""
        return PCG64

    @staticmethod
    def ones(*args: Any, **given: Any) -> Any:
        """dask.array.ones with hither's chunks."""
        return _made("ones", *args, **given)

    @staticmethod
    def zeros(*args: Any, **given: Any) -> Any:
        """dask.array.zeros with hither's chunks."""
        return _made("zeros", *args, **given)

    @staticmethod
    def empty(*args: Any, **given: Any) -> Any:
        """dask.array.empty with hither's chunks."""
        return _made("empty", *args, **given)

    @staticmethod
    def full(*args: Any, **given: Any) -> Any:
        """dask.array.full with hither's chunks."""
        return _made("full", *args, **given)

    @staticmethod
    def arange(*args: Any, like: Any = None, **given: Any) -> Any:
        """dask.array.arange with hither's chunks."""
        with dask.config.set({"array.backend": "numpy"}):
            return da.arange(*args, like=empty(()) if like is None else like, **given)


def _made(name: str, /, *args: Any, meta: Any = None, **given: Any) -> Any:
    with dask.config.set({"array.backend": "numpy"}):
        return getattr(da, name)(*args, meta=empty(()) if meta is None else meta, **given)


@functools.cache
def register() -> None:
    """Adds the backend to Dask's, also where no entry point of an installed package names it."""
    array_creation_dispatch.register_backend("hither", ArrayBackend())
