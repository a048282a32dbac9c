"""The functions of NumPy, with results in USM."""

from __future__ import annotations

import functools
import importlib
import operator
import types
from typing import Any

import numpy as np

import hither
from hither import _hither
from hither.dparray._dp_array import DPArray, adopt, from_ndarray

__all__ = ["Conversion", "Function", "Grid", "ReferableFunction", "Submodule", "wrap"]


class Function:
    """A function or ufunc of NumPy whose resulting arrays are DPArrays.

    New arrays are in USM of ``queue`` (an extra keyword: a queue, device or filter string). The
    default is the queue of DPArray operands, else the device context's, else the default device's.
    Results that alias plain host memory stay plain. Attributes (``add.reduce``) are those of the
    function.

    Numba recognises it, because it compares equal to the function, has the same hash, and supports
    weak references only if the function does.
    """

    __slots__ = ("__dict__",)

    def __init__(self, function: Any, path: str) -> None:
        functools.update_wrapper(self, function)
        self.__module__ = "numpy"  # Numba reads it
        self.__qualname__ = path
        self._path = path

    def __call__(self, *args: Any, queue: Any = None, **kwargs: Any) -> Any:
        target = None if queue is None else hither.default_queue(queue)
        result = _hither.call_in_usm(target, self.__wrapped__, args, kwargs)
        return result if result is kwargs.get("out") else adopt(result)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # during construction or copying
            raise AttributeError(name)
        value = getattr(self.__wrapped__, name)
        return value if name.startswith("_") else wrap(value, f"{self._path}.{name}")

    def __eq__(self, other: object) -> bool:
        return self.__wrapped__ == (other.__wrapped__ if isinstance(other, Function) else other)

    def __hash__(self) -> int:
        return hash(self.__wrapped__)

    def __repr__(self) -> str:
        return f"<hither.dparray.{self._path}>"

    def __reduce__(self) -> Any:
        return _find, (self._path,)


class ReferableFunction(Function):
    """A function that supports weak references."""

    __slots__ = ("__weakref__",)


def _find(path: str) -> Any:
    from hither import dparray

    return operator.attrgetter(path)(dparray)


class Conversion(ReferableFunction):
    """asarray and similar functions: a DPArray is returned unchanged, plain arrays are copied to
    USM.

    Arrays of Python objects stay plain. Raises ValueError if ``copy=False`` forbids a needed copy.
    """

    def __call__(self, *args: Any, queue: Any = None, **kwargs: Any) -> Any:
        target = None if queue is None else hither.default_queue(queue)
        result = _hither.call_in_usm(target, self.__wrapped__, args, kwargs)
        given = args[0] if args else None
        if isinstance(given, DPArray) and type(result) is np.ndarray:
            same = result.__array_interface__ == given.__array_interface__
            result = given if same else adopt(result)
        else:
            result = adopt(result)
        if isinstance(result, DPArray):
            at_home = target is None or (result.queue and target.equivalent(result.queue))
        else:
            at_home = type(result) is not np.ndarray or result.dtype.hasobject
        if at_home:
            return result
        if kwargs.get("copy") is False:
            raise ValueError(f"{self._path}: copy=False, but the array must be copied to USM")
        return from_ndarray(result, target)


class FromDLPack(ReferableFunction):
    """from_dlpack: for a DPArray, the result is a DPArray over its memory."""

    def __call__(self, *args: Any, queue: Any = None, **kwargs: Any) -> Any:
        result = super().__call__(*args, queue=queue, **kwargs)
        given = args[0]
        if isinstance(given, DPArray) and np.shares_memory(result, given):
            return given.view()
        return result


class Load(ReferableFunction):
    """load: arrays in an archive are DPArrays too."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = super().__call__(*args, **kwargs)
        if type(result) is np.lib.npyio.NpzFile:
            result.__class__ = _Archive
        return result


class _Archive(np.lib.npyio.NpzFile):
    def __getitem__(self, key: str) -> Any:
        return adopt(_hither.call_in_usm(None, super().__getitem__, (key,), {}))


class Vectorised(np.vectorize):
    """numpy.vectorize, with results in USM. The function is called for each element, on the host.

    Parameters
    ----------
    pyfunc : callable
        The function of numbers.
    otypes : str or sequence of dtype, optional
        The dtypes of the results. Without them, the first result determines them.
    doc : str, optional
        The docstring.
    excluded : set of str or int, optional
        The parameters that are passed as they are, by name or by position.
    cache : bool
        Whether the result of the call that determines the dtypes is used again.
    signature : str, optional
        The dimensions of the arguments, as in NumPy.

    Raises
    ------
    TypeError
        If ``pyfunc`` is not callable.
    ValueError
        If ``otypes`` contains an unknown type, or ``signature`` is malformed.

    Examples
    --------
    >>> import hither.dparray as np
    >>> np.vectorize(lambda v: 2 * v)(np.arange(3)).tolist()
    [0, 2, 4]
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return adopt(_hither.call_in_usm(None, super().__call__, args, kwargs))


class Grid:
    """NumPy's mgrid, ogrid, r_ and c_, with results in USM."""

    def __init__(self, grid: Any) -> None:
        self.__wrapped__ = grid

    def __getitem__(self, key: Any) -> Any:
        return adopt(_hither.call_in_usm(None, self.__wrapped__.__getitem__, (key,), {}))

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)


class Submodule(types.ModuleType):
    """A module of NumPy, imported at its first use, whose functions return DPArrays.

    Names of the module ``replacements`` have precedence over NumPy's. ``__name__`` is NumPy's,
    because Numba reads it.
    """

    def __init__(self, name: str, replacements: str | None = None) -> None:
        super().__init__(f"numpy.{name}", f"numpy.{name}, whose functions return DPArrays.")
        self._path = name
        self._replacements = replacements

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        replacements = self._replacements and importlib.import_module(self._replacements)
        if replacements and name in replacements.__all__:
            value = getattr(replacements, name)
        else:
            module = importlib.import_module(self.__name__)
            value = wrap(getattr(module, name), f"{self._path}.{name}")
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(self.__name__))


_OWN = {"from_dlpack": FromDLPack, "load": Load}


def wrap(value: Any, path: str) -> Any:
    """A value of NumPy for hither.dparray: functions are wrapped, other values unchanged."""
    if path == "vectorize":
        return Vectorised
    if path in _OWN:
        return _OWN[path](value, path)
    if path in ("mgrid", "ogrid", "r_", "c_"):
        return Grid(value)
    if path in ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "require"):
        return Conversion(value, path)
    plain = isinstance(value, type | types.ModuleType) or not callable(value)
    if plain:
        return value
    return (
        ReferableFunction(value, path) if type(value).__weakrefoffset__ else Function(value, path)
    )
