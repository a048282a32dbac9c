"""Loops over prange that the host runs in order, as plain Numba does: those whose iterations need
each other. The rest of their function stays parallel."""

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
    """Makes ordinary loops of some parfors of a function that is typed and ready for lowering."""
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


_in_order: dict[int, tuple] = {}  # by region


def note_in_order(region: int, *about) -> None:
    """What there is to say when a launch has to run this region, one work-item, on the host."""
    _in_order[region] = about


def warn_of_regions(regions: list[int]) -> None:
    """The hook calls it after a call that ran them in order."""
    for region in dict.fromkeys(regions):
        warn_of_loop(*_in_order[region])


def warn_of_loop(function: str, file: str, line: int, reason: str) -> None:
    """Numba calls it again when it loads the function from its cache."""
    warnings.warn_explicit(
        f"{function}: the loop in line {line} runs on the host, in order: {reason}",
        PerformanceWarning,
        file,
        line,
    )
