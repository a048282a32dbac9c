"""Numba's passes for a parallel function, and a further pass that makes its parfors regions."""

from __future__ import annotations

import logging
from functools import partial

from . import changing_shapes  # noqa: F401 - changes Numba's analysis
from .array_type import refuse_host_access
from .broadcast import IndexOperands, KnowNewAxes
from .compilation import lowering, note
from .host_access import mark_what_stays
from .joined_loops import JoinLoops
from .loop_dependence import SerialOnly
from .loop_exits import RaiseInside, is_serial_loop, moved_raise
from .lower_region import RegionLowerer
from .numba_adapter import (
    CompilerBase,
    DefaultPassBuilder,
    InlineOverloads,
    NativeParforLowering,
    OffloadPass,
    Parfor,
    ParforFusionPass,
    ParforPass,
    ParforPreLoweringPass,
    PreParforPass,
    RewriteDynamicRaises,
    register_pass,
    types,
)
from .parfor_function import NotOffloaded, index_type
from .region import region_of, register, register_in_order, register_later
from .replaced_functions import ReplaceFunctions
from .report import ParforReport
from .serial_loops import lower_in_order, warn_of_loop
from .shared_elements import conflict_in
from .shared_memory import keep_what_is_shared
from .stored_values import ConvertStoredValues
from .unequal_extents import CompareExtents

_log = logging.getLogger("hither.offload")
keep_what_is_shared()


@register_pass(mutates_CFG=False, analysis_only=False)
class MakeRegions(OffloadPass):
    """Makes a region of each parfor that can be a kernel. Numba lowers the others."""

    _name = "hither_make_regions"

    def run_pass(self, state):
        in_order: list = []
        for block in state.func_ir.blocks.values():
            for statement, line in _with_lines(block, state.func_id.filename):
                if isinstance(statement, Parfor):
                    try:
                        report = self._offload(statement, line, state)
                    except SerialOnly as reason:
                        report = self._leave_in_order(statement, line, state, reason)
                        in_order.append(statement)
                    self._note(report, state)
                elif is_serial_loop(statement, state.typemap):
                    file = state.func_id.filename
                    reason = (
                        "it has an early exit: break, return, or an exception whose arguments are "
                        "not constants"
                    )
                    self._note(ParforReport(file, line, "prange", reason=reason), state)
            mark_what_stays(block, state.typemap)
        if in_order:
            lower_in_order(state, in_order)
        return True

    def _leave_in_order(self, parfor, line, state, reason) -> ParforReport:
        """The report of a loop of the program that runs in order. For a parfor that Numba fused
        from several loops it raises `reason`: the whole function is then compiled without parallel
        passes, which preserves the program's order."""
        if len(parfor.patterns) > 1:
            raise reason
        _sign_indices(parfor, state.typemap)
        about = (state.func_id.func_qualname, state.func_id.filename, line, str(reason))
        warn_of_loop(*about)
        state.reload_init.append(partial(warn_of_loop, *about))
        return ParforReport(state.func_id.filename, line, _kind(parfor), reason=str(reason))

    def _note(self, report, state):
        note(report)
        state.reload_init.append(partial(note, report))

    def _offload(self, parfor, line, state) -> ParforReport:
        file = state.func_id.filename
        kind = _kind(parfor) if parfor.loc.filename == file else "NumPy function"
        about = (file, line, kind)
        try:
            region, passed = region_of(parfor, line, state.func_ir, state.typemap, state.flags)
        except NotOffloaded as reason:
            if _numba_fails(parfor, state.typemap):
                raise SerialOnly(str(reason)) from reason
            _sign_indices(parfor, state.typemap)
            _log.info("%s:%d: %s stays on the host: %s", *about, reason)
            return ParforReport(*about, reason=str(reason))
        # Numba calls it when it loads the host code from its cache.
        state.reload_init.append(partial(register, region))
        parfor.lowerer = RegionLowerer(region, passed)
        other = passed.in_order
        if other is not None:
            arrays = sorted({check.array for check in passed.checks})
            told = (state.func_id.func_qualname, file, line, " and ".join(map(conflict_in, arrays)))
            register_in_order(other, *told)
            state.reload_init.append(partial(register_in_order, other, *told))
        for variant in (passed.atomic, passed.team):
            if variant is not None:
                register_later(variant)
                state.reload_init.append(partial(register_later, variant))
        return ParforReport(
            *about,
            kernel=region.name,
            region=region.id,
            in_order=other and other.id,
            atomic=passed.atomic and passed.atomic.id,
            team=passed.team and passed.team.id,
            small=passed.small and passed.small.most_items,
        )


