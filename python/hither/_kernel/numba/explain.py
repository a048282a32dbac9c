"""Translates Numba's errors into messages for authors of kernels."""

from __future__ import annotations

import re
from collections.abc import Callable

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_CALL = re.compile(r"^\s*>>> (.+)$", re.MULTILINE)
_DEEPEST = re.compile(r"raised a specific error:\s*\n\s*\w+: (.+)")
_UNTYPED = re.compile(r"Untyped global name '([^']+)'.*?<class '([^']+)'>", re.DOTALL)
_OPCODE = re.compile(r"unsupported opcode \((\w+)\)")
_NOT_A_MESSAGE = re.compile(
    r"^(Failed in |During|File \"|<source|- Resolution|No implementation of|$)"
)

_ADVICE = (
    (
        "Cannot modify readonly array",
        "the kernel writes to an array that is read-only: pass a writable copy, or do not "
        "write to it",
    ),
    (
        "Only accept returning of array passed into the function",
        "a device function can return only arrays that were passed to it",
    ),
    (
        "Unknown attribute '_allocate'",
        "an expression on whole arrays would allocate its result, which a kernel cannot do: "
        "compute element by element",
    ),
)


class KernelRefused(Exception):
    """The function cannot be a kernel for these types; the text says why and what to do."""


def explain(error: Exception, function: Callable) -> str:
    """A message with the file, the line, the error and, for known errors, advice."""
    text = _ESCAPE.sub("", str(error))
    where = f"{function.__code__.co_filename}:{_line_of(error, text, function)}"
    return f"{where}: {_advice(text) or _complaint(text)}"


def _line_of(error, text: str, function: Callable) -> int:
    code = function.__code__
    own = [int(line) for file, line in _LINE.findall(text) if _same_file(file, code.co_filename)]
    location = getattr(error, "loc", None)
    if location is not None and getattr(location, "filename", "") == code.co_filename:
        own.append(location.line)
    return own[-1] if own else code.co_firstlineno


def _same_file(shown: str, file: str) -> bool:
    """Numba shows paths relative to the working directory."""
    return file.endswith(shown.lstrip("."))


def _advice(text: str) -> str | None:
    for symptom, advice in _ADVICE:
        if symptom in text:
            return advice
    if opcode := _OPCODE.search(text):
        return f"a kernel cannot contain this statement (bytecode {opcode[1]})"
    untyped = _UNTYPED.search(text)
    if untyped and untyped[2] == "function":
        return (
            f"{untyped[1]} is a plain Python function: decorate it with @hither.device_func so "
            "that kernels can call it"
        )
    if untyped and untyped[2].endswith("KernelDispatcher"):
        return (
            f"{untyped[1]} is a kernel, which kernels cannot call: put what they share into a "
            "@hither.device_func"
        )
    if untyped:
        return (
            f"the global {untyped[1]} is a {untyped[2]}, which kernels cannot use: pass it as an "
            "argument"
        )
    return None


def _complaint(text: str) -> str:
    """The innermost reason if Numba gives one, or the call that has no implementation."""
    reasons = [r for r in _DEEPEST.findall(text) if not _NOT_A_MESSAGE.match(r)]
    if reasons:
        return reasons[0]
    if "No implementation of" in text and (call := _CALL.search(text)):
        return f"kernels have no implementation of {call[1]}"
    for line in text.splitlines():
        if not _NOT_A_MESSAGE.match(line.strip()):
            return line.strip()
    return text.strip()
