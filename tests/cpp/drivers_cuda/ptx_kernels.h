// Kernel images as the compiler makes them, and the device of the tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <hither/queue.h>

#include "runtime/kernel_state.h"

namespace hither::test_cuda {

/// Each over items i (of dimension 0), j and k:
///   axpy(double a, double* x, double* y)       y[i] = a * x[i] + y[i]
///   visit1(int* visits), visit3(int* visits)   adds 1 atomically at i, and at (i, j, k)
///   reads(int code)                            item (3, 4) reports `code` at line 12
///   reverse(int* x, local int*, short last)    reverses x within each group
inline constexpr std::string_view kPtx = R"(
.version 7.0
.target sm_75
.address_size 64

.extern .shared .align 16 .b8 hither_local_memory[];

.visible .entry axpy(.param .f64 a, .param .u64 x, .param .u64 y, .param .u64 n)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  .reg .f64 %f<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd0, %r0, %r1;
  cvt.u64.u32 %rd1, %r2;
  add.u64 %rd0, %rd0, %rd1;
  ld.param.u64 %rd1, [n];
  setp.ge.u64 %p, %rd0, %rd1;
  @%p ret;
  shl.b64 %rd0, %rd0, 3;
  ld.param.f64 %f0, [a];
  ld.param.u64 %rd2, [x];
  ld.param.u64 %rd3, [y];
  add.u64 %rd2, %rd2, %rd0;
  add.u64 %rd3, %rd3, %rd0;
  ld.global.f64 %f1, [%rd2];
  ld.global.f64 %f2, [%rd3];
  fma.rn.f64 %f3, %f0, %f1, %f2;
  st.global.f64 [%rd3], %f3;
  ret;
}

.visible .entry visit1(.param .u64 visits, .param .u64 n)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  cvt.u64.u32 %rd0, %r0;
  ld.param.u64 %rd1, [n];
  setp.ge.u64 %p, %rd0, %rd1;
  @%p ret;
  ld.param.u64 %rd2, [visits];
  shl.b64 %rd0, %rd0, 2;
  add.u64 %rd2, %rd2, %rd0;
  red.global.add.u32 [%rd2], 1;
  ret;
}

.visible .entry visit3(.param .u64 visits, .param .u64 n0, .param .u64 n1, .param .u64 n2)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  mov.u32 %r0, %ctaid.z;
  mov.u32 %r1, %ntid.z;
  mov.u32 %r2, %tid.z;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  cvt.u64.u32 %rd0, %r0;
  mov.u32 %r0, %ctaid.y;
  mov.u32 %r1, %ntid.y;
  mov.u32 %r2, %tid.y;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  cvt.u64.u32 %rd1, %r0;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  cvt.u64.u32 %rd2, %r0;
  ld.param.u64 %rd3, [n0];
  setp.ge.u64 %p, %rd0, %rd3;
  @%p ret;
  ld.param.u64 %rd4, [n1];
  setp.ge.u64 %p, %rd1, %rd4;
  @%p ret;
  ld.param.u64 %rd5, [n2];
  setp.ge.u64 %p, %rd2, %rd5;
  @%p ret;
  mad.lo.u64 %rd0, %rd0, %rd4, %rd1;
  mad.lo.u64 %rd0, %rd0, %rd5, %rd2;
  ld.param.u64 %rd6, [visits];
  shl.b64 %rd0, %rd0, 2;
  add.u64 %rd6, %rd6, %rd0;
  red.global.add.u32 [%rd6], 1;
  ret;
}

.visible .entry reads(.param .u32 code, .param .u64 record, .param .u64 n0, .param .u64 n1)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %ctaid.y;
  mov.u32 %r1, %ntid.y;
  mov.u32 %r2, %tid.y;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  setp.ne.u32 %p, %r0, 3;
  @%p ret;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  setp.ne.u32 %p, %r0, 4;
  @%p ret;
  ld.param.u32 %r3, [code];
  setp.eq.u32 %p, %r3, 0;
  @%p ret;
  ld.param.u64 %rd0, [record];
  atom.global.cas.b32 %r4, [%rd0], 0, %r3;
  setp.ne.u32 %p, %r4, 0;
  @%p ret;
  mov.u32 %r5, 12;
  st.global.u32 [%rd0+4], %r5;
  mov.u64 %rd1, 3;
  st.global.u64 [%rd0+8], %rd1;
  mov.u64 %rd1, 4;
  st.global.u64 [%rd0+16], %rd1;
  ret;
}

.visible .entry reverse(.param .u64 x, .param .u32 local, .param .u16 last)
{
  .reg .b16 %h;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u64 %rd0, [x];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  ld.global.u32 %r3, [%rd0];
  mov.u32 %r4, hither_local_memory;
  ld.param.u32 %r5, [local];
  add.u32 %r4, %r4, %r5;
  mad.lo.u32 %r6, %r2, 4, %r4;
  st.shared.u32 [%r6], %r3;
  bar.sync 0;
  ld.param.u16 %h, [last];
  cvt.u32.u16 %r7, %h;
  sub.u32 %r7, %r7, %r2;
  mad.lo.u32 %r6, %r7, 4, %r4;
  ld.shared.u32 %r3, [%r6];
  st.global.u32 [%rd0], %r3;
  ret;
}
)";

/// The first NVIDIA GPU; empty if there is none.
inline std::optional<Device> first_gpu() {
  for (const Device& device : Device::all())
    if (device.backend() == Backend::kCuda) return device;
  return std::nullopt;
}

/// The same, with a message if there is none.
inline std::optional<Device> cuda_device() {
  auto device = first_gpu();
  if (!device) MESSAGE("driver cuda: no device on this machine");
  return device;
}

/// The code of test::Subject::code for NVIDIA GPUs.
inline std::shared_ptr<target::CodeImage> ptx_code(std::string_view) {
  auto image = std::make_shared<target::CodeImage>();
  image->target = {target::TargetKind::kPtx, "sm_75"};
  image->bytes.assign(kPtx.begin(), kPtx.end());
  return image;
}

inline std::shared_ptr<target::CodeImage> axpy_image() {
  using target::Parameter;
  auto image = ptx_code("axpy");
  image->entry_name = "axpy";
  image->signature.parameters = {Parameter::kFloat64, Parameter::kPointer, Parameter::kPointer};
  return image;
}

}  // namespace hither::test_cuda
