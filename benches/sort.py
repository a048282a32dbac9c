"""Sorts, their orders and unique elements."""

from __future__ import annotations

import numpy as np
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

COUNT = 8_000_000
ROWS, COLUMNS = 8192, 1000


def _torch():
    try:
        import torch
    except ImportError:
        return None
    return torch


def unsorted(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Normal numbers, or integers of nearly all values."""
    random = np.random.default_rng(0)
    if np.dtype(dtype).kind == "i":
        return random.integers(-(2**62), 2**62, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def _sorts(effort: Effort, host: np.ndarray, what: str) -> list[Row]:
    x, torch = ht.asarray(host), _torch()
    other = torch.from_numpy(host) if torch else None
    sorts = {"NumPy": lambda: np.sort(host), "hither": lambda: done(ht.sort(x))}
    orders = {
        "NumPy": lambda: np.argsort(host, kind="stable"),
        "hither": lambda: done(ht.argsort(x)),
    }
    if torch:
        sorts["torch"] = lambda: torch.sort(other)[0].numpy()
        orders["torch"] = lambda: torch.argsort(other, stable=True).numpy()
    budget = Budget(0.8, "best")
    return [
        contest(f"sort, {what}", sorts, effort, budget),
        contest(f"argsort, {what}", orders, effort, budget),
    ]


def _unique(effort: Effort, host: np.ndarray) -> Row:
    x, torch = ht.asarray(host), _torch()
    contestants = {
        "NumPy": lambda: np.unique(host),
        "hither": lambda: done(ht.unique_values(x)),
    }
    if torch:
        contestants["torch"] = lambda: torch.unique(torch.from_numpy(host)).numpy()
    return contest("unique, 8M int32 of 100 k", contestants, effort, Budget(0.8, "best"))


def rows(effort: Effort) -> list[Row]:
    few = np.random.default_rng(0).integers(0, 100_000, COUNT, dtype=np.int32)
    return [
        *_sorts(effort, unsorted("float32", (COUNT,)), "8M float32"),
        *_sorts(effort, unsorted("int64", (COUNT,)), "8M int64"),
        *_sorts(effort, unsorted("float64", (ROWS, COLUMNS)), "rows of 1000 float64"),
        _unique(effort, few),
    ]
