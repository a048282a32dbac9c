"""The class of element-wise functions: hither's form of numpy.ufunc."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from .. import _hither
from .._array.dtypes import is_of_ml_dtypes, refuse_float8, result_type
from .._array.host_fallback import DTYPES, refuse_dtype, run_on_host
from .._compile.traced_number import is_traced, untraced
from .._device_context import check_usm_type, current_queue
from .._hither import Array, DirectCall, asarray, astype, on_queue
from .._names import did_you_mean
from ..errors import InvalidTypeError, InvalidValueError
from ._arguments import dtype_of
from ._cores import check_out
from ._direct import ByDtype
from ._memory_order import memory_order
from ._names_in_errors import REFUSALS, renamed
from ._placement import (
    NUMBERS,
    as_array,
    chosen_queue,
    first_array,
    mask_of,
    moved,
    overriding,
    with_place,
)
from ._segments import combined_at, reduced_at
from ._ufunc_methods import accumulated, reduced

__all__: list[str] = []

_Native = Callable[..., Any] | None
# Classes of operands that need no conversion.
_PLACED = frozenset((Array, *NUMBERS))


def _key(value: Any) -> Any:
    """What NumPy's type rules depend on: the dtype of an array, the class of a Python number."""
    if isinstance(value, Array):
        return value.dtype
    kind = type(value.value) if is_traced(value) else type(value)
    return kind if kind in (int, float, complex) else np.dtype(bool)


def _with_numbers_of_bfloat16(keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """The keys, next to bfloat16 with dtypes in place of float and complex. NumPy has no rule by
    which a Python number takes a dtype of ml_dtypes."""
    if not any(isinstance(key, np.dtype) and is_of_ml_dtypes(key) for key in keys):
        return keys
    dtypes = [key for key in keys if isinstance(key, np.dtype)]
    return tuple(
        result_type(*dtypes, key(0)) if key is float or key is complex else key for key in keys
    )


def _signature(nin: int, nout: int) -> inspect.Signature:
    """The parameters of a ufunc, as NumPy documents them."""
    kind = inspect.Parameter
    operands = ["x"] if nin == 1 else [f"x{i + 1}" for i in range(nin)]
    parameters = [kind(name, kind.POSITIONAL_ONLY) for name in operands]
    parameters.append(kind("out", kind.POSITIONAL_OR_KEYWORD, default=None))
    defaults = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True,
                "signature": None}  # fmt: skip
    parameters += [kind(n, kind.KEYWORD_ONLY, default=v) for n, v in defaults.items()]
    return with_place(inspect.Signature(parameters))


