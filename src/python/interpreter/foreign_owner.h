// Owners of memory that Python objects provide. They are destroyed with the GIL held, never by a
// thread that waits in the core.
#pragma once

#include <memory>

#include <hither/memory.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Keeps the memory of another library alive. Destroyed exactly once, with the GIL held.
class ForeignOwner {
 public:
  virtual ~ForeignOwner() = default;

 private:
  friend void release_foreign_owners() noexcept;
  friend void defer_destruction(ForeignOwner* owner) noexcept;
  ForeignOwner* next_ = nullptr;
};

/// A Python object as owner.
class ObjectOwner : public ForeignOwner {
 public:
  explicit ObjectOwner(nb::object object) : object_(std::move(object)) {}

 private:
  nb::object object_;
};

/// A buffer of the buffer protocol as owner.
class BufferOwner : public ForeignOwner {
 public:
  BufferOwner(nb::handle object, int flags);
  BufferOwner(const BufferOwner&) = delete;
  BufferOwner& operator=(const BufferOwner&) = delete;
  ~BufferOwner() override;
  const Py_buffer& view() const noexcept { return view_; }

 private:
  Py_buffer view_;
};

/// Memory that `owner` keeps alive. Its last reference may be dropped on any thread and under any
/// lock: the owner is then put on a list, and the next thread that holds the GIL destroys it.
Memory foreign_memory(const Queue& queue, void* data, size_t bytes, UsmType type,
                      std::unique_ptr<ForeignOwner> owner);

/// Destroys the owners that are no longer used. Needs the GIL; one atomic load when there are none.
void release_foreign_owners() noexcept;

}  // namespace hither::python
