"""Intel's oneMKL, which hither.lapack and hither.fft call on SYCL devices."""
