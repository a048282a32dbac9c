with numba_dppy.offload_to_sycl_device("gpu_queue"):
    f(a, b, c) # offloading to gpu_queue
