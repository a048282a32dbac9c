"""`hither demo`: small, and on every device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import hither as ht
from hither.demo import colour_quantisation, image_pipeline, main, measurement, option_prices

QUICK = ["--size", "64", "--options", "20000", "--seconds", "0"]


def test_every_step_agrees_with_numpy_and_the_pictures_are_written(
    device: ht.Device, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if device.filter_string.startswith("null"):
        pytest.skip("the null device records kernels and runs none")
    status = main([*QUICK, "--device", device.filter_string, "--output", str(tmp_path)])
    said = capsys.readouterr()
    assert status == 0, said.out + said.err
    for title in (
        "image pipeline",
        "colour quantisation",
        "option prices",
        "NumPy arrays",
        "Numba function",
    ):
        assert title in said.out
    assert device.filter_string in said.out
    for name in ("photograph", "edges", "quantised", "heat"):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert max(picture.size) == 64
            assert len(set(picture.convert("L").tobytes())) > 4, f"{name} is blank"
    with Image.open(tmp_path / "figure.png") as figure:
        assert min(figure.size) > 500


def test_a_photograph_may_be_given(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (24, 40, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "mine.png")
    arguments = [str(tmp_path / "mine.png"), "--options", "1000", "--seconds", "0"]
    assert main([*arguments, "--output", str(tmp_path / "out")]) == 0
    with Image.open(tmp_path / "out" / "photograph.png") as picture:
        assert np.array_equal(np.asarray(picture), pixels)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.jpg"], "nowhere.jpg: there is no such file"),
        ([__file__], "not a picture"),
        (["--size", "8"], "each side needs 16"),
        (["--device", "cpu:abc"], "abc"),
    ],
)
def test_what_cannot_start_says_why(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


def test_a_failed_check_fails_the_demonstration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measurement.Check, "holds", property(lambda check: False))
    assert main([*QUICK, "--output", str(tmp_path)]) == 1
    assert "checks failed: image pipeline" in capsys.readouterr().err


def test_missing_packages_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "PIL" else name)
    assert main(QUICK) == 2
    assert "needs pillow: pip install 'hither[all]'" in capsys.readouterr().err


def test_a_nan_does_not_pass_a_check() -> None:
    nan = measurement.largest_difference(np.array([np.nan]), np.array([0.0]))
    assert not measurement.Check("values", nan, 1.0).holds
    assert measurement.largest_difference(np.ones(2), np.ones(3)) == np.inf


def test_edges_are_where_brightness_changes() -> None:
    image = np.zeros((32, 32, 3), np.uint8)
    image[:, 16:] = 255
    strength = image_pipeline.edges(np, image)
    assert strength[:, 15:17].min() > 0.9
    assert strength[:, :8].max() < 0.05


def test_few_colours_are_found_again() -> None:
    colours = np.random.default_rng(3).integers(0, 256, (colour_quantisation.COLOURS, 3))
    pixels = np.repeat(colours, 50, axis=0).astype(np.float32)
    labels, found = colour_quantisation.quantise_in_numpy(pixels, colour_quantisation.seeds(pixels))
    assert np.array_equal(found[labels], pixels)


def test_prices_are_those_of_the_literature() -> None:
    """Hull, Options, Futures, and Other Derivatives: a stock of 42, strike 40, half a year."""
    from scipy.special import erf

    spot, strike, years = (np.array([x]) for x in (42.0, 40.0, 0.5))
    call, put = option_prices.prices(np, erf, spot, strike, years, rate=0.1, volatility=0.2)
    assert call[0] == pytest.approx(4.76, abs=0.005)
    assert put[0] == pytest.approx(0.81, abs=0.005)
