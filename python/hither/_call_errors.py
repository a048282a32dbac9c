"""Messages for calls whose arguments do not fit a function's signature.

The extension imports this module at the first such call. Its texts name the argument that is wrong,
and show the call.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from . import _names
from .errors import InvalidTypeError

__all__ = ["of_binding", "of_call", "of_function"]

_BUILTIN = {
    "int": ("int", "bool"),
    "float": ("float", "int", "bool"),
    "complex": ("complex", "float", "int", "bool"),
    "bool": ("bool",),
    "str": ("str",),
    "bytes": ("bytes",),
    "list": ("list",),
    "tuple": ("tuple",),
    "dict": ("dict",),
    "None": ("NoneType",),
}
# What to do instead, for keywords of NumPy and other libraries.
_REMEDIES = {
    "order": "arrays are always in C order, so leave it out",
    "out": "functions return new arrays; store the result with y[...] = result",
    "where": "choose elements with hither.where(condition, x1, x2)",
    "casting": "cast operands with x.astype(dtype)",
    "dtype": "cast with x.astype(dtype)",
    "like": "leave it out; device= and queue= choose the device",
    "subok": "leave it out; results are always hither arrays",
    "initial": "combine the result with the initial value afterwards",
    "device": "pass queue=hither.Queue(device)",
    "copy": "copy an array with x.copy()",
}
_SYNONYMS = {
    "a": "x", "arr": "x", "array": "x", "obj": "x", "object": "x", "x": "x1", "y": "x2",
    "b": "x2", "ddof": "correction", "dim": "axis", "dims": "axis", "keepdim": "keepdims",
    "stream": "queue", "sycl_queue": "queue", "q": "queue", "size": "shape", "newshape": "shape",
    "type": "dtype", "ind": "indices", "index": "indices", "tensors": "arrays",
    "value": "fill_value", "values": "fill_value", "n": "shape",
}  # fmt: skip


class Parameter(NamedTuple):
    """A parameter. `kind` is "positional", "either", "keyword" or "rest" (*args, **kwargs).

    `types` is empty if every object except None is accepted.
    """

    name: str
    kind: str
    types: tuple[str, ...]
    default: str | None

    def shown(self) -> str:
        return self.name if self.default is None else f"{self.name}={self.default}"


class Call(NamedTuple):
    """The types of the arguments of a call."""

    positional: list[str]
    keywords: dict[str, str]


def of_call(signature: str, positional: list[object], keywords: tuple[str, ...]) -> str:
    """The message for a call that does not fit `signature`."""
    call = Call([_type_name(type(v)) for v in positional], dict.fromkeys(keywords, ""))
    name, parameters = _parse(signature)
    problems = _problems(parameters, call)
    return _message(name, parameters, problems, call)


def of_function(
    function: Callable[..., Any], positional: tuple[Any, ...], keywords: dict[str, Any]
) -> InvalidTypeError:
    """The error for a call that does not fit the signature of a Python function."""
    kinds: dict[Any, str] = {
        inspect.Parameter.POSITIONAL_ONLY: "positional",
        inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
        inspect.Parameter.KEYWORD_ONLY: "keyword",
    }
    parameters = [
        Parameter(
            ("**" if p.kind is p.VAR_KEYWORD else "*" if p.kind is p.VAR_POSITIONAL else "") + name,
            kinds.get(p.kind, "rest"),
            (),
            None if p.default is p.empty else getattr(p.default, "__name__", repr(p.default)),
        )
        for name, p in inspect.signature(function).parameters.items()
    ]
    name = function.__qualname__.removesuffix(".__init__").lstrip("_")
    if parameters and parameters[0].name == "self":
        parameters, positional = parameters[1:], positional[1:]
    call = Call([_type_name(type(v)) for v in positional], dict.fromkeys(keywords, ""))
    return InvalidTypeError(name, _message(name, parameters, _problems(parameters, call), call))


def of_binding(text: str) -> tuple[str, str]:
    """Function and message for nanobind's description of a call that fits no overload."""
    if text.endswith(": no constructor defined!"):
        return _without_constructor(text.partition(":")[0])
    signatures = re.findall(r"^    \d+\. (.*)$", text, re.MULTILINE)
    given = _parse_call(text.partition("\nInvoked with types: ")[2])
    name = text.partition("(")[0]
    if name in ("__init__", "__new__"):
        name = _class_of(name, signatures, given)
        given = given._replace(positional=given.positional[1:])
    elif re.match(r"\w*\(self\b", signatures[0]):
        given = given._replace(positional=given.positional[1:])
    if not name:  # the assignment of an attribute
        (wanted,) = _parse(signatures[0])[1]
        return "", f"the value to assign is of type {given.positional[0]}; {_pass(wanted)}"
    overloads = [_parse(s)[1] for s in signatures]
    best = min(overloads, key=lambda parameters: len(_problems(parameters, given)))
    return name, _message(name, best, _problems(best, given), given)


