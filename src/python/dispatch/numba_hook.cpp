// _numba_hook redirects calls of Numba's functions to their offloaded versions while a device
// context is open in the calling thread or task. It replaces the call slot of Numba's class of
// compiled functions, so that it also applies to functions that were made before. A call outside
// contexts costs one additional load.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "launch/function_memory.h"
#include "launch/index_check.h"
#include "launch/offload_call.h"
#include "python/dispatch/offload_api.h"

// Every CPython exports these; the headers of the stable ABI leave them out.
extern "C" {
PyAPI_FUNC(int) PyContextVar_Get(PyObject* variable, PyObject* fallback, PyObject** value);
PyAPI_FUNC(int) PyGILState_Check(void);
}

namespace {

using hither::launch::OffloadCall;
using hither::python::OffloadApi;
using hither::python::OffloadContext;

const OffloadApi* api = nullptr;
PyTypeObject* hooked_type = nullptr;
ternaryfunc numba_call = nullptr;
PyObject* prepare = nullptr;          // hither._offload.sibling.prepare
PyObject* region_failed = nullptr;    // hither._offload.hook.RegionFailed
PyObject* adopt_results = nullptr;    // hither._offload.results.adopt_results
PyObject* warn_of_regions = nullptr;  // hither._offload.serial_loops.warn_of_regions
PyObject* versions_name = nullptr;
PyObject* names_dparray = nullptr;

// A new reference to the version to call instead of `dispatcher`, or to None. The attribute holds
// the version for each on_serial mode that has been used, and Ellipsis for the others.
PyObject* version_for(PyObject* dispatcher, int on_serial) {
  PyObject* versions = PyObject_GetAttr(dispatcher, versions_name);
  if (!versions) return nullptr;
  PyObject* version = Py_Ellipsis;
  if (versions != Py_None) version = PyTuple_GetItem(versions, on_serial);
  Py_XINCREF(version);
  Py_DECREF(versions);
  if (version != Py_Ellipsis) return version;
  Py_DECREF(version);
  return PyObject_CallFunction(prepare, "Oi", dispatcher, on_serial);
}

// Releases the GIL for a scope if this thread holds it and host tasks in Python are pending. Those
// need the GIL, so that waiting with it would be a deadlock.
class GilReleased {
 public:
  GilReleased() {
    if (api->python_work->load(std::memory_order_relaxed) == 0 || !PyGILState_Check()) return;
    line_ = api->remember_line();
    api->count_as_without_gil(true);
    state_ = PyEval_SaveThread();
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    if (!state_) return;
    api->count_as_without_gil(false);
    PyEval_RestoreThread(state_);
    if (line_) api->forget_line();
  }

 private:
  PyThreadState* state_ = nullptr;
  bool line_ = false;
};

bool is_dparray(PyObject* object) {
  PyObject* const type = *api->dparray_type;
  return type && PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject*>(type));
}

bool has_dparray(PyObject* args, PyObject* kwargs) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(args); ++i)
    if (is_dparray(PyTuple_GetItem(args, i))) return true;
  PyObject *name, *value;
  for (Py_ssize_t at = 0; kwargs && PyDict_Next(kwargs, &at, &name, &value);)
    if (is_dparray(value)) return true;
  return false;
}

// Whether the arrays that a call makes and returns are dparrays; -1 with an exception set.
int returns_dparrays(const OffloadContext& context, PyObject* version, PyObject* args,
                     PyObject* kwargs) {
  if (context.dparray_results || has_dparray(args, kwargs)) return 1;
  PyObject* const named = PyObject_GetAttr(version, names_dparray);
  if (!named) return -1;
  const int result = PyObject_IsTrue(named);
  Py_DECREF(named);
  return result;
}

