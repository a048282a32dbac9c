"""Which queue a call runs on, and the conversion of its operands to arrays there.

Operands choose the queue. Numbers, arrays of no dimension and nested lists of numbers are copied to
it. NumPy's arrays are operands: with an array on a device they are refused. If there is no
operand on a device, the call runs on the innermost context's queue, else on the default device's.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._array.host_fallback import refuse_dtype
from .._checked_call import refusal
from .._compile.traced_number import untraced
from .._device_context import check_usm_type, current_queue
from .._hither import Array, Queue, asarray, astype, default_queue, on_queue
from ..errors import InvalidTypeError, InvalidValueError, PlacementError
from ._names_in_errors import REFUSALS, renamed

__all__: list[str] = []

NUMBERS = (bool, int, float, complex)
_SCALARS = frozenset((*NUMBERS, *np.sctypeDict.values()))
PLACE = ("queue", "device", "usm_type")


def first_array(values: Iterable[Any]) -> Array | None:
    """The first hither array among the values and the items of their sequences."""
    for value in values:
        if isinstance(value, Array):
            return value
        if type(value) in (list, tuple):
            if _SCALARS.issuperset(map(type, value)):
                continue
            found = first_array(value)
            if found is not None:
                return found
        elif hasattr(value, "__sycl_usm_array_interface__"):
            return asarray(value)
    return None


def overriding(values: Iterable[Any]) -> Any:
    """The first value whose class implements hither.numpy's functions, a ShardedArray, or None."""
    for value in values:
        if hasattr(value, "__hither_function__"):
            return value
    return None


def chosen_queue(queue: Any, device: Any, function: str = "") -> Queue | None:
    """The queue that the keywords name, or None."""
    if queue is not None and device is not None and default_queue(queue) != default_queue(device):
        raise InvalidTypeError(function, "queue= and device= disagree; give one of them")
    given = device if queue is None else queue
    return None if given is None else default_queue(given)


def refuse_no_number(function: str, name: str, value: Any) -> None:
    """Raises TypeError for a string, None and collections without order."""
    if value is None or isinstance(value, (str, bytes, dict, set, frozenset)):
        raise InvalidTypeError(
            function, f"{name} is {value!r}; pass an array or a number (numpy takes other values)"
        )


def as_array(
    function: str, name: str, value: Any, queue: Any, home: Array | None, moves: bool = False
) -> Array:
    """The operand `name` as an array on `queue`. `home` is the array that chose the queue."""
    if isinstance(value, Array):
        return on_queue(value, queue, function) if moves else value
    if hasattr(value, "__sycl_usm_array_interface__"):
        return as_array(function, name, asarray(value), queue, home, moves)
    if isinstance(value, np.ndarray) and value.ndim > 0 and home is not None:
        raise PlacementError(
            function,
            f"{name} is a NumPy array in host memory and another operand is an array on "
            f"{home.device}; copy it with hither.asarray(v, like=x)",
        )
    refuse_no_number(function, name, value)
    if isinstance(value, (np.ndarray, np.generic)):
        refuse_dtype(function, value.dtype)
        if type(value) is not np.ndarray and hasattr(value, "filled"):
            raise InvalidTypeError(
                function,
                f"{name} is a masked array, whose mask would be lost; use numpy.ma, or pass "
                "x.filled(value)",
            )
    elif isinstance(value, (list, tuple, range)) and first_array((value,)) is None:
        if home is not None and any(isinstance(v, np.ndarray) and v.ndim for v in value):
            raise PlacementError(
                function,
                f"{name} contains NumPy arrays and another operand is an array on {home.device}; "
                "copy them with hither.asarray(v, like=x)",
            )
        value = np.asarray(value)
        refuse_dtype(function, value.dtype)
    usm_type = None if home is None else home.usm_type
    return asarray(value, queue=queue, usm_type=usm_type)


def refuse_other_queue(function: str, name: str, x: Array, home: Array) -> None:
    """Raises PlacementError if the queue of the operand `name` is not equivalent to home's."""
    if not x.queue.equivalent(home.queue):
        raise PlacementError(
            function,
            f"{name} is on a queue of {x.device} that is not equivalent to that of another "
            f"operand, on {home.device}; move it with x.collocate(other)",
        )


def mask_of(function: str, where: Any, home: Array) -> Array:
    """The argument `where`, an operand as home is, as a mask. NumPy converts lists to bool, and no
    arrays."""
    if isinstance(where, (list, tuple)) and first_array((where,)) is None:
        where = np.asarray(where, np.bool_).tolist()
    mask = as_array(function, "where", where, home.queue, home)
    if mask.dtype != np.bool_:
        raise InvalidTypeError(function, f"where has dtype {mask.dtype}, not bool")
    refuse_other_queue(function, "where", mask, home)
    return mask


