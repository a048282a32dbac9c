"""Kernels for the rows of one part: the source of a kernel with indices of the whole array.

A part has its own arrays, whose first row is some row of the whole array. The rewritten kernel
adds this number to the ids of its items, and subtracts it from the indices of its arrays. Numba
compiles the result, so that access costs one subtraction.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
import textwrap
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from .._hither import KernelDispatcher
from .._kernel.language import atomic, cuda_names, group_function, work_item
from .._kernel.language.decorator import _make
from .._kernel.language.device_func import device_func
from .._kernel.language.item_parameter import item_parameter
from .._kernel.language.options import CompileOptions
from ..errors import CompileError

__all__: list[str] = []

FIRST, ROWS, INNER = "hither_first", "hither_rows", "hither_inner"
_ROW = "hither_row"
_IDS = {"get_global_id", "get_id"}
_SIZES = {"get_global_size", "get_range", "get_global_range"}
_LINEAR_IDS = {"get_global_linear_id", "get_linear_id"}
_LINEAR_SIZES = {"get_linear_range", "get_global_linear_range"}
_KNOWN = _IDS | _SIZES | _LINEAR_IDS | _LINEAR_SIZES
_OF_ITEMS = {name for name in dir(work_item) if name.startswith("get_")}
_OF_GROUPS = {name for name in group_function.__dict__ if "group" in name or "barrier" in name}


def origin(name: str) -> str:
    """The parameter with the number of the first row that an array has."""
    return f"hither_origin_{name}"


def extent(name: str) -> str:
    """The parameter with the rows of a whole array."""
    return f"hither_extent_{name}"


def _checked_row(index, first, rows, extent):
    """The row of a part. One that the whole array lacks is out of the part's bounds too."""
    if index < 0 or index >= extent:
        return rows
    row = index - first
    if row < 0 or row >= rows:
        raise IndexError(
            "a row outside the part and its halo (an item writes its own row, and reads up to "
            "halo= rows before and after it)"
        )
    return row


def _check_of_line(file: str, line: int) -> Any:
    """_checked_row as code of this line, which its error names."""
    node = ast.parse(textwrap.dedent(inspect.getsource(_checked_row)))
    for part in ast.walk(node):
        if hasattr(part, "lineno"):
            part.lineno = part.end_lineno = line  # type: ignore[attr-defined]
            part.col_offset = part.end_col_offset = 0  # type: ignore[attr-defined]
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(node, file, "exec"), space)
    return device_func(space[_checked_row.__name__])


