"""The demonstration: `hither demo [IMAGE]` runs hither's main job and checks it against NumPy.

One module a step. A step is a function from a Setting to a StepResult (step.py); command.py runs
them in order, and figure.py and report.py show what came out.
"""

from .command import main

__all__ = ["main"]
