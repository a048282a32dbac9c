// Arrays over the memory of objects with __sycl_usm_array_interface__.
#include <memory>

#include "python/convert/array_import.h"
#include "python/convert/array_span.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/interface_fields.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {

Array import_usm_array(nb::handle object) {
  if (!offers(object, kUsmInterfaceName)) return import_cuda_array(object);
  UsmView view = read_usm_interface(object);
  const int64_t item = size_of(view.dtype);
  const ArraySpan span = span_of(view.data, view.shape, view.strides, item, item);
  const Memory memory = foreign_memory(view.queue, span.lowest, static_cast<size_t>(span.bytes),
                                       view.usm_type, std::make_unique<ObjectOwner>(view.owner));
  return from_memory(memory, span.before, view.shape, view.strides, view.dtype, view.queue,
                     view.read_only);
}

}  // namespace hither::python
