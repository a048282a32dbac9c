"""Programs for Numba as their users write them; they know nothing of hither."""

from __future__ import annotations

import math

import numpy as np
from numba import prange


def black_scholes(spot, strike, years):
    call, put = np.empty_like(spot), np.empty_like(spot)
    for i in prange(len(spot)):
        s, t = spot[i], years[i]
        deviation = 0.3 * math.sqrt(t)
        d1 = (math.log(s / strike[i]) + (0.02 + 0.5 * 0.3**2) * t) / deviation
        d2 = d1 - deviation
        discounted = strike[i] * math.exp(-0.02 * t)
        c = s * (0.5 + 0.5 * math.erf(d1 * math.sqrt(0.5))) - discounted * (
            0.5 + 0.5 * math.erf(d2 * math.sqrt(0.5))
        )
        call[i] = c
        put[i] = c - s + discounted
    return call, put


def k_means(points, centres, rounds):
    n, k = points.shape[0], centres.shape[0]
    label = np.zeros(n, np.int64)
    for _ in range(rounds):
        for i in prange(n):
            nearest = np.inf
            for c in range(k):
                d = (points[i, 0] - centres[c, 0]) ** 2 + (points[i, 1] - centres[c, 1]) ** 2
                if d < nearest:
                    nearest = d
                    label[i] = c
        for c in range(k):
            x, y, count = 0.0, 0.0, 0
            for i in prange(n):
                if label[i] == c:
                    x += points[i, 0]
                    y += points[i, 1]
                    count += 1
            if count > 0:
                centres[c, 0], centres[c, 1] = x / count, y / count
    return centres


def n_body(position, mass):
    n = position.shape[0]
    force = np.zeros_like(position)
    for i in prange(n):
        fx, fy, fz = 0.0, 0.0, 0.0
        for j in range(n):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + 1e-6
            w = mass[j] / (r2 * math.sqrt(r2))
            fx += w * dx
            fy += w * dy
            fz += w * dz
        force[i, 0], force[i, 1], force[i, 2] = fx, fy, fz
    return force


def mandelbrot(n, most):
    count = np.zeros((n, n), np.int32)
    for i in prange(n):
        for j in range(n):
            cr, ci = -2 + 3 * j / n, -1.5 + 3 * i / n
            zr = zi = 0.0
            k = 0
            while k < most and zr * zr + zi * zi < 4:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                k += 1
            count[i, j] = k
    return count


def heat(grid, steps):
    for _ in range(steps):
        following = grid.copy()
        following[1:-1, 1:-1] = grid[1:-1, 1:-1] + 0.2 * (
            grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
            - 4 * grid[1:-1, 1:-1]
        )  # fmt: skip
        grid = following
    return grid


def pairwise_distance(points):
    n, dims = points.shape
    distance = np.empty((n, n))
    for i in prange(n):
        for j in range(n):
            d = 0.0
            for k in range(dims):
                d += (points[i, k] - points[j, k]) ** 2
            distance[i, j] = math.sqrt(d)
    return distance


def monte_carlo_pi(n):
    hits = 0
    for _ in prange(n):
        if np.random.random() ** 2 + np.random.random() ** 2 < 1:
            hits += 1
    return 4.0 * hits / n


def game_of_life(board, steps):
    rows, columns = board.shape
    for _ in range(steps):
        following = np.zeros_like(board)
        for i in prange(1, rows - 1):
            for j in range(1, columns - 1):
                alive = (
                    board[i - 1, j - 1] + board[i - 1, j] + board[i - 1, j + 1]
                    + board[i, j - 1] + board[i, j + 1]
                    + board[i + 1, j - 1] + board[i + 1, j] + board[i + 1, j + 1]
                )  # fmt: skip
                following[i, j] = 1 if alive == 3 or (alive == 2 and board[i, j] == 1) else 0
        board = following
    return board


def logistic_regression(y, x, w, rounds):
    for _ in range(rounds):
        w = w - np.dot(((1.0 / (1.0 + np.exp(-y * np.dot(x, w))) - 1.0) * y), x)
    return w


def l2_norm(x):
    norms = np.empty(x.shape[0])
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j] ** 2
        norms[i] = math.sqrt(s)
    return norms
