/* An extension in C: its own kernel computes the brightness of an image's pixels.
 *
 *   luminance.of(image)               on the image's queue
 *   luminance.of(image, queue)        on that queue
 */
#include <hither/c_api.h>

#include <string.h>

/* Item i: out[i] = 0.2126 r + 0.7152 g + 0.0722 b of the i-th pixel. */
static const char kCode[] =
    "declare i64 @hither.global_id(i32)\n"
    "define void @luminance(ptr addrspace(1) %rgb, ptr addrspace(1) %out) {\n"
    "  %i = call i64 @hither.global_id(i32 0)\n"
    "  %at = mul i64 %i, 3\n"
    "  %red = getelementptr float, ptr addrspace(1) %rgb, i64 %at\n"
    "  %green = getelementptr float, ptr addrspace(1) %red, i64 1\n"
    "  %blue = getelementptr float, ptr addrspace(1) %red, i64 2\n"
    "  %r = load float, ptr addrspace(1) %red\n"
    "  %g = load float, ptr addrspace(1) %green\n"
    "  %b = load float, ptr addrspace(1) %blue\n"
    "  %wr = fmul float %r, 0x3FCB367A00000000\n"
    "  %wg = fmul float %g, 0x3FE6E2EB20000000\n"
    "  %wb = fmul float %b, 0x3FB27BB300000000\n"
    "  %rg = fadd float %wr, %wg\n"
    "  %rgb.sum = fadd float %rg, %wb\n"
    "  %place = getelementptr float, ptr addrspace(1) %out, i64 %i\n"
    "  store float %rgb.sum, ptr addrspace(1) %place\n"
    "  ret void\n"
    "}\n";

/* Returns the kernel for a queue, which the caller releases, and caches it for later calls in the
 * same context. The caller holds the GIL, which is released during the compilation. */
static hither_status kernel_for(const hither_queue* queue, hither_kernel** out) {
  static hither_context* kept_context;
  static hither_kernel* kept;
  static const hither_parameter parameters[] = {HITHER_POINTER_PARAMETER, HITHER_POINTER_PARAMETER};
  hither_context* context = NULL;
  hither_kernel* built = NULL;
  hither_kernel_source source = {0};
  hither_status status = hither_api->queue_context(queue, &context);
  if (status == HITHER_OK && hither_api->context_equal(context, kept_context)) {
    hither_api->context_release(context);
    return hither_api->kernel_share(kept, out);
  }
  source.entry = "luminance";
  source.code = kCode;
  source.code_bytes = strlen(kCode);
  source.parameters = parameters;
  source.parameter_count = 2;
  source.independent_items = 1;
  if (status == HITHER_OK) {
    Py_BEGIN_ALLOW_THREADS;
    status = hither_api->kernel_build(queue, &source, &built);
    Py_END_ALLOW_THREADS;
  }
  if (status == HITHER_OK) status = hither_api->kernel_share(built, out);
  if (status != HITHER_OK) {
    hither_api->context_release(context);
    hither_api->kernel_release(built);
    return status;
  }
  hither_api->context_release(kept_context);
  hither_api->kernel_release(kept);
  kept_context = context;
  kept = built;
  return HITHER_OK;
}

/* Called without the GIL. The caller releases `result`, also after an error. */
static hither_status compute(const hither_array* image, const hither_queue* queue,
                             const hither_kernel* kernel, hither_array** result) {
  hither_array *floats = NULL, *dense = NULL;
  hither_view view;
  hither_status status = hither_api->array_astype(image, HITHER_FLOAT32, &floats);
  if (status == HITHER_OK) status = hither_api->array_describe(floats, &view);
  if (status == HITHER_OK)
    status = view.c_contiguous ? hither_api->array_share(floats, &dense)
                               : hither_api->array_copy(floats, &dense);
  if (status == HITHER_OK)
    status = hither_api->array_empty(queue, HITHER_FLOAT32, view.ndim - 1, view.shape,
                                     view.usm_type, result);
  if (status == HITHER_OK) {
    const hither_argument arguments[] = {hither_input_argument(dense),
                                         hither_array_argument(*result)};
    const hither_range pixels = hither_items(1, view.size / 3, 0, 0);
    const hither_launch where = {queue, NULL, 0};
    status = hither_api->kernel_launch(kernel, &pixels, arguments, 2, &where, NULL);
  }
  hither_api->array_release(floats);
  hither_api->array_release(dense);
  return status;
}

static PyObject* of(PyObject* self, PyObject* arguments) {
  PyObject *image_object, *queue_object = Py_None;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "O|O:of", &image_object, &queue_object)) return NULL;

  hither_array *image = NULL, *out = NULL;
  hither_queue* queue = NULL;
  hither_kernel* kernel = NULL;
  hither_view view;
  PyObject* result = NULL;
  hither_status status = hither_api->array_from_object(image_object, &image);
  if (status == HITHER_OK) status = hither_api->array_describe(image, &view);
  if (status == HITHER_OK && (view.ndim < 1 || view.shape[view.ndim - 1] != 3)) {
    hither_api->raise_new(HITHER_VALUE_ERROR, "luminance.of",
                          "the image's last dimension has to be 3: red, green and blue");
    goto done;
  }
  if (status == HITHER_OK)
    status = queue_object == Py_None ? hither_api->array_queue(image, &queue)
                                     : hither_api->queue_from_object(queue_object, &queue);
  if (status == HITHER_OK) status = kernel_for(queue, &kernel);
  if (status == HITHER_OK) {
    Py_BEGIN_ALLOW_THREADS;
    status = compute(image, queue, kernel, &out);
    Py_END_ALLOW_THREADS;
  }
  result = status == HITHER_OK ? hither_api->array_to_object(out) : hither_api->raise_error(status);
done:
  hither_api->array_release(image);
  hither_api->array_release(out);
  hither_api->kernel_release(kernel);
  hither_api->queue_release(queue);
  return result;
}

static PyMethodDef methods[] = {
    {"of", of, METH_VARARGS,
     "of(image, queue=None): the brightness of pixels (..., 3) as float32."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,
                                    "luminance",
                                    "Brightness of images in USM.",
                                    -1,
                                    methods,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL};

PyMODINIT_FUNC PyInit_luminance(void) {
  if (hither_import() != 0) return NULL;
  return PyModule_Create(&module);
}