def all_placed(function: str, values: list[Any], queue: Any, device: Any) -> list[Array]:
    """The operands as arrays of one queue."""
    home = first_array(values)
    asked = chosen_queue(queue, device, function)
    target = asked or (home.queue if home is not None else current_queue())
    return [as_array(function, "an operand", x, target, home, asked is not None) for x in values]


def moved(result: Any, usm_type: Any) -> Any:
    """The result with its arrays in memory of `usm_type`, unless that is None."""
    if usm_type is None:
        return result
    if isinstance(result, Array):
        return asarray(result, usm_type=usm_type)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(moved(item, usm_type) for item in result))
    if type(result) in (list, tuple):
        return type(result)(moved(item, usm_type) for item in result)
    return result


def deliver(function: str, result: Array, out: Any, casting: str) -> Array:
    """Writes the result to out, by NumPy's rules for out=."""
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if not isinstance(out, Array):
        raise InvalidTypeError(
            function,
            f"out= must be a hither.Array, not {type(out).__name__}; without it the "
            "result is a new array",
        )
    if out.shape != result.shape:
        raise InvalidValueError(function, f"out has shape {out.shape}, the result {result.shape}")
    if casting == "copied":  # NumPy computes in a copy of out
        fits = np.can_cast(out.dtype, result.dtype, "safe")
    elif casting == "stored":  # the same before NumPy 2.5, which stores the result
        fits = np.can_cast(out.dtype, result.dtype, "safe") or np.can_cast(
            result.dtype, out.dtype, "same_kind"
        )
    else:
        fits = np.can_cast(result.dtype, out.dtype, casting)  # type: ignore[arg-type]
    if not fits:
        raise InvalidTypeError(
            function,
            f"out has dtype {out.dtype}, which cannot store a result of {result.dtype}; give an "
            "out of that dtype, or cast the result with astype",
        )
    out[...] = result
    return out


_KEYWORDS = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in PLACE]


def with_place(signature: inspect.Signature) -> inspect.Signature:
    """The signature with the keywords queue, device and usm_type."""
    parameters = list(signature.parameters.values())
    end = len(parameters)
    if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
        end -= 1
    return signature.replace(parameters=parameters[:end] + _KEYWORDS + parameters[end:])


def show_place(*functions: Callable[..., Any]) -> None:
    """Shows queue=, device= and usm_type= in the signatures of functions that pass them on."""
    for function in functions:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.name not in (*PLACE, "place")]
        function.__signature__ = with_place(signature.replace(parameters=own))  # type: ignore


