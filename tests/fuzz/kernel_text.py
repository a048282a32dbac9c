"""A program of kernel_grammar as Python source: as the kernel, and as a generator that computes one
work-item with NumPy's scalars and Python's integers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .kernel_grammar import TYPE_OF

_NUMPY = {
    "i64": "np.int64", "u64": "np.uint64", "f32": "np.float32", "f64": "np.float64",
    "c64": "np.complex64", "c128": "np.complex128",
}  # fmt: skip
_IDS = ("i", "j", "k")


class Text:
    """The source of the kernel."""

    header = "import numpy as np\nimport hither as ht\n\n"

    def __init__(self, program: dict):
        self.program = program
        self.arrays = {a["name"]: a for a in program["arrays"]}
        self.private = {name: dtype for name, dtype, _ in program["private"]}
        self.private_sizes = {name: size for name, _, size in program["private"]}
        self.rank = len(program["global"])

    # --- expressions ---

    def expression(self, e: list) -> str:
        return getattr(self, f"{e[0]}_")(*e[1:])

    def constant_(self, of: str, value: Any) -> str:
        if of in ("i64", "bool"):
            return f"({value})"
        return f"{_NUMPY[of]}({value!r})"

    def variable_(self, of: str, name: str) -> str:
        return name

    def load_(self, of: str, name: str, index: list) -> str:
        text = f"{name}[{', '.join(map(self.expression, index))}]"
        wide = self.arrays[name]["dtype"] if name in self.arrays else ""
        return f"np.int64({text})" if wide.startswith("uint") and of == "i64" else text

    def own_(self, of: str, name: str, index: list) -> str:
        text = f"{name}[{self.expression(index)}]"
        wide = self.private[name].startswith("uint")
        return f"np.int64({text})" if wide and of == "i64" else text

    def id_(self, of: str, what: str, dimension: int) -> str:
        return f"ht.get_{what}({dimension})"

    def op_(self, of: str, operator: str, a: list, b: list) -> str:
        left, right = self.expression(a), self.expression(b)
        if not any(c.isalpha() for c in left + right):  # Python would fold it without wrapping
            left = f"np.int64({left})"
        if operator in ("min", "max"):
            return f"{operator}({left}, {right})"
        return f"({left} {operator} {right})"

    def one_(self, of: str, operator: str, a: list) -> str:
        text = self.expression(a)
        if operator in ("sqrt", "floor"):
            return f"np.{operator}({text})"
        if of == "i64":
            text = f"np.int64({text})"  # Numba computes in the operand's width, the reference in 64
        return f"abs({text})" if operator == "abs" else f"({operator} {text})"

    def if_(self, of: str, condition: list, a: list, b: list) -> str:
        return f"({self.expression(a)} if {self.expression(condition)} else {self.expression(b)})"

    def compare_(self, of: str, operator: str, a: list, b: list) -> str:
        return f"({self.expression(a)} {operator} {self.expression(b)})"

    def convert_(self, of: str, a: list) -> str:
        return f"{_NUMPY[of]}({self.expression(a)})"

    def call_(self, of: str, name: str, *given: list) -> str:
        return f"{name}({', '.join(map(self.expression, given))})"

    # --- statements ---

    def lines(self, body: list, indent: str) -> Iterator[str]:
        for statement in body:
            emit = getattr(self, f"emit_{statement[0]}")
            yield from (indent + line for line in emit(*statement[1:]))
        if not body:
            yield indent + "pass"

    def emit_set(self, name, value) -> Iterator[str]:
        yield f"{name} = {self.expression(value)}"

    def emit_change(self, name, operator, value) -> Iterator[str]:
        of = dict(self.program["variables"])[name]
        yield f"{name} = {self.op_(of, operator, ['variable', of, name], value)}"

    @property
    def here(self) -> str:
        return ", ".join(_IDS[: self.rank])

    def emit_store(self, name, value) -> Iterator[str]:
        yield f"{name}[{self.here}] = {self.expression(value)}"

    def emit_add_to(self, name, value) -> Iterator[str]:
        yield f"{name}[{self.here}] += {self.expression(value)}"

    def emit_put(self, name, index, value) -> Iterator[str]:
        yield f"{name}[{self.expression(index)}] = {self.expression(value)}"

    def emit_atomic(self, name, index, value) -> Iterator[str]:
        place = ", ".join(map(self.expression, index))
        place = f"({place})" if len(index) > 1 else place
        operation = self.arrays[name]["operation"]
        yield f"ht.atomic.{operation}({name}, {place}, {self.expression(value)})"

    def emit_if(self, condition, then, otherwise) -> Iterator[str]:
        yield f"if {self.expression(condition)}:"
        yield from self.lines(then, "    ")
        if otherwise:
            yield "else:"
            yield from self.lines(otherwise, "    ")

    def emit_for(self, name, start, stop, step, body) -> Iterator[str]:
        yield f"for {name} in range({self.expression(start)}, {self.expression(stop)}, {step}):"
        yield from self.lines(body, "    ")

    def emit_while(self, counter, most, condition, body) -> Iterator[str]:
        yield f"{counter} = 0"
        yield f"while {self.expression(condition)} and {counter} < {most}:"
        yield f"    {counter} += 1"
        yield from self.lines(body, "    ")

    def emit_break(self, condition) -> Iterator[str]:
        yield f"if {self.expression(condition)}:"
        yield "    break"

    def emit_continue(self, condition) -> Iterator[str]:
        yield f"if {self.expression(condition)}:"
        yield "    continue"

    def emit_leave(self, condition) -> Iterator[str]:
        yield f"if {self.expression(condition)}:"
        yield "    return"

    def emit_barrier(self) -> Iterator[str]:
        yield "ht.barrier()"

    @property
    def group_size(self) -> int:
        size = 1
        for n in self.program["local"]:
            size *= n
        return size

    def emit_exchange(self, name, variable, value, offset) -> Iterator[str]:
        yield f"{name}[me] = {self.expression(value)}"
        yield from self.emit_barrier()
        of = dict(self.program["variables"])[variable]
        self.arrays[name] = {"dtype": dict(self.program["locals"])[name]}
        place = ["variable", "i64", f"(me + {offset}) % {self.group_size}"]
        yield f"{variable} = {self.load_(of, name, [place])}"
        yield from self.emit_barrier()

    def emit_gather(self, name, variable, value, offset) -> Iterator[str]:
        yield f"{name}[me] = {self.expression(value)}"
        yield from self.emit_barrier()
        of = dict(self.program["variables"])[variable]
        self.arrays[name] = {"dtype": dict(self.program["locals"])[name]}
        found = ["load", of, name, [["variable", "i64", "other"]]]
        yield f"for other in range({self.group_size}):"
        if of == "bool":
            yield f"    {variable} = {variable} or {self.expression(found)}"
        else:
            yield f"    {variable} = {self.op_(of, '+', ['variable', of, variable], found)}"
        yield from self.emit_barrier()

    def emit_ask(self, function, variable, value) -> Iterator[str]:
        yield f"asked = {self.expression(value)}"
        yield f"{variable} = ht.group_{function}(ht.get_group(), asked)"

    def emit_group(self, function, operation, variable, value) -> Iterator[str]:
        # The identities of scans depend on the type.
        yield f"given = np.int64({self.expression(value)})"
        last = f", {operation!r}" if function != "broadcast" else ""
        yield f"{variable} = ht.group_{function}(ht.get_group(), given{last})"

    # --- the whole program ---

    def own_arrays(self) -> Iterator[str]:
        for name, dtype, size in self.program["private"]:
            yield f"{name} = ht.private.array({size}, np.{_scalar(dtype)})"
        for name, dtype in self.program["locals"]:
            yield f"{name} = ht.local.array({self.group_size}, np.{_scalar(dtype)})"
            if self.program.get("returns"):  # items that have returned do not write it
                yield f"{name}[me] = 0"

    def beginning(self) -> Iterator[str]:
        for d in range(self.rank):
            yield f"{_IDS[d]} = {self.id_('i64', 'global_id', d)}"
        if self.program["local"]:
            yield f"me = {self.local_linear_id()}"
        yield from self.own_arrays()
        for name, of in self.program["variables"]:
            zero = {"bool": False, "i64": 0, "u64": 0}.get(of, 0.0)
            yield f"{name} = {self.constant_(of, zero)}"
        for counter in self.program["counters"]:
            yield f"{counter} = 0"

    def local_linear_id(self) -> str:
        return "ht.get_local_linear_id()"

    def end(self) -> Iterator[str]:
        """Stores the variables in output arrays."""
        for name, _of in self.program["variables"]:
            yield f"out_{name}[{self.here}] = {name}"

    decoration = "@ht.kernel(debug={debug}, fma=False)"  # the reference rounds each operation
    function_decoration = "@ht.device_func"

    def parameters(self) -> list[str]:
        return [a["name"] for a in self.program["arrays"]] + [
            s["name"] for s in self.program["scalars"]
        ]

    def source(self) -> str:
        lines = [self.header]
        for function in self.program["functions"]:
            names = ", ".join(f"a{n}" for n in range(len(function["parameters"])))
            lines += [
                self.function_decoration,
                f"def {function['name']}({names}):",
                f"    if {self.expression(function['condition'])}:",
                f"        return {self.expression(function['first'])}",
                f"    return {self.expression(function['second'])}\n",
            ]
        lines += [
            self.decoration.format(debug=self.program["debug"]),
            f"def kernel({', '.join(self.parameters())}):",
        ]
        body = self.program["body"]
        lines += ["    " + line for line in self.beginning()]
        lines += self.lines(body, "    ")
        lines += ["    " + line for line in self.end()]
        return "\n".join(lines) + "\n"


def _scalar(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype


class ReferenceText(Text):
    """The source of one work-item's generator.

    `item` has the ids. Integers are Python's and are wrapped after every operation. The generator
    yields each convergent operation and is sent its result.
    """

    header = ""
    decoration = ""
    function_decoration = ""

    def constant_(self, of: str, value: Any) -> str:
        return f"({value})" if of in ("i64", "u64", "bool") else f"{_NUMPY[of]}({value!r})"

    def load_(self, of: str, name: str, index: list) -> str:
        text = f"{name}[{', '.join(map(self.expression, index))}]"
        return f"bool({text})" if of == "bool" else f"int({text})" if of in ("i64", "u64") else text

    def own_(self, of: str, name: str, index: list) -> str:
        return self.load_(of, name, [index])

    def id_(self, of: str, what: str, dimension: int) -> str:
        return f"item.{what}[{dimension}]"

    def op_(self, of: str, operator: str, a: list, b: list) -> str:
        left, right = self.expression(a), self.expression(b)
        if of not in ("i64", "u64"):
            return f"({left} {operator} {right})"
        if operator in ("//", "%", "<<", ">>"):
            name = {"//": "quotient", "%": "remainder", "<<": "left", ">>": "right"}[operator]
            wrap = "exact" if of == "i64" and operator == "//" else of
            return f"{wrap}({name}({left}, {right}))"
        if operator in ("min", "max"):
            return f"{operator}({left}, {right})"
        wrap = "exact" if of == "i64" and operator in "+-*" else of
        return f"{wrap}({left} {operator} {right})"

    def one_(self, of: str, operator: str, a: list) -> str:
        if of == "i64":
            return f"exact({operator}({self.expression(a)}))"
        text = super().one_(of, operator, a)
        return f"u64({text})" if of == "u64" else text

    def convert_(self, of: str, a: list) -> str:
        text = self.expression(a)
        if of in ("i64", "u64"):
            return f"{of}({text})"
        return f"{_NUMPY[of]}({'np.int64' if a[1] == 'i64' else ''}({text}))"

    def emit_put(self, name, index, value) -> Iterator[str]:
        yield self._store(f"{name}", self.expression(index), self.private[name], value)

    def emit_store(self, name, value) -> Iterator[str]:
        yield self._store(name, self.here, self.arrays[name]["dtype"], value)

    def emit_add_to(self, name, value) -> Iterator[str]:
        of = TYPE_OF[self.arrays[name]["dtype"]]
        here = [["variable", "i64", _IDS[d]] for d in range(self.rank)]
        total = ["op", of, "+", ["load", of, name, here], value]
        yield self._store(name, self.here, self.arrays[name]["dtype"], total)

    def _store(self, name, place, dtype, value) -> str:
        return f"{name}[{place}] = fitted({self.expression(value)}, {dtype!r})"

    def emit_atomic(self, name, index, value) -> Iterator[str]:
        place = ", ".join(map(self.expression, index))
        array = self.arrays[name]
        yield (
            f"{name}[{place}] = fitted(combined({array['operation']!r}, int({name}[{place}]), "
            f"int(fitted({self.expression(value)}, {array['dtype']!r}))), {array['dtype']!r})"
        )

    def emit_barrier(self) -> Iterator[str]:
        yield "yield"

    def emit_exchange(self, name, variable, value, offset) -> Iterator[str]:
        yield from self._exchanged(
            super().emit_exchange(name, variable, value, offset), name, value
        )

    def emit_gather(self, name, variable, value, offset) -> Iterator[str]:
        lines = super().emit_gather(name, variable, value, offset)
        yield from self._exchanged(lines, name, value)

    def _exchanged(self, lines, name, value) -> Iterator[str]:
        """`lines` with a first line that stores to the local memory of `item`."""
        next(lines)
        yield self._store(f"item.{name}", "me", dict(self.program["locals"])[name], value)
        yield f"{name} = item.{name}"
        yield from lines

    def emit_ask(self, function, variable, value) -> Iterator[str]:
        yield f"{variable} = yield ({function!r}, bool({self.expression(value)}))"

    def emit_group(self, function, operation, variable, value) -> Iterator[str]:
        yield f"{variable} = yield ({function!r}, {operation!r}, {self.expression(value)})"

    def own_arrays(self) -> Iterator[str]:
        for name, dtype, size in self.program["private"]:
            yield f"{name} = np.zeros({size}, {dtype!r})"

    def local_linear_id(self) -> str:
        return "item.local_linear_id"

    def end(self) -> Iterator[str]:
        for name, of in self.program["variables"]:
            dtype = self.arrays[f"out_{name}"]["dtype"]
            yield self._store(f"out_{name}", self.here, dtype, ["variable", of, name])
        yield "yield from ()"

    def parameters(self) -> list[str]:
        return ["item", *super().parameters()]
