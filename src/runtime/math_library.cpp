#include "runtime/math_library.h"

#include <mutex>

#include <hither/linalg.h>

#include "runtime/device_state.h"

namespace hither {

namespace {

struct Choice {
  std::mutex mutex;
  std::string path;
};

Choice& choice() {
  static auto* instance = new Choice;
  return *instance;
}

}  // namespace

void set_blas_library(const std::string& path) {
  std::lock_guard guard(choice().mutex);
  choice().path = path;
}

std::string blas_name(const Device& device) {
  const runtime::Blas* blas = device.state()->driver->blas();
  return blas ? blas->name() : std::string();
}

namespace runtime {

std::string blas_library_path() {
  std::lock_guard guard(choice().mutex);
  return choice().path;
}

}  // namespace runtime
}  // namespace hither
