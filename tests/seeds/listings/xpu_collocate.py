func(ar1, ar2) # ar1.queue == ar2.queue and computation follows data
               # func(ar1, ar2.collocate(ar1)) to indicate that compute happens 
               # on ar1.queue if ar2.queue is different by sycl::context are common.
ar2_c = arLib.asarray(ar2, queue=ar1.queue)
