"""HITHER_SIMULATE=1: kernels run as Python functions, item by item, so that pdb and print work."""
