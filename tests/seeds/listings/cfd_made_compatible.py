a_queue_2 = dpctl.tensor.asarray(a, queue="gpu_queue_2") # potentially zero-copy
f(a_queue_2, b, c) # offloading to gpu_queue_2
