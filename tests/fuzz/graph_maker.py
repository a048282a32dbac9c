"""Draws programs of array operations. A step is added if NumPy can run it."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from .graph_model import Model
from .graph_motifs import MOTIFS
from .graph_program import Program, Step

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128")  # fmt: skip
_COMMON = ("float64", "float64", "float32", "int64", "int32", "bool", "uint8")
UNARY = (
    "negative positive absolute sign square cube reciprocal sqrt rsqrt cbrt exp exp2 expm1 log "
    "log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc floor "
    "ceil trunc round logical_not bitwise_invert isnan isinf isfinite signbit real imag conj"
).split()
BINARY = (
    "add subtract multiply divide floor_divide remainder power atan2 hypot logaddexp copysign "
    "nextafter maximum minimum equal not_equal less less_equal greater greater_equal logical_and "
    "logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
    "bitwise_right_shift"
).split()
_COMMON_BINARY = ("add", "subtract", "multiply", "add", "less", "maximum")
REDUCTIONS = "sum prod mean min max any all count_nonzero argmin argmax var std".split()
_COMMON_REDUCTIONS = ("sum", "sum", "mean", "max")
_SIZES = (0, 1, 2, 3, 5, 7, 8, 16, 17, 31, 33, 64, 100, 200, 1000)
_SCALARS = ("0", "1", "2", "-1", "0.5", "2.5", "-0.25", "3", "1e-3")
_SHAPES = ("()", "(n,)", "(n,)", "(n,)", "(m,)", "(n, m)", "(n, m)", "(n, 1)", "(1, m)", "(m, n)",
           "(m, m)", "(k, n, m)", "(n, m, k)", "(k,)")  # fmt: skip


class Maker:
    """Makes one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.program = self._empty()
        self.model = Model(self.program)
        self.next = 0
        some = rng.sample(DTYPES, rng.randint(1, 2)) + rng.sample(_COMMON, rng.randint(1, 2))
        self.dtypes = some

    def _empty(self) -> Program:
        rng = self.rng
        n, m, k = rng.choice(_SIZES), rng.choice((1, 2, 3, 3, 5, 8, 8, 17)), rng.choice((1, 2, 3))
        if rng.random() < 0.02:
            n, m, k = 200_000, rng.choice((1, 1, 2)), 1
        return {"dims": {"n": n, "m": m, "k": k}, "steps": [], "final": []}

    def make(self) -> Program:
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            self.add(self._made())
        if rng.random() < 0.6:
            for _ in range(rng.randint(1, 3)):
                rng.choice(MOTIFS)(self)
        length, tries = rng.choice((3, 6, 10, rng.randint(3, 40))), 0
        while len(self.program["steps"]) < length and tries < 6 * length:
            tries += 1
            if rng.random() < 0.06:
                self._loop()
            else:
                self.add(self._drawn())
        order = list(self.model.cells)
        if rng.random() < 0.7:  # only the last ones, which then alone refer to their operands
            order = order[-rng.randint(1, 4) :]
        rng.shuffle(order)
        self.program["final"] = order
        return self.program

    def add(self, step: Step | None) -> bool:
        if step is None or not self.model.step(step):
            return False
        self.program["steps"].append(step)
        return True

    def _loop(self) -> None:
        """Adds a loop, whose steps may read values of the previous iteration."""
        rng, body = self.rng, []
        for _ in range(rng.randint(1, 4)):
            step = rng.choice((
                self._binary, self._assigned_by_mask, self._added_to, self._assigned, self._again,
                self._compared, self._written_at_mask, self._evaluated, self._reduced,
            ))()  # fmt: skip
            if step is not None and self.model.step(step):
                body.append(step)
        self.add_loop(body, rng.choice((2, 3, 5, 9, 17, 20)), 1)

    def add_loop(self, body: list[Step], times: int, first: int = 0) -> None:
        """Adds a loop, whose iterations before `first` have been run.

        Steps that NumPy cannot run in the first iteration are left out.
        """
        for iteration in range(first, times):
            body = [step for step in body if self.model.step(step, iteration) or iteration]
        if body:
            self.program["steps"].append({"times": times, "body": body})

    def _drawn(self) -> Step | None:
        kinds: tuple[tuple[int, Callable[[], Step | None]], ...] = (
            (10, self._unary), (30, self._binary), (4, self._where), (2, self._clipped),
            (5, self._cast), (14, self._view), (16, self._reduced), (6, self._product),
            (4, self._scanned), (4, self._taken), (3, self._masked), (2, self._searched),
            (2, self._sorted), (2, self._between), (3, self._counted), (2, self._added_at),
            (4, self._joined), (7, self._added_to), (8, self._assigned), (3, self._assigned_at),
            (5, self._assigned_by_mask), (2, self._written_at_mask), (6, self._made),
            (6, self._again), (9, self._dropped), (3, self._evaluated), (6, self._shown),
            (1, self._explained), (2, self._compared),
        )  # fmt: skip
        return self.rng.choices([k for _, k in kinds], [w for w, _ in kinds])[0]()

    # --- operands ---

    def variable(self, wanted: Callable[[np.ndarray], bool] = lambda x: True) -> int:
        """A variable that `wanted` accepts, often one of the last; -1 if there is none."""
        found = [n for n in self.model.cells if wanted(self.model.value(n))]
        if not found:
            return -1
        if self.rng.random() < 0.5:
            return self.rng.choice(found[-4:])
        return self.rng.choice(found)

    def broadcastable_with(self, n: int) -> int:
        """A variable that broadcasts with variable n."""
        shape = self.model.value(n).shape

        def fits(x: np.ndarray) -> bool:
            try:
                return np.broadcast_shapes(x.shape, shape) is not None
            except ValueError:
                return False

        return self.variable(fits)

    def _into(self, shape: tuple[int, ...]) -> int:
        """A variable that broadcasts to this shape."""
        return self.variable(lambda x: x.ndim <= len(shape) and all(
            a in (1, b) for a, b in zip(x.shape[::-1], shape[::-1], strict=False)))  # fmt: skip

    def new(self, f: str, text: str, *of: int, **more: object) -> Step:
        self.next += 1
        return {"f": f, "text": text, "of": list(of), "to": self.next - 1, **more}

    def act(self, f: str, text: str, *of: int) -> Step:
        return {"f": f, "text": text, "of": list(of)}

    def _axis(self, n: int) -> int:
        ndim = max(self.model.value(n).ndim, 1)
        return self.rng.randrange(-ndim, ndim)

    # --- steps that make arrays ---

    def _made(self) -> Step:
        rng = self.rng
        dtype, shape = rng.choice(self.dtypes), rng.choice(_SHAPES)
        how = rng.random()
        if how < 0.5:
            special = ", special=True" if rng.random() < 0.1 else ""
            seed = rng.randrange(100)
            return self.new("asarray", f"xp.asarray(numbers({dtype!r}, {shape}, {seed}{special}))")
        if how < 0.65:
            return self.new("asarray", f"xp.zeros({shape}, dtype={dtype!r})")
        if how < 0.8:
            return self.new("asarray", f"xp.ones({shape}, dtype={dtype!r})")
        if how < 0.9:
            return self.new("asarray", f"xp.full({shape}, {rng.choice('0 1 2 3'.split())}, "
                             f"dtype={dtype!r})")  # fmt: skip
        if how < 0.95:
            return self.new("asarray", f"xp.arange({rng.choice('nmk')}, dtype='int64')"
                             if rng.random() < 0.5 else "xp.arange(-2., 3., 0.5)")  # fmt: skip
        return self.new("mean", f"xp.linspace(-1, 2, {rng.choice('nm')})")

    def _unary(self) -> Step:
        n = self.variable()
        f = self.rng.choice(UNARY)
        return self.new(f, f"xp.{f}({{0}})", n)

    def _binary(self) -> Step:
        rng = self.rng
        f = rng.choice(_COMMON_BINARY if rng.random() < 0.5 else BINARY)
        a = self.variable()
        how = rng.random()
        if how < 0.15:
            return self.new(f, f"xp.{f}({{0}}, {rng.choice(_SCALARS)})", a)
        if how < 0.2:
            return self.new(f, f"xp.{f}({rng.choice(_SCALARS)}, {{0}})", a)
        return self.new(f, f"xp.{f}({{0}}, {{1}})", *rng.sample([a, self.broadcastable_with(a)], 2))

    def _compared(self) -> Step:
        f = self.rng.choice(("less", "greater_equal", "equal"))
        return self.new(f, f"xp.{f}({{0}}, {self.rng.choice(_SCALARS)})", self.variable())

    def _again(self) -> Step | None:
        """Assigns to a variable a value computed from it."""
        step = self._binary() if self.rng.random() < 0.8 else self._unary()
        step["to"] = step["of"][0]
        return step

    def _where(self) -> Step:
        a = self.variable()
        b, c = self.broadcastable_with(a), self.variable(lambda x: x.dtype.kind == "b")
        if self.rng.random() < 0.2:
            return self.new("where", "xp.where({0}, {1}, 1)", c, a)
        return self.new("where", "xp.where({0}, {1}, {2})", c, a, b)

    def _clipped(self) -> Step:
        return self.new("clip", f"xp.clip({{0}}, {self.rng.choice('0 1'.split())}, 2)",
                         self.variable())  # fmt: skip

    def _cast(self) -> Step:
        dtype = self.rng.choice(self.dtypes if self.rng.random() < 0.6 else DTYPES)
        f = "cast_to_integer" if np.dtype(dtype).kind in "biu" else "cast"
        return self.new(f, f"xp.astype({{0}}, xp.{dtype})", self.variable(), dtype=dtype)

    def slices(self, n: int) -> str:
        """A key of slices and integers, which selects a view."""
        rng, parts = self.rng, []
        for extent in self.model.value(n).shape:
            parts.append(rng.choice((
                ":", "::-1", "1:", ":-1", "::2", "1::2", "-2::-2", ":1", "3:1", "2:5",
                str(rng.randrange(-extent, extent)) if extent else ":",
            )))  # fmt: skip
            if rng.random() < 0.05:
                parts.append("None")
            if rng.random() < 0.4:
                break
        return ", ".join([*parts, "..."])

    def _view(self) -> Step:
        rng, n = self.rng, self.variable()
        x = self.model.value(n)
        how = rng.random()
        if how < 0.5:
            return self.new("view", f"{{0}}[{self.slices(n)}]", n)
        if how < 0.6:
            return self.new("flip", "xp.flip({0})", n)
        if how < 0.75:
            axes = rng.sample(range(x.ndim), x.ndim)
            return self.new("permute_dims", f"xp.permute_dims({{0}}, {tuple(axes)})", n)
        if how < 0.85:
            shape = rng.choice(("(-1,)", "(n, -1)", "(-1, m)", "(m, -1)", "(1, -1)"))
            return self.new("reshape", f"xp.reshape({{0}}, {shape})", n)
        if how < 0.95:
            shape = rng.choice(("(n, m)", "(k, n, m)", "(m, m)", "(n, n)"))
            return self.new("broadcast_to", f"xp.broadcast_to({{0}}, {shape})", n)
        return self.new("expand_dims", f"xp.expand_dims({{0}}, axis={rng.choice((0, -1))})", n)

    def _reduced(self) -> Step:
        rng, n = self.rng, self.variable()
        f = rng.choice(_COMMON_REDUCTIONS if rng.random() < 0.5 else REDUCTIONS)
        ndim = self.model.value(n).ndim
        axis: object = None
        if rng.random() < 0.6 and ndim:
            axes = rng.sample(range(-ndim, 0), 1 if "arg" in f else rng.randint(0, ndim))
            axis = axes[0] if len(axes) == 1 else tuple(axes)
        keep = ", keepdims=True" if rng.random() < 0.3 else ""
        if f in ("var", "std") and rng.random() < 0.3:
            keep += ", correction=1"
        return self.new(f, f"xp.{f}({{0}}, axis={axis}{keep})", n)

    def _product(self) -> Step:
        rng = self.rng
        a = self.variable(lambda x: x.ndim > 0)
        last = self.model.value(a).shape[-1] if a >= 0 else 0
        how = rng.random()
        if how < 0.7:
            b = self.variable(
                lambda x: x.ndim > 0 and x.shape[-2 if x.ndim > 1 else -1] == last
            )  # fmt: skip
            return self.new("matmul", "{0} @ {1}", a, b)
        b = self.variable(lambda x: x.ndim > 0 and x.shape[-1] == last)
        if how < 0.85:
            return self.new("vecdot", "xp.vecdot({0}, {1})", a, b)
        return self.new("tensordot", "xp.tensordot({0}, {1}, axes=((-1,), (-1,)))", a, b)

    def _scanned(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0)
        f = self.rng.choice(("cumulative_sum", "cumulative_sum", "cumulative_prod", "diff"))
        return self.new(f, f"xp.{f}({{0}}, axis={self._axis(n) if n >= 0 else 0})", n)

    def _taken(self) -> Step:
        rng, n = self.rng, self.variable(lambda x: x.ndim > 0)
        axis = self._axis(n) if n >= 0 else 0
        indices = self.variable(lambda x: x.dtype.kind == "i")
        how = rng.random()
        if how < 0.4:
            return self.new("take", f"xp.take({{0}}, xp.asarray([0, -1, 0]), axis={axis})", n)
        if how < 0.6:
            return self.new("take", f"xp.take({{0}}, {{1}}, axis={axis})", n, indices)
        if how < 0.8:
            return self.new("index", "{0}[{1}]", n, indices)
        return self.new("take_along_axis", f"xp.take_along_axis({{0}}, {{1}}, axis={axis})",
                         n, indices)  # fmt: skip

    def _mask_of(self, n: int) -> int:
        if n < 0:
            return -1
        shape = self.model.value(n).shape
        return self.variable(
            lambda x: x.dtype.kind == "b" and x.ndim > 0 and x.shape == shape[: x.ndim]
        )

    def _masked(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0)
        if self.rng.random() < 0.2:
            return self.new("nonzero", "xp.nonzero({0})[0]", n)
        return self.new("mask", "{0}[{1}]", n, self._mask_of(n))

    def _searched(self) -> Step:
        n = self.variable(lambda x: x.ndim == 1)
        side = self.rng.choice(("left", "right"))
        text = f"xp.searchsorted({{0}}, {{1}}, side={side!r})"
        return self.new("searchsorted", text, n, self.variable())

    def _sorted(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0)
        if self.rng.random() < 0.3:
            return self.new("unique_values", "xp.unique_values({0})", n)
        f = self.rng.choice(("sort", "argsort"))
        return self.new(f, f"xp.{f}({{0}}, axis={self._axis(n) if n >= 0 else 0})", n)

    def _between(self) -> Step:
        rng, n = self.rng, self.variable(lambda x: x.ndim > 0)
        axis = rng.choice((None, self._axis(n) if n >= 0 else 0))
        how = rng.random()
        if how < 0.3:
            return self.new("median", f"xp.median({{0}}, axis={axis})", n)
        if how < 0.5:
            return self.new("percentile", f"xp.percentile({{0}}, [30, 75], axis={axis})", n)
        if how < 0.6:
            return self.new("median", f"xnp.nanmedian({{0}}, axis={axis})", n)
        if how < 0.8:
            return self.new("isin", "xp.isin({0}, {1})", n, self.variable())
        b = self.variable(lambda x: n >= 0 and x.shape == self.model.value(n).shape)
        return self.new("lexsort", "xp.lexsort(({0}, {1}))", n, b)

    def _counted(self) -> Step:
        rng, n = self.rng, self.variable(lambda x: x.ndim > 0)
        how = rng.random()
        if how < 0.4:
            n = self.variable(lambda x: x.ndim == 1 and x.dtype.kind in "iu" and x.size > 0
                              and x.min() >= 0 and x.max() < 9999)  # fmt: skip
            if how < 0.2:
                return self.new("bincount", "xnp.bincount({0})", n)
            w = self.variable(lambda x: n >= 0 and x.shape == self.model.value(n).shape)
            return self.new("bincount", "xnp.bincount({0}, {1})", n, w)
        axis = self._axis(n) if n >= 0 else 0
        if how < 0.6:
            n = self.variable(lambda x: x.ndim > 1 and not np.any(np.isnan(x)))
            axis = self._axis(n) if n >= 0 else 0
            return self.new("unique", f"xnp.unique({{0}}, axis={axis})", n)
        f = rng.choice(("add", "add", "maximum", "minimum"))
        name = "add_reduceat" if f == "add" else f[:3]
        return self.new(name, f"xnp.{f}.reduceat({{0}}, [0, 2, 1, 0], axis={axis})", n)

    def _joined(self) -> Step:
        rng, n = self.rng, self.variable(lambda x: x.ndim > 0)
        axis = self._axis(n) if n >= 0 else 0
        how = rng.random()
        if how < 0.4:
            b = self.variable(lambda x: n >= 0 and x.ndim == self.model.value(n).ndim)
            return self.new("concat", f"xp.concat([{{0}}, {{1}}], axis={axis})", n, b)
        if how < 0.6:
            b = self.variable(lambda x: n >= 0 and x.shape == self.model.value(n).shape)
            return self.new("stack", f"xp.stack([{{0}}, {{1}}], axis={axis})", n, b)
        if how < 0.75:
            return self.new("roll", f"xp.roll({{0}}, {rng.choice((1, -2))}, axis={axis})", n)
        if how < 0.85:
            mode = rng.choice(("constant", "edge", "wrap", "symmetric", "reflect"))
            return self.new("pad", f"xnp.pad({{0}}, ({rng.choice((0, 2))}, 1), {mode!r})", n)
        if how < 0.93:
            return self.new("repeat", f"xp.repeat({{0}}, 2, axis={axis})", n)
        return self.new("tile", "xp.tile({0}, (2,))", n)

    # --- steps that write ---

    def _value_for(self, shape: tuple[int, ...]) -> tuple[str, list[int]]:
        if self.rng.random() < 0.25:
            return self.rng.choice(("{i}", *_SCALARS[:4])), []
        return "{1}", [self._into(shape)]

    def _added_to(self) -> Step:
        rng, n = self.rng, self.variable()
        op = rng.choice(("+=", "+=", "-=", "*="))
        if rng.random() < 0.5:
            value, of = self._value_for(self.model.value(n).shape)
            return self.act("add_to", f"{{0}} {op} {value}", n, *of)
        key, own = self.slices(n), self.slices(n)
        if rng.random() < 0.3:  # from another part of the same array
            return self.act("add_to", f"{{0}}[{key}] {op} {{0}}[{own}]", n)
        value, of = self._value_for(self._part(n, key))
        return self.act("add_to", f"{{0}}[{key}] {op} {value}", n, *of)

    def _part(self, n: int, key: str) -> tuple[int, ...]:
        try:
            return eval(f"x[{key}]", {"x": self.model.value(n)}).shape
        except IndexError:
            return ()

    def _assigned(self) -> Step:
        rng, n = self.rng, self.variable()
        key = "..." if rng.random() < 0.3 else self.slices(n)
        if rng.random() < 0.2:
            return self.act("assign", f"{{0}}[{key}] = {{0}}[{self.slices(n)}]", n)
        value, of = self._value_for(self._part(n, key))
        return self.act("assign", f"{{0}}[{key}] = {value}", n, *of)

    def _assigned_by_mask(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0)
        value = self.rng.choice(("{i}", "0", "1"))
        return self.act("assign_mask", f"{{0}}[{{1}}] = {value}", n, self._mask_of(n))

    def _written_at_mask(self) -> Step:
        """Adds another array to the masked elements of an array."""
        n = self.variable(lambda x: x.ndim > 0)
        mask = self._mask_of(n)
        other = self.variable(lambda x: n >= 0 and x.shape == self.model.value(n).shape)
        return self.act("assign_mask", "{0}[{1}] = {0}[{1}] + {2}[{1}]", n, mask, other)

    def _assigned_at(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0)
        if self.rng.random() < 0.5:
            return self.act("assign_at", "{0}[xp.asarray([0, -1])] = {i}", n)
        indices = self.variable(lambda x: x.dtype.kind == "i" and x.ndim > 0)
        return self.act("assign_at", "{0}[{1}] = 2", n, indices)

    def _added_at(self) -> Step:
        n = self.variable(lambda x: x.ndim > 0 and x.dtype.kind != "b")
        f = self.rng.choice(("add", "subtract"))
        if self.rng.random() < 0.5:
            part = self.model.value(n).shape[1:] if n >= 0 else ()
            return self.act("add_at", f"xnp.{f}.at({{0}}, [0, -1, 0], {{1}})", n, self._into(part))
        indices = self.variable(lambda x: x.dtype.kind == "i" and x.ndim > 0)
        return self.act("add_at", f"xnp.{f}.at({{0}}, {{1}}, 2)", n, indices)

    # --- steps that read ---

    def _dropped(self) -> Step | None:
        if len(self.model.cells) < 3:
            return None
        return self.act("drop", "del {0}", self.variable())

    def _evaluated(self) -> Step:
        f = self.rng.choice(("evaluate", "evaluate", "synchronize"))
        of = [self.variable() for _ in range(self.rng.randint(1, 3))]
        return self.act(f, f"{f}({', '.join(f'{{{k}}}' for k in range(len(of)))})", *of)

    def _shown(self) -> Step:
        rng, n = self.rng, self.variable()
        how = rng.random()
        if how < 0.7:
            way = rng.choice(("asnumpy", "asarray", "dlpack", "tolist"))
            return self.act("show", f"show({{0}}, {way!r})", n)
        if how < 0.85:
            return self.act("keep", "keep({0})", n)
        return self.act("read_by_threads", "read_by_threads({0}, {1})", n, self.variable())

    def _explained(self) -> Step:
        return self.act("explain", "explain({0})", self.variable())