def _without_constructor(class_name: str) -> tuple[str, str]:
    name = class_name.rpartition(".")[2]
    makers = {
        "Memory": "make MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost",
        "KernelRecord": "hither.kernel_history() returns them",
        "ProfileEvent": "the events of hither.profile() are of this class",
        "PointerInfo": "hither.pointer_info(address, context) returns them",
    }
    return (
        name,
        f"objects of this class cannot be made by a call; {makers.get(name, 'hither makes them')}",
    )


def _message(name: str, parameters: list[Parameter], problems: list[str], call: Call) -> str:
    if not problems:
        given = ", ".join([*call.positional, *(f"{k}={t}" for k, t in call.keywords.items())])
        problems = [f"({given}) does not fit the parameters"]
    end = "" if problems[0].endswith("?") else "."
    return f"{problems[0]}{end} The call is {_shown_call(name, parameters)}"


def _shown_call(name: str, parameters: list[Parameter]) -> str:
    parts: list[str] = []
    for before, parameter in zip([None, *parameters], parameters, strict=False):
        if before and before.kind == "positional" != parameter.kind:
            parts.append("/")
        if parameter.kind == "keyword" and (
            before is None or before.kind not in ("keyword", "rest")
        ):
            parts.append("*")
        if not parameter.name.startswith("**"):
            parts.append(parameter.shown())
    if parameters and parameters[-1].kind == "positional":
        parts.append("/")
    return f"{name}({', '.join(parts)})"


def _problems(parameters: list[Parameter], call: Call) -> list[str]:
    """What is wrong with a call; the most helpful sentence comes first."""
    by_name = {p.name: p for p in parameters}
    takes_rest = any(p.kind == "rest" and not p.name.startswith("**") for p in parameters)
    slots = [p for p in parameters if p.kind in ("positional", "either")]
    found = [
        _unknown_keyword(k, parameters)
        for k in call.keywords
        if (k not in by_name or by_name[k].kind == "positional")
        and not any(p.name.startswith("**") for p in parameters)
    ]
    given = dict(zip((p.name for p in slots), call.positional, strict=False))
    found += [f"{k} is given twice, by position and as {k}=" for k in call.keywords if k in given]
    given |= call.keywords
    excess = len(call.positional) - len(slots)
    wrong = [_wrong_type(by_name[k], t) for k, t in given.items() if k in by_name and t]
    found += [text for text in wrong if text]
    if _needs_one_list(parameters, call.positional):
        found.insert(0, f"{parameters[0].name} is one argument; pass a list or tuple of arrays")
    elif excess > 0 and not takes_rest:
        found.insert(0, _too_many(parameters, slots, len(call.positional)))
    required = [p.name for p in parameters if p.default is None and p.kind != "rest"]
    missing = [k for k in required if k not in given]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        found.append(f"{' and '.join(missing)} {verb} missing")
    return found


def _needs_one_list(parameters: list[Parameter], positional: list[str]) -> bool:
    arrays = [t for t in positional if t.endswith((".Array", ".ndarray"))]
    return bool(parameters) and parameters[0].name == "arrays" and len(arrays) > 1


def _too_many(parameters: list[Parameter], slots: list[Parameter], given: int) -> str:
    count = f"{len(slots)} positional argument{'' if len(slots) == 1 else 's'}"
    text = (
        f"takes {count}, {given} given" if slots else f"takes no positional argument, {given} given"
    )
    named = [f"{p.name}=" for p in parameters if p.kind == "keyword"]
    if not named:
        return text
    return f"{text}; {' and '.join(named)} {'is' if len(named) == 1 else 'are'} given by name"


