"""Polynomials in a program's integer variables, with integer coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Polynomial:
    """A sum of terms. Each term is a product of variables, by name, with a coefficient."""

    terms: tuple[tuple[tuple[str, ...], int], ...] = ()

    @staticmethod
    def number(value: int) -> Polynomial:
        return _of({(): value})

    @staticmethod
    def variable(name: str) -> Polynomial:
        return _of({(name,): 1})

    def plus(self, other: Polynomial, factor: int = 1) -> Polynomial:
        total = dict(self.terms)
        for product, coefficient in other.terms:
            total[product] = total.get(product, 0) + factor * coefficient
        return _of(total)

    def times(self, other: Polynomial) -> Polynomial:
        total: dict = {}
        for factors, a in self.terms:
            for other_factors, b in other.terms:
                product = tuple(sorted(factors + other_factors))
                total[product] = total.get(product, 0) + a * b
        return _of(total)

    def names(self) -> set[str]:
        return {name for product, _ in self.terms for name in product}

    def split(self, name: str) -> tuple[Polynomial, Polynomial]:
        """(a, b) with self = a * name + b. If the variable occurs squared, a contains it."""
        with_it, without = {}, {}
        for product, coefficient in self.terms:
            if name in product:
                at = product.index(name)
                with_it[product[:at] + product[at + 1 :]] = coefficient
            else:
                without[product] = coefficient
        return _of(with_it), _of(without)

    def floor(self, positive: Iterable[str] = ()) -> int | None:
        """A lower bound, given that the variables in `positive` are at least 1, or None if none is
        known."""
        total = 0
        for product, coefficient in self.terms:
            if product and (coefficient < 0 or not set(positive).issuperset(product)):
                return None
            total += coefficient
        return total


def _of(terms: Mapping[tuple[str, ...], int]) -> Polynomial:
    return Polynomial(tuple(sorted((product, c) for product, c in terms.items() if c)))
