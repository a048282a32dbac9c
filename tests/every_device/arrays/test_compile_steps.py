"""hither.compile: library calls, checks of indices and random numbers as steps of recordings."""

import threading

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def queue(device):
    return ht.Queue(device)


def bits(x):
    """The bytes of all arrays in a result."""
    if isinstance(x, (tuple, list)):
        return [bits(part) for part in x]
    return (x.shape, x.dtype, ht.asnumpy(x).tobytes())


def square(queue, n, seed, *stack, dtype="float64"):
    random = np.random.default_rng(seed)
    x = random.random((*stack, n, n)) + n * np.eye(n)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * np.tril(random.random((n, n)), -1)
    return ht.asarray((x + x.swapaxes(-1, -2).conj()).astype(dtype), queue=queue)


def compared(function, calls):
    """The compiled function after calls that give the bits of plain calls."""
    f = ht.compile(function)
    for call in calls:
        expected = function(*call)
        assert bits(f(*call)) == bits(expected)
    assert f.refusal == ""
    return f


LINALG = {
    "solve": lambda x, y: ht.linalg.solve(x, y),
    "solve of vectors": lambda x, y: ht.linalg.solve(x + 1, y[..., 0] * 2 if y.ndim == 2 else y),
    "inv": lambda x, y: y @ ht.linalg.inv(x * 2) + 1,
    "det": lambda x, y: ht.linalg.det(x) + ht.sum(y),
    "cholesky": lambda x, y: ht.linalg.cholesky(x, upper=True) - y,
    "svd": lambda x, y: ht.linalg.svd(x - y, full_matrices=False),
    "svdvals": lambda x, y: ht.linalg.svdvals(x.mT),
    "qr": lambda x, y: ht.linalg.qr(x + y)[1].mT,
    "eigh": lambda x, y: ht.linalg.eigh(x),
    "slogdet": lambda x, y: ht.linalg.slogdet(x)[1] * ht.sum(abs(y)),
    "pinv": lambda x, y: ht.linalg.pinv(x[..., :3, :]) + 1,
    "matrix_rank": lambda x, y: ht.linalg.matrix_rank(x) + 1,
    "lstsq": lambda x, y: ht.lapack.lstsq(x, y) if x.ndim == 2 else x,
    "matrix_power": lambda x, y: ht.linalg.matrix_power(x, -2),
    "several": lambda x, y: ht.linalg.solve(ht.linalg.inv(x), ht.linalg.qr(y + x)[0]) + x,
}


@pytest.mark.parametrize("name", LINALG)
def test_linear_algebra(queue, name):
    for n, stack, dtype in ((5, (), "float64"), (4, (3,), "float32"), (40, (), "complex64")):
        calls = [
            (square(queue, n, k, *stack, dtype=dtype), square(queue, n, k + 9, *stack, dtype=dtype))
            for k in range(6)
        ]
        f = compared(LINALG[name], calls)
        assert f.recordings == 1


