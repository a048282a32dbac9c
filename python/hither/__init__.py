"""Arrays and Python kernels that run on the device that holds their data."""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

from . import (
    array_methods,
    beside_dpctl,
    cuda_folders,
    errors,
    host_values,
    numpy_protocols,
    openblas,
    pickled_names,
    printing,
    spirv_emitter,
)
from ._hither import (
    Array,
    Context,
    Device,
    Event,
    KernelRecord,
    LocalAccessor,
    Memory,
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    NdRange,
    PointerInfo,
    Queue,
    Range,
    UsmView,
    absent_backends,
    asnumpy,
    blas_name,
    clear_kernel_history,
    counters,
    default_queue,
    devices,
    evaluate,
    explain,
    kernel_history,
    launch,
    pointer_info,
    set_blas_library,
    set_spirv_emitter,
    synchronize,
    trim_pools,
)
from ._hither import (
    version as __version__,
)
from .array_api import *
from .creation import *
from .device_context import (
    OpenContext,
    current_queue,
    device_context,
    get_context,
    offload_to_sycl_device,
)
from .dtypes import *
from .elementwise import *
from .errors import (
    CompileError,
    DeviceError,
    Error,
    ExchangeError,
    InternalError,
    InvalidTypeError,
    InvalidValueError,
    KernelError,
    LinAlgError,
    OutOfMemoryError,
    OutOfRangeError,
    PerformanceWarning,
    PlacementError,
    PlacementWarning,
    ScalarOverflowError,
    UnsupportedError,
)
from .manipulation import *
from .native_package import get_cmake_dir, get_include, get_pkgconfig_dir
from .offload import offload_report
from .pointers import get_usm_device, get_usm_type
from .products import *
from .queue_manager import QueueManager, shared_queues
from .reductions import *
from .usm_interface import usm_array_interface, usm_array_like

if TYPE_CHECKING:
    from . import blas, compat, cuda, fft, lapack, linalg, random
    from .kernel import atomic, constant, local, private
    from .kernel.atomic_ref import AtomicRef
    from .kernel.decorator import device_func, kernel
    from .kernel.group_function import (
        atomic_fence,
        barrier,
        group_all_of,
        group_any_of,
        group_barrier,
        group_broadcast,
        group_exclusive_scan,
        group_inclusive_scan,
        group_none_of,
        group_reduce,
        mem_fence,
        shuffle,
        shuffle_down,
        shuffle_up,
        shuffle_xor,
    )
    from .kernel.library import load_module
    from .kernel.scope import (
        GLOBAL_MEM_FENCE,
        LOCAL_MEM_FENCE,
        AddressSpace,
        MemFence,
        MemoryOrder,
        MemoryScope,
    )
    from .kernel.vectorize import vectorize
    from .kernel.work_item import (
        Group,
        Item,
        NdItem,
        SubGroup,
        get_global_id,
        get_global_linear_id,
        get_global_size,
        get_group,
        get_group_id,
        get_group_linear_id,
        get_local_id,
        get_local_linear_id,
        get_local_size,
        get_num_groups,
        get_num_sub_groups,
        get_sub_group,
        get_sub_group_id,
        get_sub_group_local_id,
        get_sub_group_size,
    )

# What is imported when it is first named, so that `import hither` stays quick: names by module.
_LAZY_NAMES = {
    ".kernel.atomic_ref": "AtomicRef",
    ".kernel.decorator": "device_func",
    ".kernel.library": "load_module",
    ".kernel.group_function": (
        "atomic_fence barrier group_all_of group_any_of group_barrier group_broadcast "
        "group_exclusive_scan group_inclusive_scan group_none_of group_reduce mem_fence shuffle "
        "shuffle_down shuffle_up shuffle_xor"
    ),
    ".kernel.scope": (
        "GLOBAL_MEM_FENCE LOCAL_MEM_FENCE AddressSpace MemFence MemoryOrder MemoryScope"
    ),
    ".kernel.vectorize": "vectorize",
    ".kernel.work_item": (
        "Group Item NdItem SubGroup get_global_id get_global_linear_id get_global_size get_group "
        "get_group_id get_group_linear_id get_local_id get_local_linear_id get_local_size "
        "get_num_groups get_num_sub_groups get_sub_group get_sub_group_id get_sub_group_local_id "
        "get_sub_group_size"
    ),
}
# name -> (module, attribute; None for the module itself)
_LAZY: dict[str, tuple[str, str | None]] = {
    "atomic": (".kernel.atomic", None),
    "blas": (".blas", None),
    "compat": (".compat", None),
    "constant": (".kernel.constant", None),
    "cuda": (".cuda", None),
    "sycl": (".sycl", None),
    "fft": (".fft", None),
    "lapack": (".lapack", None),
    "linalg": (".linalg", None),
    "local": (".kernel.local", None),
    "private": (".kernel.private", None),
    "random": (".random", None),
} | {name: (module, name) for module, names in _LAZY_NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'hither' has no attribute {name!r}")
    module, attribute = _LAZY[name]
    value: Any = importlib.import_module(module, __name__)
    if attribute is not None:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, "kernel"} - {"annotations", "importlib", "sys", "types"})


class _Package(types.ModuleType):
    """hither itself, where `hither.kernel` stays the decorator.

    Importing the sub-package `hither.kernel` would put the module in its place.
    """

    @property
    def kernel(self) -> Any:
        from .kernel.decorator import kernel

        return kernel

    @kernel.setter
    def kernel(self, value: Any) -> None:
        """Drops what the import system sets."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled_names.module_by_name(self)


sys.modules[__name__].__class__ = _Package
beside_dpctl.watch()
