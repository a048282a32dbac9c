// Owners of memory that came from Python, released with the GIL and never while the core waits.
#pragma once

#include <memory>

#include <hither/memory.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Keeps memory of someone else alive. Destroyed with the GIL held, exactly once.
class ForeignOwner {
 public:
  virtual ~ForeignOwner() = default;

 private:
  friend void release_foreign_owners() noexcept;
  friend void bury(ForeignOwner* owner) noexcept;
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

/// Memory that `owner` keeps alive. When its last user goes, on any thread and with any lock held,
/// the owner is put on a list; the thread that holds the GIL next empties it.
Memory foreign_memory(const Queue& queue, void* data, size_t bytes, UsmType type,
                      std::unique_ptr<ForeignOwner> owner);

/// Destroys the owners that are no longer used. Needs the GIL; one atomic load when there are none.
void release_foreign_owners() noexcept;

}  // namespace hither::python
