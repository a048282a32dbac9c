"""Every wrong field of __sycl_usm_array_interface__ is refused by name."""

import pytest

import hither as ht

pytestmark = pytest.mark.either_mode


class Producer:
    def __init__(self, fields):
        self.__sycl_usm_array_interface__ = fields


@pytest.fixture
def memory():
    return ht.MemoryUSMShared(64, queue="cpu")


def fields_of(memory, **changes):
    fields = {
        "shape": (16,),
        "typestr": "<f4",
        "data": (memory.pointer, False),
        "strides": None,
        "offset": 0,
        "version": 1,
        "syclobj": memory.queue,
    }
    fields.update(changes)
    return {k: v for k, v in fields.items() if v is not ...}


ILL_TYPED = [
    ("shape", [16]), ("shape", 16), ("shape", (1.5,)), ("shape", (True,)), ("shape", ("16",)),
    ("typestr", 4), ("typestr", "f4"), ("typestr", "<x4"), ("typestr", ">f4"), ("typestr", "|V8"),
    ("typestr", ""), ("typedescr", ("", "<f4")), ("typedescr", [1]),
    ("data", 1234), ("data", (1,)), ("data", ("a", False)), ("data", (None, False)),
    ("strides", [1]), ("strides", (1.0,)), ("strides", 1),
    ("offset", "0"), ("offset", 1.0), ("offset", True),
    ("version", "1"), ("version", True), ("version", None),
    ("syclobj", None), ("syclobj", 3), ("syclobj", object()),
]  # fmt: skip
INCONSISTENT = [
    ("shape", (17,)), ("shape", (-1,)), ("shape", (4, 5)), ("shape", (2,) * 20),
    ("shape", (2**62, 2**62)),
    ("strides", (1, 1)), ("strides", (2,)), ("strides", (-1,)), ("strides", (2**62,)),
    ("offset", 1), ("offset", -1), ("offset", 2**62),
    ("version", 2), ("version", 0), ("syclobj", "no_such_backend:gpu"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), ILL_TYPED)
def test_ill_typed_fields(memory, name, value):
    with pytest.raises(ht.Error) as caught:
        ht.UsmView(Producer(fields_of(memory, **{name: value})))
    assert name in str(caught.value)


@pytest.mark.parametrize(("name", "value"), INCONSISTENT)
def test_inconsistent_fields(memory, name, value):
    with pytest.raises(ht.InvalidValueError):
        ht.UsmView(Producer(fields_of(memory, **{name: value})))


@pytest.mark.parametrize("name", ["shape", "typestr", "version", "syclobj", "data"])
def test_missing_fields(memory, name):
    with pytest.raises(ht.InvalidValueError, match=rf"\['{name}'\]: is missing"):
        ht.UsmView(Producer(fields_of(memory, **{name: ...})))


def test_the_interface_is_a_dict():
    with pytest.raises(ht.InvalidTypeError, match="is not a dict"):
        ht.UsmView(Producer([("shape", (1,))]))


def test_a_pointer_of_another_context(memory):
    other = ht.Queue(ht.Context(memory.queue.device), memory.queue.device)
    with pytest.raises(ht.ExchangeError, match="not bound to the context"):
        ht.UsmView(Producer(fields_of(memory, syclobj=other)))


def test_a_pointer_of_nobody(memory):
    with pytest.raises(ht.ExchangeError, match="not bound to the context"):
        ht.UsmView(Producer(fields_of(memory, data=(id(memory), False))))


def test_capsules_of_others(memory):
    import ctypes

    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    for name in (b"used_SyclQueueRef", b"other", b"hither.QueueRef"):
        with pytest.raises(ht.InvalidTypeError, match="syclobj"):
            ht.UsmView(Producer(fields_of(memory, syclobj=new(8, name, None))))


def test_errors_of_the_property_come_through():
    class Broken:
        @property
        def __sycl_usm_array_interface__(self):
            raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        ht.UsmView(Broken())
