"""Draws the random structured kernels of family_kernels, as data.

An expression is [kind, type, ...] and a statement is [kind, ...]; kernel_text writes them in
Python. Types are i64, u64, f32, f64, c64, c128 and bool. All variables have a value before the body
begins, so that the program stays valid without any of its statements.
"""

from __future__ import annotations

import random
from typing import Any

Expression = list[Any]
Statement = list[Any]

TYPES = ("i64", "u64", "f32", "f64", "c64", "c128", "bool")
TYPE_OF = {
    "int8": "i64", "int16": "i64", "int32": "i64", "int64": "i64", "uint8": "i64",
    "uint16": "i64", "uint32": "i64", "uint64": "u64", "float32": "f32", "float64": "f64",
    "complex64": "c64", "complex128": "c128", "bool": "bool",
}  # fmt: skip
DTYPES = tuple(TYPE_OF)
OPERATORS = {
    "i64": ("+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^", "min", "max"),
    "u64": ("+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^"),
    "f32": ("+", "-", "*", "/"),
    "f64": ("+", "-", "*", "/"),
    "c64": ("+", "-", "*"),
    "c128": ("+", "-", "*"),
    "bool": ("and", "or"),
}
UNARY = {
    "i64": ("-", "~", "abs"),
    "u64": ("~",),
    "f32": ("-", "abs", "sqrt", "floor"),
    "f64": ("-", "abs", "sqrt", "floor"),
    "c64": ("-",),
    "c128": ("-",),
    "bool": ("not",),
}
REDUCTIONS = ("add", "mul", "min", "max", "and", "or", "xor")
ATOMICS = ("add", "sub", "min", "max", "and_", "or_", "xor")
_INTEGERS = (0, 1, 2, 3, 5, 7, 31, 63, 64, 100, 255, -1, -2, -7, -128, 2**31, -(2**31), 2**62,
             2**63 - 1, -(2**63))  # fmt: skip


