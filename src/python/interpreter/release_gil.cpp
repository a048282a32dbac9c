#include "python/interpreter/release_gil.h"

namespace hither::python {

thread_local constinit ReleaseGil* innermost_release = nullptr;

void ReleaseGil::release_before_blocking() noexcept {
  ReleaseGil* const scope = innermost_release;
  if (scope && !scope->release_) scope->release_.emplace();
}

}  // namespace hither::python
