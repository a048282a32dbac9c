"""Tables of mistakes with their errors.

A table has a mistake in a line, and its error in the indented lines that follow. "..." stands for
any text.
"""

from __future__ import annotations

import re
import textwrap


def parsed(table: str) -> dict[str, str]:
    """The mistakes of a table, each with its error."""
    entries = re.findall(r"^(\S.*)\n((?:    .*\n)+)", table, re.MULTILINE)
    return {code: " ".join(textwrap.dedent(lines).split("\n")).strip() for code, lines in entries}


def matches(text: str, expected: str) -> bool:
    """Whether the text is the expected one, in which "..." stands for any text."""
    pattern = ".*".join(map(re.escape, expected.split("...")))
    return re.fullmatch(pattern, text, re.DOTALL) is not None
