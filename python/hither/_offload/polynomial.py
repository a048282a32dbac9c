"""Numbers of a program as polynomials in its integer variables, with integers as coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Polynomial:
    """The sum of its terms: products of variables, by name, with the factor of each."""

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
        for mine, a in self.terms:
            for theirs, b in other.terms:
                product = tuple(sorted(mine + theirs))
                total[product] = total.get(product, 0) + a * b
        return _of(total)

    def names(self) -> set[str]:
        return {name for product, _ in self.terms for name in product}

    def split(self, name: str) -> tuple[Polynomial, Polynomial]:
        """(a, b) with self = a * name + b; a still has the name where it occurs squared."""
        with_it, without = {}, {}
        for product, coefficient in self.terms:
            if name in product:
                at = product.index(name)
                with_it[product[:at] + product[at + 1 :]] = coefficient
            else:
                without[product] = coefficient
        return _of(with_it), _of(without)

    def floor(self, positive: Iterable[str] = ()) -> int | None:
        """What it is not below, where the variables of those names are 1 at least; None if that is
        not known."""
        total = 0
        for product, coefficient in self.terms:
            if product and (coefficient < 0 or not set(positive).issuperset(product)):
                return None
            total += coefficient
        return total


def _of(terms: Mapping[tuple[str, ...], int]) -> Polynomial:
    return Polynomial(tuple(sorted((product, c) for product, c in terms.items() if c)))
