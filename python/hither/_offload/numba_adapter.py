"""Further names of Numba's internals, for offloading; see _kernel.numba.numba_adapter."""

from __future__ import annotations

from .._kernel.numba.numba_adapter import (
    BaseContext,
    CompilerBase,
    Dispatcher,
    DUFunc,
    InlineOverloads,
    IRLegalization,
    IRProcessing,
    NoPythonBackend,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    RewriteDynamicRaises,
    TargetDescriptor,
    as_numba_dtype,
    as_numpy_dtype,
    cgutils,
    compiler,
    dispatcher_registry,
    errors,
    global_compiler_lock,
    intrinsic,
    ir,
    jit_registry,
    llvm_binding,
    models,
    normalize_signature,
    numba,
    numba_ir,
    register_model,
    register_pass,
    target_override,
    target_registry,
    types,
    typing,
)

# isort: split
from numba.core import ir_utils
from numba.core.analysis import compute_use_defs
from numba.core.boxing import unbox_buffer
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass
from numba.core.cpu import CPUContext, CPUTargetOptions
from numba.core.imputils import lower_cast
from numba.core.ir_utils import (
    alias_analysis_extensions,
    build_definitions,
    compute_cfg_from_blocks,
    find_build_sequence,
    find_callname,
    find_const,
    find_max_label,
    get_definition,
    guard,
    mk_unique_var,
    remove_call_handlers,
    rename_labels,
)
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime._nrt_python import c_helpers as nrt_functions
from numba.core.runtime.context import NRTContext
from numba.core.target_extension import CPU
from numba.core.typed_passes import (
    NativeParforLowering,
    ParforFusionPass,
    ParforPass,
    ParforPreLoweringPass,
    PreParforPass,
)
from numba.core.typing import Context as CPUTypingContext
from numba.core.typing.builtins import IndexValueType
from numba.extending import NativeValue, box, typeof_impl, unbox
from numba.np.ufunc.gufunc import GUFunc
from numba.parfors import array_analysis
from numba.parfors import parfor as parfor_module
from numba.parfors.parfor import (
    LoopNest,
    Parfor,
    argmax_checker,
    argmin_checker,
    get_type_max_value,
    get_type_min_value,
    lower_parfor_sequential,
    max_checker,
    min_checker,
    swap_functions_map,
)
from numba.parfors.parfor import PreParforPass as PreParforTransformation
from numba.parfors.parfor import _lower_parfor_sequential_block as lower_parfor_block_sequential
from numba.stencils.stencil import StencilFunc


class OffloadPass(FunctionPass):
    """A pass over a function. Numba requires that it defines __init__."""

    def __init__(self):
        super().__init__()
