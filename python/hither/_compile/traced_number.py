"""Numbers of a function that is being recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .._hither import recording_is_refused, set_traced_number_type


class NeedsNumbers(BaseException):
    """The function has to be recorded with plain numbers."""


class Trace:
    """The numbers that one recorded call receives, and those that it computes from them.

    Each has a symbol, from 1 on.
    """

    def __init__(self, numbers: list[int | float]) -> None:
        self.arguments = [
            TracedNumber(self, k, value, frozenset({k})) for k, value in enumerate(numbers, 1)
        ]
        self._made = list(self.arguments)
        self.values: list[int | float | complex] = list(numbers)
        self.fixed: set[int] = set()  # arguments on whose values the recorded work depends
        self._origins = {k: x.origins for k, x in enumerate(self.arguments, 1)}
        self._lines: list[str] = []
        self._constants: list[int | float] = []
        self._constant_names: dict[tuple[type, Any], str] = {}
        self._symbols: dict[str, int] = {}  # of the expressions
        self._draws: list[str] = []  # lines that follow all others, so that the run takes place
        self.drawn_symbols: set[int] = set()

    def fix(self, symbols: Any) -> None:
        """The work depends on the values of these symbols."""
        for symbol in symbols:
            self.fixed |= self._origins[symbol]

    def close(self) -> None:
        """Makes plain numbers of those that the function has stored elsewhere."""
        for number in self._made:
            number.trace, number.symbol, number.origins = None, 0, frozenset()

    def copied(self, result: Any) -> Any:
        """The result with other objects for its traced numbers."""

        def copy(x: Any) -> Any:
            return TracedNumber(self, x.symbol, x.value, x.origins) if is_traced(x) else x

        return replaced(result, copy)

    def name(self, number: Any) -> str:
        if is_traced(number) and number.trace is self:
            return f"n{number.symbol}"
        value = number.value if is_traced(number) else number
        key = type(value), repr(value) if isinstance(value, float) else value
        if key not in self._constant_names:  # repr() tells 0.0 and -0.0 apart
            self._constant_names[key] = f"c{len(self._constants)}"
            self._constants.append(value)
        return self._constant_names[key]

    def computed(self, text: str, value: Any, origins: frozenset[int]) -> Any:
        """The number with this value, which the expression `text` computes, once in a call."""
        if type(value) not in (int, float, complex) or len(self.values) >= 60_000:
            self.fixed |= origins
            return value
        symbol = self._symbols.setdefault(text, len(self.values) + 1)
        if symbol > len(self.values):
            self.values.append(value)
            self._origins[symbol] = origins
            self._lines.append(f"    n{symbol} = {text}")
        self._made.append(TracedNumber(self, symbol, value, origins))
        return self._made[-1]

    def drawn(self, text: str, value: complex) -> Any:
        """A number of a random generator, which the expression takes from the reservation r."""
        symbol = len(self.values) + 1
        self.values.append(value)
        self._origins[symbol] = frozenset()
        self._draws.append(f"    n{symbol} = {text}")
        self.drawn_symbols.add(symbol)
        self._made.append(TracedNumber(self, symbol, value, frozenset()))
        return self._made[-1]

    def pair(self, a: Any, b: Any) -> Any:
        """a + b i, without arithmetic."""
        origins = frozenset().union(*(x.origins for x in (a, b) if is_traced(x)))
        plain = [x.value if is_traced(x) else x for x in (a, b)]
        text = f"complex(float({self.name(a)}), float({self.name(b)}))"
        return self.computed(text, complex(*map(float, plain)), origins)

    def checked(self, text: str, outcome: bool) -> bool:
        """A run is valid only if the expression has this outcome again."""
        self._lines.append(f"    if {text} is not {outcome}: return None")
        return outcome

    def numbers_of(
        self, reservation: Callable[[], Any] | None = None
    ) -> Callable[..., tuple[Any, ...] | None] | None:
        """A function of the arguments that gives all numbers, or None where the recording is not
        for them. None if there are no others. With a `reservation` of draws it gives both."""
        if not self._lines and reservation is None:
            return None
        arguments = ", ".join(f"n{k}" for k in range(1, len(self.arguments) + 1))
        numbers = "".join(f"n{k}, " for k in range(1, len(self.values) + 1))
        lines = [f"def numbers_of({arguments}):", *self._lines]
        scope: dict[str, Any] = {f"c{k}": value for k, value in enumerate(self._constants)}
        if reservation is None:
            lines.append(f"    return ({numbers})")
        else:
            lines += ["    r = reservation()", *self._draws, f"    return ({numbers}), r"]
            scope["reservation"] = reservation
        exec("\n".join(lines), scope)
        return scope["numbers_of"]

    def arithmetic(self) -> tuple[list[tuple[str, int, int]], list[int | float], int] | None:
        """The operations of `numbers_of` for C++, which repeats them without Python objects. None
        if there are others than arithmetic of two numbers."""
        count = len(self.values)

        def index(name: str) -> int:
            return int(name[1:]) - 1 if name[0] == "n" else count + int(name[1:])

        lines = [line.split() for line in self._lines]
        if self.drawn_symbols or any(len(line) != 5 for line in lines):
            return None
        steps = [(symbol, index(a), index(b)) for _, _, a, symbol, b in lines]
        return steps, self._constants, count


class TracedNumber:
    """A Python int or float of a recorded call. Arithmetic and comparisons with numbers, and
    operations of arrays, are recorded; any other use takes the value, for which alone the recording
    is then valid. After the call it has no trace, and is its value."""

    __slots__ = ("origins", "symbol", "trace", "value")

    def __init__(self, trace: Trace, symbol: int, value: Any, origins: frozenset[int]) -> None:
        self.trace: Trace | None = trace
        self.symbol = symbol
        self.value = value
        self.origins = origins

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # so that isinstance(x, float) holds as in a plain call
        return type(self.value)

    def number(self) -> Any:
        """The value, on which the work depends from now on."""
        if self.trace is not None:
            self.trace.fixed |= self.origins
        return self.value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        plain = [x.number() if is_traced(x) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **keywords)

    def __array__(self, *arguments: Any, **_keywords: Any) -> Any:
        # An array would have a dtype, where a Python number takes that of the other operands.
        if self.trace is not None and not recording_is_refused():
            raise NeedsNumbers
        return np.asarray(self.number(), *arguments)

    def __getattr__(self, name: str) -> Any:
        if not hasattr(self.value, name):  # whatever the value is
            raise AttributeError(f"{type(self.value).__name__!r} object has no attribute {name!r}")
        return getattr(self.number(), name)

    def __hash__(self) -> int:
        return hash(self.number())

    def __bool__(self) -> bool:
        if self.trace is None:
            return bool(self.value)
        return self.trace.checked(f"bool({self.trace.name(self)})", bool(self.value))

    def __reduce__(self) -> Any:
        return type(self.value), (self.number(),)


def is_traced(x: Any) -> bool:
    return type(x) is TracedNumber


def untraced(x: Any) -> Any:
    """The value of a traced number, on which the recording then depends; else x."""
    return x.number() if is_traced(x) else x


def _combined(function: Callable[..., Any], symbol: str, left: Any, right: Any, own: Any) -> Any:
    other = right if own is left else left
    if not is_traced(other) and type(other) not in (int, float, bool):
        if isinstance(other, (np.generic, complex)):
            plain = [x.number() if is_traced(x) else x for x in (left, right)]
            return function(*plain)
        return NotImplemented
    plain = [x.value if is_traced(x) else x for x in (left, right)]
    trace = own.trace if own.trace is not None or not is_traced(other) else other.trace
    if trace is None:
        return function(*plain)
    origins = own.origins
    if is_traced(other):
        if other.trace is trace:
            origins |= other.origins
        else:
            other.number()  # a constant of this trace
    try:
        value = function(*plain)
    except ArithmeticError:  # which the function may handle
        trace.fixed |= origins
        raise
    text = f"{trace.name(left)} {symbol} {trace.name(right)}"
    if isinstance(value, bool):
        return trace.checked(f"({text})", value)
    return trace.computed(text, value, origins)


def _add_operators() -> None:
    binary = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
              "pow": "**"}  # fmt: skip
    for name, symbol in binary.items():
        function = getattr(operator, name)

        def forward(
            self: Any, other: Any, *modulus: Any, f: Any = function, s: str = symbol
        ) -> Any:
            if modulus:
                return pow(self.number(), other, *modulus)
            return _combined(f, s, self, other, self)

        def backward(self: Any, other: Any, *, f: Any = function, s: str = symbol) -> Any:
            return _combined(f, s, other, self, self)

        setattr(TracedNumber, f"__{name}__", forward)
        setattr(TracedNumber, f"__r{name}__", backward)
    for name, symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
                         "ne": "!="}.items():  # fmt: skip
        function = getattr(operator, name)

        def compare(self: Any, other: Any, *, f: Any = function, s: str = symbol) -> Any:
            return _combined(f, s, self, other, self)

        setattr(TracedNumber, f"__{name}__", compare)
    for name, symbol in {"neg": "-", "pos": "+"}.items():
        function = getattr(operator, name)

        def unary(self: Any, *, f: Any = function, s: str = symbol) -> Any:
            if self.trace is None:
                return f(self.value)
            return self.trace.computed(s + self.trace.name(self), f(self.value), self.origins)

        setattr(TracedNumber, f"__{name}__", unary)

    def absolute(self: Any) -> Any:
        if self.trace is None:
            return abs(self.value)
        text = f"abs({self.trace.name(self)})"
        return self.trace.computed(text, abs(self.value), self.origins)

    TracedNumber.__abs__ = absolute  # type: ignore[attr-defined]
    for name in ("float", "int", "complex", "index", "round", "trunc", "floor", "ceil", "str",
                 "repr", "format", "divmod", "rdivmod", "and", "or", "xor", "rand", "ror", "rxor",
                 "lshift", "rshift", "rlshift", "rrshift", "invert"):  # fmt: skip

        def by_value(self: Any, *arguments: Any, special: str = f"__{name}__") -> Any:
            plain = [x.number() if is_traced(x) else x for x in arguments]
            return getattr(self.number(), special)(*plain)

        setattr(TracedNumber, f"__{name}__", by_value)


_add_operators()
set_traced_number_type(TracedNumber)


DEEPEST, LARGEST = 12, 4096  # as in dispatch/call_structure.cpp


def replaced(
    x: Any, number: Callable[[Any], Any], copies: list[Any] | None = None, depth: int = 0
) -> Any:
    """x with number(part) for each part of its lists, tuples and dicts that is none of these.
    Containers whose parts stay the same objects are not copied. `copies` gets the lists and dicts
    that are: the container, its copy, and a copy of that."""
    is_tuple = type(x) is tuple or (isinstance(x, tuple) and hasattr(x, "_fields"))
    if depth >= DEEPEST or (type(x) in (list, dict) and len(x) > LARGEST):
        return number(x)
    if type(x) is list or is_tuple:
        parts = [replaced(part, number, copies, depth + 1) for part in x]
        if all(a is b for a, b in zip(parts, x, strict=True)):
            return x
        if is_tuple:
            return type(x)._make(parts) if hasattr(x, "_make") else tuple(parts)
        made: Any = parts
    elif type(x) is dict:
        made = {
            plain_key(key): replaced(part, number, copies, depth + 1) for key, part in x.items()
        }
        if all(key in x and made[key] is x[key] for key in made):
            return x
    else:
        return number(x)
    if copies is not None:
        copies.append((x, made, made.copy()))
    return made


def plain_key(key: Any) -> Any:
    return key.number() if is_traced(key) else key


class TracedArguments:
    """The arguments of a call with traced numbers in place of Python's ints and floats."""

    def __init__(self, arguments: Any, keywords: dict[str, Any], trace: Trace) -> None:
        numbers = iter(trace.arguments)

        def number(x: Any) -> Any:
            return next(numbers) if type(x) in (int, float) else x

        self._copies: list[Any] = []
        self.arguments = tuple(replaced(x, number, self._copies) for x in arguments)
        self.keywords = {k: replaced(x, number, self._copies) for k, x in keywords.items()}

    def give_back(self) -> bool:
        """Makes the call's changes to copies of lists and dicts in the caller's. Returns whether
        there are any."""
        own = {id(made): x for x, made, _ in self._copies}
        changed = False

        def plain(part: Any) -> Any:
            return part.value if is_traced(part) else own.get(id(part), without_traced(part))

        for x, made, before in self._copies:
            if _same_parts(made, before):
                continue
            changed = True
            if isinstance(x, dict):
                parts = {key: plain(part) for key, part in made.items()}
                x.clear()
                x.update(parts)
            else:
                x[:] = [plain(part) for part in made]
        return changed


def _same_parts(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(a[key] is b[key] for key in a)
    return len(a) == len(b) and all(p is q for p, q in zip(a, b, strict=True))


def without_traced(x: Any) -> Any:
    """A result with plain numbers."""
    return replaced(x, lambda part: part.value if is_traced(part) else part)


def plain_part(x: Any) -> Any:
    """A number or a tuple without traced numbers. Lists and dicts stay the objects they are."""
    if not isinstance(x, tuple):
        return x.value if is_traced(x) else x
    parts = [plain_part(part) for part in x]
    if all(a is b for a, b in zip(parts, x, strict=True)):
        return x
    return type(x)._make(parts) if hasattr(x, "_make") else tuple(parts)
