"""Random bits as an operation on arrays: a function of a seed, an item and a draw.

Philox 4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3;
SC11) in LLVM IR. Element i of draw d equals ``hither.random.bits(seed, i, d)`` in a kernel. It uses
only integer arithmetic and exact scaling, so that the bits are equal on every device.
"""

from __future__ import annotations

import functools

from ..._hither import UserOp

__all__ = ["random_operation"]

_MULTIPLY = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF


class _Writer:
    """Writes lines of LLVM IR over i64 values, each with a unique name."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, operation: str, a: str | int, b: str | int, kind: str = "i64") -> str:
        return self._define(f"{operation} {kind} {a}, {b}")

    def convert(self, operation: str, value: str, source: str, target: str) -> str:
        return self._define(f"{operation} {source} {value} to {target}")

    def insert(self, pair: str, value: str, kind: str, part: str, index: int) -> str:
        return self._define(f"insertvalue {pair} {value}, {kind} {part}, {index}")

    def _define(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def halves(self, value: str) -> tuple[str, str]:
        return self.add("and", value, _LOW), self.add("lshr", value, 32)

    def joined(self, low: str, high: str) -> str:
        return self.add("or", self.add("shl", high, 32), low)


def _philox(writer: _Writer) -> list[str]:
    """Ten rounds over the counter (item, draw) with the key. Returns four 32-bit words in i64
    values."""
    x = [*writer.halves("%item"), *writer.halves("%draw")]
    keys = list(writer.halves("%key"))
    for round_ in range(10):
        # Bits above the lower 32 are masked only before multiplications, where this is free.
        factors = [writer.add("and", x[2 * i], _LOW) for i in (0, 1)]
        first, second = (writer.add("mul", m, f) for m, f in zip(_MULTIPLY, factors, strict=True))
        high0, high2 = (writer.add("lshr", product, 32) for product in (first, second))
        x = [
            writer.add("xor", writer.add("xor", high2, x[1]), keys[0]),
            second,
            writer.add("xor", writer.add("xor", high0, x[3]), keys[1]),
            first,
        ]
        if round_ < 9:
            keys = [
                writer.add("and", writer.add("add", key, w), _LOW)
                for key, w in zip(keys, _WEYL, strict=True)
            ]
    return [writer.add("and", word, _LOW) for word in x]


def _unit_float32(writer: _Writer, word: str) -> str:
    """A float32 in [0, 1), a multiple of 2**-24."""
    short = writer.convert("trunc", writer.add("lshr", word, 8), "i64", "i32")
    return writer.add(
        "fmul", writer.convert("uitofp", short, "i32", "float"), "0x3E70000000000000", "float"
    )


def _unit_float64(writer: _Writer, high: str, low: str) -> str:
    """A float64 in [0, 1), a multiple of 2**-53."""
    upper = writer.add("shl", writer.add("lshr", high, 5), 26)
    whole = writer.add("or", upper, writer.add("lshr", low, 6))
    return writer.add(
        "fmul", writer.convert("uitofp", whole, "i64", "double"), "0x3CA0000000000000", "double"
    )


def _pair(writer: _Writer, kind: str, first: str, second: str) -> tuple[str, str]:
    """A complex number of two values, and its type."""
    pair = f"{{ {kind}, {kind} }}"
    half = writer.insert(pair, "poison", kind, first, 0)
    return writer.insert(pair, half, kind, second, 1), pair


@functools.cache
def random_operation(result: str, half: int = 0) -> UserOp:
    """The operation (item, key, draw), all uint64, to ``result``.

    float32 and float64 are in [0, 1). complex64 and complex128 hold two of them, for distributions
    that need two. uint64 are random bits, of which an item has two words: ``half`` is 0 or 1.
    """
    writer = _Writer()
    words = _philox(writer)
    if result in ("float32", "complex64"):
        value, kind = _unit_float32(writer, words[0]), "float"
        if result == "complex64":
            value, kind = _pair(writer, kind, value, _unit_float32(writer, words[1]))
    elif result in ("float64", "complex128"):
        value, kind = _unit_float64(writer, *words[:2]), "double"
        if result == "complex128":
            value, kind = _pair(writer, kind, value, _unit_float64(writer, *words[2:]))
    else:
        value, kind = writer.joined(words[2 * half], words[2 * half + 1]), "i64"
    symbol = f"hither_philox_{result}_{half}"
    head = f"define {kind} @{symbol}(i64 %item, i64 %key, i64 %draw) alwaysinline {{"
    code = "\n".join([head, *writer.lines, f"  ret {kind} {value}", "}"])
    return UserOp(f"random_{result}", symbol, [code], ["uint64"] * 3, result)
