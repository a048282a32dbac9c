/* The functions of hither's C API; include <hither/c_api.h>, which states the rules for all of
 * them. Members are only added, at the end. */
#pragma once

// NOLINTBEGIN(readability-identifier-naming): names of C

typedef struct hither_table {
  uint32_t version;            /* HITHER_C_API_VERSION of the library */
  uint32_t bytes;              /* size of its table */
  const char* library_version; /* "0.2.0"; the string that hither::version() returns */

  /* -- errors */

  /* The message of this thread's last failed call, "where: message". Valid until the next failure
   * in this thread. Quick. */
  const char* (*error_message)(void);
  /* Sets the exception of hither.errors for `status` with that message, or keeps a Python exception
   * that is already set. Returns NULL, so that `return hither_api->raise_error(status);` works. */
  PyObject* (*raise_error)(hither_status status);
  /* The same for an error of the extension: `where` names the function or argument, `message`
   * describes the fault and its remedy. Needs the GIL, returns NULL. */
  PyObject* (*raise_new)(hither_status status, const char* where, const char* message);

  /* -- devices: hither::Device. All quick, except the first call, which looks for devices. */

  /* The first device that a filter string matches ("gpu", "opencl:cpu:0"). NULL selects the default
   * device: HITHER_DEVICE, else SYCL's default. */
  hither_status (*device_select)(const char* filter, hither_device** out);
  /* Every root device: handles for the first `room` of them, and their total number. */
  hither_status (*device_list)(hither_device** out, size_t room, size_t* count);
  /* "native_cpu:cpu:0"; borrowed from the device. */
  const char* (*device_filter_string)(const hither_device* device);
  hither_device_type (*device_type)(const hither_device* device);
  /* 1 or 0 for a SYCL aspect by name ("fp64"). */
  hither_status (*device_has)(const hither_device* device, const char* aspect, int* out);
  /* A SYCL descriptor that is a number or a bool ("max_compute_units"). HITHER_TYPE_ERROR for
   * others. */
  hither_status (*device_info)(const hither_device* device, const char* name, int64_t* out);
  /* 1 or 0. Handles of the same device may be different pointers. */
  int (*device_equal)(const hither_device* a, const hither_device* b);
  hither_status (*device_share)(const hither_device* device, hither_device** out);
  void (*device_release)(hither_device* device);

  /* -- contexts: hither::Context. Quick. */

  /* The default context of the device. */
  hither_status (*context_default)(const hither_device* device, hither_context** out);
  /* A new context for devices of one platform. */
  hither_status (*context_create)(const hither_device* const* devices, size_t count,
                                  hither_context** out);
  int (*context_equal)(const hither_context* a, const hither_context* b);
  /* The sycl::context of the context, NULL if the back end is not SYCL's. It lives as long as the
   * context. */
  hither_status (*context_native)(const hither_context* context, const void** out);
  /* The context for another library's sycl::context, which is copied. */
  hither_status (*context_adopt_native)(const void* sycl_context, hither_context** out);
  hither_status (*context_share)(const hither_context* context, hither_context** out);
  void (*context_release)(hither_context* context);

  /* -- queues: hither::Queue */

  /* A new queue on the device that a filter string selects, as device_select(), with properties:
   * HITHER_OUT_OF_ORDER, HITHER_PROFILING, their sum, or 0. Quick. */
  hither_status (*queue_select)(const char* filter, int32_t properties, hither_queue** out);
  /* The same on a device; context NULL: its default context. Quick. */
  hither_status (*queue_create)(const hither_context* context, const hither_device* device,
                                int32_t properties, hither_queue** out);
  /* The default queue of a device, the same at each call; NULL: of the default device. Quick. */
  hither_status (*queue_default)(const hither_device* device, hither_queue** out);
  hither_status (*queue_device)(const hither_queue* queue, hither_device** out);   /* quick */
  hither_status (*queue_context)(const hither_queue* queue, hither_context** out); /* quick */
  int32_t (*queue_properties)(const hither_queue* queue);                          /* quick */
  int (*queue_equal)(const hither_queue* a, const hither_queue* b);                /* quick */
  /* 1 if context, device and properties are the same: arrays of the two queues may be combined.
   * Quick. */
  int (*queue_equivalent)(const hither_queue* a, const hither_queue* b);
  /* Blocks until all submitted work has ended. Returns the first error that no wait has returned
   * yet. */
  hither_status (*queue_wait)(const hither_queue* queue);
  /* In the next functions `out` receives the event of the submission, unless it is NULL; depends_on
   * names `count` events that end before it runs. */
  /* An event that is complete when all work submitted so far is. */
  hither_status (*queue_barrier)(const hither_queue* queue, const hither_event* const* depends_on,
                                 size_t count, hither_event** out);
  /* Copies bytes between USM or host memory. Both have to live until the copy has ended. */
  hither_status (*queue_copy)(const hither_queue* queue, void* target, const void* source,
                              size_t bytes, const hither_event* const* depends_on, size_t count,
                              hither_event** out);
  /* Repeats a pattern of 1, 2, 4, 8 or 16 bytes. */
  hither_status (*queue_fill)(const hither_queue* queue, void* target, const void* pattern,
                              size_t pattern_bytes, size_t repeats,
                              const hither_event* const* depends_on, size_t count,
                              hither_event** out);
  hither_status (*queue_prefetch)(const hither_queue* queue, const void* address, size_t bytes,
                                  const hither_event* const* depends_on, size_t count,
                                  hither_event** out);
  /* The sycl::queue of the queue, NULL if the back end is not SYCL's. It lives as long as the
   * queue. From now on hither's work is ordered with the commands of other libraries. */
  hither_status (*queue_native)(const hither_queue* queue, const void** out);
  /* The CUstream of its tasks, NULL if the back end is not CUDA. Quick. */
  hither_status (*queue_stream)(const hither_queue* queue, void** out);
  /* The queue for another library's sycl::queue, which is copied. */
  hither_status (*queue_adopt_native)(const void* sycl_queue, hither_queue** out);
  hither_status (*queue_share)(const hither_queue* queue, hither_queue** out);
  void (*queue_release)(hither_queue* queue);

  /* -- events: hither::Event */

  hither_status (*event_wait)(const hither_event* event); /* blocks; the task's error */
  hither_status (*event_status)(const hither_event* event, hither_event_status* out); /* quick */
  /* Nanoseconds on the device's clock. The queue needs HITHER_PROFILING. Blocks. */
  hither_status (*event_profiling)(const hither_event* event, uint64_t* submit, uint64_t* start,
                                   uint64_t* end);
  hither_status (*event_share)(const hither_event* event, hither_event** out);
  void (*event_release)(hither_event* event);

  /* -- USM: hither::Memory. It is returned after its last handle, array and task. */

  /* Uninitialised; alignment 0: 64 bytes. */
  hither_status (*memory_allocate)(const hither_queue* queue, size_t bytes, hither_usm_type type,
                                   size_t alignment, hither_memory** out);
  /* Memory of another owner: release(owner) is called after the last use. */
  hither_status (*memory_adopt)(const hither_queue* queue, void* data, size_t bytes,
                                hither_usm_type type, hither_free_function release, void* owner,
                                hither_memory** out);
  void* (*memory_data)(const hither_memory* memory);               /* quick */
  size_t (*memory_bytes)(const hither_memory* memory);             /* quick */
  hither_usm_type (*memory_usm_type)(const hither_memory* memory); /* quick */
  int (*memory_host_accessible)(const hither_memory* memory); /* quick; 1: host code may touch it */
  hither_status (*memory_queue)(const hither_memory* memory, hither_queue** out); /* quick */
  /* Delays the memory's return until this event has ended: for work of the extension. Quick. */
  hither_status (*memory_release_after)(const hither_memory* memory, const hither_event* event);
  hither_status (*memory_share)(const hither_memory* memory, hither_memory** out);
  void (*memory_release)(hither_memory* memory);
  /* The allocation of an address in a context. Quick. */
  hither_status (*pointer_query)(const void* pointer, const hither_context* context,
                                 hither_pointer_info* out);

  /* -- arrays: hither::Array. Lazy: values are computed when they are read. */

  /* Uninitialised. */
  hither_status (*array_empty)(const hither_queue* queue, hither_dtype dtype, int32_t ndim,
                               const int64_t* shape, hither_usm_type type, hither_array** out);
  /* Over existing memory; strides in elements, NULL: C order. */
  hither_status (*array_from_memory)(const hither_memory* memory, int64_t offset_bytes,
                                     hither_dtype dtype, int32_t ndim, const int64_t* shape,
                                     const int64_t* strides, const hither_queue* queue,
                                     int32_t read_only, hither_array** out);
  /* A copy of host memory; strides in *bytes*, NULL: C order. Blocks. */
  hither_status (*array_from_host)(const void* data, hither_dtype dtype, int32_t ndim,
                                   const int64_t* shape, const int64_t* strides,
                                   const hither_queue* queue, hither_usm_type type,
                                   hither_array** out);
  /* Copies the elements to C-contiguous host memory. Blocks. */
  hither_status (*array_to_host)(const hither_array* array, void* out);
  /* The array itself if dtype, or queue and USM type, are the same; else a copy. */
  hither_status (*array_astype)(const hither_array* array, hither_dtype dtype, hither_array** out);
  hither_status (*array_to_queue)(const hither_array* array, const hither_queue* queue,
                                  hither_usm_type type, hither_array** out);
  /* A copy in new memory, C order. */
  hither_status (*array_copy)(const hither_array* array, hither_array** out);
  /* A view; strides and offset in elements. It has to stay inside the array. Quick. */
  hither_status (*array_strided)(const hither_array* array, int32_t ndim, const int64_t* shape,
                                 const int64_t* strides, int64_t offset, hither_array** out);
  /* target[...] = source, broadcast and cast. */
  hither_status (*array_assign)(const hither_array* target, const hither_array* source);
  /* Describes the array without computing it: data is NULL. Quick. */
  hither_status (*array_describe)(const hither_array* array, hither_view* out);
  /* The same with the address, which is valid while a handle of the array exists. The computation
   * of the array has been submitted; `event`, if not NULL, is complete when all work submitted to
   * the array's queue so far has ended. The array is no longer lazy. Other work of the extension on
   * the memory has to wait for the event, and the extension has to wait for that work before hither
   * uses the array again. module_launch(), kernel_launch() and host_task() need no address and are
   * ordered by hither. */
  hither_status (*array_view)(const hither_array* array, hither_view* out, hither_event** event);
  /* The same for host code: blocks until the host may read and write the memory.
   * HITHER_BUFFER_ERROR if the host cannot access it. */
  hither_status (*array_host_view)(const hither_array* array, hither_view* out);
  hither_status (*array_queue)(const hither_array* array, hither_queue** out); /* quick */
  /* Submits the pending work; never fails for a failed task. `event` may be NULL. */
  hither_status (*array_evaluate)(const hither_array* array, hither_event** event);
  hither_status (*array_synchronize)(const hither_array* array); /* blocks; the value's error */
  hither_status (*array_share)(const hither_array* array, hither_array** out);
  void (*array_release)(hither_array* array);

  /* -- work over arrays, after their pending work, on their queue or where.queue. `where` may be
   * NULL. For invalid arguments nothing is submitted: HITHER_VALUE_ERROR, HITHER_TYPE_ERROR,
   * HITHER_PLACEMENT_ERROR. */

  /* Kernels that hither_add_kernels() compiled from C++, or LLVM IR of the same form; `name` is
   * used in messages. */
  hither_status (*module_load)(const char* code, size_t code_bytes, const char* name,
                               hither_module** out);
  hither_status (*module_launch)(const hither_module* module, const char* kernel,
                                 const hither_range* range, const hither_argument* arguments,
                                 size_t argument_count, const hither_launch* where,
                                 hither_event** event);
  hither_status (*module_share)(const hither_module* module, hither_module** out);
  void (*module_release)(hither_module* module);
  /* Compiles for the queue's device; equal sources are compiled once. Blocks. */
  hither_status (*kernel_build)(const hither_queue* queue, const hither_kernel_source* source,
                                hither_kernel** out);
  hither_status (*kernel_launch)(const hither_kernel* kernel, const hither_range* range,
                                 const hither_argument* arguments, size_t argument_count,
                                 const hither_launch* where, hither_event** event);
  hither_status (*kernel_share)(const hither_kernel* kernel, hither_kernel** out);
  void (*kernel_release)(hither_kernel* kernel);
  /* Calls work(state, data, message) on the host: on one of hither's threads, or in this call.
   * Arrays are of kind HITHER_ARRAY or HITHER_INPUT; there may be none if a queue is given.
   * `release` (or NULL) frees state afterwards, also if the task is refused. HITHER_BUFFER_ERROR
   * for arrays that the host cannot access. */
  hither_status (*host_task)(const hither_argument* arrays, size_t array_count,
                             hither_host_function work, void* state, hither_free_function release,
                             const hither_launch* where, hither_event** event);

  /* Calls work(state, stream, data, message) in this call, so that it can submit library work. On
   * CUDA devices `stream` is the CUstream of the queue, whose context is current meanwhile; on SYCL
   * devices it points to the sycl::queue. The work runs after the arrays' pending work and before
   * their later uses. Arrays are dense, in C order. HITHER_UNSUPPORTED_ERROR on the built-in CPU
   * device. */
  hither_status (*stream_task)(const hither_argument* arrays, size_t array_count,
                               hither_stream_function work, void* state, const hither_launch* where,
                               hither_event** event);

  /* -- Python's objects: all with the GIL. X_to_object() returns a new reference, or NULL with an
   * exception set. */

  /* Accept the same objects as hither's arguments device= and queue=: hither's and dpctl's objects,
   * filter strings, capsules. None gives that of the innermost device context, else the default. */
  hither_status (*device_from_object)(PyObject* object, hither_device** out);
  hither_status (*queue_from_object)(PyObject* object, hither_queue** out);
  /* Accepts hither's and dpctl's contexts, their capsules, and queues, whose context it returns. */
  hither_status (*context_from_object)(PyObject* object, hither_context** out);
  hither_status (*event_from_object)(PyObject* object, hither_event** out);   /* hither.Event */
  hither_status (*memory_from_object)(PyObject* object, hither_memory** out); /* hither.Memory */
  /* Accepts a hither.Array, or any object with __sycl_usm_array_interface__ (or
   * __cuda_array_interface__, if there are CUDA devices), whose memory the array shares; the handle
   * keeps the object alive. Each field of the interface is checked; an error names it.
   * HITHER_TYPE_ERROR for anything else: array_convert() copies. */
  hither_status (*array_from_object)(PyObject* object, hither_array** out);
  /* hither.asarray(object, queue=queue): host memory is copied. queue may be NULL. */
  hither_status (*array_convert)(PyObject* object, const hither_queue* queue, hither_array** out);
  /* Accepts the same objects as dtype=: NumPy's dtypes, names. */
  hither_status (*dtype_from_object)(PyObject* object, hither_dtype* out);
  PyObject* (*device_to_object)(const hither_device* device);
  PyObject* (*context_to_object)(const hither_context* context);
  PyObject* (*queue_to_object)(const hither_queue* queue);
  PyObject* (*event_to_object)(const hither_event* event);
  PyObject* (*memory_to_object)(const hither_memory* memory);
  PyObject* (*array_to_object)(const hither_array* array);
  PyObject* (*dtype_to_object)(hither_dtype dtype);
  /* The dict of __sycl_usm_array_interface__ for a view: for the extension's own types. */
  PyObject* (*usm_interface)(const hither_view* view, const hither_queue* queue);
} hither_table;

// NOLINTEND(readability-identifier-naming)
