#include "error/current_error.h"

#include <exception>
#include <new>

namespace hither::error {

Error current_error(const char* where) {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::kMemory, where, "the host's memory is exhausted");
  } catch (const std::exception& error) {
    return Error(ErrorKind::kDevice, where, error.what());
  } catch (...) {
    return Error(ErrorKind::kDevice, where, "the exception is not a std::exception");
  }
}

}  // namespace hither::error
