with numba_dppy.offload_to_sycl_device("gpu_queue_2"):
    f(a, b, c) # raising error as inferring the SYCL queue can not be accomplished for data a and b
