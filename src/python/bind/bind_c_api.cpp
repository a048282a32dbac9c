// hither._hither._C_API, the capsule with the table of <hither/c_api.h>.
#include <hither/version.h>

#include "python/bind/bindings.h"
#include "python/c_api/handles.h"

namespace hither::python {
namespace {

// The binary interface of extensions must not change.
static_assert(sizeof(hither_view) == 304 && offsetof(hither_view, ndim) == 280);
static_assert(sizeof(hither_pointer_info) == 24 && sizeof(hither_range) == 56);
static_assert(sizeof(hither_argument) == 24 && sizeof(hither_launch) == 24);
static_assert(sizeof(hither_kernel_source) == 72);
static_assert(offsetof(hither_table, error_message) == 16);

hither_table make_table() {
  hither_table table{};
  table.version = HITHER_C_API_VERSION;
  table.bytes = sizeof table;
  table.library_version = version();
  table.error_message = c_api::error_message;
  table.raise_error = c_api::raise_status;
  table.raise_new = c_api::raise_new;
  c_api::fill_devices(table);
  c_api::fill_queues(table);
  c_api::fill_memory(table);
  c_api::fill_arrays(table);
  c_api::fill_launches(table);
  c_api::fill_objects(table);
  return table;
}

}  // namespace

void bind_c_api(nb::module_& m) {
  static hither_table table = make_table();
  m.attr("_C_API") = nb::capsule(&table, HITHER_C_API_CAPSULE);
}

}  // namespace hither::python
