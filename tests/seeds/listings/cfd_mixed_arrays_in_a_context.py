with numba_dppy.offload_to_sycl_device("gpu_queue"):
    f(a, b, c) # raising error as the queue to submit the kernel can not be determined
