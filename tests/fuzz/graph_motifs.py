"""Common sequences of steps: updates of an array from itself, arrays combined with their own
reductions, and results that a loop accumulates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph_maker import Maker
    from .graph_program import Step

_SMOOTH = ("add", "subtract", "multiply", "maximum", "add")


def updated(maker: Maker) -> None:
    """Updates an array or a view of one from itself while pending values need its old elements."""
    rng = maker.rng
    n = maker.variable(lambda x: x.dtype.kind in "fiu" and x.ndim > 0)
    if n < 0:
        return
    if rng.random() < 0.6:
        view = maker.new("view", f"{{0}}[{maker.slices(n)}]", n)
        if not maker.add(view):
            return
        n = view["to"]
    last = n
    for _ in range(rng.randint(1, 4)):
        f, scalar = rng.choice(_SMOOTH), rng.choice(("1", "2"))
        if rng.random() < 0.3:
            step = maker.new(
                f, f"xp.{f}({{0}}, {{1}})", last, rng.choice((n, maker.broadcastable_with(n)))
            )
        else:
            step = maker.new(f, f"xp.{f}({{0}}, {scalar})", last)
        if not maker.add(step):
            continue
        if rng.random() < 0.5:
            maker.add(reduced(maker, step["to"]))
        if rng.random() < 0.3 and last != n:
            maker.add(maker.act("drop", "del {0}", last))
        last = step["to"]
    key = rng.choice(("...", "...", maker.slices(n)))
    if rng.random() < 0.7:
        maker.add(maker.act("assign", f"{{0}}[{key}] = {{1}}[{key}]", n, last))
    else:
        maker.add(maker.act("add_to", f"{{0}}[{key}] += {{1}}[{key}]", n, last))


def reduced(maker: Maker, n: int) -> Step:
    rng = maker.rng
    f = rng.choice(("sum", "sum", "mean", "max"))
    ndim = maker.model.value(n).ndim
    axis = None if rng.random() < 0.5 or not ndim else rng.choice((-1, rng.randrange(-ndim, 0)))
    keep = ", keepdims=True" if rng.random() < 0.3 else ""
    return maker.new(f, f"xp.{f}({{0}}, axis={axis}{keep})", n)


def centred(maker: Maker) -> None:
    """Combines an array with its own reductions in further reductions and products."""
    rng = maker.rng
    x = maker.variable(lambda x: x.dtype.kind in "fc" and x.ndim > 1 and x.size > 0)
    if x < 0:
        x = maker.variable(lambda x: x.ndim > 0)
    if x < 0:
        return
    made: list[int] = []
    last = x
    for _ in range(rng.randint(4, 8)):
        scale = made[0] if made else x
        how, f = rng.random(), rng.choice(_SMOOTH)
        if not made or how < 0.3:
            step = reduced(maker, last)
        elif how < 0.6:
            step = maker.new(f, f"xp.{f}({{0}}, {{1}})", last, scale)
        elif how < 0.75:
            step = maker.new(f, f"xp.{f}({{0}}, {{1}})", x, last)
        elif how < 0.87:
            step = maker.new(f, f"xp.{f}({{0}}[0, ...], {{1}})", x, last)
        elif how < 0.95:
            step = maker.new("matmul", "{0} @ {1}", x, last)
        else:
            step = maker.new("square", "xp.square({0})", last)
        if maker.add(step):
            made.append(step["to"])
            last = step["to"]
    if rng.random() < 0.8:  # then only the values computed from them refer to them
        for n in made[:-1]:
            maker.add(maker.act("drop", "del {0}", n))


def gathered(maker: Maker) -> None:
    """Adds a loop whose iterations each evaluate a value and accumulate it in an array."""
    rng = maker.rng
    target = maker.variable(lambda x: x.dtype.kind in "fiu" and x.ndim > 0)
    if target < 0:
        return
    body = []
    other = maker.broadcastable_with(target)
    how = rng.random()
    if how < 0.5:
        body.append(maker.new("less", f"xp.less({{0}}, {rng.choice('123')})", other))
    else:
        body.append(maker.new("add", "xp.add({0}, {i})", other))
    one = body[0]["to"]
    if how < 0.5 and rng.random() < 0.6:
        body.append(maker.act("assign_mask", "{0}[{1}] = {i}", target, one))
    else:
        body.append({**maker.new("where", "xp.where({1}, {0}, {i})", target, one), "to": target}
                    if how < 0.5 else maker.act("add_to", "{0} += {1}", target, one))  # fmt: skip
    ways = ["evaluate({0})", "synchronize({0})", "show({0}, 'asnumpy')"]
    way = rng.choice(ways)
    body.append(maker.act(way.partition("(")[0], way, one))
    if other != target and rng.random() < 0.5:
        body.append(maker.act("add_to", "{0} += {1}", other, maker.broadcastable_with(other)))
    maker.add_loop(body, rng.choice((17, 20, 33, 40)))


def replaced(maker: Maker) -> None:
    """Computes from a stored array, or a part of it, whose memory then holds nothing else."""
    rng = maker.rng
    n = maker.variable(lambda x: x.dtype.kind in "biufc" and x.size > 1)
    if n < 0:
        return
    made = []
    dtype = rng.choice(("int8", "int32", "int64", "float32", "float64", "complex64"))
    f = "cast_to_integer" if dtype.startswith("int") else "cast"
    steps = [lambda: maker.new(f, f"xp.astype({{0}}, xp.{dtype})", n, dtype=dtype)]
    steps.append(lambda: maker.act("evaluate", "evaluate({0})", made[-1]))
    if rng.random() < 0.7:
        part = rng.choice((":{h}", ":{h}", "{h}:", "::2", "::-1"))
        half = max(1, maker.model.value(n).shape[0] // 2) if maker.model.value(n).ndim else 1
        if maker.model.value(n).ndim:
            key = part.format(h=half)
            steps.append(lambda: maker.new("view", f"{{0}}[{key}]", made[-1]))
    wide = rng.choice(("int16", "int64", "float64", "complex64", "complex128"))
    if rng.random() < 0.6:
        g = "cast_to_integer" if wide.startswith("int") else "cast"
        steps.append(lambda: maker.new(g, f"xp.astype({{0}}, xp.{wide})", made[-1], dtype=wide))
    else:
        steps.append(lambda: maker.new("add", "xp.add({0}, 1)", made[-1]))
    for make in steps:
        step = make()
        if not maker.add(step):
            return
        if "to" in step:
            made.append(step["to"])
    for m in made[:-1]:
        maker.add(maker.act("drop", "del {0}", m))


def together(maker: Maker) -> None:
    """Evaluates arrays of one shape at once, of which some need a pending number first."""
    rng = maker.rng
    n = maker.variable(lambda x: x.dtype.kind in "fiu" and x.size > 0)
    if n < 0:
        return
    made: list[int] = []
    for _ in range(rng.randint(2, 4)):
        other = rng.choice((n, *made))
        number = reduced(maker, rng.choice((n, *made)))
        f = rng.choice(_SMOOTH)
        if rng.random() < 0.6 and maker.add(number):
            step = maker.new(f, f"xp.{f}({{0}}, {{1}})", other, number["to"])
        else:
            step = maker.new(f, f"xp.{f}({{0}}, 2)", other)
        if maker.add(step):
            made.append(step["to"])
    if made:
        rng.shuffle(made)
        names = ", ".join(f"{{{k}}}" for k in range(len(made)))
        maker.add(maker.act("evaluate", f"evaluate({names})", *made))


def bordered(maker: Maker) -> None:
    """Stores a part of a pending array, and reads that part or another, with the array or without
    it."""
    rng = maker.rng
    n = maker.variable(lambda x: x.dtype.kind in "fiu" and x.ndim > 0 and x.size > 0)
    if n < 0:
        return
    whole = maker.new("add", f"xp.add({{0}}, {rng.choice('12')})", n)
    if not maker.add(whole):
        return
    y, key = whole["to"], maker.slices(n)
    part = maker.new("view", f"{{0}}[{key}]", n)
    if not maker.add(part):
        return
    f = rng.choice(_SMOOTH)
    value = maker.new(f, f"xp.{f}({{0}}, 2)", part["to"])
    if rng.random() < 0.2:  # which depends on the array too
        value = maker.new("add", f"xp.add({{0}}, {{1}}[{key}])", part["to"], y)
    if not maker.add(value):
        return
    maker.add(maker.act("assign", f"{{0}}[{key}] = {{1}}", y, value["to"]))
    if rng.random() < 0.7:
        maker.add(maker.act("drop", "del {0}", value["to"]))
    seen = maker.new("view", f"{{0}}[{key if rng.random() < 0.8 else maker.slices(n)}]", y)
    if not maker.add(seen):
        return
    if rng.random() < 0.6:
        maker.add(maker.act("drop", "del {0}", y))
    last = maker.new("multiply", "xp.multiply({0}, 2)", seen["to"])
    how = rng.random()
    if how < 0.4:
        last = reduced(maker, seen["to"])
    elif how < 0.6:
        last = maker.new(
            "add", "xp.add({0}, {1})", seen["to"], maker.broadcastable_with(seen["to"])
        )
    elif how < 0.8:
        last = maker.new("matmul", "{0} @ {1}", seen["to"], rng.choice((n, seen["to"])))
    if maker.add(last) and rng.random() < 0.7:
        maker.add(maker.act("drop", "del {0}", seen["to"]))


MOTIFS = (
    updated, updated, centred, centred, centred, gathered, replaced, replaced, together, together,
    bordered, bordered,
)  # fmt: skip