// Calls warn_of_regions(regions) unless there are none. False with an exception set, because
// warnings may be errors.
bool warn_of(const std::vector<int64_t>& regions) {
  if (regions.empty()) return true;
  PyObject* const list = PyList_New(0);
  bool done = list != nullptr;
  for (size_t i = 0; done && i < regions.size(); ++i) {
    PyObject* const region = PyLong_FromLongLong(regions[i]);
    done = region && PyList_Append(list, region) == 0;
    Py_XDECREF(region);
  }
  PyObject* const result =
      done ? PyObject_CallFunctionObjArgs(warn_of_regions, list, nullptr) : nullptr;
  Py_XDECREF(result);
  Py_XDECREF(list);
  return result != nullptr;
}

PyObject* call_offloaded(PyObject* version, const OffloadContext& context, PyObject* args,
                         PyObject* kwargs) {
  const int dparrays = returns_dparrays(context, version, args, kwargs);
  if (dparrays < 0) return nullptr;
  std::optional<OffloadCall> call(std::in_place, *context.queue, context.keep_below, dparrays != 0);
  PyObject* result = numba_call(version, args, kwargs);
  std::optional<hither::Error> error;
  if (!result && PyErr_ExceptionMatches(region_failed)) error = call->take_error();
  const std::vector<int64_t> in_order = call->take_in_order();
  {
    const GilReleased release;
    call.reset();  // copies the results of regions to the host
  }
  if (error) {
    PyErr_Clear();
    api->raise(*error);
  }
  if (result && !warn_of(in_order)) Py_CLEAR(result);
  if (!result || !dparrays) return result;
  PyObject* const adopted = PyObject_CallFunctionObjArgs(adopt_results, result, nullptr);
  Py_DECREF(result);
  return adopted;
}

PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (api->open_contexts->load(std::memory_order_relaxed) == 0 || Py_TYPE(self) != hooked_type)
    return numba_call(self, args, kwargs);
  PyObject* open_context = nullptr;
  if (PyContextVar_Get(api->variable, nullptr, &open_context) < 0) return nullptr;
  if (open_context == Py_None) {
    Py_DECREF(open_context);
    return numba_call(self, args, kwargs);
  }
  const OffloadContext context = api->context_of(open_context);
  PyObject* result = nullptr;
  PyObject* version = context.queue ? version_for(self, context.on_serial) : Py_NewRef(Py_None);
  if (version == Py_None)
    result = numba_call(self, args, kwargs);
  else if (version)
    result = call_offloaded(version, context, args, kwargs);
  Py_XDECREF(version);
  Py_DECREF(open_context);
  return result;
}

// Called by compiled host code, with the GIL or without it.
int32_t launch(std::atomic<hither::launch::Region*>* handle, int64_t id, const int64_t* extents,
               uint64_t* slots, int32_t mode) noexcept {
  const GilReleased release;
  return hither::launch::launch_region(handle, id, extents, slots, mode);
}

// Called by compiled host code before a launch; see launch::indices_may_repeat.
int32_t indices_may_repeat(const char* data, int64_t size, int64_t stride, int32_t item_bytes,
                           int64_t first, int64_t step, int64_t count, int64_t extent) noexcept {
  const GilReleased release;
  return hither::launch::indices_may_repeat({data, size, stride, item_bytes}, {first, step, count},
                                            extent);
}

// Called by compiled host code to copy the results of regions to the host.
void flush() noexcept {
  const GilReleased release;
  OffloadCall::flush_arrays();
}

// Functions of Numba's runtime: meminfo = allocate(bytes, alignment), manage(data, destructor).
void* (*numba_allocate)(size_t, unsigned) = nullptr;
void* (*numba_manage)(void*, void (*)(void*)) = nullptr;

// Called by compiled host code for each array that it makes.
void* allocate(size_t bytes, unsigned alignment) noexcept {
  namespace launch = hither::launch;
  if (launch::host_allocates(bytes)) return numba_allocate(bytes, alignment);
  void* const data = [&] {
    const GilReleased release;
    return launch::allocate_for_function(bytes, alignment);
  }();
  return data ? numba_manage(data, launch::free_of_function) : nullptr;
}

PyObject* use_numba_memory(PyObject*, PyObject* args) {
  unsigned long long allocate_at, api_at;
  if (!PyArg_ParseTuple(args, "KK", &allocate_at, &api_at)) return nullptr;
  numba_allocate = reinterpret_cast<decltype(numba_allocate)>(allocate_at);
  // NRT_api_functions: manage_memory is the third.
  numba_manage = reinterpret_cast<decltype(numba_manage)>(reinterpret_cast<void**>(api_at)[2]);
  Py_RETURN_NONE;
}

