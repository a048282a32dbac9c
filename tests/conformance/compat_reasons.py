"""Why tests of dpctl, dpnp.tensor and numba-dpex fail on hither.compat."""

from __future__ import annotations

import re

# Work-items that wait for others of a range, which nobody promises to run at the same time.
ENDLESS = ["numba_dpex/tests/kernel_tests/test_atomic_fence.py::test_atomic_fence"]

INTERNALS = "uses what is inside the package (C functions, compiler, helpers)"
MIXED = "hands NumPy arrays to functions of USM arrays, which are not mixed (A12)"
EQUIVALENT = "wants a refusal of queues that are equivalent, which may be mixed (A5)"
COMPLEX = "complex numbers have no order in the Array API standard"
WIDEST = "uint64 and signed integers promote to float64, as in NumPy"
LAYOUT = "wants a memory layout beyond C and Fortran order"
FLAGS = "makes an array read-only by a flag"
TYPES = "compares type(x) with a class, where isinstance holds"
TEXT = "wants the words of the other package's message"
PROGRAMS = "RawKernelArg, WorkGroupMemory and most of addressof_ref are not there"
INTEGERS = (
    "integers in functions of real numbers: hither makes float64, dpctl the smallest that fits"
)
BY_ITEM = "arrays of one element are numbers as in dpctl, which dpnp refuses"
NARROW = "wraps integers that do not fit the dtype, which hither refuses"
FUNCTIONS = "wants objects with .types, .nin and so on; functions are functions"
CLI = "wants dpctl's headers, libraries and command line"
CAST = "complex numbers do not become real ones silently"
EQUAL_FIELDS = "wants ValueError for a field of the wrong type, where hither has TypeError (E3)"
DLPACK = "memory of CPUs is kDLCPU in DLPack, and DLPack's functions are not split in two"

DEBUG_TEXT = "wants what numba_dpex prints in its debug mode when it offloads"
BY_DPNP = "calls functions in njit that Numba has not, or not for these types"
SIGNATURES = "wants numba_dpex's own rules for signatures and converted values"
UNKNOWN_DEVICE = 'makes arrays on the device "unknown", which hither refuses'

# Part of "package: test" -> part of what was said -> why. The first that fits.
REASONS: list[tuple[str, str, str]] = [
    ("", r"PrivateNameError|__pyx_capi__|_set_namespace|_inplace_op|reference_obj", INTERNALS),
    ("", r"cannot import name '_|'_get_capsule'", INTERNALS),
    ("numba_dpex", r"dpnp implementation|to be auto offloaded|Parfor offloaded", DEBUG_TEXT),
    ("numba_dpex.*njit_tests/dpnp", r"TypingError", BY_DPNP),
    ("numba_dpex", r"uses work-groups \(barriers", "work-groups need an NdRange"),
    ("numba_dpex", r"Private|_global_range|'Kernel' object has", INTERNALS),
    ("numba_dpex.*(itanium|mangler)", "", INTERNALS),
    ("numba_dpex", r"CAPTURED_ERRORS|bad_cast|argument 'debug'|private modules", INTERNALS),
    ("numba_dpex.*(debug|codegen|passes|overload|inline_thr|examples|types/)", "", INTERNALS),
    ("numba_dpex", r"print does not work inside", "print does not work inside a kernel"),
    ("numba_dpex.*_like_from_scalar|numba_dpex.*empty_like", r"_like\(\)", "x is no array"),
    ("numba_dpex", r"neither a back end", UNKNOWN_DEVICE),
    ("numba_dpex", r"out of bounds for int", NARROW),
    ("numba_dpex.*(atomic|memory_enum|fetch_phi)", "", SIGNATURES),
    (
        "numba_dpex.*(speciali|return_value|launch_params|range_kernel|exec_queue|func)",
        "",
        SIGNATURES,
    ),
    ("", r"Private object|numba_dpex\.\w+ is private", INTERNALS),
    ("test_syclinterface|test_dev_utils|test_cython_api|test_c_headers", "", INTERNALS),
    ("test_main_|test_get_include|includes|test_cmakedir|get_dpcppversion", "", CLI),
    ("", r"kernel_arg_type|addressof_ref|RawKernelArg|WorkGroupMemory", PROGRAMS),
    ("", r"'(types|nin|nout|get_\w+_function|\w*_resolver)'", FUNCTIONS),
    ("", r"PlacementError: .*(host array|host memory)", MIXED),
    ("", r"DID NOT RAISE.*PlacementError", EQUIVALENT),
    ("", r"complex\d+ (is not supported|has no order)|is complex; the function takes", COMPLEX),
    ("inplace_dtype_matrix", r"float64", WIDEST),
    ("", r"complex\d+ cannot be (reduced|accumulated)|complex number cannot become", CAST),
    ("", r"ArrayFlags' object|'ArrayFlags'.* no setter", FLAGS),
    ("test_usm_ndarray.*(writable_flag|_readonly)", "WRITEABLE : True", FLAGS),
    ("", r"is <class 'hither\.compat|<class 'hither\._?\w*\.?\w+'> is <class", TYPES),
    ("", r"TypeError not raised by (bool|int|float|complex|convert)", BY_ITEM),
    ("", r"ScalarOverflowError|does not fit", NARROW),
    ("dtype_matrix|out_type", r"_compare_dtypes|assert dtype\('", INTEGERS),
    ("", r"DID NOT WARN", "wants a warning that a name is old"),
    ("", r"Regex pattern did not match|does not match|_Memory' in|re\.match|function match", TEXT),
    ("dlpack|dldevice", "", DLPACK),
    ("order|layout|strides|flags|copy_false|basic_slice|print_repr|_like|reshape", "", LAYOUT),
    ("", r"__sycl_usm_array_interface__", EQUAL_FIELDS),
]

