#include <hither/user_op.h>

#include <fmt/format.h>
#include <xxhash.h>

#include "array/form/user_function.h"

namespace hither {

UserOp::UserOp(UserOpSource source) {
  const size_t count = source.operands.size();
  if (count < 1 || count > array::kMaxInputs)
    throw Error(ErrorKind::kValue, source.name,
                fmt::format("has {} operands; element-wise operations have 1 to {}", count,
                            array::kMaxInputs));
  std::string bytes = source.symbol;
  for (const std::string& text : source.code) bytes += text;
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::string key = fmt::format("user {:016x}{:016x}", hash.high64, hash.low64);
  for (DType t : source.operands) key += fmt::format(" {}", static_cast<int>(t));
  key += fmt::format(" {};", static_cast<int>(source.result));
  function_ = std::make_shared<const array::UserFunction>(std::move(source), std::move(key));
}

const UserOpSource& UserOp::source() const noexcept { return function_->source; }

}  // namespace hither
