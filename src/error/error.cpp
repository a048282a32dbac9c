#include <hither/error.h>

namespace hither {

Error::Error(ErrorKind kind, std::string where, std::string message, int64_t native_code) {
  std::string text = where.empty() ? message : where + ": " + message;
  data_ = std::shared_ptr<const Data>(
      new Data{kind, std::move(where), std::move(message), std::move(text), native_code});
}

}  // namespace hither
