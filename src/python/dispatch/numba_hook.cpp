// _numba_hook: calls of Numba's functions go to their offloaded versions while a device context is
// open in the calling thread or task. It takes the place of the call slot of Numba's class for
// compiled functions, so that functions which were made before it was installed go through it too,
// and a call outside of contexts costs one load more than it did.
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

// A new reference to what is to be called instead of `dispatcher`, or to None. The attribute holds
// one object for each on_serial mode that has been used, and Ellipsis for the others.
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

// Ends the scope without the GIL, if the thread holds it and there is work in Python that queues
// may have to run first: it could never get the GIL.
class GilReleased {
 public:
  GilReleased()
      : state_(api->python_work->load(std::memory_order_relaxed) != 0 && PyGILState_Check()
                   ? PyEval_SaveThread()
                   : nullptr) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    if (state_) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
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

// Whether arrays that a call makes and returns are dparrays; -1 with an exception.
int returns_dparrays(const OffloadContext& context, PyObject* version, PyObject* args,
                     PyObject* kwargs) {
  if (context.dparray_results || has_dparray(args, kwargs)) return 1;
  PyObject* const named = PyObject_GetAttr(version, names_dparray);
  if (!named) return -1;
  const int result = PyObject_IsTrue(named);
  Py_DECREF(named);
  return result;
}

// warn_of_regions(regions), if there are any. False with an exception: a warning may be one.
bool warn_of(const std::vector<int64_t>& regions) {
  if (regions.empty()) return true;
  PyObject* const list = PyList_New(0);
  bool done = list != nullptr;
  for (size_t i = 0; done && i < regions.size(); ++i) {
    PyObject* const region = PyLong_FromLongLong(regions[i]);
    done = region && PyList_Append(list, region) == 0;
    Py_XDECREF(region);
  }
  PyObject* const told =
      done ? PyObject_CallFunctionObjArgs(warn_of_regions, list, nullptr) : nullptr;
  Py_XDECREF(told);
  Py_XDECREF(list);
  return told != nullptr;
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
    call.reset();  // gets what regions wrote
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

// The same, before a launch; see launch::indices_may_repeat.
int32_t indices_meet(const char* data, int64_t size, int64_t stride, int32_t item_bytes,
                     int64_t first, int64_t step, int64_t count, int64_t extent) noexcept {
  const GilReleased release;
  return hither::launch::indices_may_repeat({data, size, stride, item_bytes}, {first, step, count},
                                            extent);
}

// The same: what regions wrote comes back.
void flush() noexcept {
  const GilReleased release;
  OffloadCall::flush_arrays();
}

// Of Numba's runtime: meminfo = allocate(bytes, alignment), manage(data, destructor).
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

// Types are opaque in the stable ABI: the word of one that holds its call slot. Null if there is
// none.
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

PyObject* indices_meet_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&indices_meet));
}

PyObject* flush_address(PyObject*, PyObject*) {
  return PyLong_FromVoidPtr(reinterpret_cast<void*>(&flush));
}

PyMethodDef methods[] = {
    {"install", install, METH_VARARGS,
     "install(type, offload_api, prepare, failure, adopt, warn): from now on calls of instances\n"
     "of exactly `type` are calls of what prepare(instance, on_serial) returns, if that is not\n"
     "None. A `failure` that they raise becomes the error of the region that failed. Where\n"
     "arrays that they make are to be dparrays, their result is adopt(result). Regions that ran\n"
     "in order because their iterations might have met are given to warn(regions)."},
    {"launch_address", launch_address, METH_NOARGS,
     "Address of the function by which compiled host code launches a region."},
    {"indices_meet_address", indices_meet_address, METH_NOARGS,
     "Address of the function by which compiled host code asks whether indices are distinct."},
    {"flush_address", flush_address, METH_NOARGS,
     "Address of the function by which compiled host code that has caught an exception gets what\n"
     "regions wrote."},
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

PyMODINIT_FUNC PyInit__numba_hook() { return PyModule_Create(&definition); }
