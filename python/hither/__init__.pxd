# Made by tools/pxd.py. hither's C API: `from hither cimport *`, then hither_import().
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef extern from "hither/c_api.h":
    int hither_import() except -1
    const hither_table* hither_api

    ctypedef struct hither_device:
        pass
    ctypedef struct hither_context:
        pass
    ctypedef struct hither_queue:
        pass
    ctypedef struct hither_event:
        pass
    ctypedef struct hither_memory:
        pass
    ctypedef struct hither_array:
        pass
    ctypedef struct hither_kernel:
        pass
    ctypedef struct hither_module:
        pass
    ctypedef int32_t hither_status
    enum:
        HITHER_OK
        HITHER_VALUE_ERROR
        HITHER_TYPE_ERROR
        HITHER_INDEX_ERROR
        HITHER_OVERFLOW_ERROR
        HITHER_PLACEMENT_ERROR
        HITHER_MEMORY_ERROR
        HITHER_BUFFER_ERROR
        HITHER_DEVICE_ERROR
        HITHER_COMPILE_ERROR
        HITHER_KERNEL_ERROR
        HITHER_UNSUPPORTED_ERROR
        HITHER_PYTHON_ERROR
        HITHER_INTERNAL_ERROR
    ctypedef int32_t hither_dtype
    enum:
        HITHER_BOOL
        HITHER_INT8
        HITHER_INT16
        HITHER_INT32
        HITHER_INT64
        HITHER_UINT8
        HITHER_UINT16
        HITHER_UINT32
        HITHER_UINT64
        HITHER_FLOAT16
        HITHER_FLOAT32
        HITHER_FLOAT64
        HITHER_COMPLEX64
        HITHER_COMPLEX128
        HITHER_BFLOAT16
        HITHER_FLOAT8_E4M3FN
        HITHER_FLOAT8_E5M2
    ctypedef int32_t hither_usm_type
    enum:
        HITHER_USM_DEVICE
        HITHER_USM_SHARED
        HITHER_USM_HOST
    ctypedef int32_t hither_device_type
    enum:
        HITHER_CPU
        HITHER_GPU
        HITHER_ACCELERATOR
    enum:
        HITHER_OUT_OF_ORDER
        HITHER_PROFILING
    ctypedef int32_t hither_event_status
    enum:
        HITHER_SUBMITTED
        HITHER_RUNNING
        HITHER_COMPLETE
    ctypedef struct hither_view:
        void* data
        int64_t size
        int64_t itemsize
        int64_t shape[16]
        int64_t strides[16]
        int32_t ndim
        hither_dtype dtype
        hither_usm_type usm_type
        int32_t read_only
        int32_t c_contiguous
        int32_t reserved
    ctypedef struct hither_pointer_info:
        void* base
        size_t bytes
        hither_usm_type usm_type
        int32_t reserved
    ctypedef struct hither_range:
        int64_t size[3]
        int64_t local[3]
        int32_t dimensions
        int32_t reserved
    ctypedef int32_t hither_argument_kind
    enum:
        HITHER_ARRAY
        HITHER_INPUT
        HITHER_INTEGER
        HITHER_UNSIGNED
        HITHER_REAL
        HITHER_COMPLEX
    ctypedef union hither_value:
        const hither_array* array
        int64_t integer
        uint64_t unsigned_integer
        double real
        double parts[2]
    ctypedef struct hither_argument:
        hither_value value
        hither_argument_kind kind
        int32_t reserved
    ctypedef int32_t hither_parameter
    enum:
        HITHER_POINTER_PARAMETER
        HITHER_INT8_PARAMETER
        HITHER_INT16_PARAMETER
        HITHER_INT32_PARAMETER
        HITHER_INT64_PARAMETER
        HITHER_FLOAT16_PARAMETER
        HITHER_FLOAT32_PARAMETER
        HITHER_FLOAT64_PARAMETER
        HITHER_COMPLEX64_PARAMETER
        HITHER_COMPLEX128_PARAMETER
        HITHER_LOCAL_BYTES_PARAMETER
    ctypedef struct hither_kernel_source:
        const char* entry
        const char* code
        size_t code_bytes
        const hither_parameter* parameters
        size_t parameter_count
        int64_t local_size[3]
        int32_t independent_items
        int32_t reserved
    ctypedef struct hither_launch:
        const hither_queue* queue
        const hither_event* const* depends_on
        size_t depends_on_count
    ctypedef int (*hither_host_function)(void* state, void* const* data, const char** message) noexcept nogil
    ctypedef int (*hither_stream_function)(void* state, void* stream, void* const* data, const char** message) noexcept nogil
    ctypedef void (*hither_free_function)(void* state) noexcept nogil
    hither_argument hither_array_argument(const hither_array* array) noexcept nogil
    hither_argument hither_input_argument(const hither_array* array) noexcept nogil
    hither_argument hither_integer_argument(int64_t number) noexcept nogil
    hither_argument hither_real_argument(double number) noexcept nogil
    hither_range hither_items(int32_t dimensions, int64_t n0, int64_t n1, int64_t n2) noexcept nogil
    ctypedef struct hither_table:
        uint32_t version
        uint32_t bytes
        const char* library_version
        const char* (*error_message)() noexcept nogil
        object (*raise_error)(hither_status status)
        object (*raise_new)(hither_status status, const char* where, const char* message)
        hither_status (*device_select)(const char* filter, hither_device** out) noexcept nogil
        hither_status (*device_list)(hither_device** out, size_t room, size_t* count) noexcept nogil
        const char* (*device_filter_string)(const hither_device* device) noexcept nogil
        hither_device_type (*device_type)(const hither_device* device) noexcept nogil
        hither_status (*device_has)(const hither_device* device, const char* aspect, int* out) noexcept nogil
        hither_status (*device_info)(const hither_device* device, const char* name, int64_t* out) noexcept nogil
        int (*device_equal)(const hither_device* a, const hither_device* b) noexcept nogil
        hither_status (*device_share)(const hither_device* device, hither_device** out) noexcept nogil
        void (*device_release)(hither_device* device) noexcept nogil
        hither_status (*context_default)(const hither_device* device, hither_context** out) noexcept nogil
        hither_status (*context_create)(const hither_device* const* devices, size_t count, hither_context** out) noexcept nogil
        int (*context_equal)(const hither_context* a, const hither_context* b) noexcept nogil
        hither_status (*context_native)(const hither_context* context, const void** out) noexcept nogil
        hither_status (*context_adopt_native)(const void* sycl_context, hither_context** out) noexcept nogil
        hither_status (*context_share)(const hither_context* context, hither_context** out) noexcept nogil
        void (*context_release)(hither_context* context) noexcept nogil
        hither_status (*queue_select)(const char* filter, int32_t properties, hither_queue** out) noexcept nogil
        hither_status (*queue_create)(const hither_context* context, const hither_device* device, int32_t properties, hither_queue** out) noexcept nogil
        hither_status (*queue_default)(const hither_device* device, hither_queue** out) noexcept nogil
        hither_status (*queue_device)(const hither_queue* queue, hither_device** out) noexcept nogil
        hither_status (*queue_context)(const hither_queue* queue, hither_context** out) noexcept nogil
        int32_t (*queue_properties)(const hither_queue* queue) noexcept nogil
        int (*queue_equal)(const hither_queue* a, const hither_queue* b) noexcept nogil
        int (*queue_equivalent)(const hither_queue* a, const hither_queue* b) noexcept nogil
        hither_status (*queue_wait)(const hither_queue* queue) noexcept nogil
        hither_status (*queue_barrier)(const hither_queue* queue, const hither_event* const* depends_on, size_t count, hither_event** out) noexcept nogil
        hither_status (*queue_copy)(const hither_queue* queue, void* target, const void* source, size_t bytes, const hither_event* const* depends_on, size_t count, hither_event** out) noexcept nogil
        hither_status (*queue_fill)(const hither_queue* queue, void* target, const void* pattern, size_t pattern_bytes, size_t repeats, const hither_event* const* depends_on, size_t count, hither_event** out) noexcept nogil
        hither_status (*queue_prefetch)(const hither_queue* queue, const void* address, size_t bytes, const hither_event* const* depends_on, size_t count, hither_event** out) noexcept nogil
        hither_status (*queue_native)(const hither_queue* queue, const void** out) noexcept nogil
        hither_status (*queue_stream)(const hither_queue* queue, void** out) noexcept nogil
        hither_status (*queue_adopt_native)(const void* sycl_queue, hither_queue** out) noexcept nogil
        hither_status (*queue_share)(const hither_queue* queue, hither_queue** out) noexcept nogil
        void (*queue_release)(hither_queue* queue) noexcept nogil
        hither_status (*event_wait)(const hither_event* event) noexcept nogil
        hither_status (*event_status)(const hither_event* event, hither_event_status* out) noexcept nogil
        hither_status (*event_profiling)(const hither_event* event, uint64_t* submit, uint64_t* start, uint64_t* end) noexcept nogil
        hither_status (*event_share)(const hither_event* event, hither_event** out) noexcept nogil
        void (*event_release)(hither_event* event) noexcept nogil
        hither_status (*memory_allocate)(const hither_queue* queue, size_t bytes, hither_usm_type type, size_t alignment, hither_memory** out) noexcept nogil
        hither_status (*memory_adopt)(const hither_queue* queue, void* data, size_t bytes, hither_usm_type type, hither_free_function release, void* owner, hither_memory** out) noexcept nogil
        void* (*memory_data)(const hither_memory* memory) noexcept nogil
        size_t (*memory_bytes)(const hither_memory* memory) noexcept nogil
        hither_usm_type (*memory_usm_type)(const hither_memory* memory) noexcept nogil
        int (*memory_host_accessible)(const hither_memory* memory) noexcept nogil
        hither_status (*memory_queue)(const hither_memory* memory, hither_queue** out) noexcept nogil
        hither_status (*memory_release_after)(const hither_memory* memory, const hither_event* event) noexcept nogil
        hither_status (*memory_share)(const hither_memory* memory, hither_memory** out) noexcept nogil
        void (*memory_release)(hither_memory* memory) noexcept nogil
        hither_status (*pointer_query)(const void* pointer, const hither_context* context, hither_pointer_info* out) noexcept nogil
        hither_status (*array_empty)(const hither_queue* queue, hither_dtype dtype, int32_t ndim, const int64_t* shape, hither_usm_type type, hither_array** out) noexcept nogil
        hither_status (*array_from_memory)(const hither_memory* memory, int64_t offset_bytes, hither_dtype dtype, int32_t ndim, const int64_t* shape, const int64_t* strides, const hither_queue* queue, int32_t read_only, hither_array** out) noexcept nogil
        hither_status (*array_from_host)(const void* data, hither_dtype dtype, int32_t ndim, const int64_t* shape, const int64_t* strides, const hither_queue* queue, hither_usm_type type, hither_array** out) noexcept nogil
        hither_status (*array_to_host)(const hither_array* array, void* out) noexcept nogil
        hither_status (*array_astype)(const hither_array* array, hither_dtype dtype, hither_array** out) noexcept nogil
        hither_status (*array_to_queue)(const hither_array* array, const hither_queue* queue, hither_usm_type type, hither_array** out) noexcept nogil
        hither_status (*array_copy)(const hither_array* array, hither_array** out) noexcept nogil
        hither_status (*array_strided)(const hither_array* array, int32_t ndim, const int64_t* shape, const int64_t* strides, int64_t offset, hither_array** out) noexcept nogil
        hither_status (*array_assign)(const hither_array* target, const hither_array* source) noexcept nogil
        hither_status (*array_describe)(const hither_array* array, hither_view* out) noexcept nogil
        hither_status (*array_view)(const hither_array* array, hither_view* out, hither_event** event) noexcept nogil
        hither_status (*array_host_view)(const hither_array* array, hither_view* out) noexcept nogil
        hither_status (*array_queue)(const hither_array* array, hither_queue** out) noexcept nogil
        hither_status (*array_evaluate)(const hither_array* array, hither_event** event) noexcept nogil
        hither_status (*array_synchronize)(const hither_array* array) noexcept nogil
        hither_status (*array_share)(const hither_array* array, hither_array** out) noexcept nogil
        void (*array_release)(hither_array* array) noexcept nogil
        hither_status (*module_load)(const char* code, size_t code_bytes, const char* name, hither_module** out) noexcept nogil
        hither_status (*module_launch)(const hither_module* module, const char* kernel, const hither_range* range, const hither_argument* arguments, size_t argument_count, const hither_launch* where, hither_event** event) noexcept nogil
        hither_status (*module_share)(const hither_module* module, hither_module** out) noexcept nogil
        void (*module_release)(hither_module* module) noexcept nogil
        hither_status (*kernel_build)(const hither_queue* queue, const hither_kernel_source* source, hither_kernel** out) noexcept nogil
        hither_status (*kernel_launch)(const hither_kernel* kernel, const hither_range* range, const hither_argument* arguments, size_t argument_count, const hither_launch* where, hither_event** event) noexcept nogil
        hither_status (*kernel_share)(const hither_kernel* kernel, hither_kernel** out) noexcept nogil
        void (*kernel_release)(hither_kernel* kernel) noexcept nogil
        hither_status (*host_task)(const hither_argument* arrays, size_t array_count, hither_host_function work, void* state, hither_free_function release, const hither_launch* where, hither_event** event) noexcept nogil
        hither_status (*stream_task)(const hither_argument* arrays, size_t array_count, hither_stream_function work, void* state, const hither_launch* where, hither_event** event) noexcept nogil
        hither_status (*device_from_object)(object value, hither_device** out) noexcept
        hither_status (*queue_from_object)(object value, hither_queue** out) noexcept
        hither_status (*context_from_object)(object value, hither_context** out) noexcept
        hither_status (*event_from_object)(object value, hither_event** out) noexcept
        hither_status (*memory_from_object)(object value, hither_memory** out) noexcept
        hither_status (*array_from_object)(object value, hither_array** out) noexcept
        hither_status (*array_convert)(object value, const hither_queue* queue, hither_array** out) noexcept
        hither_status (*dtype_from_object)(object value, hither_dtype* out) noexcept
        object (*device_to_object)(const hither_device* device)
        object (*context_to_object)(const hither_context* context)
        object (*queue_to_object)(const hither_queue* queue)
        object (*event_to_object)(const hither_event* event)
        object (*memory_to_object)(const hither_memory* memory)
        object (*array_to_object)(const hither_array* array)
        object (*dtype_to_object)(hither_dtype dtype)
        object (*usm_interface)(const hither_view* view, const hither_queue* queue)

cdef inline int hither_check(hither_status status) except -1 nogil:
    """Raises the exception for a status that is not HITHER_OK."""
    if status != HITHER_OK:
        with gil:
            hither_api.raise_error(status)
    return 0
