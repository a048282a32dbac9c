"""Measurements and inspections for people: benchmarks, memory, the disk cache, `hither doctor`."""
