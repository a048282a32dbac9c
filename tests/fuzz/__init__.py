"""Random programs: `python -m tests.fuzz`."""
