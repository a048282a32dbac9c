#include "python/convert/numpy_memory.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include <hither/error.h>
#include <hither/memory.h>

#include "python/convert/array_object.h"
#include "python/convert/usm_interface.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

namespace hither::python {
namespace {

// The allocations of one handler, by address. Thread-safe, because NumPy frees from any thread.
class UsmHeap {
 public:
  explicit UsmHeap(Queue queue) : queue_(std::move(queue)) {}
  const Queue& queue() const noexcept { return queue_; }

  // nullptr if memory is exhausted: NumPy then raises MemoryError.
  void* allocate(size_t bytes) noexcept try {
    Memory memory(queue_, bytes, UsmType::kShared);
    void* data = memory.data();
    const std::lock_guard lock(mutex_);
    live_.emplace(data, std::move(memory));
    return data;
  } catch (const std::exception&) {
    return nullptr;
  }

  void release(void* data) noexcept {
    Memory last;  // released after the lock
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(data);
    if (found == live_.end()) return;
    last = std::move(found->second);
    live_.erase(found);
  }

  void* reallocate(void* data, size_t bytes) noexcept {
    void* larger = allocate(bytes);
    if (!larger) return nullptr;
    if (data) std::memcpy(larger, data, std::min(bytes, bytes_of(data)));
    release(data);
    return larger;
  }

 private:
  size_t bytes_of(void* data) {
    const std::lock_guard lock(mutex_);
    return live_.at(data).bytes();
  }

  Queue queue_;
  std::mutex mutex_;
  std::unordered_map<void*, Memory> live_;
};

constexpr const char* kCapsule = "mem_handler";  // the name that NumPy requires

UsmHeap& heap(void* context) { return *static_cast<UsmHeap*>(context); }

void* allocate(void* context, size_t bytes) { return heap(context).allocate(bytes); }

void* allocate_zeros(void* context, size_t count, size_t bytes) {
  void* data = heap(context).allocate(count * bytes);
  if (data) std::memset(data, 0, count * bytes);
  return data;
}

void* reallocate(void* context, void* data, size_t bytes) {
  return heap(context).reallocate(data, bytes);
}

void release(void* context, void* data, size_t) { heap(context).release(data); }

struct Handler {
  PyDataMem_Handler numpy;
  UsmHeap heap;
};

// The handlers, by queue. Borrowed: the arrays hold their handler. Needs the GIL.
std::unordered_map<const void*, PyObject*>& handlers() {
  static auto& all = *new std::unordered_map<const void*, PyObject*>;
  return all;
}

// The heap of a handler of this file; nullptr for other handlers.
UsmHeap* heap_of(PyObject* capsule) {
  if (!capsule) return nullptr;
  auto* handler = static_cast<PyDataMem_Handler*>(PyCapsule_GetPointer(capsule, kCapsule));
  if (!handler) PyErr_Clear();
  return handler && handler->allocator.free == release ? &heap(handler->allocator.ctx) : nullptr;
}

void destroy_handler(PyObject* capsule) {
  auto* handler = static_cast<Handler*>(PyCapsule_GetPointer(capsule, kCapsule));
  handlers().erase(handler->heap.queue().state().get());
  delete handler;
}

nb::object handler_for(const Queue& queue) {
  const void* key = queue.state().get();
  if (const auto found = handlers().find(key); found != handlers().end())
    return nb::borrow(found->second);
  auto* made = new Handler{.numpy = {}, .heap = UsmHeap(queue)};
  std::strcpy(made->numpy.name, "hither shared USM");
  made->numpy.version = 1;
  made->numpy.allocator = {&made->heap, allocate, allocate_zeros, reallocate, release};
  PyObject* capsule = PyCapsule_New(made, kCapsule, destroy_handler);
  if (!capsule) {
    delete made;
    throw nb::python_error();
  }
  handlers().emplace(key, capsule);
  return nb::steal(capsule);
}

// Activates a handler for a scope.
class HandlerScope {
 public:
  explicit HandlerScope(nb::handle handler)
      : previous_(nb::steal(PyDataMem_SetHandler(handler.ptr()))) {
    if (!previous_.is_valid()) throw nb::python_error();
  }
  HandlerScope(const HandlerScope&) = delete;
  HandlerScope& operator=(const HandlerScope&) = delete;
  ~HandlerScope() {
    const nb::error_scope kept;
    Py_XDECREF(PyDataMem_SetHandler(previous_.ptr()));
  }

