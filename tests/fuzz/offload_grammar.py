"""Statements of random @njit functions, as text. Every name they use is an argument or has a value
before the first of them, and keeps its type, so that any of them may be left out.

f0, f1 are floats, i0, i1 integers, b0 booleans, all of length n; m0 and m1 are matrices of c
columns; s, p, low and high are float64, t is int64. No array is computed from a reduction, so that
the last bits of a reduction have no further effect.
"""

from __future__ import annotations

import random

# exp(-abs(x)) is huge for unsigned x, and the cosine of a huge number is mostly rounding error.
_UNARY = ("np.sin({})", "np.cos({})", "np.sqrt(np.abs({}))", "1 / (np.exp(np.abs({})) + 1)", "-{}",
          "np.abs({})", "np.tanh({})")  # fmt: skip
_BINARY = ("({} + {})", "({} - {})", "({} * {})", "np.maximum({}, {})", "np.minimum({}, {})")
_INTEGER = ("({} + {})", "({} - {})", "({} * 3 - {})", "({} & {})", "({} ^ {})", "({} | {})",
            "({} // (np.abs({}) % 5 + 1))", "({} % (np.abs({}) % 7 + 1))",
            "({} << ({} & 3))", "({} >> ({} & 3))", "np.maximum({}, {})")  # fmt: skip
STATEMENTS = ("assign", "slice", "in place", "integers", "truths", "reduce", "argument", "dot",
              "loop", "loop reduce", "loop integers", "loop extremes", "loop of rows",
              "nested loops", "rows to a row", "create", "serial", "branch", "temporary",
              "private", "2-d", "stepped loop", "repeat", "loop updates",
              "loop stores", "loop flat", "broadcast")  # fmt: skip
# Iterations of these loops may conflict, which parallel=True rules out.
CONFLICTING = frozenset({"loop updates", "loop stores", "loop flat"})


