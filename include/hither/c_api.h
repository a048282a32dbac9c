/* hither's C API, for extension modules of Python in C, Cython or any language that calls C.
 *
 * An extension includes this header and links nothing: it calls hither_import() once, in its module
 * function, and then the functions of the table that hither_api points to. Functions are only added
 * to the table, and never change: an extension runs with the version of hither whose header it was
 * built with and with all later ones.
 *
 *   if (hither_import() != 0) return NULL;
 *   hither_queue* queue;
 *   hither_status status = hither_api->queue_select("gpu", 0, &queue);
 *   if (status != HITHER_OK) return hither_api->raise_error(status);
 *
 * Handles. hither_queue* and its like are owning handles of hither's objects. A function with a
 * parameter hither_X** returns a new handle, which the caller owns. X_share() makes another handle
 * of the same object, X_release() releases one; both are quick. Handles are immutable. Several
 * threads may use a handle at once, and any thread may release it, once; releasing NULL does
 * nothing. Other pointers are borrowed for the call unless documented otherwise.
 *
 * Errors. Functions return HITHER_OK or the kind of the error. After an error they have had no
 * effect, and outputs are unchanged. error_message() returns the message in this thread;
 * raise_error() sets it as a Python exception. Statuses correspond to hither::ErrorKind and
 * hither.errors.
 *
 * The GIL. Functions that take or return a PyObject* need it. Call all others without it
 * (Py_BEGIN_ALLOW_THREADS, nogil) unless they are marked "quick", because they may wait for work
 * that needs the GIL.
 *
 * Waiting. Work is submitted, and runs later or in the call. Only functions marked "blocks" wait
 * for its end. If the work failed, each of these calls returns its error. */
#pragma once

// NOLINTBEGIN(readability-identifier-naming): names of C

#include <Python.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Increased when extensions have to be rebuilt; so far never. */
#define HITHER_C_API_VERSION 1
#define HITHER_C_API_CAPSULE "hither._hither._C_API"
/* Dimensions that a hither_view has room for. Arrays have up to 32; functions that describe one
 * with more than 16 return HITHER_UNSUPPORTED_ERROR. */
#define HITHER_MAX_NDIM 16

typedef struct hither_device hither_device;
typedef struct hither_context hither_context;
typedef struct hither_queue hither_queue;
typedef struct hither_event hither_event;
typedef struct hither_memory hither_memory;
typedef struct hither_array hither_array;
typedef struct hither_kernel hither_kernel;
typedef struct hither_module hither_module;

typedef int32_t hither_status;
enum {
  HITHER_OK = 0,
  HITHER_VALUE_ERROR = 1,
  HITHER_TYPE_ERROR = 2,
  HITHER_INDEX_ERROR = 3,
  HITHER_OVERFLOW_ERROR = 4,
  HITHER_PLACEMENT_ERROR = 5,
  HITHER_MEMORY_ERROR = 6,
  HITHER_BUFFER_ERROR = 7,
  HITHER_DEVICE_ERROR = 8,
  HITHER_COMPILE_ERROR = 9,
  HITHER_KERNEL_ERROR = 10,
  HITHER_UNSUPPORTED_ERROR = 11,
  HITHER_PYTHON_ERROR = 12, /* a Python exception; it is set in this thread */
  HITHER_INTERNAL_ERROR = 13
};

typedef int32_t hither_dtype;
enum {
  HITHER_BOOL = 0,
  HITHER_INT8 = 1,
  HITHER_INT16 = 2,
  HITHER_INT32 = 3,
  HITHER_INT64 = 4,
  HITHER_UINT8 = 5,
  HITHER_UINT16 = 6,
  HITHER_UINT32 = 7,
  HITHER_UINT64 = 8,
  HITHER_FLOAT16 = 9,
  HITHER_FLOAT32 = 10,
  HITHER_FLOAT64 = 11,
  HITHER_COMPLEX64 = 12,
  HITHER_COMPLEX128 = 13,
  HITHER_BFLOAT16 = 14,
  HITHER_FLOAT8_E4M3FN = 15,
  HITHER_FLOAT8_E5M2 = 16
};

typedef int32_t hither_usm_type;
enum { HITHER_USM_DEVICE = 0, HITHER_USM_SHARED = 1, HITHER_USM_HOST = 2 };

typedef int32_t hither_device_type;
enum { HITHER_CPU = 0, HITHER_GPU = 1, HITHER_ACCELERATOR = 2 };

/* Properties of queues: 0 is in order, without profiling. */
enum { HITHER_OUT_OF_ORDER = 1, HITHER_PROFILING = 2 };

typedef int32_t hither_event_status;
enum { HITHER_SUBMITTED = 0, HITHER_RUNNING = 1, HITHER_COMPLETE = 2 };

/* Description of an array. */
typedef struct hither_view {
  void* data;       /* the element at index 0, 0, ...; NULL from array_describe() */
  int64_t size;     /* number of elements */
  int64_t itemsize; /* bytes of an element */
  int64_t shape[HITHER_MAX_NDIM];
  int64_t strides[HITHER_MAX_NDIM]; /* in elements; may be negative or 0 */
  int32_t ndim;
  hither_dtype dtype;
  hither_usm_type usm_type;
  int32_t read_only;    /* 1: the memory must not be written */
  int32_t c_contiguous; /* 1: elements lie in C order without gaps */
  int32_t reserved;
} hither_view;

typedef struct hither_pointer_info {
  void* base;               /* start of the allocation */
  size_t bytes;             /* of the allocation; PTRDIFF_MAX if unknown to the back end */
  hither_usm_type usm_type; /* -1: the context does not know the address, and nothing else is set */
  int32_t reserved;
} hither_pointer_info;