def _named(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a ufunc, whose errors begin with the names of the function and the method."""

    @functools.wraps(method)
    def call(self: ufunc, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except REFUSALS as error:
            raise renamed(error, f"{self.__name__}.{method.__name__}")  # noqa: B904

    return call


class ufunc(DirectCall):  # noqa: N801 - NumPy's name
    """A function of elements, with the attributes, keywords and methods of a numpy.ufunc.

    Operands broadcast and promote as in NumPy 2. The call runs on the queue of its arrays, lazily.
    ``out`` is an array or a tuple of arrays; ``where`` selects elements, and elements of the result
    that it leaves out are those of ``out``, else undefined. Loops that hither lacks run by NumPy on
    the host.

    >>> import hither.numpy as np
    >>> np.add([1, 2], 0.5).tolist()
    [1.5, 2.5]
    >>> np.multiply.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """

    nin: int
    nout: int
    nargs: int
    identity: Any
    types: list[str]
    ntypes: int
    signature: str | None
    __name__: str
    __signature__: inspect.Signature

    def __init__(self, numpy_ufunc: np.ufunc, native: _Native = None, doc: str = "") -> None:
        super().__init__(self._call, self._chosen, numpy_ufunc.nin, numbers=True)
        self.numpy_ufunc = numpy_ufunc
        self.native = native
        self.__name__ = self.__qualname__ = numpy_ufunc.__name__
        self.__module__ = "hither.numpy"
        self.nin, self.nout, self.nargs = numpy_ufunc.nin, numpy_ufunc.nout, numpy_ufunc.nargs
        self.identity, self.signature = numpy_ufunc.identity, numpy_ufunc.signature
        self.types = [t for t in numpy_ufunc.types if DTYPES.issuperset(t.replace("->", ""))]
        self.ntypes = len(self.types)
        self.__signature__ = _signature(self.nin, self.nout)
        self._plans: dict[Any, tuple[Any, ...]] = {}
        self.__doc__ = doc or f"numpy.{self.__name__}, of each element. See hither.numpy.ufunc."

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r} of hither.numpy>"

    def __reduce__(self) -> str:
        return self.__name__

    def _loop(self, keys: tuple[Any, ...], dtype: Any, signature: Any, casting: str) -> tuple:
        """The dtypes of the operands and results of NumPy's loop for operands of these types."""
        plan = self._plans.get((keys, dtype, signature, casting))
        if plan is None:
            weak = keys
            keys = _with_numbers_of_bfloat16(keys)
            asked = signature
            if dtype is not None:
                asked = (None,) * self.nin + (dtype_of(self.__name__, dtype),) * self.nout
            elif isinstance(asked, str):
                asked = self._dtypes_of_text(asked)
            for item in asked or ():
                if item is not None:
                    refuse_dtype(self.__name__, np.dtype(item))
            chosen = {} if asked is None else {"signature": asked}
            # NumPy crashes for numbers that "equiv" refuses. It equals "no" for these dtypes.
            plan = self.numpy_ufunc.resolve_dtypes(
                keys + (None,) * self.nout,
                casting="no" if casting == "equiv" else casting,  # type: ignore[arg-type]
                **chosen,
            )
            for item in plan:
                refuse_dtype(self.__name__, item)
            self._plans[weak, dtype, signature, casting] = plan
        return plan

    def _reduction_loop(self, kind: np.dtype, dtype: Any) -> tuple[Any, ...]:
        """The dtypes of NumPy's loop that reduces elements of a dtype."""
        if not isinstance(self.numpy_ufunc, np.ufunc):  # a function of scipy.special
            return self._loop((kind, kind), dtype, None, "unsafe")
        key = "reduction", kind, dtype
        loop = self._plans.get(key)
        if loop is None:
            asked = None if dtype is None else dtype_of(self.__name__, dtype)
            chosen = {} if asked is None else {"signature": (asked, None, None)}
            loop = self._plans[key] = self.numpy_ufunc.resolve_dtypes(
                (None, kind, None),
                casting="unsafe",
                reduction=True,
                **chosen,
            )
        return loop

    def _dtypes_of_text(self, text: str) -> tuple[Any, ...]:
        if "->" not in text:
            return (None,) * self.nin + (np.dtype(text),) * self.nout
        return tuple(np.dtype(c) for c in text.replace("->", ""))

    def _wrong_count(self, given: tuple[Any, ...]) -> InvalidTypeError:
        operands = f"{self.nin} operand{'' if self.nin == 1 else 's'}"
        return InvalidTypeError(
            self.__name__, f"takes {operands} and an optional out, {len(given)} given"
        )

    def _placed(self, inputs: tuple[Any, ...], queue: Any, device: Any) -> list[Any]:
        if len(inputs) != self.nin:
            raise self._wrong_count(inputs)
        kinds = {type(x) for x in inputs}
        if queue is None and device is None and Array in kinds and _PLACED.issuperset(kinds):
            return list(inputs)
        home = first_array(inputs)
        asked = chosen_queue(queue, device, self.__name__)
        target = asked or (home.queue if home is not None else current_queue())
        names = ("x",) if self.nin == 1 else tuple(f"x{i + 1}" for i in range(self.nin))
        placed: list[Any] = []
        for name, value in zip(names, map(untraced, inputs), strict=True):
            if type(value) in NUMBERS:
                placed.append(value)
            else:
                placed.append(as_array(self.__name__, name, value, target, home, asked is not None))
        if not any(isinstance(x, Array) for x in placed):
            placed[0] = asarray(placed[0], queue=target)
        return placed

    def _computed(self, operands: list[Any], loop: tuple[Any, ...]) -> Any:
        """The results of hither's function, or of NumPy's on the host."""
        cast = [
            astype(x, dtype) if isinstance(x, Array) and x.dtype != dtype else x
            for x, dtype in zip(operands, loop, strict=False)
        ]
        result = NotImplemented
        if self.native is not None:
            try:
                result = self.native(*cast)
            except InvalidTypeError:  # hither has no kernel for these dtypes
                result = NotImplemented
        if result is NotImplemented:
            refuse_float8(self.__name__, cast)
            like = first_array(cast)
            queue = like.queue if like is not None else None
            return run_on_host(self.__name__, self.numpy_ufunc, tuple(cast), queue=queue)
        if self.nout == 1:
            return astype(result, loop[-1], copy=False)
        return tuple(
            astype(x, dtype, copy=False) for x, dtype in zip(result, loop[self.nin :], strict=True)
        )

    def _chosen(self, *operands: Any) -> _Native:
        """hither's function for operands of these types, or None if they need conversions that it
        does not make itself."""
        if self.nout != 1 or self.native is None:
            return None
        loop = self._loop(tuple(map(_key, operands)), None, None, "same_kind")
        pairs = list(zip(operands, loop, strict=False))
        cast = [astype(x, t, copy=False) if isinstance(x, Array) else x for x, t in pairs]
        native = self.native.chosen(*cast) if isinstance(self.native, ByDtype) else self.native
        # Operations compute in the dtype of their result, unless that is bool. Functions in Python
        # are composed of several, the first of which would compute in the dtype of the operands.
        by_steps = len(set(loop)) > 1 or isinstance(native, FunctionType)
        if by_steps and any(isinstance(x, Array) and x.dtype != t for x, t in pairs):
            return None
        try:
            made = native(*operands)
        except InvalidTypeError:
            return None
        return native if isinstance(made, Array) and made.dtype == loop[-1] else None

    def _call(
        self,
        *args: Any,
        out: Any = None,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
        queue: Any = None,
        device: Any = None,
        usm_type: Any = None,
        **gufunc: Any,
    ) -> Any:
        inputs = args[: self.nin]
        own = overriding((*args, out))
        if own is not None:
            every = {"out": out, "where": where, "casting": casting, "order": order,
                     "dtype": dtype, "queue": queue, "device": device, **gufunc}  # fmt: skip
            usual = {"where": True, "casting": "same_kind", "order": "K"}
            asked = {k: v for k, v in every.items() if v is not usual.get(k)}
            return own.__hither_function__(self.__name__, args, asked)
        if len(args) > self.nin + self.nout:
            raise self._wrong_count(args)
        if len(args) > self.nin:
            missing = (None,) * (self.nin + self.nout - len(args))
            out = (*args[self.nin :], *missing) if self.nout > 1 else args[self.nin]
        out = None if out is ... else out  # an array even without dimensions, as all results are
        if order != "K":
            memory_order(self.__name__, order, "K")
        if usm_type is not None:
            check_usm_type(usm_type)
        operands = self._placed(inputs, queue, device)
        if gufunc:
            return self._on_axes(operands, gufunc, out)
        loop = self._loop(tuple(map(_key, operands)), dtype, signature, casting)
        outs = out if isinstance(out, tuple) else (out,)
        if len(outs) not in (1, self.nout) or (
            self.nout > 1 and len(outs) == 1 and out is not None
        ):
            raise InvalidValueError(self.__name__, f"out must be a tuple of {self.nout} arrays")
        self._check_outs(outs, loop, casting)
        results = self._computed(operands, loop)
        if self.signature is not None and outs[0] is not None:
            check_out(self.__name__, self.signature, operands, results, outs[0])
        given: Any
        if self.nout == 1:
            given = self._stored(results, outs[0], where)
        else:
            outs = outs if len(outs) == self.nout else (None,) * self.nout
            given = tuple(self._stored(r, o, where) for r, o in zip(results, outs, strict=True))
        return moved(given, usm_type)

    def _check_outs(self, outs: tuple[Any, ...], loop: tuple[Any, ...], casting: str) -> None:
        for target, dtype in zip(outs, loop[self.nin :], strict=False):
            if target is None:
                continue
            if not isinstance(target, Array):
                raise InvalidTypeError(
                    self.__name__,
                    f"out= must be a hither.Array, not {type(target).__name__}; without it the "
                    "result is a new array",
                )
            if not np.can_cast(dtype, target.dtype, casting):  # type: ignore[arg-type]
                raise InvalidTypeError(
                    self.__name__,
                    f"out has dtype {target.dtype}, the result {dtype}, which casting={casting!r} "
                    "does not convert; give an out of that kind, or cast the result with astype",
                )

    def _stored(self, result: Array, out: Any, where: Any) -> Array:
        mask = None if where is True else mask_of(self.__name__, where, result)
        if out is None:
            if mask is None:
                return result
            shape = _hither.broadcast_shapes(mask.shape, result.shape)
            return _hither.copy(_hither.broadcast_to(result, shape))
        shape = result.shape if mask is None else np.broadcast_shapes(result.shape, mask.shape)
        pairs = zip(reversed(shape), reversed(out.shape), strict=False)
        if len(shape) > out.ndim or any(n not in (1, extent) for n, extent in pairs):
            raise InvalidValueError(self.__name__, f"out has shape {out.shape}, the result {shape}")
        if result.dtype.kind == "c" and out.dtype.kind in "biuf":  # _check_outs() allows it
            result = result != 0 if out.dtype.kind == "b" else _hither.real(result)
        if mask is not None:
            result = _hither.where(mask, astype(result, out.dtype), out)
        out[...] = result
        return out

    def _on_axes(self, operands: list[Any], keywords: dict[str, Any], out: Any) -> Any:
        """A call of a generalised ufunc with axis=, axes= or keepdims=."""
        if self.signature is None:
            wrong = next(iter(keywords))
            proposal = did_you_mean(wrong, inspect.signature(self._call).parameters)
            raise InvalidTypeError(self.__name__, f"takes no keyword {wrong}={proposal}")
        if keywords.keys() == {"axis"} and self.native is not None and self.__name__ == "vecdot":
            moved_in = [_hither.moveaxis(x, keywords["axis"], -1) for x in operands]
            return self(*moved_in, out=out)
        given = keywords if out is None else keywords | {"out": out}
        return run_on_host(self.__name__, self.numpy_ufunc, tuple(operands), given)

    @_named
    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Array:
        """Combines the elements along `axis` (an int, a tuple, or None for all axes)."""
        self._check_method("reduce")
        if overriding((array,)) is not None:
            given = {"dtype": dtype, "out": out, "keepdims": keepdims}
            return array.__array_ufunc__(self.numpy_ufunc, "reduce", array, axis=axis, **given)
        return reduced(self, self._operand(array), axis, dtype, out, keepdims, initial, where)

    @_named
    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Array:
        """The partial results of a reduction along `axis`."""
        self._check_method("accumulate")
        return accumulated(self, self._operand(array), axis, dtype, out)

    @_named
    def reduceat(
        self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Array:
        """Reductions of slices along `axis`, whose limits are `indices`.

        Other functions than add, multiply, minimum, maximum, logical_or and logical_and run by
        NumPy on the host."""
        self._check_method("reduceat")
        return reduced_at(self, self._operand(array), indices, axis, dtype, out)

    @_named
    def outer(self, A: Any, B: Any, /, **keywords: Any) -> Any:  # noqa: N803 - NumPy's names
        """The function of all pairs of an element of A and an element of B."""
        if self.nin != 2 or self.signature is not None:
            raise InvalidValueError(f"{self.__name__}.outer", "needs a function of two elements")
        place = {k: keywords.get(k) for k in ("queue", "device")}
        first, second = self._placed((A, B), place["queue"], place["device"])
        if isinstance(first, Array) and isinstance(second, Array):
            first = _hither.reshape(first, first.shape + (1,) * second.ndim)
        return self(first, second, **keywords)

    @_named
    def at(self, a: Array, indices: Any, b: Any = None, /) -> None:
        """Applies the function to a[indices] in place, once for each index, also for indices that
        occur several times. Other functions than add, subtract, multiply, minimum and maximum run
        by NumPy on the host."""
        if not isinstance(a, Array):
            raise InvalidTypeError(
                f"{self.__name__}.at", "changes a hither.Array, its first argument"
            )
        if self.nin == 2 and self.nout == 1:
            combined_at(self, a, indices, b)
        else:
            arguments = (a, indices) if self.nin == 1 else (a, indices, b)
            run_on_host(f"{self.__name__}.at", self.numpy_ufunc.at, arguments, writes=True)

    def resolve_dtypes(self, dtypes: Any, **keywords: Any) -> Any:
        """The dtypes of the loop for operands of these dtypes; see numpy.ufunc.resolve_dtypes."""
        return self.numpy_ufunc.resolve_dtypes(dtypes, **keywords)

    def _check_method(self, method: str) -> None:
        if self.nin != 2 or self.nout != 1 or self.signature is not None:
            raise InvalidValueError(
                f"{self.__name__}.{method}", "needs a function of two elements with one result"
            )

    def _operand(self, array: Any) -> Array:
        if isinstance(array, Array):
            return array
        return as_array(self.__name__, "array", array, current_queue(), None)


def placed_on(x: Array, queue: Any, device: Any) -> Array:
    """x on the queue that the keywords name."""
    asked = chosen_queue(queue, device)
    return x if asked is None else on_queue(x, asked, "asarray")
