"""Numba's passes for a parallel function, and one more, which makes its parfors regions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from .lower_region import lower_region
from .numba_adapter import (
    CompilerBase,
    DefaultPassBuilder,
    OffloadPass,
    Parfor,
    ParforPreLoweringPass,
    register_pass,
)
from .parfor_function import NotOffloaded
from .region import region_of, register
from .target import implementations_kept

REPORT = "hither_offload"


@dataclass(frozen=True)
class ParforReport:
    """What became of a parfor: `reason` says why it stayed on the host; None if it did not."""

    file: str
    line: int
    kind: str
    kernel: str | None = None
    region: int | None = None
    reason: str | None = None


@register_pass(mutates_CFG=False, analysis_only=False)
class MakeRegions(OffloadPass):
    """Gives each parfor that can be a kernel to our lowering; Numba lowers the others."""

    _name = "hither_make_regions"

    def run_pass(self, state):
        report = state.metadata.setdefault(REPORT, [])
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, Parfor):
                    report.append(self._offload(statement, state))
        return True

    def _offload(self, parfor, state) -> ParforReport:
        about = (parfor.loc.filename, parfor.loc.line, _kind(parfor))
        try:
            with implementations_kept(state.typemap):
                region = region_of(parfor, state.func_ir, state.typemap, state.flags)
        except NotOffloaded as reason:
            return ParforReport(*about, reason=str(reason))
        region.register()
        # Numba replays it when it loads the host code from its cache.
        state.reload_init.append(partial(register, region.id, region))
        parfor.hither_region = region
        parfor.lowerer = lower_region
        return ParforReport(*about, kernel=region.name, region=region.id)


def _kind(parfor) -> str:
    """What in the program it comes from, in Numba's words."""
    pattern = parfor.patterns[0]
    return str(pattern[1] if pattern[0] in ("ufunc", "prange") and len(pattern) > 1 else pattern[0])


class OffloadCompiler(CompilerBase):
    def define_pipelines(self):
        if self.state.flags.force_pyobject:
            return [DefaultPassBuilder.define_objectmode_pipeline(self.state)]
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state, name="hither_host")
        if self.state.flags.auto_parallel.enabled:
            manager.add_pass_after(MakeRegions, ParforPreLoweringPass)
        manager.finalize()
        return [manager]