class Maker:
    def __init__(self, rng: random.Random):
        self.rng = rng

    def floats(self, depth: int = 2) -> str:
        """An array expression."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return rng.choice(("f0", "f1", "f0", "f1", "i0", "f1[::-1]", "0.5", "(-1.25)", "q"))
        kind = rng.random()
        if kind < 0.35:
            return rng.choice(_UNARY).format(f"({self.array(depth - 1)})")
        if kind < 0.45:
            return f"np.where(b0, {self.array(depth - 1)}, {self.array(depth - 1)})"
        return rng.choice(_BINARY).format(self.floats(depth - 1), self.array(depth - 1))

    def array(self, depth: int = 2) -> str:
        """An array expression that always has length n."""
        text = self.floats(depth)
        return text if any(name in text for name in ("f0", "f1", "i0")) else f"(f1 * {text})"

    def integers(self, depth: int = 2) -> str:
        if depth == 0 or self.rng.random() < 0.3:
            return self.rng.choice(("i0", "i1", "i0[::-1]"))
        return self.rng.choice(_INTEGER).format(self.integers(depth - 1), self.integers(depth - 1))

    def number(self, depth: int = 2, i: str = "i") -> str:
        """A scalar expression in one iteration of a loop."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return rng.choice((f"f1[{i}]", f"f1[{i}]", f"i0[{i}]", "0.75", "q", f"({i} % 5)"))
        kind = rng.random()
        if kind < 0.3:
            return rng.choice(_UNARY).format(f"({self.number(depth - 1, i)})")
        if kind < 0.45:
            return (f"({self.number(depth - 1, i)} if f1[{i}] > 0.5 else "
                    f"{self.number(depth - 1, i)} * 1.0)")  # fmt: skip
        return rng.choice(("({} + {})", "({} - {})", "({} * {})", "max({}, {} * 1.0)")).format(
            self.number(depth - 1, i), self.number(depth - 1, i)
        )

    def statement(self) -> list:
        kind = self.rng.choice(STATEMENTS)
        return [kind, getattr(self, "emit_" + kind.replace(" ", "_").replace("-", "_"))()]

    def emit_assign(self) -> str:
        return f"{self.rng.choice(('f0', 'f1'))}[:] = {self.floats(3)}"

    def emit_slice(self) -> str:
        slices = (("1:", ":-1"), (":-1", "1:"), ("::2", "::2"), ("n // 2:", "n // 2:"))
        a, b = self.rng.choice(slices)
        return f"f0[{a}] = ({self.array()})[{b}]"

    def emit_in_place(self) -> str:
        return f"f0 {self.rng.choice(('+=', '-=', '*='))} {self.floats(1)}"

    def emit_integers(self) -> str:
        return f"{self.rng.choice(('i0', 'i1'))}[:] = {self.integers(3)}"

    def emit_truths(self) -> str:
        return f"b0[:] = {self.rng.choice(('i0 > i1', 'f1 <= 0.5', '(i0 & 1) == 0', 'f0 != f1'))}"

    def emit_reduce(self) -> str:
        function = self.rng.choice(("({}).sum()", "np.sum({})", "np.mean({})", "({}).max()",
                                    "np.min({})", "({}).var()"))  # fmt: skip
        return f"s += {function.format(self.array())}"

    def emit_argument(self) -> str:
        return f"t += np.{self.rng.choice(('argmin', 'argmax'))}({self.rng.choice(('i0', 'i1'))})"

    def emit_dot(self) -> str:
        return "s += np.dot(f0, f1)"

    def emit_loop(self) -> str:
        if self.rng.random() < 0.4:
            return f"for i in prange(n):\n    if i0[i] % 3 == 1:\n        f0[i] = {self.number(3)}"
        return f"for i in prange(n):\n    f0[i] = {self.number(3)}"

    def emit_loop_reduce(self) -> str:
        return self.rng.choice((
            f"for i in prange(n):\n    s += {self.number(3)}",
            f"for i in prange(n):\n    if f1[i] > 0.25:\n        s -= {self.number(2)}",
            "for i in prange(n):\n    p *= 1.0 + f1[i] * 0.001",
            f"for i in prange(n):\n    f0[i] += 1.0\n    s += {self.number(2)}",
        ))  # fmt: skip

    def emit_loop_integers(self) -> str:
        return self.rng.choice((
            "for i in prange(n):\n    t += i0[i]",
            "for i in prange(n):\n    t += i0[i] * i1[i] - i",
            "for i in prange(n):\n    if i0[i] > i1[i]:\n        t += 1",
            "for i in prange(n):\n    i1[i] = i0[i] * 2 - i\n    t += i1[i] & 15",
        ))  # fmt: skip

    def emit_loop_extremes(self) -> str:
        return self.rng.choice((
            f"for i in prange(n):\n    high = max(high, {self.number(1)} * 1.0)",
            "for i in prange(n):\n    low = min(low, f1[i] - 2.0)",
        ))  # fmt: skip

    def emit_loop_of_rows(self) -> str:
        return (f"for r in prange(m0.shape[0]):\n    x = 0.0\n    for k in range(c):\n"
                f"        x += m1[r, k] * {self.rng.choice(('2.0', '(k - 1.5)', 'm1[r, 0]'))}\n"
                f"    m0[r, {self.rng.choice(('0', 'c - 1', '-1'))}] = x")  # fmt: skip

    def emit_nested_loops(self) -> str:
        inner = self.rng.choice(("prange", "range"))
        return (f"for r in prange(m0.shape[0]):\n    for k in {inner}(c):\n"
                f"        m0[r, k] = m1[r, k] {self.rng.choice('+-*')} "
                f"{self.number(1, 'r % n')}")  # fmt: skip

    def emit_rows_to_a_row(self) -> str:
        return "row = np.zeros(c)\nfor r in prange(m0.shape[0]):\n    row += m0[r]\ns += row[c - 1]"

    def emit_create(self) -> str:
        made = self.rng.choice(("np.zeros(n)", "np.ones(n)", "np.full(n, 1.5)",
                                "np.arange(n) * 1.0", "np.linspace(0.0, 1.0, n)",
                                "np.zeros_like(f1)"))  # fmt: skip
        return f"g = {made}\nf1[:] = f1 * 0.5 + g"

    def emit_serial(self) -> str:
        return self.rng.choice((
            "for k in range(3):\n    f0[k % n] += k * 0.5",
            "f1[n - 1] = f0[0]",
            "t += len(f0)",
            "for k in range(1, n):\n    f0[k] = f0[k] + f0[k - 1] * 0.125",
        ))  # fmt: skip

    def emit_branch(self) -> str:
        return (f"if n > {self.rng.choice((0, 10, 100))}:\n    f0[:] = {self.floats(2)}\n"
                f"else:\n    for i in prange(n):\n        f0[i] = {self.number(2)}")  # fmt: skip

    def emit_temporary(self) -> str:
        return f"g = {self.array(3)}\ns += g[n // 2]\nf1[:] = np.tanh(g)"

    def emit_private(self) -> str:
        return (f"for i in prange(n):\n    own = np.zeros(4)\n    for k in range(4):\n"
                f"        own[k] = {self.number(1)} + k\n"
                f"    f0[i] = own[i % 4] - own[3]")  # fmt: skip

    def emit_2_d(self) -> str:
        return self.rng.choice((
            "m0[:] = m0 * 0.5 + m1", "m0 += m1", "s += m0.sum()", "m1[:] = np.sin(m0)",
            "m0[1:] = m1[:-1]", "m0[:, 0] = m1[:, c - 1]", "s += (m0 * m1).mean()",
        ))  # fmt: skip

    def emit_broadcast(self) -> str:
        """Operands of fewer dimensions or with extents of 1. Those of slices are not known before
        the call, which then runs on the host."""
        operand = self.rng.choice((
            "m1[0]", "m1[:, 0].copy().reshape(-1, 1)", "m1[:, c - 1][:, None]", "m1[-1][None]",
            "np.expand_dims(m1[:, 0], 1)", "(m1[:, 0][:, None] - m1[0])", "np.ones((1, c))",
            "np.sin(m1[0])", "m1[:, :1]", "m1[:1]",
        ))  # fmt: skip
        return self.rng.choice((
            f"m0 *= 0.5\nm0 {self.rng.choice('+-')}= {operand}", f"m0[:] = m0 * 0.5 + {operand}",
            f"s += (m0 - {operand}).sum()", "s += (f0[:, None] - f1[None, :5]).sum()",
        ))  # fmt: skip

    def emit_stepped_loop(self) -> str:
        return f"for i in prange(n // 3, n):\n    f0[i] = {self.number(2)}"

    def emit_repeat(self) -> str:
        return f"for _ in range(3):\n    f0[:] = np.sin(f0) + {self.floats(1)}"

    def emit_loop_updates(self) -> str:
        """Updates of integer elements that iterations may share."""
        key = self.rng.choice(("i0[i] % 7", "(i0[i] + i) % 3", "i % 5"))
        update = self.rng.choice(("bins[k] += i0[i] & 15", "bins[k] -= i", "bins[k] ^= i",
                                  "bins[k] = max(bins[k], i - 3)", "bins[k] |= i",
                                  "bins[k] = min(bins[k], -i)"))  # fmt: skip
        return (f"bins = np.arange(7)\nfor i in prange(n):\n    k = {key}\n    {update}\n"
                f"for k in range(7):\n    t += bins[k] * (k + 1)")  # fmt: skip

    def emit_loop_stores(self) -> str:
        """Stores through an array of indices, which may have duplicates."""
        made = self.rng.choice(("np.arange(n)", "np.arange(n)[::-1]", "np.arange(n) - n",
                                "np.arange(n) // 2", "(np.arange(n) * 3) % n"))  # fmt: skip
        store = self.rng.choice((f"f0[p1[i]] = {self.number(2)}", "i1[p1[i]] = i & 63",
                                 f"f0[p1[i]] = f0[p1[i]] * 0.5 + {self.number(1)}"))  # fmt: skip
        return f"p1 = {made}\nfor i in prange(n):\n    {store}"

    def emit_loop_flat(self) -> str:
        """Accesses that are independent between iterations always, for some c, or never."""
        return self.rng.choice((
            "for i in prange(n // c):\n    for k in range(c):\n        f0[i * c + k] = i - k * 0.5",
            "for i in prange(n // c):\n    for k in prange(c):\n        f0[i * c + k] += k",
            "for i in prange(n // c):\n    for k in range(c):\n        f0[i + n // c * k] = i - k",
            "for i in prange(n // 2):\n    f0[2 * i] = i\n    f0[2 * i + 1] = f0[2 * i] * 0.5",
            "for i in prange(1, n):\n    i1[i] = (i1[i - 1] + i0[i]) & 63",
            "for i in prange(n):\n    f0[i - c % n] = i * 0.25",
            "for i in prange(n - c % n):\n    f0[i + c % n] = f1[i]",
        ))  # fmt: skip
