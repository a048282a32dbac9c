#include "runtime/math_library.h"

#include <mutex>

#include <hither/linalg.h>

#include "runtime/device_state.h"

namespace hither {

namespace {

struct Choice {
  std::mutex mutex;
  std::string path;
  std::vector<std::string> cuda_folders;
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

void set_cuda_folders(std::vector<std::string> folders) {
  std::lock_guard guard(choice().mutex);
  choice().cuda_folders = std::move(folders);
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

std::vector<std::string> cuda_folders() {
  std::lock_guard guard(choice().mutex);
  return choice().cuda_folders;
}

}  // namespace runtime
}  // namespace hither
