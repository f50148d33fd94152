# SPDX-License-Identifier: Apache-2.0
"""Row, element-wise and matrix-vector kernels in Triton, tuned by its autotuner."""
import torch
import triton
import triton.language as tl

BY_WARPS = [triton.Config({}, num_warps=warps) for warps in (2, 4, 8, 16, 32)]
BY_BLOCK = [triton.Config({"BLOCK": block}, num_warps=warps)
            for block in (1024, 2048, 4096) for warps in (4, 8)]
BY_TILE = [triton.Config({"ROWS": rows, "COLS": cols}, num_warps=warps)
           for rows in (1, 2, 4, 8, 16) for cols in (256, 512, 1024) for warps in (2, 4, 8)
           if rows * cols <= 8192]


@triton.autotune(configs=BY_WARPS, key=["cols"])
@triton.jit
def _rmsnorm(x, weight, y, cols, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.program_id(0).to(tl.int64) * cols
    value = tl.load(x + row + at, mask=inside, other=0.0).to(tl.float32)
    scale = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    rms = tl.sqrt(tl.sum(value * value, axis=0) / cols + eps)
    tl.store(y + row + at, (value / rms * scale).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_WARPS, key=["cols"])
@triton.jit
def _residual_rmsnorm(x, residual, weight, total, y, cols, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.program_id(0).to(tl.int64) * cols
    value = tl.load(x + row + at, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(residual + row + at, mask=inside, other=0.0).to(tl.float32)
    rounded = value.to(y.dtype.element_ty)
    tl.store(total + row + at, rounded, mask=inside)
    value = rounded.to(tl.float32)
    scale = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    rms = tl.sqrt(tl.sum(value * value, axis=0) / cols + eps)
    tl.store(y + row + at, (value / rms * scale).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_WARPS, key=["cols"])
@triton.jit
def _softmax(x, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.program_id(0).to(tl.int64) * cols
    value = tl.load(x + row + at, mask=inside, other=-float("inf")).to(tl.float32)
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row + at, (power / tl.sum(power, axis=0)).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_BLOCK, key=["count"])
@triton.jit
def _silu_mul(gate, up, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    g = tl.load(gate + at, mask=inside, other=0.0).to(tl.float32)
    u = tl.load(up + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + at, (g * tl.sigmoid(g) * u).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_BLOCK, key=["count"])
@triton.jit
def _convert(x, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(y + at, tl.load(x + at, mask=inside).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_WARPS[:3], key=["heads", "HALF"])
@triton.jit
def _rope(x, cos, sin, y, heads, HALF: tl.constexpr, HEADS: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    head = tl.arange(0, HEADS)[:, None]
    pair = tl.arange(0, HALF)[None, :]
    inside = (head < heads) & (pair < HALF)
    at = (token * heads + head) * (2 * HALF) + pair
    c = tl.load(cos + token * HALF + pair)
    s = tl.load(sin + token * HALF + pair)
    low = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    high = tl.load(x + at + HALF, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + at, (low * c - high * s).to(y.dtype.element_ty), mask=inside)
    tl.store(y + at + HALF, (high * c + low * s).to(y.dtype.element_ty), mask=inside)


@triton.autotune(configs=BY_TILE, key=["n", "k"])
@triton.jit
def _gemv(weight, x, y, n, k, ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS, COLS), dtype=tl.float32)
    for first in range(0, k, COLS):
        cols = first + tl.arange(0, COLS)
        inside = (rows[:, None] < n) & (cols[None, :] < k)
        tile = tl.load(weight + rows[:, None].to(tl.int64) * k + cols[None, :], mask=inside,
                       other=0.0, eviction_policy="evict_first")
        total += tile.to(tl.float32) * tl.load(x + cols, mask=cols < k, other=0.0)[None, :]
    tl.store(y + rows, tl.sum(total, axis=1), mask=rows < n)


@triton.jit
def _e2m1(code):
    exponent = (code >> 1) & 3
    fraction = code & 1
    size = tl.where(exponent == 0, 2 * fraction, (2 + fraction) << exponent)
    return tl.where(code >= 8, -size, size).to(tl.float32) * 0.25


@triton.autotune(configs=BY_TILE, key=["n", "k"])
@triton.jit
def _gemv_mxfp4(blocks, scales, x, y, n, k, ROWS: tl.constexpr, COLS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row = rows[:, None].to(tl.int64)
    total = tl.zeros((ROWS, COLS // 2), dtype=tl.float32)
    for first in range(0, k // 2, COLS // 2):
        at = first + tl.arange(0, COLS // 2)
        inside = (rows[:, None] < n) & (at[None, :] < k // 2)
        code = tl.load(blocks + row * (k // 2) + at[None, :], mask=inside, other=0).to(tl.int32)
        scale = tl.load(scales + row * (k // 32) + at[None, :] // 16, mask=inside, other=127)
        even = tl.load(x + 2 * at, mask=at < k // 2, other=0.0)[None, :]
        odd = tl.load(x + 2 * at + 1, mask=at < k // 2, other=0.0)[None, :]
        part = _e2m1(code & 15) * even + _e2m1(code >> 4) * odd
        total += part * tl.exp2(scale.to(tl.float32) - 127.0)
    tl.store(y + rows, tl.sum(total, axis=1), mask=rows < n)


def _block(cols):
    return triton.next_power_of_2(cols)


def rmsnorm(d):
    y = torch.empty_like(d.x)
    _rmsnorm[(d.x.shape[0],)](d.x, d.weight, y, d.x.shape[1], 1e-5, BLOCK=_block(d.x.shape[1]))
    return y


def residual_rmsnorm(d):
    total, y = torch.empty_like(d.x), torch.empty_like(d.x)
    _residual_rmsnorm[(d.x.shape[0],)](d.x, d.residual, d.weight, total, y, d.x.shape[1], 1e-5,
                                       BLOCK=_block(d.x.shape[1]))
    return total, y


def softmax(d):
    y = torch.empty_like(d.x)
    _softmax[(d.x.shape[0],)](d.x, y, d.x.shape[1], BLOCK=_block(d.x.shape[1]))
    return y


def _blocks(count):
    return lambda meta: (triton.cdiv(count, meta["BLOCK"]),)


def silu_mul(d):
    y = torch.empty_like(d.gate)
    _silu_mul[_blocks(y.numel())](d.gate, d.up, y, y.numel())
    return y


def convert(d):
    y = torch.empty_like(d.x, dtype=d.target)
    _convert[_blocks(y.numel())](d.x, y, y.numel())
    return y


def rope(d):
    y = torch.empty_like(d.x)
    tokens, heads, dim = d.x.shape
    _rope[(tokens,)](d.x, d.cos, d.sin, y, heads, HALF=dim // 2,
                     HEADS=triton.next_power_of_2(heads))
    return y


def _tiles(n):
    return lambda meta: (triton.cdiv(n, meta["ROWS"]),)


def gemv(d):
    n, k = d.weight.shape
    y = torch.empty(n, dtype=torch.float32, device=d.weight.device)
    _gemv[_tiles(n)](d.weight, d.x32, y, n, k)
    return y


def gemv_mxfp4(d):
    n, half = d.blocks.shape
    y = torch.empty(n, dtype=torch.float32, device=d.blocks.device)
    _gemv_mxfp4[_tiles(n)](d.blocks, d.scales, d.x32, y, n, 2 * half)
    return y
