# SPDX-License-Identifier: Apache-2.0
# Long: one class for each op, all of one shape, read beside each other.
"""What PyTorch offers for each op: inputs, implementations, and the answer in float64.

An op is a class with make(case, first) -> one set of buffers (`first`: the first set, whose hot
parts are shared), peers(case) -> {name: function of a set}, and check(case, set, result) -> pairs
(got, want) of float64 tensors, of as many rows as are cheap.
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
          "f8e4m3": torch.float8_e4m3fn}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SOME = 8  # rows that are checked


def uniform(dtype, *shape):
    kind = DTYPES[dtype]
    if dtype in ("f32", "bf16", "f16"):
        return torch.empty(shape, dtype=kind, device=DEVICE).uniform_(-1, 1)
    return torch.empty(shape, dtype=torch.bfloat16, device=DEVICE).uniform_(-1, 1).to(kind)


def compiled(function):
    return torch.compile(function, mode="max-autotune-no-cudagraphs", dynamic=False, fullgraph=True)


def eager_and_compiled(function):
    return {"torch_eager": function, "torch_compile": compiled(function)}


class Copy:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.count), y=uniform(c.dtype, c.count))

    def peers(self, c):
        return {"torch_eager": lambda d: d.y.copy_(d.x)}

    def check(self, c, d, y):
        return [(y[:4096].double(), d.x[:4096].double())]


class Sum:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.count))

    def peers(self, c):
        return eager_and_compiled(lambda d: torch.sum(d.x))

    def check(self, c, d, y):
        # Of many terms around zero the sum is small: compared with the size of what was added.
        return [((y - d.x.double().sum()) / d.x.double().norm() + 1, torch.ones((), device=DEVICE))]


def hf_rms_norm(x, weight):
    """As models write it."""
    wide = x.float()
    return weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


def double_rms_norm(x, weight):
    x = x.double()
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight.double()


class RmsNorm:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.rows, c.cols), weight=uniform(c.dtype, c.cols))

    def peers(self, c):
        fused = lambda d: F.rms_norm(d.x, (c.cols,), d.weight, 1e-5)
        return {"torch_eager": fused, "torch_compile": compiled(fused),
                "torch_compile_module": compiled(lambda d: hf_rms_norm(d.x, d.weight)),
                "triton": "rmsnorm"}

    def check(self, c, d, y):
        return [(y[:SOME].double(), double_rms_norm(d.x[:SOME], d.weight))]


class ResidualRmsNorm:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.rows, c.cols),
                               residual=uniform(c.dtype, c.rows, c.cols),
                               weight=uniform(c.dtype, c.cols))

    def peers(self, c):
        def both(d):
            total = d.x + d.residual
            return total, F.rms_norm(total, (c.cols,), d.weight, 1e-5)
        return {**eager_and_compiled(both), "triton": "residual_rmsnorm"}

    def check(self, c, d, result):
        total = (d.x[:SOME].double() + d.residual[:SOME].double()).to(d.x.dtype)
        return [(result[0][:SOME].double(), total.double()),
                (result[1][:SOME].double(), double_rms_norm(total, d.weight))]


class Softmax:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.rows, c.cols))

    def peers(self, c):
        return {**eager_and_compiled(lambda d: torch.softmax(d.x, -1)), "triton": "softmax"}

    def check(self, c, d, y):
        return [(y[:SOME].double(), torch.softmax(d.x[:SOME].double(), -1))]


class SiluMul:
    def make(self, c, first):
        return SimpleNamespace(gate=uniform(c.dtype, c.rows, c.cols),
                               up=uniform(c.dtype, c.rows, c.cols))

    def peers(self, c):
        return {**eager_and_compiled(lambda d: F.silu(d.gate) * d.up), "triton": "silu_mul"}

    def check(self, c, d, y):
        gate = d.gate[:SOME].double()
        return [(y[:SOME].double(), F.silu(gate) * d.up[:SOME].double())]


def angles(tokens, half, first):
    if first is not None:
        return first.cos, first.sin
    at = torch.arange(tokens, device=DEVICE, dtype=torch.float64)[:, None]
    speed = 10000.0 ** (-torch.arange(half, device=DEVICE, dtype=torch.float64) / half)
    return torch.cos(at * speed).float(), torch.sin(at * speed).float()


def rotate(x, cos, sin):
    """x: [tokens, heads, dim], tables [tokens, dim / 2] in float32; rounded once."""
    low, high = x.float().chunk(2, -1)
    cos, sin = cos[:, None], sin[:, None]
    return torch.cat((low * cos - high * sin, high * cos + low * sin), -1).to(x.dtype)


def rotate_double(x, cos, sin):
    low, high = x.double().chunk(2, -1)
    cos, sin = cos.double()[:, None], sin.double()[:, None]
    return torch.cat((low * cos - high * sin, high * cos + low * sin), -1)


class Rope:
    def make(self, c, first):
        cos, sin = angles(c.tokens, c.dim // 2, first)
        return SimpleNamespace(x=uniform(c.dtype, c.tokens, c.heads, c.dim), cos=cos, sin=sin)

    def peers(self, c):
        return {**eager_and_compiled(lambda d: rotate(d.x, d.cos, d.sin)), "triton": "rope"}

    def check(self, c, d, y):
        return [(y[:SOME].double(), rotate_double(d.x[:SOME], d.cos[:SOME], d.sin[:SOME]))]


class RopeAppend:
    def make(self, c, first):
        cos, sin = angles(c.tokens, c.dim // 2, first)
        slots = first.slots if first else torch.arange(c.tokens, device=DEVICE)
        cache = lambda: uniform(c.target, c.tokens, c.kv_heads, c.dim)
        qkv = uniform(c.dtype.split("_to_")[0], c.tokens, c.heads + 2 * c.kv_heads, c.dim)
        return SimpleNamespace(qkv=qkv, cos=cos, sin=sin, slots=slots, k_cache=cache(),
                               v_cache=cache())

    def peers(self, c):
        def append(d):
            q, k, v = d.qkv.split((c.heads, c.kv_heads, c.kv_heads), 1)
            d.k_cache.index_copy_(0, d.slots, rotate(k, d.cos, d.sin).to(d.k_cache.dtype))
            d.v_cache.index_copy_(0, d.slots, v.to(d.v_cache.dtype))
            return rotate(q, d.cos, d.sin)
        return eager_and_compiled(append)

    def check(self, c, d, q):
        part = rotate_double(d.qkv[:SOME], d.cos[:SOME], d.sin[:SOME])
        end = c.heads + c.kv_heads
        return [(q[:SOME].double(), part[:, :c.heads]),
                (d.k_cache[:SOME].double(), part[:, c.heads:end]),
                (d.v_cache[:SOME].double(), d.qkv[:SOME, end:].double())]


class Convert:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype.split("_to_")[0], c.count), target=DTYPES[c.target])

    def peers(self, c):
        return {**eager_and_compiled(lambda d: d.x.to(d.target)), "triton": "convert"}

    def check(self, c, d, y):
        return [(y[:4096].double(), d.x[:4096].to(d.target).double())]


class Gemv:
    def make(self, c, first):
        x32 = first.x32 if first else uniform("f32", c.k)
        x = first.x if first else x32.to(DTYPES[c.dtype])
        return SimpleNamespace(weight=uniform(c.dtype, c.n, c.k), x32=x32, x=x)

    def peers(self, c):
        linear = lambda d: F.linear(d.x[None], d.weight)[0]
        return {"torch_eager": linear, "torch_mv": lambda d: torch.mv(d.weight, d.x),
                "torch_compile": compiled(linear), "triton": "gemv"}

    def check(self, c, d, y):
        return [(y[:256].double(), d.weight[:256].double() @ d.x.double())]


class GemvMxfp4:
    VALUES = (0, 0.5, 1, 1.5, 2, 3, 4, 6)

    def make(self, c, first):
        raw = lambda low, high, *shape: torch.randint(low, high, shape, dtype=torch.uint8,
                                                      device=DEVICE)
        table = torch.tensor(self.VALUES + tuple(-v for v in self.VALUES), dtype=torch.bfloat16,
                             device=DEVICE)
        x32 = first.x32 if first else uniform("f32", c.k)
        return SimpleNamespace(blocks=raw(0, 256, c.n, c.k // 2), x32=x32, x=x32.bfloat16(),
                               scales=raw(120, 135, c.n, c.k // 32), table=table)

    def weight(self, d, rows=None, dtype=torch.bfloat16):
        blocks, scales = d.blocks[:rows], d.scales[:rows]
        codes = torch.stack((blocks & 15, blocks >> 4), -1).reshape(len(blocks), -1, 32)
        values = d.table[codes.int()].to(dtype)
        factor = torch.exp2(scales.to(torch.float32) - 127).to(dtype)
        return (values * factor[..., None]).reshape(len(blocks), -1)

    def peers(self, c):
        linear = lambda d: F.linear(d.x[None], self.weight(d))[0]
        return {**eager_and_compiled(linear), "triton": "gemv_mxfp4"}

    def check(self, c, d, y):
        return [(y[:64].double(), self.weight(d, 64, torch.float64) @ d.x32.double())]


class DecodeAttention:
    BACKENDS = {"sdpa_flash": SDPBackend.FLASH_ATTENTION, "sdpa_cudnn": SDPBackend.CUDNN_ATTENTION,
                "sdpa_efficient": SDPBackend.EFFICIENT_ATTENTION}

    def make(self, c, first):
        batch = c.get("batch", 1)
        cache = lambda: uniform(c.dtype, batch, c.length, c.kv_heads, c.dim).transpose(1, 2)
        q = first.q if first else uniform(c.dtype, batch, c.heads, 1, c.dim)
        return SimpleNamespace(q=q, k=cache(), v=cache())

    def peers(self, c):
        # One backend at a time: with it alone allowed, another one (the slow `math` path, to which
        # grouped heads can fall silently) is an error.
        def pinned(backend):
            def attend(d):
                with sdpa_kernel([backend]):
                    return F.scaled_dot_product_attention(d.q, d.k, d.v,
                                                          enable_gqa=c.heads != c.kv_heads)
            return attend
        return {name: pinned(backend) for name, backend in self.BACKENDS.items()}

    def check(self, c, d, out):
        group = c.heads // c.kv_heads
        q = d.q[0].double().reshape(c.kv_heads, group, c.dim)
        weight = torch.softmax(q @ d.k[0].double().transpose(1, 2) * c.dim ** -0.5, -1)
        return [(out[0].double().reshape(c.kv_heads, group, c.dim), weight @ d.v[0].double())]


class LogitsArgmax:
    def make(self, c, first):
        x = first.x if first else uniform(c.dtype, c.k)
        return SimpleNamespace(weight=uniform(c.dtype, c.vocab, c.k), x=x)

    def peers(self, c):
        return eager_and_compiled(lambda d: torch.argmax(F.linear(d.x[None], d.weight), -1))

    def check(self, c, d, chosen):
        # Logits rounded to bf16 tie; the chosen one must be as large as the largest, so rounded.
        logits = torch.mv(d.weight.float(), d.x.float()).double()
        return [(logits[chosen[0]], logits.max())]


class Argmax:
    def make(self, c, first):
        return SimpleNamespace(x=uniform(c.dtype, c.rows, c.cols))

    def peers(self, c):
        return eager_and_compiled(lambda d: torch.argmax(d.x, -1))

    def check(self, c, d, ids):
        return [(d.x.gather(1, ids[:, None])[:, 0].double(), d.x.amax(-1).double())]


class TopK:
    make = Argmax.make

    def peers(self, c):
        return eager_and_compiled(lambda d: torch.topk(d.x, c.k, -1))

    def check(self, c, d, result):
        return [(result[0].double(), d.x.sort(-1, descending=True)[0][:, :c.k].double())]


class Sample:
    make = Argmax.make

    def peers(self, c):
        def draw(d):
            values, columns = torch.topk(d.x / 0.8, c.k, -1)
            mass = torch.softmax(values, -1)
            kept = torch.where(mass.cumsum(-1) - mass < 0.95, mass, 0)
            return columns.gather(1, torch.multinomial(kept, 1))[:, 0]
        return eager_and_compiled(draw)

    def check(self, c, d, ids):
        least = torch.topk(d.x, c.k, -1)[0][:, -1]
        drawn = d.x.gather(1, ids[:, None])[:, 0]
        return [((drawn >= least).double(), torch.ones(c.rows, device=DEVICE))]


class Gemm:
    def make(self, c, first):
        batch = c.get("batch", 1)
        a = uniform(c.dtype, c.m, c.k)
        return SimpleNamespace(a=a, weight=uniform(c.dtype, batch, c.n, c.k))

    def peers(self, c):
        if c.get("batch", 1) == 1:
            return eager_and_compiled(lambda d: F.linear(d.a, d.weight[0]))
        # One product with the weights stacked is what models do, a batched one what they could.
        stacked = lambda d: F.linear(d.a, d.weight.flatten(0, 1))
        batched = lambda d: torch.matmul(d.a, d.weight.transpose(1, 2))
        return {"torch_eager": stacked, "torch_bmm": batched, "torch_compile": compiled(stacked)}

    def check(self, c, d, y):
        want = d.a[:SOME].double() @ d.weight[0, :256].double().T
        got = y[0] if y.dim() == 3 else y
        return [(got[:SOME, :256].double(), want)]


OPS = {"copy": Copy, "sum": Sum, "rmsnorm": RmsNorm, "residual_rmsnorm": ResidualRmsNorm,
       "softmax": Softmax, "silu_mul": SiluMul, "rope": Rope, "rope_append": RopeAppend,
       "convert": Convert, "gemv": Gemv, "gemv_mxfp4": GemvMxfp4,
       "decode_attention": DecodeAttention, "logits_argmax": LogitsArgmax, "argmax": Argmax,
       "top_k": TopK, "sample": Sample, "gemm": Gemm}


def wrong(case, pairs):
    """Empty where every pair agrees to what the dtype allows, else what is off."""
    dtypes = case.dtype.split("_to_")
    limit = 1e-2 if any(d != "f32" for d in dtypes) else 1e-4
    for got, want in pairs:
        if got.shape != want.shape:
            return f"shape {tuple(got.shape)}, expected {tuple(want.shape)}"
        error = (got - want).norm() / max(want.norm().item(), 1e-30)
        if not error <= limit:
            return f"relative L2 distance {error:.2e} from float64, at most {limit:.0e} is right"
    return ""