 private:
  nb::object previous_;
};

PyArrayObject_fields& fields_of(PyArrayObject* array) {
  return *reinterpret_cast<PyArrayObject_fields*>(array);
}

PyArrayObject* as_array(nb::handle object) {
  if (!PyArray_Check(object.ptr()))
    throw Error(ErrorKind::kType, "array", "is not a numpy.ndarray");
  return reinterpret_cast<PyArrayObject*>(object.ptr());
}

bool holds_objects(PyArrayObject* array) { return PyDataType_REFCHK(PyArray_DESCR(array)); }

// Gives `array` memory from `handler`. The old memory goes to a temporary numpy.ndarray, whose
// destruction frees it as NumPy would have, including NumPy's tracing and caches.
void exchange_memory(PyArrayObject* array, nb::handle handler) {
  PyArray_Descr* dtype = PyArray_DESCR(array);
  Py_INCREF(reinterpret_cast<PyObject*>(dtype));
  nb::object other;
  {
    const HandlerScope scope(handler);
    other = nb::steal(PyArray_NewFromDescr(&PyArray_Type, dtype, PyArray_NDIM(array),
                                           PyArray_DIMS(array), nullptr, nullptr, 0, nullptr));
  }
  if (!other.is_valid()) throw nb::python_error();
  PyArrayObject_fields& fields = fields_of(array);
  PyArrayObject_fields& temporary_fields = fields_of(reinterpret_cast<PyArrayObject*>(other.ptr()));
  std::memcpy(temporary_fields.data, fields.data, static_cast<size_t>(PyArray_NBYTES(array)));
  if (holds_objects(array))  // `other` must not release the references, which moved
    std::memset(fields.data, 0, static_cast<size_t>(PyArray_NBYTES(array)));
  std::swap(fields.data, temporary_fields.data);
  std::swap(fields.mem_handler, temporary_fields.mem_handler);
}

nb::object make_owner(PyArrayObject* array, PyTypeObject* type, nb::handle like) {
  PyArray_Descr* dtype = PyArray_DESCR(array);
  Py_INCREF(reinterpret_cast<PyObject*>(dtype));
  nb::object made = nb::steal(PyArray_NewFromDescr(
      type, dtype, PyArray_NDIM(array), PyArray_DIMS(array), PyArray_STRIDES(array),
      PyArray_DATA(array), PyArray_FLAGS(array) & ~NPY_ARRAY_OWNDATA,
      like.is_none() ? nullptr : like.ptr()));
  if (!made.is_valid()) throw nb::python_error();
  auto* owner = reinterpret_cast<PyArrayObject*>(made.ptr());
  std::swap(fields_of(owner).mem_handler, fields_of(array).mem_handler);
  PyArray_ENABLEFLAGS(owner, NPY_ARRAY_OWNDATA);
  PyArray_CLEARFLAGS(array, NPY_ARRAY_OWNDATA);
  if (PyArray_SetBaseObject(array, Py_NewRef(made.ptr())) != 0) throw nb::python_error();
  return made;
}

// Moves the ownership from a base without other references to its view, because NumPy often makes a
// numpy.ndarray and returns a view of a subclass.
void claim(PyArrayObject* view) {
  PyArrayObject_fields& view_fields = fields_of(view);
  if (!view_fields.base || !PyArray_CheckExact(view_fields.base) ||
      Py_REFCNT(view_fields.base) != 1)
    return;
  PyArrayObject_fields& base_fields = fields_of(reinterpret_cast<PyArrayObject*>(view_fields.base));
  if (!(base_fields.flags & NPY_ARRAY_OWNDATA) || view_fields.data != base_fields.data ||
      !heap_of(base_fields.mem_handler))
    return;
  std::swap(view_fields.mem_handler, base_fields.mem_handler);
  view_fields.flags |= NPY_ARRAY_OWNDATA;
  base_fields.flags &= ~NPY_ARRAY_OWNDATA;
  Py_CLEAR(view_fields.base);
}

// Whether indexing by `key` gives an element or a view.
bool copies_nothing(PyObject* key) {
  const auto basic = [](PyObject* k) {
    return PyLong_CheckExact(k) || PySlice_Check(k) || k == Py_None || k == Py_Ellipsis ||
           PyUnicode_Check(k);
  };
  if (!PyTuple_CheckExact(key)) return basic(key);
  for (Py_ssize_t i = 0; i < PyTuple_Size(key); ++i)
    if (!basic(PyTuple_GetItem(key, i))) return false;
  return true;
}

binaryfunc numpy_subscript = nullptr;

PyObject* getitem(PyObject* self, PyObject* key) {
  if (copies_nothing(key)) return numpy_subscript(self, key);
  return guarded([&] {
    const auto queue = queue_of_numpy_array(self);
    if (!queue) return numpy_subscript(self, key);
    const HandlerScope scope(handler_for(*queue));
    PyObject* result = numpy_subscript(self, key);
    if (result && PyArray_Check(result)) claim(reinterpret_cast<PyArrayObject*>(result));
    return result;
  });
}

}  // namespace

void load_numpy() {
  if (PyArray_ImportNumPyAPI() != 0) throw nb::python_error();
  numpy_subscript = reinterpret_cast<binaryfunc>(PyType_GetSlot(&PyArray_Type, Py_mp_subscript));
}

nb::object make_getitem() {
  static PyMethodDef method = {"__getitem__", getitem, METH_O | METH_COEXIST, nullptr};
  nb::object descriptor = nb::steal(PyDescr_NewMethod(&PyArray_Type, &method));
  if (!descriptor.is_valid()) throw nb::python_error();
  return descriptor;
}

std::optional<Queue> queue_of_numpy_array(PyObject* array) {
  nb::object object = nb::borrow(array);
  while (PyArray_Check(object.ptr())) {
    auto* owner = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (const UsmHeap* found = heap_of(PyArray_HANDLER(owner))) return found->queue();
    if (!PyArray_BASE(owner)) return std::nullopt;
    object = nb::borrow(PyArray_BASE(owner));
    if (PyMemoryView_Check(object.ptr())) object = object.attr("obj");
  }
  if (!nb::hasattr(object, kUsmInterfaceName)) return std::nullopt;
  try {
    return read_usm_interface(object).queue;
  } catch (const Error&) {  // USM that hither does not know counts as host memory
    return std::nullopt;
  }
}

nb::object call_in_usm(const Queue& queue, nb::handle function, nb::handle arguments,
                       nb::handle keywords) {
  const HandlerScope scope(handler_for(queue));
  nb::object result = nb::steal(PyObject_Call(function.ptr(), arguments.ptr(), keywords.ptr()));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

void move_to_usm(PyObject* object, const Queue& queue) {
  PyArrayObject* array = as_array(object);
  if (!PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA) || heap_of(PyArray_HANDLER(array)) ||
      holds_objects(array))
    return;
  exchange_memory(array, handler_for(queue));
}

nb::object adopt(nb::handle object, PyTypeObject* type, nb::handle like) {
  if (!PyArray_Check(object.ptr())) return nb::borrow(object);
  auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
  if (!PyArray_CheckExact(array)) {
    claim(array);
    return nb::borrow(object);
  }
  const bool owner = PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA);
  if (holds_objects(array)) {
    if (owner && heap_of(PyArray_HANDLER(array))) exchange_memory(array, PyDataMem_DefaultHandler);
    return nb::borrow(object);
  }
  if (owner && !heap_of(PyArray_HANDLER(array))) return nb::borrow(object);
  if (owner && !PyArray_BASE(array)) return make_owner(array, type, like);
  if (!queue_of_numpy_array(object.ptr())) return nb::borrow(object);
  nb::object view = nb::steal(PyArray_View(array, nullptr, type));
  if (!view.is_valid()) throw nb::python_error();
  return view;
}

}  // namespace hither::python