FFT = {
    "fft": lambda x, c: ht.fft.fft(x * 2) * c,
    "ifft": lambda x, c: ht.fft.ifft(c + x, axis=0),
    "fftn": lambda x, c: ht.fft.fftn(c).real + x,
    "rfft": lambda x, c: abs(ht.fft.rfft(x, n=9)),
    "irfft": lambda x, c: ht.fft.irfft(c[:, :4], n=6) @ x[:, :6].mT,
    "rfftn": lambda x, c: ht.fft.irfftn(ht.fft.rfftn(x) * 0.5, s=x.shape),
    "hfft": lambda x, c: ht.fft.hfft(c, n=8),
    "ihfft": lambda x, c: ht.fft.fftshift(ht.fft.ihfft(x.mT)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FFT)
def test_transforms(queue, name, dtype):
    random = np.random.default_rng(2)
    calls = []
    for _ in range(6):
        x = random.random((6, 10)).astype(dtype)
        c = x + 1j * random.random((6, 10)).astype(dtype)
        calls.append([ht.asarray(a, queue=queue) for a in (x, c.astype(c.dtype))])
    assert compared(FFT[name], calls).recordings == 1


def test_steps_are_listed(queue):
    f = ht.compile(lambda x, i: ht.fft.fft(ht.linalg.inv(x)[i] + 1))
    x, i = square(queue, 4, 0), ht.asarray([3, -1], queue=queue)
    f(x, i)
    text = ht.explain(f)
    for step in ("call on the host: lapack.inv", "check of indices of axis 0 with size 4",
                 "call on the host: fft.fft"):  # fmt: skip
        assert step in text


def test_empty_arrays(queue):
    empty, none = ht.zeros((0, 0), queue=queue), ht.zeros((3, 0), queue=queue)
    compared(lambda x, y: (ht.linalg.inv(x) + 1, ht.linalg.svdvals(y)), [(empty, none)] * 5)
    i = ht.zeros(0, dtype="int64", queue=queue)
    compared(lambda x, i: x[i] + 1, [(ht.arange(5.0, queue=queue), i)] * 5)
    rng = ht.random.default_rng(1, queue=queue)
    f = ht.compile(lambda x: rng.normal(size=(0, 3)) + x)
    for n in range(5):
        assert f(ht.zeros(3, queue=queue)).shape == (0, 3) and rng.draw == n + 1


def test_errors_are_those_of_the_plain_call(queue):
    def solved(x, y):
        y += 1
        return ht.linalg.solve(x, y) * 2

    f = ht.compile(solved)
    good, bad = square(queue, 3, 1), ht.zeros((3, 3), queue=queue)
    for x in (good, good, bad, good, bad, bad, good):
        a, b = ht.ones(3, queue=queue), ht.ones(3, queue=queue)
        if x is bad:
            with pytest.raises(np.linalg.LinAlgError, match="solve: Singular matrix"):
                f(x, a)
            with pytest.raises(np.linalg.LinAlgError):
                solved(x, b)
        else:
            assert bits(f(x, a)) == bits(solved(x, b))
        assert bits(a) == bits(b)

    @ht.compile
    def handled(x):
        try:
            return ht.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            return x

    for x in (good, bad - 1, good, bad - 1):
        assert bits(handled(x)) == bits(x if x is not good else ht.linalg.cholesky(x))


def test_other_arrays_keep_their_values(queue):
    @ht.compile
    def f(x, y):
        y[...] = x  # they may share a value from here on
        inverse = ht.linalg.inv(x)
        inverse += 1
        x += 1
        return inverse, y * 1

    for k in range(6):
        x, y = square(queue, 3, k), ht.zeros((3, 3), queue=queue)
        before, kept = ht.copy(x), x[1:] * 1
        inverse, same = f(x, y)
        assert bits(inverse) == bits(ht.linalg.inv(before) + 1)
        assert bits(same) == bits(y) == bits(before) and bits(x) == bits(before + 1)
        assert bits(kept) == bits(before[1:])


def test_arrays_of_plain_library_calls_can_be_arguments(queue):
    f = ht.compile(lambda x: ht.fft.fft(x) + 1)
    x = square(queue, 4, 3)
    ht.linalg.inv(x)
    for k in range(3):
        assert bits(f(x)) == bits(ht.fft.fft(x) + 1)
        x = ht.linalg.inv(x) + k
    assert f.refusal == ""


@pytest.mark.parametrize("kind", ["int32", "int64", "uint8"])
def test_index_arrays(queue, kind):
    def read(x, i):
        return x[i] * 2, ht.take(x, i, axis=1), x[1:, i] + 1

    def write(x, i):
        x[i] = 7.0
        x[:, i] += 1
        return x * 2

    def along(x, i):
        return ht.take_along_axis(x, i[None, :] * 1, axis=1)

    random = np.random.default_rng(4)
    for function in (read, write, along):
        f = ht.compile(function)
        for k in range(6):
            i = ht.asarray(random.integers(0 if kind == "uint8" else -4, 4, 3).astype(kind),
                           queue=queue)  # fmt: skip
            x = ht.asarray(random.random((4, 4)), queue=queue)
            y = ht.copy(x)
            assert bits(f(x, i)) == bits(function(y, i)) and bits(x) == bits(y), k
        if function is not write or not queue.device.has_aspect_gpu:  # a table is cleared first
            assert f.recordings == 1 and f.refusal == ""
        wrong, before = ht.asarray(np.array([4, 0, 1], kind), queue=queue), ht.copy(x)
        for _ in range(2):
            with pytest.raises(IndexError, match="index 4 is out of bounds for axis"):
                f(x, wrong)
        assert bits(x) == bits(before)
        assert bits(f(x, i)) == bits(function(before, i))


DRAWS = {
    "random": lambda g, x, t: g.random(5) + x,
    "float32": lambda g, x, t: g.random(5, dtype=np.float32) * x,
    "several": lambda g, x, t: g.random(5) + g.normal(size=5) * g.integers(9, size=5) + x,
    "numbers": lambda g, x, t: g.normal(t, 2 * t, 5) + g.uniform(-t, t, 5) * x,
    "parameters": lambda g, x, t: g.gamma(t, t + 1, 5) + g.triangular(0, t, 2 * t, 5),
    "integers": lambda g, x, t: g.integers(3, 2**40, 5) + g.poisson(t, 5) + g.binomial(9, 0.3, 5),
    "arrays": lambda g, x, t: g.normal(x, x + 1) + g.random(5) + g.integers(0, x.astype("int64")),
    "order": lambda g, x, t: (g.permutation(x), g.random(5), g.permutation(7), g.choice(x, 3)),
    "without": lambda g, x, t: g.choice(9, 4, replace=False) + g.random(4),
    "chances": lambda g, x, t: g.choice(3, 5, p=[0.2, 0.3, 0.5]) + x,
    "vectors": lambda g, x, t: g.multivariate_normal([0, t], [[1, 0], [0, 1]], 3) + g.random(2),
    "many": lambda g, x, t: ht.sum(g.normal(0, t, 5000)) + g.uniform(0, 1, (70, 70))[:5, 3],
    "seeded": lambda g, x, t: ht.random.default_rng(7, queue=x.queue).random(5) + g.random(5),
}


@pytest.mark.parametrize("name", DRAWS)
def test_random_numbers(queue, name):
    function = DRAWS[name]
    plain, recorded = (ht.random.default_rng(5, queue=queue) for _ in range(2))
    f = ht.compile(function)
    for k in range(8):
        x, t = ht.arange(1.0, 6.0, queue=queue) + k, 1.5 + k
        if k == 5:  # plain calls in between
            assert bits(function(recorded, x, t)) == bits(function(plain, x, t))
        assert bits(f(recorded, x, t)) == bits(function(plain, x, t)), k
        assert recorded.draw == plain.draw
    assert f.refusal == ""
    if name != "vectors":
        assert f.recordings == 1


def test_generators_of_the_scope(queue):
    closed, held = (ht.random.default_rng(k, queue=queue) for k in (1, 2))

    class Model:
        def __init__(self):
            self.rng = held

        @ht.compile
        def step(self, x):
            return x * self.rng.random(3) + closed.normal(size=3)

    model, x = Model(), ht.ones(3, queue=queue)
    first, second = (ht.random.default_rng(k, queue=queue) for k in (2, 1))
    for _ in range(5):
        assert bits(model.step(x)) == bits(x * first.random(3) + second.normal(size=3))
    assert Model.step.refusal == "" and Model.step.recordings == 1
    other = ht.random.default_rng(9, queue=queue)
    model.rng = ht.random.default_rng(9, queue=queue)
    assert bits(model.step(x)) == bits(x * other.random(3) + second.normal(size=3))


def test_state_of_generators(queue):
    rng, other = (ht.random.default_rng(3, queue=queue) for _ in range(2))
    f = ht.compile(lambda x, a: x + rng.random(3) if a > 0 else x * rng.random(3) + rng.random(3))
    x = ht.ones(3, queue=queue)
    for a in (1, 2, -1, 3, -4, -5, 6):
        expected = x + other.random(3) if a > 0 else x * other.random(3) + other.random(3)
        assert bits(f(x, a)) == bits(expected) and rng.draw == other.draw
    rng.state = other.state = {"seed": 11, "draw": 40, "streams": 0}
    assert bits(f(x, 1)) == bits(x + other.random(3))

    fails = ht.compile(lambda x: ht.linalg.inv(x + 0 * rng.random(3)) + rng.random(3))
    good, bad = square(queue, 3, 1), ht.zeros((3, 3), queue=queue)
    for x in (good, good, bad, good, bad):
        before = rng.draw
        if x is bad:  # the draw after the error is not made
            with pytest.raises(np.linalg.LinAlgError):
                fails(x)
        else:
            fails(x)
        assert rng.draw == before + (1 if x is bad else 2)

    @ht.compile
    def wrong(x):
        return rng.normal(0, x) + rng.random(3)

    for x in (ht.ones(3, queue=queue), ht.ones(3, queue=queue), -ht.ones(3, queue=queue)) * 2:
        before = rng.draw
        if float(x[0]) < 0:
            with pytest.raises(ht.InvalidValueError, match="scale is negative"):
                wrong(x)
        else:
            wrong(x)
        assert rng.draw == before + (1 if float(x[0]) < 0 else 2)


def test_what_generators_cannot_do(queue):
    rng = ht.random.default_rng(3, queue=queue)
    x = ht.ones(3, queue=queue)
    Hidden.rng = ht.random.default_rng(8, queue=queue)
    for function, text in (
        (lambda x: x + rng.spawn(1)[0].random(3), "state of a random generator"),
        (lambda x: x + (rng.draw + rng.random(3)), "state of a random generator"),
        (lambda x: x + ht.random.default_rng(queue=queue).random(3), "neither an argument"),
        (lambda x: x + vars(Hidden)["rng"].random(3), "neither an argument"),
    ):
        f = ht.compile(function)
        assert len({bits(f(x))[2] for _ in range(4)}) == 4 and text in f.refusal


class Hidden:
    """Has an attribute that the names of a function do not show."""


def test_loops_draw_in_each_step(queue):
    rng, other = (ht.random.default_rng(3, queue=queue) for _ in range(2))

    def walk(i, x):
        return x + rng.normal(size=3) * 0.1 + i

    x = found = ht.zeros(3, queue=queue)
    for steps in (1, 7, 100):
        found = ht.fori_loop(steps, walk, found)
        for i in range(steps):
            x = x + other.normal(size=3) * 0.1 + i
        assert bits(found) == bits(x) and rng.draw == other.draw
    found = ht.while_loop(lambda x: ht.max(x) > 0, lambda x: x - rng.random(3) * 3000, found)
    while float(ht.max(x)) > 0:
        x = x - other.random(3) * 3000
    assert bits(found) == bits(x) and rng.draw == other.draw


def test_threads_share_a_generator(queue):
    rng = ht.random.default_rng(3, queue=queue)
    f = ht.compile(lambda x: x + rng.random(3) + rng.permutation(3))
    x, found, lock = ht.zeros(3, queue=queue), set(), threading.Lock()

    def work():
        for _ in range(20):
            drawn = bits(f(x))
            with lock:
                found.add(drawn)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and rng.draw >= 160


def test_threads_call_libraries(queue):
    f = ht.compile(lambda x, i: ht.linalg.solve(x, x[i] + 1) @ ht.fft.fft(x).real)
    i = ht.asarray([2, 0, 1], queue=queue)
    wrong = []

    def work(seed):
        for k in range(10):
            x = square(queue, 3, 100 * seed + k)
            expected = ht.linalg.solve(x, x[i] + 1) @ ht.fft.fft(x).real
            if bits(f(x, i)) != bits(expected):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and f.refusal == ""


def test_arguments_at_other_places(queue):
    """Views of other offsets, reversed and transposed ones, as operands of steps."""
    f = ht.compile(lambda x: ht.linalg.inv(x))
    whole = square(queue, 8, 5)
    for k in range(0, 8, 2):  # 64-byte alignment as well as others
        for view in (whole[k // 2 : k // 2 + 3, :3], whole.mT[2:5, 2:5], whole[::2, ::2][::-1]):
            assert bits(f(view)) == bits(ht.linalg.inv(view))
    assert f.refusal == ""


MADE = {
    "zeros": lambda: ht.linalg.inv(ht.zeros((0, 3, 3))),
    "fft": lambda: ht.fft.fft(ht.zeros((0, 4))),
    "empty": lambda: ht.fft.fft(ht.empty(4)).shape[0] * ht.ones(2),
}


@pytest.mark.parametrize("name", MADE)
def test_an_operand_that_no_step_has_written(queue, name):
    function = ht.compile(MADE[name])
    with ht.device_context(queue):
        for _ in range(3):
            assert function().shape == MADE[name]().shape


def test_a_generator_of_a_class_of_the_program_keeps_its_attributes(queue):
    class Scaled(ht.random.Generator):
        scale = 1.0

        def noise(self, n):
            return self.normal(0, 1, n) * self.scale

    with ht.device_context(queue):
        function = ht.compile(lambda r: r.noise(3))
        plain, compiled = Scaled(3), Scaled(3)
        for scale in (1.0, 2.0, 3.0, 4.0):
            plain.scale = compiled.scale = scale
            assert bits(function(compiled)) == bits(plain.noise(3))
        assert function.recordings == 0 and function.refusal
