"""Translates Numba's errors into messages for authors of kernels."""

from __future__ import annotations

import re
from collections.abc import Callable

from .advice import advice, readable

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_CALL = re.compile(r"^\s*>>> (.+)$", re.MULTILINE)
_DEEPEST = re.compile(r"raised a specific error:\s*\n\s*\w+: (.+)")
_NOT_A_MESSAGE = re.compile(
    r"^(Failed in |During|File \"|<source|- Resolution|No implementation of|$)"
)


def explain(error: Exception, function: Callable) -> str:
    """A message with the file, the line, the error and, for known errors, advice."""
    text = _ESCAPE.sub("", str(error))
    where = f"{function.__code__.co_filename}:{_line_of(error, text, function)}"
    return f"{where}: {advice(text, function) or _complaint(text)}"


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


def _complaint(text: str) -> str:
    """The innermost reason if Numba gives one, or the call that has no implementation."""
    reasons = [r for r in _DEEPEST.findall(text) if not _NOT_A_MESSAGE.match(r)]
    if reasons:
        return reasons[0]
    if "No implementation of" in text and (call := _CALL.search(text)):
        return _unimplemented(readable(call[1]))
    for line in text.splitlines():
        if not _NOT_A_MESSAGE.match(line.strip()):
            return line.strip()
    return text.strip()


def _unimplemented(call: str) -> str:
    stored = re.match(r"setitem\(([^,]+), .*, ([^,]+)\)$", call)
    if stored:
        remedy = "its real part (.real)" if stored[2].startswith("complex") else "a number"
        return f"a kernel cannot store {stored[2]} in an element of a {stored[1]}: store {remedy}"
    only = ": kernels compute with numbers, not with text or None" * bool(
        re.search(r"'|\bstr\b|\bNone\b", call)
    )
    return f"kernels have no implementation of {call}{only}"
