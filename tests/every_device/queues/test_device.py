"""hither.Device."""

import pickle

import pytest

import hither as ht


def test_devices_are_found_by_their_filter_string(device):
    assert ht.Device(device.filter_string) == device
    assert str(device) == device.filter_string
    assert device == device.filter_string
    assert hash(device) == hash(device.filter_string)
    assert device.filter_string in repr(device)
    assert ht.Device(device.backend) is not None
    assert device in ht.devices()


def test_a_device_can_be_given_for_a_device(device):
    assert ht.Device(device) == device
    assert ht.Device(device.default_queue) == device


def test_descriptors_are_attributes(device):
    assert device.info_names
    for name in device.info_names:
        assert getattr(device, name) == device.info(name)
        assert name in dir(device)
    assert device.max_compute_units >= 1
    assert isinstance(device.name, str) and isinstance(device.vendor, str)


def test_aspects(device):
    kinds = [k for k in ("cpu", "gpu", "accelerator") if device.has_aspect(k)]
    assert kinds == [device.device_type]
    assert set(kinds) <= set(device.aspects)
    assert device.has_aspect_fp64 == device.has_aspect("fp64") == ("fp64" in device.aspects)


def test_root_devices_have_no_parent(device):
    assert device.is_root
    assert device.parent_device is None


def test_root_devices_pickle(device):
    assert pickle.loads(pickle.dumps(device)) == device


def test_the_default_queue_is_one(device):
    assert device.default_queue == ht.Device(device.filter_string).default_queue
    assert ht.default_queue(device) == device.default_queue
    assert device.default_context == device.default_queue.context


def test_the_default_device_is_the_environments(monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", "native_cpu:cpu:0")
    assert ht.Device() == "native_cpu:cpu:0"
    assert ht.default_queue().device == "native_cpu:cpu:0"


def test_sub_devices(sub_devices):
    cpu = ht.Device("cpu")
    assert len(sub_devices) == 2
    assert len(set(sub_devices)) == 2
    for part in sub_devices:
        assert part.parent_device == cpu
        assert not part.is_root
        assert part.max_compute_units == 1
        assert part != cpu
        assert part.filter_string.startswith(cpu.filter_string)


def test_sub_devices_equally():
    cpu = ht.Device("cpu")
    parts = cpu.create_sub_devices(partition=1)
    assert len(parts) == cpu.max_compute_units
    assert {part.max_compute_units for part in parts} == {1}


def test_missing_attributes_name_the_device(device):
    with pytest.raises(AttributeError, match="no descriptor 'no_such_thing'"):
        device.no_such_thing  # noqa: B018
    assert not hasattr(device, "has_aspect_of_nothing")


def test_the_device_of_an_array_is_asked_as_of_dpctl(device, capsys):
    x = ht.ones(3, device=device)
    assert x.device.sycl_device == device
    assert x.device.sycl_queue == x.queue
    assert x.device.sycl_context == x.queue.context
    x.device.print_device_info()
    shown = capsys.readouterr().out
    assert device.info("name") in shown
    assert device.filter_string in shown
