"""The passes from Python bytecode to LLVM IR text."""

from __future__ import annotations

from typing import Any

from .access import FindWrittenArguments
from .bind_calls import BindCalls
from .bound_locals import RequireBoundLocals
from .call_convention import place
from .numba_adapter import (
    BaseNativeLowering,
    CompilerBase,
    DeadBranchPrune,
    FindLiterallyCalls,
    FixupArgs,
    GenericRewrites,
    InlineClosureLikes,
    InlineInlinables,
    InlineOverloads,
    IRLegalization,
    IRProcessing,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    Lower,
    MakeFunctionToJitFunction,
    NoPythonBackend,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PassManager,
    PreLowerStripPhis,
    ReconstructSSA,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    TranslateByteCode,
    register_pass,
)
from .validate import (
    RefuseGlobalArrays,
    RefuseReturnValue,
    RefuseStatements,
    RefuseWhatKernelsCannot,
)


class KernelLower(Lower):
    """Numba's lowering, which also records the current source position for the call convention."""

    def lower(self):
        outer = place.file, place.line
        place.file, place.line = self.func_ir.loc.filename, self.func_ir.loc.line
        try:
            super().lower()
        finally:
            place.file, place.line = outer

    def lower_inst(self, inst):
        place.line = inst.loc.line
        super().lower_inst(inst)


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerKernel(BaseNativeLowering):
    _name = "hither_lowering"

    @property
    def lowering_class(self):
        return KernelLower


_UNTYPED = (
    (RefuseStatements, "refuse statements that kernels cannot have"),
    (TranslateByteCode, "analyse bytecode"),
    (FixupArgs, "fix up arguments"),
    (IRProcessing, "process IR"),
    (InlineClosureLikes, "inline closures"),
    (BindCalls, "bind calls of hither's functions"),
    (RewriteSemanticConstants, "rewrite semantic constants"),
    (DeadBranchPrune, "prune dead branches"),
    (RefuseWhatKernelsCannot, "refuse what kernels cannot do"),
    (GenericRewrites, "rewrite"),
    (RewriteDynamicRaises, "rewrite dynamic raises"),
    (MakeFunctionToJitFunction, "turn closures into functions"),
    (InlineInlinables, "inline inlinable functions"),
    (DeadBranchPrune, "prune dead branches"),
    (FindLiterallyCalls, "find literally calls"),
    (LiteralUnroll, "unroll over literals"),
    (RequireBoundLocals, "require that locals are bound"),
    (ReconstructSSA, "build SSA form"),
    (DeadBranchPrune, "prune dead branches"),
    (LiteralPropagationSubPipelinePass, "propagate literals"),
)
_TYPED = (
    (NopythonTypeInference, "infer types"),
    (PreLowerStripPhis, "remove phis"),
    (InlineOverloads, "inline overloads"),
    (NopythonRewrites, "rewrite"),
    (FindWrittenArguments, "find written arguments"),
    (NoPythonSupportedFeatureValidation, "validate features"),
    (IRLegalization, "legalise"),
    (LowerKernel, "lower"),
    (NoPythonBackend, "finish"),
)


class KernelCompiler(CompilerBase):
    """Compiles device functions."""

    passes = _UNTYPED + _TYPED

    def define_pipelines(self):
        manager = PassManager("hither")
        for step, description in self.passes:
            manager.add_pass(step, description)
        manager.finalize()
        return [manager]


class EntryCompiler(KernelCompiler):
    """Compiles the function that a kernel's entry calls."""

    passes: Any = (
        *_UNTYPED,
        (RefuseReturnValue, "refuse a return value"),
        (RefuseGlobalArrays, "refuse global arrays"),
        *_TYPED,
    )
