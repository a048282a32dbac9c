"""The demonstration: `hither demo [IMAGE]` runs typical computations and checks them against NumPy.

Each step has a module. A step is a function from a Setting to a StepResult (step.py). command.py
runs the steps in order, and figure.py and report.py show the results.
"""

from .command import main

__all__ = ["main"]
