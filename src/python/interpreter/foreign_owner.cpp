#include "python/interpreter/foreign_owner.h"

#include <atomic>

namespace hither::python {
namespace {

std::atomic<ForeignOwner*> graveyard{nullptr};

int release_pending(void*) {
  release_foreign_owners();
  return 0;
}

}  // namespace

// Taking the GIL here could deadlock: the thread that holds it may be waiting for this task.
void bury(ForeignOwner* owner) noexcept {
  ForeignOwner* head = graveyard.load(std::memory_order_relaxed);
  do {
    owner->next_ = head;
  } while (!graveyard.compare_exchange_weak(head, owner, std::memory_order_release,
                                            std::memory_order_relaxed));
  if (!head && Py_IsInitialized()) Py_AddPendingCall(release_pending, nullptr);
}

void release_foreign_owners() noexcept {
  if (!graveyard.load(std::memory_order_relaxed)) return;
  ForeignOwner* owner = graveyard.exchange(nullptr, std::memory_order_acquire);
  // Owners run Python code: an error that is being raised must survive it.
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
  Memory memory = Memory::foreign(queue, data, bytes, type, [lent] { bury(lent); });
  (void)owner.release();
  return memory;
}

}  // namespace hither::python
