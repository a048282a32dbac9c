"""C++ source text without a compiler: code without comments and strings, and its functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NOT_CODE = re.compile(
    r"""
    //(?:\\.|[^\\\n])*                                  # a line comment, maybe continued
  | /\*.*?\*/
  | R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
  | "(?:\\.|[^"\\\n])*"
  | (?<!\w)'(?:\\.|[^'\\\n])*'                          # no digit separator
  | ^[ \t]*\#(?:\\.|[^\\\n])*                           # a preprocessor directive
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_CONTAINER = re.compile(
    r"(?:inline\s+|typedef\s+|static\s+)*(?:namespace|extern|class|struct|union|enum)\b"
)
_AFTER_PARAMETERS = re.compile(r"(?:const|noexcept|override|final|mutable|try|&|\))$")
_TRAILING_RETURN = re.compile(r"\)[^()]*->[^()]*$")
_BOUNDARY = re.compile(r"[{};]|\b(?:public|private|protected)\s*:(?!:)")
_NAME = re.compile(r"(operator\s*\S+?|[~\w:]+)\s*\(")


@dataclass
class Function:
    """A function definition: the lines of its head and of its closing brace, from 1."""

    name: str
    first_line: int
    last_line: int


def code_only(text: str) -> str:
    """The text with blanks for comments, literals and directives; offsets and lines stay."""
    return _NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _without_template(head: str) -> str:
    """A declaration's head without its template parameters and attributes."""
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.DOTALL).strip()
    while head.startswith("template"):
        depth = 0
        for offset, character in enumerate(head):
            depth += (character == "<") - (character == ">")
            if character == ">" and depth == 0:
                head = head[offset + 1 :].strip()
                break
        else:
            break
    return head


def _kind(head: str) -> str:
    """What a brace opens after `head`: "container", "function" or "initialiser"."""
    head = _without_template(head)
    if _CONTAINER.match(head):
        plain = re.sub(r"\balignas\s*\([^)]*\)|\b[A-Z_]+\s*\([^)]*\)", " ", head)
        if "(" not in plain:
            return "container"
    if ")" not in head:
        return "initialiser"
    if head.endswith("}") or _AFTER_PARAMETERS.search(head) or _TRAILING_RETURN.search(head):
        return "function"
    return "initialiser"


def _closing(code: str, opening: int) -> int:
    depth = 0
    for found in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.start()
    return len(code)


def functions(text: str) -> Iterator[Function]:
    """The function definitions outside of other functions."""
    code = code_only(text)
    head_start = position = 0
    while found := _BOUNDARY.search(code, position):
        position = found.end()
        head = code[head_start : found.start()]
        if found[0] != "{" or _kind(head) == "container":
            if found[0] != ";" or head.count("(") == head.count(")"):
                head_start = position
            continue
        closing = _closing(code, found.start())
        position = closing + 1
        if _kind(head) == "initialiser":
            continue  # the declaration goes on after it
        first = head_start + len(head) - len(head.lstrip())
        name = _NAME.search(_without_template(head))
        yield Function(name[1] if name else "a function", code.count("\n", 0, first) + 1,
                       code.count("\n", 0, closing) + 1)  # fmt: skip
        head_start = position
