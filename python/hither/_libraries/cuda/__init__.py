"""NVIDIA's libraries (cuFFT, cuSOLVER), called on the native streams of hither's queues."""
