"""Every further name that offloading takes from inside Numba; see hither.kernel.numba_adapter."""

from __future__ import annotations

from ..kernel.numba_adapter import (
    CompilerBase,
    Dispatcher,
    IRLegalization,
    IRProcessing,
    NoPythonBackend,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    PassManager,
    PreLowerStripPhis,
    TargetDescriptor,
    cgutils,
    compiler,
    dispatcher_registry,
    errors,
    global_compiler_lock,
    ir,
    jit_registry,
    llvm_binding,
    numba,
    numba_ir,
    register_pass,
    target_override,
    target_registry,
    types,
    typing,
)

# isort: split
from numba.core.caching import FunctionCache, NullCache
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass
from numba.core.cpu import CPUContext, CPUTargetOptions
from numba.core.ir_utils import build_definitions, rename_labels
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.target_extension import CPU
from numba.core.typed_passes import ParforPreLoweringPass
from numba.core.typing import Context as CPUTypingContext
from numba.parfors.parfor import Parfor, lower_parfor_sequential


class OffloadPass(FunctionPass):
    """A pass over a function, of which Numba asks an __init__ of its own."""

    def __init__(self):
        super().__init__()


__all__ = [
    "CPU",
    "CPUContext",
    "CPUDispatcher",
    "CPUTargetOptions",
    "CPUTypingContext",
    "Compiler",
    "CompilerBase",
    "DefaultPassBuilder",
    "Dispatcher",
    "FunctionCache",
    "IRLegalization",
    "IRProcessing",
    "NoPythonBackend",
    "NoPythonSupportedFeatureValidation",
    "NopythonTypeInference",
    "NullCache",
    "OffloadPass",
    "Parfor",
    "ParforPreLoweringPass",
    "PassManager",
    "PreLowerStripPhis",
    "TargetDescriptor",
    "build_definitions",
    "cgutils",
    "compiler",
    "cpu_target",
    "dispatcher_registry",
    "errors",
    "global_compiler_lock",
    "ir",
    "jit_registry",
    "llvm_binding",
    "lower_parfor_sequential",
    "numba",
    "numba_ir",
    "register_pass",
    "rename_labels",
    "target_override",
    "target_registry",
    "types",
    "typing",
]