class _Rewriter(ast.NodeTransformer):
    """Rewrites the body of a kernel for arrays that are divided along `axis`."""

    def __init__(self, function: Callable, axis: int, sharded: frozenset[str], check: bool) -> None:
        self.function, self.axis, self.sharded, self.check = function, axis, sharded, check
        self.stored: set[str] = set()
        closure = inspect.getclosurevars(function)
        self.names = {**function.__globals__, **closure.nonlocals}
        kind = item_parameter(function)
        self.item = None if kind is None else next(iter(inspect.signature(function).parameters))

    def refuse(self, node: ast.AST, problem: str) -> NoReturn:
        line = getattr(node, "lineno", 1) + self.function.__code__.co_firstlineno - 1
        raise CompileError(
            self.function.__name__, f"line {line}: {problem}, in a kernel over sharded arrays"
        )

    def resolved(self, node: ast.AST) -> Any:
        """The object that a name or attribute names, or None."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            owner = self.resolved(node.value)
            return None if owner is None else getattr(owner, node.attr, None)
        return None

    def called(self, node: ast.Call) -> str | None:
        """The name of a work-item function, or None for another function."""
        called = node.func
        if isinstance(called, ast.Attribute) and self.is_item(called.value):
            return called.attr
        function = self.resolved(node.func)
        name = getattr(function, "__name__", "")
        for module in (work_item, group_function, cuda_names):
            if function is not None and getattr(module, name, None) is function:
                return name
        code = getattr(getattr(function, "py_func", function), "__code__", None)
        if code is not None and not (_OF_ITEMS | _OF_GROUPS).isdisjoint(code.co_names):
            self.refuse(node, f"{name} uses the ids of items; pass them to it as arguments")
        return None

    def note_atomic(self, node: ast.Call) -> None:
        """Notes that an atomic function writes to an array."""
        function = self.resolved(node.func)
        is_atomic = getattr(atomic, getattr(function, "__name__", ""), None) is function
        if function is not None and is_atomic and node.args and isinstance(node.args[0], ast.Name):
            self.stored.add(node.args[0].id)

    def is_item(self, node: ast.AST) -> bool:
        return self.item is not None and isinstance(node, ast.Name) and node.id == self.item

    def dimension(self, node: ast.Call) -> int:
        given = node.args[0] if len(node.args) == 1 else None
        if isinstance(given, ast.Constant) and isinstance(given.value, int):
            return given.value
        self.refuse(node, "the dimension of an id has to be a number")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        of = node.args[0] if len(node.args) == 1 else None
        if isinstance(of, ast.Name) and of.id in self.sharded and self.resolved(node.func) is len:
            return _name(extent(of.id)) if self.axis == 0 else node
        self.note_atomic(node)
        name = self.called(node)
        if name in _IDS:
            return _sum(node, _name(FIRST)) if self.dimension(node) == self.axis else node
        if name in _SIZES:
            return _name(ROWS) if self.dimension(node) == self.axis else node
        if name in _LINEAR_IDS and self.axis == 0:
            return _sum(node, ast.BinOp(_name(FIRST), ast.Mult(), _name(INNER)))
        if name in _LINEAR_SIZES:
            return ast.BinOp(_name(ROWS), ast.Mult(), _name(INNER))
        if name is not None:
            self.refuse(node, f"{name} has no meaning: a range is divided, and has no work-groups")
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        owner = node.value
        if isinstance(owner, ast.Attribute) and self.is_sharded(owner.value):
            return self.shape_of(node, owner)
        if isinstance(owner, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.stored.add(owner.id)
        if not self.is_sharded(owner):
            return self.generic_visit(node)
        assert isinstance(owner, ast.Name)
        index = node.slice
        items = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        if len(items) <= self.axis or any(isinstance(i, ast.Starred) for i in items):
            self.refuse(node, f"{owner.id} needs an index for axis {self.axis}, which is divided")
        if isinstance(items[self.axis], ast.Slice):
            self.refuse(node, f"{owner.id} has a slice for axis {self.axis}, which is divided")
        items = [self.visit(item) for item in items]
        items[self.axis] = self.row(items[self.axis], owner)
        node.slice = ast.Tuple(items, ast.Load()) if isinstance(index, ast.Tuple) else items[0]
        return node

    def row(self, index: Any, owner: ast.Name) -> Any:
        first = _name(origin(owner.id))
        if not self.check:
            return ast.BinOp(index, ast.Sub(), first)
        shape = ast.Attribute(ast.Name(owner.id, ast.Load()), "shape", ast.Load())
        rows = ast.Subscript(shape, ast.Constant(self.axis), ast.Load())
        check = f"{_ROW}_{owner.lineno}"
        if check not in self.names:
            code = self.function.__code__
            line = owner.lineno + code.co_firstlineno - 1
            self.names[check] = _check_of_line(code.co_filename, line)
        return ast.Call(_name(check), [index, first, rows, _name(extent(owner.id))], [])

    def shape_of(self, node: ast.Subscript, owner: ast.Attribute) -> ast.AST:
        assert isinstance(owner.value, ast.Name)
        if owner.attr != "shape" or not isinstance(node.slice, ast.Constant):
            self.refuse(node, f"use {owner.value.id}[...] and {owner.value.id}.shape[number] only")
        return _name(extent(owner.value.id)) if node.slice.value == self.axis else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.sharded:
            self.refuse(
                node,
                f"{node.id} is divided: use only its elements, {node.id}[...], and "
                f"{node.id}.shape[number]",
            )
        return node

    def is_sharded(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self.sharded


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _sum(first: ast.expr, second: ast.expr) -> ast.BinOp:
    return ast.BinOp(first, ast.Add(), second)


@dataclasses.dataclass(frozen=True)
class RowKernel:
    """A rewritten kernel, and the names of the arrays to which it writes. Its further
    arguments are FIRST, ROWS, INNER, and an origin and an extent for each divided array."""

    dispatcher: KernelDispatcher
    stored: frozenset[str]
    arrays: tuple[str, ...]


def _definition(function: Callable) -> ast.FunctionDef:
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise CompileError(
            function.__name__,
            "its source is not in a file, which a kernel over sharded arrays needs; define it in "
            "a module",
        ) from None
    node = ast.parse(source).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise CompileError(function.__name__, "a kernel over sharded arrays is a def, no lambda")
    return node


_made: weakref.WeakKeyDictionary[Callable, dict[Any, RowKernel]] = weakref.WeakKeyDictionary()


def row_kernel(kernel: KernelDispatcher, axis: int, names: tuple[str, ...]) -> RowKernel:
    """The kernel for the rows of a part, where the arguments `names` are divided along `axis`."""
    known = _made.setdefault(kernel.py_func, {})
    found = known.get((axis, names))
    if found is None:
        found = known[axis, names] = _rewritten(kernel, axis, names)
    return found


def _rewritten(kernel: KernelDispatcher, axis: int, names: tuple[str, ...]) -> RowKernel:
    function = kernel.py_func
    node = _definition(function)
    given = kernel.options
    options = CompileOptions(given.debug, given.fastmath, False, given.fma)
    rewriter = _Rewriter(function, axis, frozenset(names), options.debug)
    node.body = [rewriter.visit(statement) for statement in node.body]
    node.decorator_list = []
    added = [FIRST, ROWS, INNER]
    for name in names:
        added += [origin(name), extent(name)]
    node.args.args = [*node.args.args, *(ast.arg(name) for name in added)]
    node.args.defaults = []
    module = ast.Module([node], [])
    ast.fix_missing_locations(module)
    ast.increment_lineno(module, function.__code__.co_firstlineno - 1)
    space = dict(rewriter.names)
    exec(compile(module, function.__code__.co_filename, "exec"), space)
    made = space[node.name]
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return RowKernel(_make(made, options), frozenset(rewriter.stored), names)
