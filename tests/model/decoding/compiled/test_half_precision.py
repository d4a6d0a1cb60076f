"""Weights in half precision: the same numbers in half the memory, or left alone."""

import numpy as np
import pytest

from model.decoding.compiled.half_precision import as_single, stored


def test_what_half_precision_can_hold_takes_half_the_memory_and_stands_for_the_same_numbers() -> None:
    numbers = np.random.default_rng(0).standard_normal((40, 24)).astype(np.float16).astype(np.float32)
    kept = stored(numbers)
    assert kept.nbytes == numbers.nbytes // 2
    np.testing.assert_array_equal(as_single(kept), numbers)


@pytest.mark.parametrize("value", [1 + 2**-20, 1e6, 1e-30])
def test_what_half_precision_would_change_is_kept_as_it_is(value: float) -> None:
    numbers = np.full((16, 8), value, np.float32)
    np.testing.assert_array_equal(stored(numbers), numbers)
    np.testing.assert_array_equal(as_single(stored(numbers)), numbers)


def test_what_the_processor_cannot_read_in_half_precision_is_kept_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"f16c": False})
    numbers = np.ones((16, 8), np.float32)
    np.testing.assert_array_equal(stored(numbers), numbers)
