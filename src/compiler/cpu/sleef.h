// SLEEF's functions of vectors of floating-point numbers.
//
// hither takes the deterministic variants (N. Shibata and F. Petrogalli, "SLEEF: A Portable
// Vectorized Library of C Standard Mathematical Functions", IEEE TPDS 31 (2020) 1316): those with
// fused multiply-add give the same bits at every vector width. Their documented bound is 1.0 ulp.
#pragma once

#include <string>
#include <string_view>

namespace hither::compiler {

/// The symbol of SLEEF's variant of libm's function `function` (without the suffix f) for vectors
/// of `vector_bits`; `type` is 's' for float, 'd' for double. Empty if there is none.
std::string sleef_symbol(std::string_view function, char type, int vector_bits);

/// The address of a symbol that sleef_symbol() returned; null for other names. Thread-safe.
void* find_sleef_symbol(std::string_view symbol);

}  // namespace hither::compiler
