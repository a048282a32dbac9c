# hither.lapack, whose functions are Python's:
#     cimport scipy.linalg.lapack_cython as lapack
#     import scipy.linalg.lapack_cython as lapack
