"""print() in kernels: the values go to a buffer of the launch (see _kernel.printing)."""

from __future__ import annotations

import re
import threading

from .numba_adapter import cgutils, errors, ir, types

_WORD = ir.IntType(64)
_i32 = ir.IntType(32)
_GLOBAL_SPACE = 1
# launch::PrintBuffer: the words after the two counters
_WORDS = (1 << 20) // 8 - 1
_CALL = re.compile(r'(@"?hither\.print"?\(i32 )(\d+)(, i32 )')

# Finds room for one call's number and its values: their address, or null.
_DEFINITION = f"""
declare ptr addrspace(1) @hither.print_buffer()
define ptr addrspace(1) @hither.print(i32 %call, i32 %values) alwaysinline {{
entry:
  %buffer = call ptr addrspace(1) @hither.print_buffer()
  %needed = add i32 %values, 1
  %seen = load atomic i32, ptr addrspace(1) %buffer syncscope("device") monotonic, align 4
  %full = icmp ugt i32 %seen, {_WORDS}
  br i1 %full, label %lost, label %room
room:
  %at = atomicrmw add ptr addrspace(1) %buffer, i32 %needed syncscope("device") monotonic
  %end = add i32 %at, %needed
  %late = icmp ugt i32 %end, {_WORDS}
  br i1 %late, label %lost, label %found
found:
  %words = getelementptr i64, ptr addrspace(1) %buffer, i32 1
  %offset = zext i32 %at to i64
  %first = getelementptr i64, ptr addrspace(1) %words, i64 %offset
  %number = zext i32 %call to i64
  store i64 %number, ptr addrspace(1) %first, align 8
  %result = getelementptr i64, ptr addrspace(1) %first, i32 1
  ret ptr addrspace(1) %result
lost:
  %count = getelementptr i32, ptr addrspace(1) %buffer, i32 1
  %before = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("device") monotonic
  ret ptr addrspace(1) null
}}
"""

_lock = threading.Lock()
_calls: list[str] = []
_markers: dict[str, int] = {}


def print_values(context, builder, signature, values):
    """Lowers print(*values). The module calls `hither.print` with the index of a text that
    describes the values in a table of this process; number_prints() replaces it."""
    words: list = []
    items = tuple(
        _describe(context, builder, numba_type, value, words)
        for numba_type, value in zip(signature.args, values, strict=True)
    )
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.PointerType(_WORD, _GLOBAL_SPACE), [_i32, _i32]),
        "hither.print",
    )
    room = builder.call(function, [_i32(_marker_of(repr(items))), _i32(len(words))])
    found = builder.icmp_unsigned("!=", room, ir.Constant(room.type, None))
    with builder.if_then(found):
        for i, word in enumerate(words):
            builder.store(word, builder.gep(room, [_i32(i)]), align=8)
    return context.get_dummy_value()


def _describe(context, builder, numba_type, value, words: list):
    """Adds the words of a value. The result describes it for _kernel.printing: a dtype or
    "complex", [text], None, or a tuple of its items."""
    if isinstance(numba_type, types.StringLiteral):
        return [numba_type.literal_value]
    numba_type = types.unliteral(numba_type)
    if isinstance(numba_type, types.NoneType):
        return None
    if isinstance(numba_type, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        return tuple(
            _describe(context, builder, part_type, part, words)
            for part_type, part in zip(numba_type, parts, strict=True)
        )
    if isinstance(numba_type, types.Complex):
        number = context.make_complex(builder, numba_type, value)
        for part in (number.real, number.imag):
            _describe(
                context, builder, types.float64,
                context.cast(builder, part, numba_type.underlying_float, types.float64), words,
            )  # fmt: skip
        return "complex"
    if isinstance(numba_type, types.Float):
        bits = builder.bitcast(value, ir.IntType(numba_type.bitwidth))
        words.append(bits if bits.type == _WORD else builder.zext(bits, _WORD))
    elif isinstance(numba_type, (types.Integer, types.Boolean)):
        wide = types.int64 if getattr(numba_type, "signed", False) else types.uint64
        words.append(context.cast(builder, value, numba_type, wide))
    else:
        raise errors.UnsupportedError(
            "print takes numbers, tuples of numbers and constant texts in a kernel, not "
            f"{numba_type}: pass each text and each element of an array as an argument of its own"
        )
    return "bool" if isinstance(numba_type, types.Boolean) else str(numba_type)


def _marker_of(call: str) -> int:
    with _lock:
        if call not in _markers:
            _markers[call] = len(_calls)
            _calls.append(call)
        return _markers[call]


def prints(texts: list[str]) -> bool:
    """Whether the modules print."""
    return any(_CALL.search(text) for text in texts)


def number_prints(texts: list[str]) -> tuple[list[str], list[str]]:
    """Replaces markers by one plus the index in the module's own list of calls, and adds what the
    calls need. Returns the texts and the list."""
    calls: list[str] = []

    def number(match: re.Match) -> str:
        call = _calls[int(match[2])]
        if call not in calls:
            calls.append(call)
        return f"{match[1]}{calls.index(call) + 1}{match[3]}"

    texts = [_CALL.sub(number, text) for text in texts]
    return ([*texts, _DEFINITION] if calls else texts), calls
