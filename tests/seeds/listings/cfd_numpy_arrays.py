a = numpy.asarray([1, 2, 3, 4])
b = numpy.asarray([1, 2, 3, 4])
c = numpy.asarray([1, 2, 3, 4])
f(a, b, c) # raising error as the queue to submit the kernel can not be determined
