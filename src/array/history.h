// What ran last, and in how much time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <hither/history.h>
#include <hither/queue.h>

namespace hither::array {

/// A KernelRecord to be: names are shared, so that recording a launch allocates nothing.
struct Launch {
  std::shared_ptr<const std::string> name;
  Queue queue;
  const char* source;
  int64_t items, bytes;
  double seconds, compile_seconds;
};

/// Appends to the ring; several threads may.
void record(Launch launch);

}  // namespace hither::array
