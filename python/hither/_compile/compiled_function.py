"""hither.compile."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, overload

from .._checked_call import checked
from .._environment import simulates_kernels
from .._hither import (
    MOST_PROGRAMS,
    Array,
    CallRecorder,
    CompiledCall,
    clear_programs,
    describe_programs,
    program_count,
    recording_is_refused,
    refuse_recording,
)
from .._hither import explain as explain_array
from .._names import a_type
from ..errors import InvalidTypeError, PerformanceWarning
from .draws import RecordedDraws
from .snapshot import Snapshot
from .traced_number import (
    NeedsNumbers,
    Trace,
    TracedArguments,
    TracedNumber,
    plain_part,
    without_traced,
)
from .variables import Scope, is_constant

_F = TypeVar("_F", bound=Callable[..., Any])
# What Python raises for a number of another type than it expects. Such a call runs again with
# plain numbers.
_OF_TRACED = (TypeError, AttributeError, ValueError, NeedsNumbers)
# Recorded calls, one after the other, that changed a variable. Later calls run the plain function.
_MOST_CHANGES = 8


class CompiledFunction(CompiledCall):
    """A function with the decorator hither.compile."""

    __wrapped__: Callable[..., Any]

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, self._record)
        functools.update_wrapper(self, function)
        self._recorded = self._changes = 0
        self._last_refusal = ""

    def __repr__(self) -> str:
        return f"<hither.compile of {self.__wrapped__!r}>"

    def __reduce__(self) -> Any:
        # By the name, as functions are; under it the module has this object.
        return self.__wrapped__.__qualname__

    def clear(self) -> None:
        """Forgets all recordings."""
        clear_programs(self)
        self._recorded = self._changes = 0

    def explain(self) -> str:
        """The kernels, copies and library calls of each recording, the last used first."""
        texts = describe_programs(self)
        count = f"{len(texts)} recording{'s' * (len(texts) != 1)}"
        lines = [f"{self.__wrapped__.__qualname__}: {count}"]
        for text in texts:
            lines.append("recording:" if text else "plain function")
            lines += ["  " + line for line in text.splitlines()]
        return "\n".join(lines) + "\n"

    @property
    def recordings(self) -> int:
        """Number of kinds of calls that are recorded, or that run as the plain function."""
        return program_count(self)

    @property
    def refusal(self) -> str:
        """Why the last call that was recorded cannot run again as one call, and runs as the plain
        function; empty if it can."""
        return self._last_refusal

    def _record(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if self._changes >= _MOST_CHANGES:
            return self.__wrapped__(*arguments, **keywords)
        return self._recorded_call(arguments, keywords, traced=True)

    def _count(self) -> None:
        self._recorded += 1
        if self._recorded == MOST_PROGRAMS + 1:
            warnings.warn(
                f"{self.__wrapped__.__qualname__} with @hither.compile has been recorded "
                f"{MOST_PROGRAMS} times, because its calls differ in shapes, dtypes, queues or "
                "values that it depends on; the oldest recordings are dropped from now on",
                PerformanceWarning,
                stacklevel=5,
            )

    def _recorded_call(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any], traced: bool
    ) -> Any:
        scope = Scope(self.__wrapped__, (*arguments, *keywords.values()))
        recorder = CallRecorder(arguments, keywords, scope.variables)
        trace = Trace(recorder.numbers)
        draws = RecordedDraws(trace, recorder.generators)
        traced = traced and bool(trace.arguments) and not scope.names_type()
        given = TracedArguments(arguments, keywords, trace) if traced else None
        refusal = self._refusal_of(recorder)
        if not refusal:
            before = Snapshot((arguments, keywords), scope.variables)
            refusal = recorder.start()
        if refusal:
            self._last_refusal = refusal
            return self.__wrapped__(*arguments, **keywords)
        try:
            with draws:
                if given is None:
                    result = self.__wrapped__(*arguments, **keywords)
                else:
                    result = self.__wrapped__(*given.arguments, **given.keywords)
        except BaseException as error:
            again = isinstance(error, _OF_TRACED) and traced and not recording_is_refused()
            if again:
                recorder.abandon()
                before.restore()
                draws.rewind()
            else:
                recorder.stop()
                _give_back(given, before)
            trace.close()
            if not again:
                raise
        else:
            try:
                return self._finished(recorder, draws, result, given, before)
            except BaseException:
                recorder.stop()
                raise
            finally:
                trace.close()
        return self._recorded_call(arguments, keywords, traced=False)

    def _refusal_of(self, recorder: CallRecorder) -> str:
        """Why such a call cannot be recorded; empty if it can be tried."""
        if simulates_kernels():
            return "kernels are simulated"
        if not isinstance(self.__wrapped__, types.FunctionType):
            return "it is not a function that is written in Python"
        changing = [x for x in recorder.objects if not is_constant(x)]
        if changing:
            return f"it uses {a_type(changing[0])}, whose changes cannot be seen"
        return ""

    def _finished(
        self,
        recorder: CallRecorder,
        draws: RecordedDraws,
        result: Any,
        given: TracedArguments | None,
        before: Snapshot,
    ) -> Any:
        trace = draws.trace
        described = trace.copied(result)  # with its traced numbers, where it shares containers
        if _give_back(given, before):
            refuse_recording("it changes a container or an attribute")
        if before.random_numbers_drawn():
            refuse_recording("it draws random numbers on the host")
        if before.variables_changed():
            recorder.stop()
            self._changes += 1
            self._last_refusal = "it changes a variable that it reads"
            return without_traced(result)
        self._changes = 0
        self._count()
        self._last_refusal = recorder.finish(described, TracedNumber, tuple(trace.values))
        if self._last_refusal:
            recorder.add_to(self, [None] * len(trace.arguments), None, False, None)
            return without_traced(result)
        fixed_symbols = recorder.fixed()
        if not trace.drawn_symbols.isdisjoint(fixed_symbols):
            self._last_refusal = "a library call depends on a random key"
            recorder.add_plain_to(self)
            return without_traced(result)
        trace.fix(fixed_symbols)
        if given is None:
            trace.fix(x.symbol for x in trace.arguments)
        fixed = [x.value if x.symbol in trace.fixed else None for x in trace.arguments]
        reservation = draws.reservation()
        numbers_of = trace.numbers_of(reservation)
        recorder.add_to(self, fixed, numbers_of, reservation is not None, trace.arithmetic())
        return without_traced(result)


def _give_back(given: TracedArguments | None, before: Snapshot) -> bool:
    """Leaves no traced numbers in what a call has changed. Returns whether it has changed lists or
    dicts of its arguments."""
    changed = given is not None and given.give_back()
    before.now().replace(plain_part)
    return changed


@checked
def explain(x: Array | CompiledFunction) -> str:
    """Describes the kernels that evaluating an array would run, or those of a compiled function.

    Parameters
    ----------
    x : Array or function with hither.compile
        The array, which is not computed, or the function.

    Returns
    -------
    str
        For an array: the inputs, outputs and bytes of each kernel, and before them the work on the
        host that has made values which they read. Nothing is submitted. For a function: the
        kernels, copies and library calls of each recording.

    Raises
    ------
    InvalidTypeError
        If x is anything else.

    Examples
    --------
    >>> import hither as ht
    >>> double = ht.compile(lambda x: x * 2)
    >>> with ht.device_context("cpu"):
    ...     y = double(ht.ones(3))
    >>> print(ht.explain(double))
    <lambda>: 1 recording
    recording:
      kernel multiply: 3 elements, 48 bytes
    <BLANKLINE>
    """
    if isinstance(x, CompiledFunction):
        return x.explain()
    if not isinstance(x, Array):
        raise InvalidTypeError(
            "explain",
            f"takes an array or a function made by hither.compile, not {a_type(x)}; hither.asarray "
            "makes an array, and x.parts are those of a ShardedArray",
        )
    return explain_array(x)


@overload
def compile(function: _F) -> _F: ...
@overload
def compile(function: None = None) -> Callable[[_F], _F]: ...
@checked
def compile(function: Any = None) -> Any:
    """Makes one call of a function's array operations.

    The first call with arguments of a form runs the function and records the kernels, copies and
    library calls that it submits. Later calls with such arguments run these again, without the
    function itself, and return the same bits as the plain function.

    Parameters
    ----------
    function : callable
        A function of arrays, numbers, and lists, tuples and dicts of them. Attributes of an object
        that is an argument (as of ``self``), global variables and closed-over variables are
        looked up at each call.

    Returns
    -------
    callable
        A function with the attributes ``recordings``, ``refusal`` and ``clear()``.

    Raises
    ------
    InvalidTypeError
        If `function` is not callable. While a call is recorded: where the function reads elements
        of an array on the host (``float(x)``, ``if x:``, ``hither.asnumpy(x)``), or uses a shape
        that depends on them (a mask as an index).

    Notes
    -----
    A recording is for the shapes, strides, dtypes, queues, USM types and alignments of the arrays,
    and for which of them share elements. Python ints and floats may change from call to call,
    unless the function used the value: in a shape, as an axis or an exponent, or in a conversion. A
    comparison of numbers holds for its outcome.

    ``x += y`` and ``x[...] = y`` change the caller's array. Other effects of the function, such as
    printing, happen only while a call is recorded. Functions of ``linalg`` and ``fft``, checks of
    index arrays, and draws with arrays as parameters run on the host at each call, between the
    kernels. Generators of ``hither.random`` draw the numbers of plain calls. Functions that change
    containers or attributes of their arguments, or variables that they read, are not recorded: such
    calls run the plain function.

    Thread-safe. At most 64 recordings are kept.

    Examples
    --------
    >>> import hither as ht
    >>> @ht.compile
    ... def step(x, rate):
    ...     return x - rate * (x * x - 2.0)
    >>> with ht.device_context("cpu"):
    ...     x = ht.full(3, 1.0)
    >>> for n in range(50):
    ...     x = step(x, 0.1)
    >>> bool(ht.all(abs(x - 2.0 ** 0.5) < 1e-6))
    True
    """
    if function is None:
        return compile
    if not callable(function):
        raise InvalidTypeError("compile", f"decorates a function; {function!r} is not callable")
    return function if isinstance(function, CompiledFunction) else CompiledFunction(function)