def _with_lines(block, file):
    """The statements of a block with their lines in `file`. A statement inlined from a function of
    Numba's gets the line of the statement that uses its result."""
    line, found = block.loc.line, []
    for statement in reversed(block.body):
        if statement.loc.filename == file:
            line = statement.loc.line
        found.append((statement, line))
    return reversed(found)


def _sign_indices(parfor, typemap):
    for nest in parfor.loop_nests:
        index = nest.index_variable.name
        signed = index_type(typemap.pop(index))
        typemap[index] = signed


def _numba_fails(parfor, typemap) -> bool:
    """Whether Numba's parallel code would lose an exception, or mistake None for an error."""
    may_be_none = any(isinstance(typemap[name], types.Optional) for name in parfor.params)
    return moved_raise(parfor) or may_be_none


def _kind(parfor) -> str:
    """The construct that the parfor comes from, in Numba's terms."""
    pattern = parfor.patterns[0]
    name, detail = (pattern[0], pattern[1]) if isinstance(pattern, tuple) else (str(pattern), "")
    return {"prange": "prange", "ufunc": "array expression"}.get(name, f"{name} {detail}".strip())


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseHostAccess(OffloadPass):
    """Refuses host accesses to device memory."""

    _name = "hither_refuse_host_access"

    def run_pass(self, state):
        # Numba's functions are typed before parfors replace them. A remaining call is checked in
        # its caller.
        if not (state.func_id.func.__module__ or "").startswith("numba."):
            refuse_host_access(state.func_ir, state.typemap)
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerHost(NativeParforLowering):
    """Numba's lowering. Functions that Numba's threads call in the loops that stay on the host are
    compiled without regions, which many launches of few iterations would slow down."""

    _name = "hither_lower_host"

    def run_pass(self, state):
        outer = lowering.set(True)
        try:
            return super().run_pass(state)
        finally:
            lowering.reset(outer)


class OffloadCompiler(CompilerBase):
    def define_pipelines(self):
        if self.state.flags.force_pyobject:
            return [DefaultPassBuilder.define_objectmode_pipeline(self.state)]
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state, name="hither_host")
        if self.state.flags.auto_parallel.enabled:
            manager.add_pass_after(RaiseInside, RewriteDynamicRaises)
            manager.add_pass_after(ReplaceFunctions, PreParforPass)
            manager.passes = [p for p in manager.passes if p[0] is not PreParforPass]
            manager.add_pass_after(KnowNewAxes, ReplaceFunctions)
            manager.add_pass_after(ConvertStoredValues, ParforPass)
            manager.add_pass_after(CompareExtents, ParforPass)
            manager.add_pass_after(IndexOperands, ParforPass)
            manager.add_pass_after(JoinLoops, ParforFusionPass)
            manager.add_pass_after(MakeRegions, ParforPreLoweringPass)
            manager.add_pass_after(RefuseHostAccess, MakeRegions)
            manager.passes = [
                (LowerHost, text) if step is NativeParforLowering else (step, text)
                for step, text in manager.passes
            ]
        else:
            manager.add_pass_after(RefuseHostAccess, InlineOverloads)
        manager.finalize()
        return [manager]
