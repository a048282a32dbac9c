#include <hither/kernel.h>

#include <algorithm>

#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"

namespace hither {

const std::string& Kernel::name() const { return state_->name; }

namespace runtime {

Kernel load_kernel(const Context& context, std::shared_ptr<const target::CodeImage> image) {
  if (!image) throw Error(ErrorKind::kValue, "load_kernel", "there is no code image to load");
  for (const Device& device : context.devices())
    if (!(device.state()->facts().target.kind == image->target.kind))
      throw Error(ErrorKind::kUnsupported, "load_kernel",
                  "kernel " + image->entry_name + " was compiled for another kind of device than " +
                      device.filter_string() + "; compile it for that device");
  const target::Signature& signature = image->signature;
  std::shared_ptr<KernelState> state = context.state()->driver->load(image);
  state->name = image->entry_name;
  state->context = context.state();
  state->packed_bytes = signature.packed_bytes();
  state->has_groups = image->uses_groups || image->local_bytes > 0 ||
                      std::find(signature.parameters.begin(), signature.parameters.end(),
                                target::Parameter::kLocalBytes) != signature.parameters.end();
  state->image = std::move(image);
  return Kernel(std::move(state));
}

const DeviceFacts& facts_of(const Device& device) { return device.state()->facts(); }
const target::Target& target_of(const Device& device) { return facts_of(device).target; }

}  // namespace runtime
}  // namespace hither
