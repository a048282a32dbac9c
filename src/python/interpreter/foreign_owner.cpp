#include "python/interpreter/foreign_owner.h"

#include <atomic>

namespace hither::python {
namespace {

std::atomic<ForeignOwner*> pending_owners{nullptr};

int release_pending(void*) {
  release_foreign_owners();
  return 0;
}

}  // namespace

// Taking the GIL here could deadlock: the thread that holds it may be waiting for this task.
void defer_destruction(ForeignOwner* owner) noexcept {
  ForeignOwner* head = pending_owners.load(std::memory_order_relaxed);
  do {
    owner->next_ = head;
  } while (!pending_owners.compare_exchange_weak(head, owner, std::memory_order_release,
                                                 std::memory_order_relaxed));
  if (!head && Py_IsInitialized()) Py_AddPendingCall(release_pending, nullptr);
}

void release_foreign_owners() noexcept {
  if (!pending_owners.load(std::memory_order_relaxed)) return;
  ForeignOwner* owner = pending_owners.exchange(nullptr, std::memory_order_acquire);
  // Destructors of owners run Python code, which must not clear an error that is being raised.
  nb::error_scope kept;
  while (owner) {
    ForeignOwner* next = owner->next_;
    delete owner;
    owner = next;
  }
}

BufferOwner::BufferOwner(nb::handle object, int flags) {
  if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
}

BufferOwner::~BufferOwner() { PyBuffer_Release(&view_); }

Memory foreign_memory(const Queue& queue, void* data, size_t bytes, UsmType type,
                      std::unique_ptr<ForeignOwner> owner) {
  ForeignOwner* lent = owner.get();
  Memory memory = Memory::foreign(queue, data, bytes, type, [lent] { defer_destruction(lent); });
  (void)owner.release();
  return memory;
}

}  // namespace hither::python