PyObject* allocate_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&allocate));
}

// The address of the call slot in a type, found by its value because types are opaque in the stable
// ABI. Null if it is not found.
ternaryfunc* call_slot(PyTypeObject* type) {
  constexpr ptrdiff_t kWords = 40;  // fewer than a type has
  auto** words = reinterpret_cast<void**>(type);
  auto** found = std::find(words, words + kWords, PyType_GetSlot(type, Py_tp_call));
  return found == words + kWords ? nullptr : reinterpret_cast<ternaryfunc*>(found);
}

PyObject* install(PyObject*, PyObject* args) {
  PyObject *type, *capsule, *prepare_function, *failure, *adopt, *warn;
  if (!PyArg_ParseTuple(args, "O!OOOOO", &PyType_Type, &type, &capsule, &prepare_function, &failure,
                        &adopt, &warn))
    return nullptr;
  const void* lent = PyCapsule_GetPointer(capsule, OffloadApi::kName);
  if (!lent) return nullptr;
  if (hooked_type) Py_RETURN_NONE;
  auto* class_to_hook = reinterpret_cast<PyTypeObject*>(type);
  ternaryfunc* slot = call_slot(class_to_hook);
  if (!slot) {
    PyErr_SetString(PyExc_SystemError, "Numba's functions have no call slot that can be replaced");
    return nullptr;
  }
  versions_name = PyUnicode_InternFromString("_hither_versions");
  names_dparray = PyUnicode_InternFromString("names_dparray");
  if (!versions_name || !names_dparray || PyObject_SetAttr(type, versions_name, Py_None) < 0)
    return nullptr;
  api = static_cast<const OffloadApi*>(lent);
  prepare = Py_NewRef(prepare_function);
  region_failed = Py_NewRef(failure);
  adopt_results = Py_NewRef(adopt);
  warn_of_regions = Py_NewRef(warn);
  hooked_type = class_to_hook;
  Py_INCREF(type);
  numba_call = *slot;
  *slot = call;
  PyType_Modified(hooked_type);
  Py_RETURN_NONE;
}

PyObject* launch_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&launch));
}

PyObject* indices_may_repeat_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&indices_may_repeat));
}

PyObject* count_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&hither::launch::count_small_region));
}

PyObject* flush_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&flush));
}

PyMethodDef methods[] = {
    {"install", install, METH_VARARGS,
     "install(type, offload_api, prepare, failure, adopt, warn): redirects calls of instances\n"
     "of exactly `type` to the object that prepare(instance, on_serial) returns, unless that\n"
     "is None. An exception of class `failure` becomes the error of the region that failed. If\n"
     "new arrays are to be dparrays, the result of a call is adopt(result). warn(regions) gets\n"
     "the regions that ran in order because their iterations might have accessed the same\n"
     "elements."},
    {"launch_address", launch_address, METH_NOARGS,
     "Address of the function by which compiled host code launches a region."},
    {"indices_may_repeat_address", indices_may_repeat_address, METH_NOARGS,
     "Address of the function by which compiled host code checks that indices are distinct."},
    {"count_address", count_address, METH_NOARGS,
     "Address of the function by which compiled host code counts a region that it runs itself."},
    {"flush_address", flush_address, METH_NOARGS,
     "Address of the function by which compiled host code copies the results of regions to the\n"
     "host after it has caught an exception."},
    {"use_numba_memory", use_numba_memory, METH_VARARGS,
     "use_numba_memory(allocate_aligned, api): addresses of functions of Numba's runtime."},
    {"allocate_address", allocate_address, METH_NOARGS,
     "Address of the function by which compiled host code allocates arrays."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_numba_hook",
                          "The call slot of Numba's functions. Private.",
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): Python looks for it.
PyMODINIT_FUNC PyInit__numba_hook() { return PyModule_Create(&definition); }
