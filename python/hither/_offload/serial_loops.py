"""Prange loops that the host runs in order, because their iterations depend on each other. The rest
of the function stays parallel."""

from __future__ import annotations

import warnings

from ..errors import PerformanceWarning
from .numba_adapter import (
    Parfor,
    build_definitions,
    find_max_label,
    ir_utils,
    lower_parfor_block_sequential,
    rename_labels,
)


def lower_in_order(state, parfors) -> None:
    """Makes serial loops of some parfors of a function that is typed and ready for lowering."""
    func_ir = state.func_ir
    chosen = {id(parfor) for parfor in parfors}
    others = [
        statement
        for block in func_ir.blocks.values()
        for statement in block.body
        if isinstance(statement, Parfor) and id(statement) not in chosen
    ]
    kept = [parfor.no_sequential_lowering for parfor in others]
    for parfor in others:
        parfor.no_sequential_lowering = True
    ir_utils._the_max_label.update(find_max_label(func_ir.blocks))
    scope = next(iter(func_ir.blocks.values())).scope
    blocks: dict = {}
    for label, block in func_ir.blocks.items():
        last, _ = lower_parfor_block_sequential(
            label, block, blocks, state.typemap, state.calltypes, False, scope=scope
        )
        blocks[last] = block
    for parfor, before in zip(others, kept, strict=True):
        parfor.no_sequential_lowering = before
    func_ir.blocks = rename_labels(blocks)
    func_ir._definitions = build_definitions(func_ir.blocks)


_in_order: dict[int, tuple] = {}  # region -> arguments of its warning


def note_in_order(region: int, *about) -> None:
    """Records the warning for launches that run this region, with one work-item, on the host."""
    _in_order[region] = about


def warn_of_regions(regions: list[int]) -> None:
    """Warns of regions that ran in order. The hook calls it after the call."""
    for region in dict.fromkeys(regions):
        warn_of_loop(*_in_order[region])


def warn_of_loop(function: str, file: str, line: int, reason: str) -> None:
    """Warns of a loop that runs in order. Numba also calls it when it loads the function from its
    cache."""
    warnings.warn_explicit(
        f"{function}: the loop in line {line} runs on the host, in order: {reason}",
        PerformanceWarning,
        file,
        line,
    )
