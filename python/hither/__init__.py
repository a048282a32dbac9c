"""Arrays and Python kernels that run on the device that holds their data."""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
import types as _types
from typing import TYPE_CHECKING, Any

from . import _array, _class_signatures, _documentation, _environment, _interop, _libraries, errors
from ._array.array_api import (
    __array_api_version__,
    __array_namespace_info__,
    check_array_api_version,
    e,
    inf,
    nan,
    newaxis,
    pi,
)
from ._array.creation import *
from ._array.dtypes import *
from ._array.elementwise import *
from ._array.host_fallback import host_fallback
from ._array.manipulation import *
from ._array.products import *
from ._array.quantiles import *
from ._array.reductions import *
from ._array.sets import *
from ._array.sorting import *
from ._compile.compiled_function import compile, explain
from ._compile.loops import fori_loop, while_loop
from ._device_context import (
    OpenContext,
    current_queue,
    device_context,
    get_context,
    offload_to_sycl_device,
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
    ProfileEvent,
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
from ._interop.native_package import get_cmake_dir, get_include, get_pkgconfig_dir
from ._interop.pointers import get_usm_device, get_usm_type
from ._interop.usm_interface import usm_array_interface, usm_array_like
from ._offload import hook as _hook
from ._queue_manager import QueueManager, shared_queues
from .errors import (
    AxisError,
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

if TYPE_CHECKING:
    from ml_dtypes import bfloat16, float8_e4m3fn, float8_e5m2

    from . import blas, compat, cuda, fft, lapack, linalg, numpy, offload, random, scipy, sycl
    from ._kernel.language import atomic, constant, local, private
    from ._kernel.language.atomic_ref import AtomicRef
    from ._kernel.language.decorator import kernel
    from ._kernel.language.device_func import device_func
    from ._kernel.language.group_function import (
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
    from ._kernel.language.kernel_library import load_module
    from ._kernel.language.reduction import reduction, scan
    from ._kernel.language.scope import (
        GLOBAL_MEM_FENCE,
        LOCAL_MEM_FENCE,
        AddressSpace,
        MemFence,
        MemoryOrder,
        MemoryScope,
    )
    from ._kernel.language.vectorize import vectorize
    from ._kernel.language.work_item import (
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
    from ._sharded import Mesh, ShardedArray, gather, shard
    from ._tools.benchmark import benchmark
    from ._tools.host_blocks import blocks
    from ._tools.memory import memory_info, release_cached, set_memory_limit
    from ._tools.profile import Profile, profile
    from ._tools.stream import stream
    from .offload import offload_report

__all__ = [
    "Array",
    "AxisError",
    "CompileError",
    "Context",
    "Device",
    "DeviceError",
    "Error",
    "Event",
    "ExchangeError",
    "InternalError",
    "InvalidTypeError",
    "InvalidValueError",
    "KernelError",
    "KernelRecord",
    "LinAlgError",
    "LocalAccessor",
    "Memory",
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "Mesh",
    "NdRange",
    "OpenContext",
    "OutOfMemoryError",
    "OutOfRangeError",
    "PerformanceWarning",
    "PlacementError",
    "PlacementWarning",
    "PointerInfo",
    "Profile",
    "ProfileEvent",
    "Queue",
    "QueueManager",
    "Range",
    "ScalarOverflowError",
    "ShardedArray",
    "UnsupportedError",
    "UsmView",
    "absent_backends",
    "asnumpy",
    "atomic",
    "benchmark",
    "blas",
    "blas_name",
    "blocks",
    "clear_kernel_history",
    "compat",
    "constant",
    "counters",
    "cuda",
    "current_queue",
    "default_queue",
    "device_context",
    "devices",
    "errors",
    "evaluate",
    "explain",
    "fft",
    "gather",
    "get_cmake_dir",
    "get_context",
    "get_include",
    "get_pkgconfig_dir",
    "get_usm_device",
    "get_usm_type",
    "host_fallback",
    "kernel",
    "kernel_history",
    "lapack",
    "launch",
    "linalg",
    "local",
    "memory_info",
    "numpy",
    "offload",
    "offload_report",
    "offload_to_sycl_device",
    "pointer_info",
    "private",
    "profile",
    "random",
    "release_cached",
    "scipy",
    "set_blas_library",
    "set_memory_limit",
    "set_spirv_emitter",
    "shard",
    "shared_queues",
    "stream",
    "sycl",
    "synchronize",
    "trim_pools",
    "usm_array_interface",
    "usm_array_like",
]
__all__ += _array.creation.__all__
__all__ += _array.dtypes.__all__
__all__ += _array.elementwise.__all__
__all__ += _array.manipulation.__all__
__all__ += _array.products.__all__
__all__ += _array.quantiles.__all__
__all__ += _array.reductions.__all__
__all__ += _array.sets.__all__
__all__ += _array.sorting.__all__
__all__ += ["check_array_api_version", "e", "inf", "nan", "newaxis", "pi"]

# Module -> names that it defines. It is imported at the first use, so that `import hither` is fast.
_LAZY_NAMES = {
    "._array.ml_dtypes_types": "bfloat16 float8_e4m3fn float8_e5m2",
    ".numpy": "einsum gradient pad",  # xarray takes them from the namespace of an array
    "._sharded": "Mesh ShardedArray gather shard",
    "._tools.benchmark": "benchmark",
    "._tools.host_blocks": "blocks",
    "._tools.memory": "memory_info release_cached set_memory_limit",
    "._tools.profile": "Profile profile",
    "._tools.stream": "stream",
    ".offload": "offload_report",
    "._kernel.language.atomic_ref": "AtomicRef",
    "._kernel.language.decorator": "kernel",
    "._kernel.language.device_func": "device_func",
    "._kernel.language.kernel_library": "load_module",
    "._kernel.language.group_function": (
        "atomic_fence barrier group_all_of group_any_of group_barrier group_broadcast "
        "group_exclusive_scan group_inclusive_scan group_none_of group_reduce mem_fence shuffle "
        "shuffle_down shuffle_up shuffle_xor"
    ),
    "._kernel.language.reduction": "reduction scan",
    "._kernel.language.scope": (
        "GLOBAL_MEM_FENCE LOCAL_MEM_FENCE AddressSpace MemFence MemoryOrder MemoryScope"
    ),
    "._kernel.language.vectorize": "vectorize",
    "._kernel.language.work_item": (
        "Group Item NdItem SubGroup get_global_id get_global_linear_id get_global_size get_group "
        "get_group_id get_group_linear_id get_local_id get_local_linear_id get_local_size "
        "get_num_groups get_num_sub_groups get_sub_group get_sub_group_id get_sub_group_local_id "
        "get_sub_group_size"
    ),
}
# name -> (module, attribute; None for the module itself)
_LAZY: dict[str, tuple[str, str | None]] = {
    "atomic": ("._kernel.language.atomic", None),
    "blas": (".blas", None),
    "compat": (".compat", None),
    "constant": ("._kernel.language.constant", None),
    "cuda": (".cuda", None),
    "sycl": (".sycl", None),
    "fft": (".fft", None),
    "lapack": (".lapack", None),
    "linalg": (".linalg", None),
    "offload": (".offload", None),
    "lib": (".numpy.lib", None),
    "local": ("._kernel.language.local", None),
    "numpy": (".numpy", None),
    "private": ("._kernel.language.private", None),
    "scipy": (".scipy", None),
    "random": (".random", None),
} | {name: (module, name) for module, names in _LAZY_NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        from ._names import missing_attribute

        raise missing_attribute(__name__, name, [*__dir__(), *_LAZY])
    module, attribute = _LAZY[name]
    value: Any = _importlib.import_module(module, __name__)
    if attribute is not None:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__array_api_version__", "__array_namespace_info__", "__version__"})


class _Package(_types.ModuleType):
    """The class of the package's module, which is pickled by name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _interop.pickled_names.module_by_name(self)


_sys.modules[__name__].__class__ = _Package
_documentation.complete("package", globals())
_class_signatures.install()
_interop.former_names.register()
_interop.dpctl_import.watch()
_interop.dask_import.watch()
_hook.register_type(Array)
_environment.check()
if _environment.simulates_kernels():
    _importlib.import_module("._kernel.simulation.kernel", __name__).install()