REFUSED = "wants a refusal of what hither takes"
OTHER_CLASS = "wants another class of error, or another argument to be looked at first"
STANDARD = "goes beyond the Array API standard: scalars or 0-d arrays where that has arrays"

# why -> tests that stand alone.
ALONE = {
    REFUSED: "test_clip_dtypes test_clip_max_weak_type_errors test_print_option_arg_validation "
    "test_usm_ndarray_str_arg_validation test_properties test_meshgrid test_isdtype_invalid_kind "
    "test_common_arg_validation test_stat_function_errors test_asarray_property "
    "test_advanced_slice11 test_advanced_slice15 test_take_arg_validation test_put_arg_validation "
    "test_extract_arg_validation test_put_empty_axes test_advanced_integer_indexing_cast_indices "
    "test_array_api_inspection_device_errors test_constructor_many_arg test_can_cast "
    "test_broadcast_arrays_no_args test_concat_incorrect_queue",
    OTHER_CLASS: "test_negative_bool test_subtract_bool test_asarray_input_validation "
    "test_asarray_input_validation2 test_diff_wrong_append_prepend_shape test_roll_validation "
    "test_clip_arg_validation test_index_noninteger test_setitem_errors test_ctor_invalid "
    "test_concat_incorrect_type test_place_arg_validation test_where_arg_validation "
    "test_binary_func_arg_validation test_dldevice_conversion_arg_validation "
    "test_take_along_axis_validation test_put_along_axis_validation test_logsumexp_invalid_arr",
    STANDARD: "test_diff_prepend_append_py_scalars test_diff_0d test_accumulate_scalar "
    "test_accumulator_out_kwarg test_squeeze_0d test_repeat_scalar_sequence_agreement "
    "test_repeat_size_0_outputs test_repeat_0_size test_to_device_stream_validation "
    "test_to_device_stream_use test_arange_bool "
    "test_searchsorted_contig_bool test_searchsorted_strided_bool test_repeat_arg_validation",
    "wants dtype= of clip() and matmul()": "test_clip_dtype_error test_matmul_dtype "
    "test_matmul_invalid_dtype",
    '"automatic" is no type of a device': "test_get_devices_with_device_type_enum",
    "a new context does not know the memory of others": "test_memory_without_context",
    "the namespace says what hither can do": "test_array_api_inspection_devices "
    "test_array_api_inspection_capabilities",
    "lists hold numbers and arrays, not memory": "test_asarray_seq_of_suai "
    "test_asarray_seq_of_suai_different_queue",
    "an event does not know its device": "test_event_backend",
    "submit_async waits for memory objects, which anybody may read": "test_submit_async",
    "an unknown order is an error": "test_unary_func_arg_validation",
    INTERNALS: "test_address_of test_name test_async_add_from_cache "
    "test_usm_ndarray_type test_typeof test_dpctl_version",
    LAYOUT: "test_gh_2055",
    "real and imag are new arrays, not views": "test_real_imag_views",
    "a divisor below 0 is 0, as NumPy has it": "test_var_axis_length_correction",
    "a mask has the shape of the axes that it selects from": "test_advanced_slice16 "
    "test_boolean_indexing_getitem_empty_mask test_boolean_indexing_setitem_empty_mask",
    "x[True] is a copy, as all that a mask selects": "test_TrueFalse_indexing",
    "a float does not become an int silently": "test_full_dtype_inference",
    "memory objects are made anew each time": "test_astype",
    "values are broadcast, but do not lose axes": "test_setitem_broadcasting_"
    "src_ndim_greater_than_dst_ndim",
    "finfo is NumPy's, whose numbers are NumPy's": "test_finfo_object",
    "asks asnumpy() for the elements of None": "test_1d_slicing2",
    "an element x[0] is a copy": "test_search_reduction_out_kwarg",
    "arrays without dimensions print as NumPy's numbers, which options do not change": "test_sign "
    "test_suppress_small test_context_manager_basic",
    "NaNs come last in descending order too": "test_sort_real_fp_nan",
    SIGNATURES: "test_error_item_get_global_id test_dpnp_empty_exceptions "
    "test_dpnp_full_exceptions test_async_dependent_add_list_exception",
    "rounding of float16": "test_logsumexp_arg_dtype_default_output_dtype_matrix",
}
BY_NAME = {name: why for why, names in ALONE.items() for name in names.split()}


def reason(package: str, test: str, said: str) -> str | None:
    for where, pattern, why in REASONS:
        if re.search(where, f"{package}: {test}") and re.search(pattern, said):
            return why
    return BY_NAME.get(re.sub(r"\[.*", "", test.rpartition("::")[2]))
