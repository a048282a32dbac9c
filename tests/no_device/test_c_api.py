"""The C API's table: its layout stays compatible with extensions that were built before."""

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest

import c_api_table
import hither as ht
from c_api_table import Argument, KernelSource, Launch, PointerInfo, Range, View
from hither import compat

# In the order of the table. New functions are added at the end, here too; nothing else may change.
FUNCTIONS = """
error_message raise_error raise_new device_select device_list device_filter_string device_type
device_has device_info device_equal device_share device_release context_default context_create
context_equal context_native context_adopt_native context_share context_release queue_select
queue_create queue_default queue_device queue_context queue_properties queue_equal
queue_equivalent queue_wait queue_barrier queue_copy queue_fill queue_prefetch queue_native
queue_stream queue_adopt_native queue_share queue_release event_wait event_status event_profiling
event_share event_release memory_allocate memory_adopt memory_data memory_bytes memory_usm_type
memory_host_accessible memory_queue memory_release_after memory_share memory_release pointer_query
array_empty array_from_memory array_from_host array_to_host array_astype array_to_queue array_copy
array_strided array_assign array_describe array_view array_host_view array_queue array_evaluate
array_synchronize array_share array_release module_load module_launch module_share module_release
kernel_build kernel_launch kernel_share kernel_release host_task stream_task device_from_object
queue_from_object context_from_object event_from_object memory_from_object array_from_object
array_convert dtype_from_object device_to_object context_to_object queue_to_object event_to_object
memory_to_object array_to_object dtype_to_object usm_interface
""".split()


def test_the_table_has_these_functions_in_this_order():
    assert [name for name, _, _ in c_api_table.members()] == FUNCTIONS


def test_the_capsule_holds_the_table_of_the_header():
    table = c_api_table.Table()
    assert table.version == 1
    assert table.bytes == 16 + 8 * len(FUNCTIONS)
    assert table.library_version.decode() == ht.__version__
    for name in FUNCTIONS:
        assert ctypes.cast(getattr(table, name), ctypes.c_void_p).value, name


def test_structures_have_their_sizes():
    sizes = {View: 304, PointerInfo: 24, Range: 56, Argument: 24, KernelSource: 72, Launch: 24}
    assert {s: ctypes.sizeof(s) for s in sizes} == sizes


def test_cython_declares_the_same_functions():
    text = (Path(ht.__file__).parent / "__init__.pxd").read_text()
    table = text[text.index("struct hither_table") :]
    assert re.findall(r"\(\*(\w+)\)", table) == FUNCTIONS
    for name, result, parameters in c_api_table.members():
        line = next(line for line in table.splitlines() if f"(*{name})" in line)
        assert line.count(",") == max(len(parameters) - 1, 0), line
        assert ("nogil" in line) == ("PyObject*" not in [result, *parameters]), line


@pytest.mark.parametrize(
    ("option", "function"),
    [
        ("--include", ht.get_include),
        ("--cmake-dir", ht.get_cmake_dir),
        ("--pkg-config-dir", ht.get_pkgconfig_dir),
        ("--cython-dir", compat.get_cython_dir),
    ],
)
def test_builds_are_told_where_things_are(option, function):
    told = subprocess.run(
        [sys.executable, "-m", "hither", option], capture_output=True, text=True, check=True
    )
    assert told.stdout == function() + "\n"


def test_these_folders_have_what_builds_look_for():
    assert (Path(ht.get_include()) / "hither" / "c_api.h").is_file()
    assert (Path(ht.get_cmake_dir()) / "hither-config.cmake").is_file()
    assert (Path(ht.get_cmake_dir()) / "hither_add_kernels.cmake").is_file()
    assert (Path(ht.get_pkgconfig_dir()) / "hither-c.pc").is_file()
    assert (Path(compat.get_cython_dir()) / "dpctl" / "__init__.pxd").is_file()
