"""Step 3: European calls and puts by Black and Scholes's formula, one array expression."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hither as ht

from .measurement import Check, largest_difference, race
from .step import Setting, StepResult

RATE = 0.02  # per year
VOLATILITY = 0.3  # per square root of a year


def prices(
    xp: Any,
    erf: Any,
    spot: Any,
    strike: Any,
    years: Any,
    rate: float = RATE,
    volatility: float = VOLATILITY,
) -> tuple[Any, Any]:
    """Calls and puts (Black and Scholes 1973; puts by put-call parity), float64.

    `xp` is the array namespace, `erf` its error function.
    """
    deviation = volatility * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / deviation
    d2 = d1 - deviation

    def normal(d: Any) -> Any:
        return 0.5 + 0.5 * erf(d * math.sqrt(0.5))

    discounted = strike * xp.exp(-rate * years)
    call = spot * normal(d1) - discounted * normal(d2)
    put = call - spot + discounted
    return call, put


def market(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Spot prices, strikes and years to expiry of `count` options, the same each time."""
    random = np.random.default_rng(1973)
    return (
        random.uniform(50.0, 150.0, count),
        random.uniform(50.0, 150.0, count),
        random.uniform(0.1, 2.0, count),
    )


def run(setting: Setting) -> StepResult:
    """Calls and puts on `setting.options` options."""
    from scipy.special import erf  # NumPy has none

    host = market(setting.options)
    spot, strike, years = (ht.asarray(x, queue=setting.queue) for x in host)

    def in_hither() -> tuple[ht.Array, ht.Array]:
        call, put = prices(ht, ht.erf, spot, strike, years)
        ht.synchronize(put, call)
        return call, put

    (call, put), hither_time, (expected_call, expected_put), numpy_time = race(
        in_hither, lambda: prices(np, erf, *host), setting.seconds
    )
    return StepResult(
        title="option prices",
        device=put.device,
        hither=hither_time,
        numpy=numpy_time,
        checks=[
            Check("calls", largest_difference(ht.asnumpy(call), expected_call), 1e-11),
            Check("puts", largest_difference(ht.asnumpy(put), expected_put), 1e-11),
        ],
        note=f"{setting.options:,} Black-Scholes calls and puts",
    )