class Grammar:
    """Draws the parts of one program."""

    def __init__(self, rng: random.Random, arrays: list[dict], grouped: bool, scalars: list[dict]):
        self.rng, self.arrays, self.grouped, self.scalars = rng, arrays, grouped, scalars
        self.rank = len(arrays[0]["shape"])
        self.variables = [[f"v{n}", rng.choice(TYPES)] for n in range(rng.randint(2, 5))]
        self.private = [
            [f"p{n}", rng.choice(DTYPES), rng.choice((1, 3, 4, 8))]
            for n in range(rng.randint(0, 2))
        ]
        self.local = [[f"l{n}", rng.choice(DTYPES)] for n in range(2 if grouped else 0)]
        self.functions: list[dict] = []
        self.loops = 0  # names of loop variables
        self.counters: list[str] = []
        self.returns = grouped and rng.random() < 0.3  # items may return before a barrier
        self.known: list[list[str]] = []  # loop variables in scope, and parameters of a function

    # --- expressions ---

    def expression(self, of: str, depth: int = 3) -> Expression:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.leaf(of)
        kind = rng.random()
        if kind < 0.5:
            operator = rng.choice(OPERATORS[of])
            return ["op", of, operator, self.expression(of, depth - 1),
                    self.expression(of, depth - 1)]  # fmt: skip
        if kind < 0.62:
            return ["one", of, rng.choice(UNARY[of]), self.expression(of, depth - 1)]
        if kind < 0.72:
            return ["if", of, self.expression("bool", depth - 2), self.expression(of, depth - 1),
                    self.expression(of, depth - 1)]  # fmt: skip
        if of == "bool":
            inner = rng.choice(("i64", "u64", "f32", "f64"))
            operator = rng.choice(("<", "<=", ">", ">=", "==", "!="))
            return ["compare", of, operator, self.expression(inner, depth - 1),
                    self.expression(inner, depth - 1)]  # fmt: skip
        calls = [f for f in self.functions if f["type"] == of]
        if calls and kind < 0.85:
            function = rng.choice(calls)
            given = [self.expression(p, depth - 2) for p in function["parameters"]]
            return ["call", of, function["name"], *given]
        return self.conversion(of, depth)

    def conversion(self, of: str, depth: int) -> Expression:
        """A conversion from a type whose values `of` holds or wraps."""
        given = {"u64": ("i64", "bool"), "i64": ("u64", "bool"), "f32": ("i64", "f64"),
                 "f64": ("i64", "f32"), "c64": ("f32",), "c128": ("f64", "c64")}[of]  # fmt: skip
        inner = self.rng.choice(given)
        return ["convert", of, self.expression(inner, depth - 1)]

    def leaf(self, of: str) -> Expression:
        rng = self.rng
        found = [["variable", of, name] for name, t in [*self.variables, *self.known] if t == of]
        found += [["variable", of, s["name"]] for s in self.scalars if TYPE_OF[s["dtype"]] == of]
        arrays = [a for a in self.arrays if a["role"] == "in" and TYPE_OF[a["dtype"]] == of]
        if not self.in_function:
            found += [["load", of, a["name"], self.index(a["shape"])] for a in arrays * 2]
            found += [
                ["own", of, name, self.place(size)]
                for name, dtype, size in self.private
                if TYPE_OF[dtype] == of
            ]
            if of == "i64":
                found += [["id", of, what, rng.randrange(self.rank)] for what in self.ids]
        if found and rng.random() < 0.8:
            return rng.choice(found)
        return self.constant(of)

    in_function = False

    @property
    def ids(self) -> tuple[str, ...]:
        plain = ("global_id", "global_size")
        return (*plain, "local_id", "local_size", "group_id", "num_groups") * self.grouped or plain

    def constant(self, of: str) -> Expression:
        rng = self.rng
        if of == "i64":
            odd = rng.random() < 0.25
            return ["constant", of, rng.choice(_INTEGERS) if odd else rng.randint(-9, 9)]
        if of == "u64":
            return ["constant", of, rng.choice((0, 1, 3, 7, 64, 2**63, 2**64 - 1))]
        if of == "bool":
            return ["constant", of, rng.random() < 0.5]
        return ["constant", of, rng.choice((0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 1e10))]

    def place(self, size: int) -> Expression:
        """An index below `size`."""
        if self.rng.random() < 0.4:
            return ["constant", "i64", self.rng.randrange(-size, size)]
        return ["op", "i64", "%", self.leaf_integer(), ["constant", "i64", size]]

    def leaf_integer(self) -> Expression:
        names = [n for n, t in [*self.variables, *self.known] if t == "i64"]
        if names and self.rng.random() < 0.7:
            return ["variable", "i64", self.rng.choice(names)]
        return ["id", "i64", "global_id", self.rng.randrange(self.rank)]

    def index(self, shape: list[int]) -> list[Expression]:
        if self.rng.random() < 0.5 and shape == self.arrays[0]["shape"]:
            return [["id", "i64", "global_id", d] for d in range(len(shape))]
        return [self.place(n) for n in shape]

    # --- statements ---

    def body(self, depth: int, count: int, uniform: bool = True) -> list[Statement]:
        return [self.statement(depth, uniform) for _ in range(count)]

    def statement(self, depth: int, uniform: bool) -> Statement:
        rng = self.rng
        kind = rng.random()
        if self.returns and uniform and kind < 0.05:
            return ["leave", self.expression("bool", 2)]
        if self.grouped and uniform and kind < 0.3:
            return self.convergent_operation()
        if depth > 0 and kind < 0.55:
            return self.compound(depth, uniform)
        if self.private and kind < 0.63:
            name, dtype, size = rng.choice(self.private)
            return ["put", name, self.place(size), self.expression(TYPE_OF[dtype])]
        counted = [a for a in self.arrays if a["role"] == "atomic"]
        if counted and kind < 0.71:
            array = rng.choice(counted)
            return ["atomic", array["name"], self.index(array["shape"]),
                    self.expression(TYPE_OF[array["dtype"]], 2)]  # fmt: skip
        if kind < 0.85:
            name, of = rng.choice(self.variables)
            if rng.random() < 0.4 and of != "bool":
                operator = rng.choice([o for o in OPERATORS[of] if not o.isalpha()])
                return ["change", name, operator, self.expression(of, 2)]
            return ["set", name, self.expression(of)]
        array = rng.choice([a for a in self.arrays if a["role"] == "out"])
        of = TYPE_OF[array["dtype"]]
        if rng.random() < 0.3 and of != "bool":
            return ["add_to", array["name"], self.expression(of, 2)]
        return ["store", array["name"], self.expression(of)]

    def compound(self, depth: int, uniform: bool) -> Statement:
        rng = self.rng
        kind = rng.random()
        convergent = self.grouped and uniform and rng.random() < 0.5
        if kind < 0.4:
            condition = self.uniform_condition() if convergent else self.expression("bool", 2)
            return ["if", condition, self.body(depth - 1, rng.randint(1, 3), convergent),
                    self.body(depth - 1, rng.randint(0, 2), convergent)]  # fmt: skip
        if kind < 0.8:
            return self.loop(depth, convergent)
        counter = f"n{self.loops}"
        self.loops += 1
        self.counters.append(counter)
        return ["while", counter, rng.randint(1, 6), self.expression("bool", 2),
                self.in_loop(depth, False)]  # fmt: skip

    def loop(self, depth: int, convergent: bool) -> Statement:
        rng = self.rng
        name = f"k{self.loops}"
        self.loops += 1
        self.counters.append(name)
        step = rng.choice((1, 1, 1, 2, 3, -1, -2))
        start, stop = (0, rng.randint(0, 6)) if step > 0 else (rng.randint(0, 6), -1)
        ends: list[Expression] = [["constant", "i64", start], ["constant", "i64", stop]]
        if not convergent and rng.random() < 0.5:
            ends[step > 0] = ["op", "i64", "&", self.expression("i64", 1), ["constant", "i64", 7]]
        self.known.append([name, "i64"])
        body = self.in_loop(depth, convergent)
        self.known.pop()
        return ["for", name, *ends, step, body]

    def in_loop(self, depth: int, uniform: bool) -> list[Statement]:
        body = self.body(depth - 1, self.rng.randint(1, 3), uniform)
        if not uniform and self.rng.random() < 0.4:
            leaving = [self.rng.choice(("break", "continue")), self.expression("bool", 2)]
            body.insert(self.rng.randrange(len(body) + 1), leaving)
        return body

    def uniform_condition(self) -> Expression:
        scalars = [s for s in self.scalars if TYPE_OF[s["dtype"]] == "i64"]
        if scalars and self.rng.random() < 0.6:
            value: Expression = ["variable", "i64", self.rng.choice(scalars)["name"]]
        else:
            value = ["id", "i64", "group_id", self.rng.randrange(self.rank)]
        return ["compare", "bool", self.rng.choice(("<", ">=", "!=")), value,
                ["constant", "i64", self.rng.randint(-3, 3)]]  # fmt: skip

    def convergent_operation(self) -> Statement:
        """A barrier, a group function, or an exchange through local memory."""
        rng = self.rng
        name, dtype = rng.choice(self.local)
        of = TYPE_OF[dtype]
        taking = [n for n, t in self.variables if t == of]
        if taking and rng.random() < 0.6:
            return [rng.choice(("exchange", "gather")), name, rng.choice(taking),
                    self.expression(of, 2), rng.randint(0, 5)]  # fmt: skip
        numbers = [v for v in self.variables if v[1] == "i64"]
        answers = [v for v in self.variables if v[1] == "bool"]
        if answers and (not numbers or rng.random() < 0.4):
            function = rng.choice(("any_of", "all_of", "none_of"))
            return ["ask", function, rng.choice(answers)[0], self.expression("bool", 2)]
        if not numbers:
            return ["barrier"]
        function = rng.choice(("reduce", "inclusive_scan", "exclusive_scan", "broadcast"))
        return ["group", function, rng.choice(REDUCTIONS), rng.choice(numbers)[0],
                self.expression("i64", 2)]  # fmt: skip

    # --- device functions ---

    def function(self, name: str) -> None:
        rng = self.rng
        parameters = [rng.choice(TYPES) for _ in range(rng.randint(1, 3))]
        of = rng.choice(TYPES)
        kept = self.variables, self.known, self.private
        self.variables, self.private = [], []
        self.known = [[f"a{n}", t] for n, t in enumerate(parameters)]
        self.in_function, scalars = True, self.scalars
        self.scalars = []
        made = {
            "name": name, "parameters": parameters, "type": of,
            "condition": self.expression("bool", 2), "first": self.expression(of, 2),
            "second": self.expression(of, 2),
        }  # fmt: skip
        self.in_function, self.scalars = False, scalars
        self.variables, self.known, self.private = kept
        self.functions.append(made)
