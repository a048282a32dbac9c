"""Intel's oneMKL on SYCL devices: what hither.lapack and hither.fft call there."""
