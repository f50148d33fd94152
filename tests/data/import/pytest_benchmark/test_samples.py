# SPDX-License-Identifier: Apache-2.0
"""Benchmarks whose results are the samples; README.md has the command lines."""
import pytest


@pytest.mark.parametrize("n", [10, 1000])
def test_sum(benchmark, n):
    benchmark.extra_info["dtype"] = "int"
    assert benchmark(sum, range(n)) == n * (n - 1) // 2


def test_sort(benchmark):
    benchmark.pedantic(sorted, args=([3, 1, 2],), rounds=8, iterations=50)


def test_raises(benchmark):
    benchmark(lambda: 1 / 0)
