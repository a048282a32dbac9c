# hither.lapack, whose functions are Python's:
#     cimport scipy.linalg.oneAPIlapack_cython as lapack_oneAPI
#     import scipy.linalg.oneAPIlapack_cython as lapack_oneAPI
#     lapack = lapack_oneAPI(queue=q)
