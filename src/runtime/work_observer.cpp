#include "runtime/work_observer.h"

namespace hither::runtime {

namespace {
thread_local WorkObserver* observer = nullptr;
}

WorkObserver::WorkObserver() noexcept { resume(); }

WorkObserver::~WorkObserver() { stop(); }

void WorkObserver::stop() noexcept {
  if (observer != this) return;
  observer = nullptr;
  count_.fetch_sub(1, std::memory_order_relaxed);
}

void WorkObserver::resume() noexcept {
  observer = this;
  count_.fetch_add(1, std::memory_order_relaxed);
}

WorkObserver* WorkObserver::find() noexcept { return observer; }

}  // namespace hither::runtime