class Operands:
    """The operands of a function, by name: always arrays, arrays or numbers (`weak`), sequences of
    arrays (`sequences`). An array that is in `weak` too is a number only if another operand is an
    array. The items of a sequence that is in `weak` too may be numbers. Parameters with a default
    that are None or absent are left alone."""

    def __init__(self, function: Callable[..., Any], names: str, weak: str, sequences: str) -> None:
        self.function = function.__name__
        parameters = inspect.signature(function).parameters
        order = list(parameters)
        kinds = dict.fromkeys(names.split(), "array") | dict.fromkeys(weak.split(), "weak")
        kinds |= dict.fromkeys(sequences.split(), "sequence")
        kinds |= dict.fromkeys(set(names.split()) & set(weak.split()), "number")
        self.weak_items = set(sequences.split()) & set(weak.split())
        self.kinds = kinds
        self.star = next((n[1:] for n in kinds if n.startswith("*")), None)
        self.places = {name: order.index(name.lstrip("*")) for name in kinds}
        none = inspect.Parameter.empty
        self.required = {n for n in kinds if n in order and parameters[n].default is none}
        self.checks = [(n, kind, self.places[n], n not in self.required)
                       for n, kind in kinds.items()]  # fmt: skip

    def are_arrays(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether no conversion is needed."""
        given = len(args)
        for name, kind, place, may_be_none in self.checks:
            if name[0] == "*":
                if any(type(v) is not Array for v in args[place:]):
                    return False
                continue
            value: Any = args[place] if place < given else kwargs.get(name)
            kind_of_value = type(value)
            if kind_of_value is Array or (value is None and may_be_none):
                continue
            if kind == "weak" and kind_of_value in NUMBERS:
                continue
            if kind != "sequence" or kind_of_value not in (list, tuple):
                return False
            for item in value:
                if type(item) is not Array:
                    return False
        return True

    def placed(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], queue: Any, device: Any
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with the operands as arrays of one queue."""
        named = list(args)
        found: list[tuple[str, str, Any]] = []
        for name, kind in self.kinds.items():
            place = self.places[name]
            if name[0] == "*":
                found += [(name, kind, value) for value in args[place:]]
            elif place < len(args):
                found.append((name, kind, args[place]))
            elif name in kwargs:
                found.append((name, kind, kwargs[name]))
        home = first_array(value for _, _, value in found)
        asked = chosen_queue(queue, device, self.function)
        target = asked or (home.queue if home is not None else current_queue())

        def convert(name: str, kind: str, value: Any) -> Any:
            if value is None and name not in self.required:
                return value
            value = untraced(value)
            if type(value) in NUMBERS and (
                kind == "weak" or (kind == "number" and home is not None)
            ):
                return value
            if kind == "sequence" and not (value is None or isinstance(value, (Array, np.ndarray))):
                if not hasattr(value, "__getitem__"):
                    raise InvalidTypeError(
                        self.function,
                        f"{name} is of type {type(value).__name__}; pass a list or tuple",
                    )
                return [
                    item
                    if name in self.weak_items and type(item) in NUMBERS
                    else as_array(
                        self.function, f"{name}[{i}]", item, target, home, asked is not None
                    )
                    for i, item in enumerate(map(untraced, value))
                ]
            return as_array(self.function, name, value, target, home, asked is not None)

        for name, kind in self.kinds.items():
            place = self.places[name]
            if name[0] == "*":
                named[place:] = [convert(name[1:], kind, value) for value in args[place:]]
            elif place < len(args):
                named[place] = convert(name, kind, args[place])
            elif name in kwargs:
                kwargs[name] = convert(name, kind, kwargs[name])
        return named, kwargs


def _in_dtype(args: Any, kwargs: dict[str, Any], dtype: Any) -> tuple[Any, dict[str, Any]]:
    """The arguments of a reduction whose result is stored in `dtype`. If that is wider or of a more
    general kind, the operand has the dtype to which both promote."""
    x = args[0] if args else kwargs["a"]
    of_kind = x.dtype.kind != dtype.kind and np.can_cast(x.dtype, dtype, "same_kind")
    if not (of_kind or np.can_cast(x.dtype, dtype)):
        return args, kwargs
    x = astype(x, np.promote_types(x.dtype, dtype), copy=False)
    return ((x, *args[1:]), kwargs) if args else (args, kwargs | {"a": x})


def operands(
    names: str = "", *, weak: str = "", sequences: str = "", out: str | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a function with NumPy's parameters: its operands become arrays of one queue, and it
    takes the keywords queue, device and usm_type.

    The function gets no out=: with `out`, which names NumPy's casting rule for it, the result is
    written to that argument. An argument `casting` takes the place of the rule. The rule "of out"
    is "unsafe", and the function computes in the dtype of that argument if it is the wider one.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        named = Operands(function, names, weak, sequences)
        order = list(signature.parameters)
        out_place = order.index("out") if out is not None else -1

        @functools.wraps(function)
        def call(
            *args: Any, queue: Any = None, device: Any = None, usm_type: Any = None, **kwargs: Any
        ) -> Any:
            ready = named.are_arrays(args, kwargs)
            if not ready:
                own = overriding((*args, *kwargs.values()))
                if own is not None:
                    return own.__hither_function__(function.__name__, args, kwargs)
            if usm_type is not None:
                check_usm_type(usm_type)
            target, rule = None, ""
            if out is not None:
                rule = kwargs.get("casting", "unsafe" if out == "of out" else out)
                if "out" in kwargs:
                    target = kwargs.pop("out")
                elif 0 <= out_place < len(args):
                    target = args[out_place]
                    args = (*args[:out_place], None, *args[out_place + 1 :])
                if target is not None and "casting" in order and kwargs.get("dtype") is not None:
                    raise InvalidTypeError(
                        function.__name__, "out and dtype are both given; give one of them"
                    )
            try:
                if queue is not None or device is not None or not ready:
                    args, kwargs = named.placed(args, kwargs, queue, device)  # type: ignore
                if out == "of out" and isinstance(target, Array) and kwargs.get("dtype") is None:
                    args, kwargs = _in_dtype(args, kwargs, target.dtype)
                result = function(*args, **kwargs)
            except TypeError as error:
                error = refusal(error, call, args, kwargs)
                raise renamed(error, function.__name__)  # noqa: B904
            except REFUSALS as error:
                raise renamed(error, function.__name__)  # noqa: B904
            if target is not None:
                return deliver(function.__name__, result, target, rule)
            return result if usm_type is None else moved(result, usm_type)

        call.__signature__ = with_place(signature)  # type: ignore[attr-defined]
        return call

    return decorate


def place_of(queue: Any, device: Any, usm_type: Any, like: Any = None) -> dict[str, Any]:
    """The keywords for hither's creation functions: `queue` and `usm_type`."""
    asked = None if queue is device is None else chosen_queue(queue, device)
    if usm_type is not None:
        check_usm_type(usm_type)
    if isinstance(like, Array):
        kind = like.usm_type if usm_type is None else usm_type
        return {"queue": asked or like.queue, "usm_type": kind}
    return {"queue": asked or current_queue(), "usm_type": usm_type}


def place_like(x: Array) -> dict[str, Any]:
    """The keywords for hither's creation functions of a new array in the place of x."""
    return {"queue": x.queue, "usm_type": x.usm_type}
