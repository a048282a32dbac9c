"""Every name that hither imports from Numba's internals, behind one version check.

Numba may change them in any minor release, so no other module of hither imports them. This module,
and Numba with it, is imported when the first kernel is compiled.
"""

from __future__ import annotations

from .numba_version import numba, refuse_older

refuse_older()

from llvmlite import binding as llvm_binding
from llvmlite import ir
from numba.core import callconv, cgutils, compiler, errors, types, typing
from numba.core import ir as numba_ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.base import BaseContext
from numba.core.base import _wrap_impl as bind_implementation
from numba.core.codegen import Codegen, CodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import force_error_model
from numba.core.lowering import Lower
from numba.core.options import TargetOptions, include_default_options
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.target_extension import (
    GPU,
    dispatcher_registry,
    jit_registry,
    target_override,
    target_registry,
)
from numba.core.typed_passes import (
    BaseNativeLowering,
    InlineOverloads,
    IRLegalization,
    NoPythonBackend,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.templates import _OverloadMethodTemplate as OverloadMethodTemplate
from numba.core.typing.typeof import typeof
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FindLiterallyCalls,
    FixupArgs,
    GenericRewrites,
    InlineClosureLikes,
    InlineInlinables,
    IRProcessing,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    ReconstructSSA,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.extending import intrinsic, models, overload_method, register_model
from numba.np import npyfuncs
from numba.np.arrayobj import (
    basic_indexing,
    load_item,
    make_array,
    normalize_indices,
    populate_array,
    store_item,
)
from numba.np.numpy_support import as_dtype as as_numpy_dtype
from numba.np.numpy_support import from_dtype as as_numba_dtype
from numba.np.numpy_support import ufunc_find_matching_loop
from numba.np.ufunc.dufunc import DUFunc


class KernelPass(AnalysisPass):
    """An analysis pass. Numba requires that it defines __init__."""

    def __init__(self):
        super().__init__()