def _unknown_keyword(keyword: str, parameters: list[Parameter]) -> str:
    text = f"takes no keyword {keyword}="
    named = {p.name: p for p in parameters if p.kind in ("either", "keyword")}
    if any(p.name == keyword for p in parameters):
        return f"{keyword} is passed by position, not as {keyword}="
    if _SYNONYMS.get(keyword) in named:
        return f"{text}; its name here is {_SYNONYMS[keyword]}="
    nearest = _names.nearest(keyword, named)
    if nearest:
        return f"{text}; did you mean {nearest}=?"
    if keyword in _REMEDIES and not (keyword == "device" and "queue" not in named):
        return f"{text}; {_REMEDIES[keyword]}"
    return f"{text}; it takes {', '.join(f'{n}=' for n in named) or 'no keywords'}"


def _wrong_type(parameter: Parameter, given: str) -> str:
    """The sentence about an argument of a type that is not accepted; else ""."""
    if given == "NoneType" and not {"None", "typing.Any"} & {*parameter.types}:
        return f"{parameter.name} is None, and a value is required"
    if not parameter.types or any(_accepts(t, given) for t in parameter.types):
        return ""
    if given == "hither.ShardedArray":
        return f"{parameter.name} is a {given}; gather it with hither.gather(x), or use x.parts"
    return f"{parameter.name} is of type {given}; {_pass(parameter)}"


def _pass(parameter: Parameter) -> str:
    return "pass " + " or ".join(t.replace("hither._hither.", "hither.") for t in parameter.types)


def _accepts(wanted: str, given: str) -> bool:
    if wanted in ("object", "typing.Any"):
        return True
    if wanted in _BUILTIN:
        numpy_scalar = given.startswith("numpy.") and wanted in ("int", "float", "complex", "bool")
        return given in _BUILTIN[wanted] or (numpy_scalar and given != "numpy.ndarray")
    if re.fullmatch(r"[\w.]+", wanted) and "." in wanted and not wanted.startswith("collections"):
        return wanted.rpartition(".")[2] == given.rpartition(".")[2]
    return given not in ("NoneType", "int", "float", "bool")  # a container or a protocol


def _class_of(method: str, signatures: list[str], given: Call) -> str:
    """The class whose constructor was called. For __new__, its argument has only the metaclass."""
    if method == "__init__":
        return given.positional[0].rpartition(".")[2] if given.positional else "class"
    from . import _hither

    for name, value in vars(_hither).items():
        if isinstance(value, type) and signatures[0] in (value.__new__.__doc__ or ""):
            return name
    return "class"


def _parse(signature: str) -> tuple[str, list[Parameter]]:
    """Name and parameters of a signature in nanobind's form: "f(x: object, *, y: int = 0) -> T"."""
    name, _, rest = signature.partition("(")
    parameters: list[Parameter] = []
    kind = "either"
    for part in _split(rest[: _closing(rest)], ","):
        if part == "/":
            parameters = [p._replace(kind="positional") for p in parameters]
        elif part == "*":
            kind = "keyword"
        elif part.startswith("*"):
            parameters.append(Parameter(part.partition(":")[0], "rest", (), None))
            kind = "keyword"
        elif part.partition(":")[0] not in ("self", "cls"):
            parameters.append(_parse_parameter(part, kind))
    return name, parameters


def _parse_parameter(text: str, kind: str) -> Parameter:
    declared, equals, default = (s.strip() for s in text.partition("="))
    name, _, types = (s.strip() for s in declared.partition(":"))
    alternatives = tuple(_split(types, "|"))
    if alternatives == ("object",):
        alternatives = ()
    return Parameter(name, kind, alternatives, default if equals else None)


def _closing(text: str) -> int:
    """The index of the parenthesis that closes one before the text."""
    depth = 1
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0:
            return i
    return len(text)


def _split(text: str, separator: str) -> list[str]:
    """The stripped parts of a text; separators within brackets and quotes do not count."""
    parts, depth, quote = [""], 0, ""
    for c in text:
        if quote or c in "'\"":
            quote = "" if c == quote else quote or c
        depth += (not quote) * ((c in "([{<") - (c in ")]}>"))
        if c == separator and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def _parse_call(text: str) -> Call:
    positional, _, keywords = text.partition("kwargs = { ")
    pairs = (pair.partition(": ") for pair in _split(keywords.removesuffix(" }"), ","))
    return Call(_split(positional, ","), {name: kind for name, _, kind in pairs})


def _type_name(kind: type) -> str:
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
