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

UserReduction::UserReduction(const UserOp& op, const Scalar& identity) : identity_(identity) {
  const UserOpSource& source = op.source();
  if (source.operands.size() != 2 || source.operands[0] != source.operands[1])
    throw Error(ErrorKind::kType, source.name, "has to take two operands of one dtype");
  const DType dtype = source.operands[0];
  if (!can_cast_same_kind(source.result, dtype))
    throw Error(ErrorKind::kType, source.name,
                fmt::format("returns {} for operands of {}; it has to return the operands' dtype",
                            name_of(source.result), name_of(dtype)));
  array::UserFunction function{source, op.function()->key};
  identity.write(dtype, function.identity);
  for (unsigned char byte : function.identity) function.key += fmt::format("{:02x}", byte);
  function_ = std::make_shared<const array::UserFunction>(std::move(function));
}

const UserOpSource& UserReduction::source() const noexcept { return function_->source; }

}  // namespace hither
