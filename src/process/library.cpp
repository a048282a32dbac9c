#include "process/library.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hither/error.h>

namespace hither::process {
namespace {

// dlopen reports the cause of a failure only as text, so possible causes are tested as well.

bool lacks_descriptors() noexcept {
  const int tried = ::open("/", O_PATH | O_CLOEXEC);
  if (tried < 0) return errno == EMFILE || errno == ENFILE;
  ::close(tried);
  return false;
}

bool lacks_memory(std::string_view words) noexcept {
  if (words.find("map segment") != std::string_view::npos ||
      words.find("allocate") != std::string_view::npos)
    return true;
  constexpr size_t kMoreThanALibrary = size_t{64} << 20;
  void* const tried = ::mmap(nullptr, kMoreThanALibrary, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried == MAP_FAILED) return true;
  ::munmap(tried, kMoreThanALibrary);
  return false;
}

}  // namespace

void* open_library(const std::string& file) {
  if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* const words = dlerror();
  const std::string why = words ? words : "the library cannot be opened";
  if (lacks_descriptors())
    throw Error(ErrorKind::kDevice, file, why + "; close files and try again", EMFILE);
  if (lacks_memory(why))
    throw Error(ErrorKind::kMemory, file, why + "; release memory and try again", ENOMEM);
  return nullptr;
}

}  // namespace hither::process
