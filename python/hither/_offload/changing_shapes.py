"""Refuses loops in which an array variable gets another shape, such as `x = x[x > 0]`, and lets
numbers that change be extents.

Numba analyses the body of a loop with the shapes from before the loop, and does not repeat this
when the body assigns an array of another shape. Its parallel code then has the old size in later
iterations. A refused function runs as plain Numba code.
"""

from __future__ import annotations

from .compilation import current
from .numba_adapter import array_analysis, errors, numba_ir, types

_Analysis = array_analysis.ArrayAnalysis
_analyse_plain = _Analysis._determine_transform
_forget_plain = _Analysis.remove_redefineds
_analyse_statement_plain = _Analysis._analyze_inst


def _analyse_block(self, cfg, block, label, *rest):
    """Numba's analysis of one block. It analyses the bodies of parfors in between."""
    outer = getattr(self, "_hither_place", None)
    self._hither_place = cfg, label
    try:
        return _analyse_plain(self, cfg, block, label, *rest)
    finally:
        self._hither_place = outer


def _forget(self, names):
    """Numba forgets here what it assumed of variables with another value. Names of extents contain
    the sign #."""
    place = getattr(self, "_hither_place", None)
    extents = [name for name in names if "#" in name]
    if extents and place and current.get():
        cfg, label = place
        for loop in cfg.loops().values():
            if label in loop.body:
                _check_header(extents, loop.header == label, self.equiv_sets.get(loop.header))
    _forget_plain(self, names)


def _check_header(extents, is_header, known):
    for name in extents:
        if is_header or (known is not None and name in known.obj_to_ind):
            variable = name.partition("#")[0].partition(".")[0]
            raise errors.UnsupportedError(
                f"the array {variable} gets another shape in a loop; write the loop's body as a "
                "function, whose regions run on the device"
            )


def _analyse_statement(self, label, scope, equiv_set, inst, redefined):
    if not (isinstance(inst, numba_ir.Assign) and current.get()):
        return _analyse_statement_plain(self, label, scope, equiv_set, inst, redefined)
    value = inst.value
    if isinstance(value, (numba_ir.Var, numba_ir.Const)):
        name = inst.target.name
        # Numba takes n = n + 5 for one extent that slices share in all iterations.
        if isinstance(self.typemap[name], types.Number) and (
            len(self.func_ir._definitions.get(name, ())) > 1
        ):
            return [], []
        # What is equal to the old value is not equal to the new one.
        is_equal = isinstance(value, numba_ir.Var) and equiv_set.is_equiv(inst.target, value)
        if name in equiv_set.defs and not is_equal:
            equiv_set.define(name, redefined)
    added = _analyse_statement_plain(self, label, scope, equiv_set, inst, redefined)
    if row := _shape_of_row(self.typemap, equiv_set, value):
        equiv_set.insert_equiv(inst.target, row)
    return added


def _shape_of_row(typemap, equiv_set, value):
    """The extents of an array `x[i]` are the last ones of x. Numba takes them for new numbers."""
    if not (isinstance(value, numba_ir.Expr) and value.op in ("getitem", "static_getitem")):
        return None
    index = value.index if value.op == "getitem" else value.index_var
    if index is None or not isinstance(typemap[index.name], types.Integer):
        return None
    is_array = isinstance(typemap[value.value.name], types.Array)
    shape = equiv_set.get_shape(value.value) if is_array else None
    return shape[1:] if shape else None


_Analysis._analyze_inst = _analyse_statement
_Analysis._determine_transform = _analyse_block
_Analysis.remove_redefineds = _forget
