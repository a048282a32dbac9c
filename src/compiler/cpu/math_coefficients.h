// The polynomials of math_arithmetic.cpp. Written by tools/math_coefficients.py.
#pragma once

#include <span>

namespace hither::compiler {

// In all polynomials the constant coefficient is the first.

/// ln(2) = ln2_high + ln2_low, where the product of ln2_high and an exponent is exact. `near` is
/// (tanh(x) / x - 1) / x**2 of x**2 up to the border, `exp` is (exp(r) - 1 - r) / r**2 for
/// |r| <= ln(2) / 2.
struct TanhPolynomials {
  double ln2_high, ln2_low, border;
  std::span<const double> near, exp;
};

/// erf(x) rounds to 1 from `end` on.
struct ErfPolynomials {
  double border, end;
  std::span<const double> near, tail, power;
};

inline constexpr double kTanhDoubleNear[] = {
    -0x1.5555555555554p-2,  0x1.1111111110f06p-3,  -0x1.ba1ba1b9f9188p-5,  0x1.664f4879a4a40p-6,
    -0x1.226e33f630f76p-7,  0x1.d6d389f7c8752p-9,  -0x1.7d9eb968b0e0fp-10, 0x1.35222fb57d134p-11,
    -0x1.f21ea2b8becf2p-13, 0x1.8400156c003dfp-14, -0x1.05b2a7d4d9179p-15, 0x1.b501d4208f583p-18};
inline constexpr double kTanhDoubleExp[] = {
    0x1.000000000000ap-1,  0x1.55555555554f9p-3,  0x1.55555555508a5p-5,  0x1.1111111127e9cp-7,
    0x1.6c16c18422934p-10, 0x1.a01a012975fe1p-13, 0x1.a0199a1e2a516p-16, 0x1.71df272ee5ef9p-19,
    0x1.28ad63e57c32ap-22, 0x1.ad7ca472144f7p-26};
inline constexpr TanhPolynomials kTanhDouble = {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45, 0.6,
                                                kTanhDoubleNear, kTanhDoubleExp};

inline constexpr double kTanhFloatNear[] = {-0x1.5555540000000p-2, 0x1.1110840000000p-3,
                                            -0x1.b9f4b40000000p-5, 0x1.63d17a0000000p-6,
                                            -0x1.0d5e400000000p-7, 0x1.1e42900000000p-9};
inline constexpr double kTanhFloatExp[] = {0x1.fffffc0000000p-2, 0x1.5554920000000p-3,
                                           0x1.5558f20000000p-5, 0x1.1239d20000000p-7,
                                           0x1.6a244c0000000p-10};
inline constexpr TanhPolynomials kTanhFloat = {0x1.62e4000000000p-1, 0x1.7f7d1c0000000p-20, 0.6,
                                               kTanhFloatNear, kTanhFloatExp};

inline constexpr double kErfDoubleNear[] = {
    0x1.06eba8214db68p-3,  -0x1.812746b03798cp-2,  0x1.ce2f21a03ded5p-4,  -0x1.b82ce310efab1p-6,
    0x1.565bccc8b0764p-8,  -0x1.c02da61cc2116p-11, 0x1.f9a16cc23bc99p-14, -0x1.f4aef547acbe8p-17,
    0x1.b812b9485943ep-20, -0x1.504c21c422c28p-23, 0x1.6ae5031bb1ef0p-27};
inline constexpr double kErfDoubleTail[] = {
    -0x1.ae89c172a296fp+1,  -0x1.2e0dbe204d607p+0,  -0x1.25a89876e36c1p-4,  0x1.1b1d565228660p-6,
    -0x1.a2297d809013fp-9,  0x1.03b076a517af3p-12,  0x1.e2fda176a2ae1p-14,  -0x1.17cee648ea37ep-14,
    0x1.4209f60609729p-16,  -0x1.64ab46a61668cp-19, -0x1.1e77491ebed57p-21, 0x1.06927fa583b23p-21,
    -0x1.8652b3ce90f50p-23, 0x1.83f5e378f67bcp-25,  -0x1.10686d34cfea5p-27, 0x1.056e7cf338153p-30,
    -0x1.349be235d1242p-34, 0x1.51e5b8ba2b194p-39};
inline constexpr double kErfDoublePower[] = {
    0x1.fe3019a6315ccp-3,  0x1.61a2a2eb88fc9p-3,  0x1.ea3e1c5ab1fabp-5,  0x1.c51494375246ap-7,
    0x1.3a0d280fae3d6p-9,  0x1.5c4b4cbc9bd73p-12, 0x1.41e46306b1a57p-15, 0x1.fdfc45449f215p-19,
    0x1.617e56c49c646p-22, 0x1.b398b7e3a5d0bp-26, 0x1.e46a153e582c5p-30, 0x1.e85f646fc64bdp-34};
inline constexpr ErfPolynomials kErfDouble = {0x1.a140000000000p-1, 5.95, kErfDoubleNear,
                                              kErfDoubleTail, kErfDoublePower};

inline constexpr double kErfFloatNear[] = {0x1.06eba80000000p-3, -0x1.8127300000000p-2,
                                           0x1.ce27ec0000000p-4, -0x1.b767220000000p-6,
                                           0x1.4cee120000000p-8, -0x1.547fc60000000p-11};
inline constexpr double kErfFloatTail[] = {-0x1.aee8220000000p+1, -0x1.2e1fd80000000p+0,
                                           -0x1.25037a0000000p-4, 0x1.1850c80000000p-6,
                                           -0x1.94185a0000000p-9, 0x1.39833c0000000p-12};
inline constexpr double kErfFloatPower[] = {
    0x1.fcbcc20000000p-3, 0x1.60a13e0000000p-3,  0x1.e8d94a0000000p-5, 0x1.c3c9100000000p-7,
    0x1.3927740000000p-9, 0x1.5d0bbc0000000p-12, 0x1.4286ae0000000p-15};
inline constexpr ErfPolynomials kErfFloat = {0x1.a1e0000000000p-1, 3.95, kErfFloatNear,
                                             kErfFloatTail, kErfFloatPower};

inline constexpr double kErfcTail[] = {
    -0x1.a0be82b0dd091p+0,  -0x1.d63f0a2e3c7ebp-1, -0x1.2fa1caa537e59p-3,  0x1.c36362852e780p-6,
    0x1.ad5a8c75aaffbp-12,  -0x1.563c6f3fac7bdp-9, 0x1.0b96bad260647p-10,  -0x1.47b7363ea2c17p-13,
    -0x1.5776bdb061b51p-15, 0x1.2b54d16bdc441p-15, -0x1.bb6f375d88be1p-17, 0x1.c102fd2926bfep-19,
    -0x1.54f5c014c9eeep-21, 0x1.8fe1af35e5252p-24, -0x1.6c8da9aa9907ap-27, 0x1.00a8070fc5753p-30,
    -0x1.120aca0746ceap-34, 0x1.ad43ea8461a21p-39, -0x1.d13de078bd126p-44, 0x1.37b635a9c1140p-49,
    -0x1.850978a97d547p-56};
inline constexpr double kErfcPower[] = {
    0x1.ffffffffa7140p-1, 0x1.62e42fef6deb9p-1,  0x1.ebfbe0aa0cfbbp-3,  0x1.c6b08e054c38ap-5,
    0x1.3b29d8b3a1e8dp-7, 0x1.5d871712078c6p-10, 0x1.446c7f43e1d8cp-13, 0x1.00f701ffceef2p-16};
inline constexpr double kErfcEnd = 10.1;

}  // namespace hither::compiler