/* The work-items of a launch in 1 to 3 dimensions, of which the last is contiguous, and the
 * work-group size. With local[0] == 0 hither chooses the work-group size. */
typedef struct hither_range {
  int64_t size[3];
  int64_t local[3];
  int32_t dimensions;
  int32_t reserved;
} hither_range;

typedef int32_t hither_argument_kind;
enum {
  HITHER_ARRAY = 0,   /* the kernel or task may read and write it */
  HITHER_INPUT = 1,   /* an array that it only reads */
  HITHER_INTEGER = 2, /* also the bytes of a local memory parameter */
  HITHER_UNSIGNED = 3,
  HITHER_REAL = 4,
  HITHER_COMPLEX = 5
};

typedef union hither_value {
  const hither_array* array;
  int64_t integer;
  uint64_t unsigned_integer;
  double real;
  double parts[2]; /* real and imaginary */
} hither_value;

typedef struct hither_argument {
  hither_value value;
  hither_argument_kind kind;
  int32_t reserved;
} hither_argument;

/* Types of a kernel's parameters, as in hither::KernelParameter. */
typedef int32_t hither_parameter;
enum {
  HITHER_POINTER_PARAMETER = 0,
  HITHER_INT8_PARAMETER = 1,
  HITHER_INT16_PARAMETER = 2,
  HITHER_INT32_PARAMETER = 3,
  HITHER_INT64_PARAMETER = 4,
  HITHER_FLOAT16_PARAMETER = 5,
  HITHER_FLOAT32_PARAMETER = 6,
  HITHER_FLOAT64_PARAMETER = 7,
  HITHER_COMPLEX64_PARAMETER = 8,
  HITHER_COMPLEX128_PARAMETER = 9,
  HITHER_LOCAL_BYTES_PARAMETER = 10
};

/* A kernel as LLVM IR, text or bitcode; <hither/launch.h> describes its form. */
typedef struct hither_kernel_source {
  const char* entry;
  const char* code;
  size_t code_bytes;
  const hither_parameter* parameters;
  size_t parameter_count;
  int64_t local_size[3];     /* of a kernel with barriers or local memory; else 0 */
  int32_t independent_items; /* 1: no item touches memory that another one writes */
  int32_t reserved;
} hither_kernel_source;

/* The queue and dependencies of a launch or task. With NULL in place of it, the work runs on the
 * common queue of its arrays, after their pending work alone. */
typedef struct hither_launch {
  const hither_queue* queue; /* NULL: the queue of the arrays */
  const hither_event* const* depends_on;
  size_t depends_on_count;
} hither_launch;

/* A function of the extension that a queue runs on the host. It is called without the GIL, which it
 * may take. `data` holds the address of each array. Any result except 0 is a failure, whose text
 * `message` then points to. */
typedef int (*hither_host_function)(void* state, void* const* data, const char** message);
/* A function of the extension that submits work to a CUstream; `data` and the result are as above.
 */
typedef int (*hither_stream_function)(void* state, void* stream, void* const* data,
                                      const char** message);
/* Frees `state`, once, in any thread. It must not take the GIL. */
typedef void (*hither_free_function)(void* state);

#include <hither/c_api_table.h>

#ifdef __cplusplus
/* One for the whole extension. */
__attribute__((visibility("hidden"))) inline const hither_table* hither_api = nullptr;
#else
/* One for each file that includes this header. */
static const hither_table* hither_api __attribute__((unused));
#endif

/* Finds the table; call it in the module function, in each file in C. Needs the GIL. Returns 0, or
 * -1 with ImportError set if hither is not installed or is older than this header. */
__attribute__((unused)) static inline int hither_import(void) {
  const hither_table* table = (const hither_table*)PyCapsule_Import(HITHER_C_API_CAPSULE, 0);
  if (!table) {
    if (!PyErr_ExceptionMatches(PyExc_ImportError)) {
      PyErr_Clear();
      PyErr_SetString(PyExc_ImportError, "this hither is too old to have a C API; upgrade hither");
    }
    return -1;
  }
  if (table->version != HITHER_C_API_VERSION || table->bytes < sizeof(hither_table)) {
    PyErr_Format(
        PyExc_ImportError,
        "this extension needs version %d of hither's C API with a table of %zu bytes; hither "
        "%s has version %d with %zu: install a newer hither, or build the extension again",
        HITHER_C_API_VERSION, sizeof(hither_table), table->library_version, (int)table->version,
        (size_t)table->bytes);
    return -1;
  }
  hither_api = table;
  return 0;
}

/* Arguments of kernels. */
static inline hither_argument hither_array_argument(const hither_array* array) {
  hither_argument a;
  a.value.array = array;
  a.kind = HITHER_ARRAY;
  a.reserved = 0;
  return a;
}
static inline hither_argument hither_input_argument(const hither_array* array) {
  hither_argument a = hither_array_argument(array);
  a.kind = HITHER_INPUT;
  return a;
}
static inline hither_argument hither_integer_argument(int64_t number) {
  hither_argument a;
  a.value.integer = number;
  a.kind = HITHER_INTEGER;
  a.reserved = 0;
  return a;
}
static inline hither_argument hither_real_argument(double number) {
  hither_argument a;
  a.value.real = number;
  a.kind = HITHER_REAL;
  a.reserved = 0;
  return a;
}

/* A range of work-items with a work-group size of hither's choice; sizes beyond `dimensions` are
 * not read. */
static inline hither_range hither_items(int32_t dimensions, int64_t n0, int64_t n1, int64_t n2) {
  hither_range r = {{n0, 1, 1}, {0, 0, 0}, 1, 0};
  r.dimensions = dimensions;
  if (dimensions > 1) r.size[1] = n1;
  if (dimensions > 2) r.size[2] = n2;
  return r;
}

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)
