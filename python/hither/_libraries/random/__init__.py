"""The implementation of hither.random."""
