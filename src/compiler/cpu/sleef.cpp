#include "compiler/cpu/sleef.h"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

// HITHER_FUNCTIONS(row): row(function, bound) for each function, where the bound is the number in
// the names of SLEEF: tenths of an ulp.
#define HITHER_FUNCTIONS(row)                                                                    \
  row(sin, 10) row(cos, 10) row(tan, 10) row(asin, 10) row(acos, 10) row(atan, 10) row(sinh, 10) \
      row(cosh, 10) row(asinh, 10) row(acosh, 10) row(atanh, 10) row(exp, 10) row(exp2, 10)      \
          row(exp10, 10) row(expm1, 10) row(log, 10) row(log2, 10) row(log10, 10) row(log1p, 10) \
              row(pow, 10) row(cbrt, 10) row(erfc, 15) row(atan2, 10) row(hypot, 05)             \
                  row(tgamma, 10) row(lgamma, 10)

// HITHER_VARIANTS(f, bound, row): row(symbol) for each instruction set and type.
#if defined(__x86_64__)
#define HITHER_VARIANTS(f, bound, row)                                              \
  row(Sleef_cinz_##f##d2_u##bound##sse2) row(Sleef_cinz_##f##f4_u##bound##sse2)     \
      row(Sleef_finz_##f##d4_u##bound##avx2) row(Sleef_finz_##f##f8_u##bound##avx2) \
          row(Sleef_finz_##f##d8_u##bound##avx512f) row(Sleef_finz_##f##f16_u##bound##avx512f)
#elif defined(__aarch64__)
#define HITHER_VARIANTS(f, bound, row) \
  row(Sleef_finz_##f##d2_u##bound##advsimd) row(Sleef_finz_##f##f4_u##bound##advsimd)
#else
#error "name SLEEF's instruction sets for this architecture"
#endif

// Only the addresses are used, so the declarations need not have the true types.
#define HITHER_DECLARE(symbol) void symbol();
#define HITHER_DECLARE_ALL(f, bound) HITHER_VARIANTS(f, bound, HITHER_DECLARE)
extern "C" {
HITHER_FUNCTIONS(HITHER_DECLARE_ALL)
}

namespace hither::compiler {
namespace {

#define HITHER_NAME_BOUND(f, bound) {#f, #bound},
const std::unordered_map<std::string_view, std::string_view>& bounds() {
  static const std::unordered_map<std::string_view, std::string_view> map = {
      HITHER_FUNCTIONS(HITHER_NAME_BOUND)};
  return map;
}

#define HITHER_ADDRESS(symbol) {#symbol, reinterpret_cast<void*>(symbol)},
#define HITHER_ADDRESSES(f, bound) HITHER_VARIANTS(f, bound, HITHER_ADDRESS)
const std::unordered_map<std::string_view, void*>& addresses() {
  static const std::unordered_map<std::string_view, void*> map = {
      HITHER_FUNCTIONS(HITHER_ADDRESSES)};
  return map;
}

std::string_view instruction_set(int vector_bits) {
#if defined(__aarch64__)
  return "advsimd";
#else
  return vector_bits == 512 ? "avx512f" : vector_bits == 256 ? "avx2" : "sse2";
#endif
}

}  // namespace

std::string sleef_symbol(std::string_view function, char type, int vector_bits) {
  const auto found = bounds().find(function);
  if (found == bounds().end()) return {};
  const std::string_view set = instruction_set(vector_bits);
  return fmt::format("Sleef_{}_{}{}{}_u{}{}", set == "sse2" ? "cinz" : "finz", function,
                     type == 's' ? 'f' : 'd', vector_bits / (type == 's' ? 32 : 64), found->second,
                     set);
}

void* find_sleef_symbol(std::string_view symbol) {
  const auto found = addresses().find(symbol);
  return found == addresses().end() ? nullptr : found->second;
}

}  // namespace hither::compiler
