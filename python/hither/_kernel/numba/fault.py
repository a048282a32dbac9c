"""Converts an exception inside a kernel to a fault code of the kernel ABI.

Lowering emits `hither.raise(marker, line)`, where the marker is an index into a table of this
process. The finished module contains indices into its own list of messages instead, so that equal
kernels have equal text in every process.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

# target::KernelFault
INDEX_OUT_OF_BOUNDS = 1
ZERO_DIVISION = 2
ASSERTION = 3
OVERFLOW = 4
FIRST_MESSAGE = 16

INTERNAL_DETAIL = "an argument is outside what the called function takes"
INTERNAL_TEXT = f"ValueError: {INTERNAL_DETAIL}"
_TEXT = {
    INDEX_OUT_OF_BOUNDS: "IndexError: index out of bounds",
    ZERO_DIVISION: "ZeroDivisionError: division by zero",
    ASSERTION: "AssertionError: assertion failed",
    OVERFLOW: "OverflowError: overflow",
}
_PACKAGE = Path(__file__).parents[2]
_CALL = re.compile(r'(call void @"?hither\.raise"?\(i32 )(\d+)(, i32 )(\d+)(\))')


@dataclass(frozen=True)
class Fault:
    """An exception raised in `file`: a code of the ABI, or code 0 and a text."""

    code: int
    text: str
    file: str


_lock = threading.Lock()
_faults: list[Fault] = []
_markers: dict[Fault, int] = {}


def fault_of(exception: type[BaseException] | None, arguments: tuple | None, file: str) -> Fault:
    """The fault that raising `exception(*arguments)` in `file` reports."""
    arguments = arguments or ()
    if exception is IndexError and arguments in ((), ("index is out of bounds",)):
        return Fault(INDEX_OUT_OF_BOUNDS, "", file)
    if exception is AssertionError and not arguments:
        return Fault(ASSERTION, "", file)
    if exception is ZeroDivisionError and not arguments:
        return Fault(ZERO_DIVISION, "", file)
    if exception is OverflowError and not arguments:
        return Fault(OVERFLOW, "", file)
    name = _shown(exception) if exception is not None else "exception"
    detail = ", ".join(str(a) for a in arguments)
    return Fault(0, f"{name}: {detail}" if detail else name, file)


def _shown(exception: type[BaseException]) -> str:
    """The exception's name as in a traceback. hither.errors finds the class by this name."""
    module = exception.__module__
    name = exception.__qualname__
    return name if module == "builtins" else f"{module}.{name}"


def marker_of(fault: Fault) -> int:
    """The index of `fault` in the table of this process."""
    with _lock:
        if fault not in _markers:
            _markers[fault] = len(_faults)
            _faults.append(fault)
        return _markers[fault]


def number_faults(texts: list[str], file: str) -> tuple[list[str], list[str]]:
    """Replaces markers by ABI codes. Returns the texts and the module's messages.

    Line numbers refer to the kernel's file `file`. The message of a fault in another file contains
    that file and line.
    """
    messages: list[str] = []

    def code_for(match: re.Match) -> str:
        fault, line = _faults[int(match[2])], int(match[4])
        code = fault.code
        if fault.file != file or not code:
            text = fault.text or _TEXT[code]
            if fault.file != file:
                path = Path(fault.file)
                if _PACKAGE not in path.parents:  # the user knows no lines of hither's
                    text = f"{text} (in {path.name}:{line})"
                line = 0
            if text not in messages:
                messages.append(text)
            code = FIRST_MESSAGE + messages.index(text)
        return f"{match[1]}{code}{match[3]}{line}{match[5]}"

    return [_CALL.sub(code_for, text) for text in texts], messages
