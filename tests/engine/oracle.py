#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logits of a Llama or Qwen2 model in float64, with numpy alone: the oracle of the engine.

Written from the formulas of the models, not from the engine: it reads safetensors and config.json
by itself, attends with full matrices instead of a cache, and rounds nothing.

    oracle.py MODEL IDS                                    the likeliest tokens of the last positions
    oracle.py MODEL IDS --write GOLDEN --positions 0,63    writes a golden file
    oracle.py MODEL IDS --compare LOGITS                   compares a file of `engine logits`

A golden file is text: a comment, the ids, and per position a line of its number and the logits, f32
as hexadecimal bits. golden.sh writes those of tests/data/engine.
"""
import argparse
import json
import math
import pathlib
import struct
import sys

try:
    import numpy as np
except ImportError:
    print("numpy is not installed")
    sys.exit(77)

DTYPES = {"F32": (4, np.float32), "F64": (8, np.float64)}


def read_safetensors(path):
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        if entry["dtype"] == "BF16":
            bits = np.frombuffer(data[begin:end], dtype="<u2").astype(np.uint32) << 16
            values = bits.view(np.float32)
        else:
            values = np.frombuffer(data[begin:end], dtype=DTYPES[entry["dtype"]][1])
        tensors[name] = values.astype(np.float64).reshape(entry["shape"])
    return tensors


def read_model(folder):
    folder = pathlib.Path(folder)
    config = json.loads((folder / "config.json").read_text())
    index = folder / "model.safetensors.index.json"
    files = ["model.safetensors"]
    if index.exists():
        files = sorted(set(json.loads(index.read_text())["weight_map"].values()))
    tensors = {}
    for name in files:
        tensors.update(read_safetensors(folder / name))
    return config, tensors


def frequencies(config, dim):
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    theta = rope.get("rope_theta", config.get("rope_theta", 10000.0))
    result = theta ** (-np.arange(0, dim, 2) / dim)
    if rope.get("rope_type", rope.get("type", "default")) == "llama3":
        original = rope["original_max_position_embeddings"]
        low_wave = original / rope["low_freq_factor"]
        high_wave = original / rope["high_freq_factor"]
        for i, f in enumerate(result):
            wave = 2 * math.pi / f
            if wave > low_wave:
                result[i] = f / rope["factor"]
            elif wave >= high_wave:
                s = (original / wave - rope["low_freq_factor"]) / (
                    rope["high_freq_factor"] - rope["low_freq_factor"])
                result[i] = (1 - s) * f / rope["factor"] + s * f
    return result


def rotate(x, angles):
    """x: [tokens, heads, dim]; element i turns with element i + dim / 2."""
    z = x[..., :x.shape[-1] // 2] + 1j * x[..., x.shape[-1] // 2:]
    z = z * np.exp(1j * angles)[:, None, :]
    return np.concatenate([z.real, z.imag], axis=-1)


def norm(x, weight, eps):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * weight


def logits_of(config, tensors, ids):
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    dim = config.get("head_dim") or config["hidden_size"] // heads
    eps = config["rms_norm_eps"]
    tokens = len(ids)
    angles = np.outer(np.arange(tokens), frequencies(config, dim))
    future = np.triu(np.full((tokens, tokens), -np.inf), 1)

    def linear(x, name):
        y = x @ tensors[name + ".weight"].T
        bias = tensors.get(name + ".bias")
        return y if bias is None else y + bias

    x = tensors["model.embed_tokens.weight"][ids]
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        h = norm(x, tensors[at + "input_layernorm.weight"], eps)
        q = rotate(linear(h, at + "self_attn.q_proj").reshape(tokens, heads, dim), angles)
        k = rotate(linear(h, at + "self_attn.k_proj").reshape(tokens, kv_heads, dim), angles)
        v = linear(h, at + "self_attn.v_proj").reshape(tokens, kv_heads, dim)
        out = np.empty((tokens, heads, dim))
        for head in range(heads):
            kv = head // (heads // kv_heads)
            scores = q[:, head] @ k[:, kv].T / math.sqrt(dim) + future
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            out[:, head] = weights / weights.sum(axis=-1, keepdims=True) @ v[:, kv]
        x = x + linear(out.reshape(tokens, -1), at + "self_attn.o_proj")
        h = norm(x, tensors[at + "post_attention_layernorm.weight"], eps)
        gate = linear(h, at + "mlp.gate_proj")
        x = x + linear(gate / (1 + np.exp(-gate)) * linear(h, at + "mlp.up_proj"),
                       at + "mlp.down_proj")
    x = norm(x, tensors["model.norm.weight"], eps)
    head = "model.embed_tokens" if config.get("tie_word_embeddings") else "lm_head"
    return x @ tensors[head + ".weight"].T


def write_golden(path, ids, logits, positions, what):
    rows = [f"# {what}: logits in float64 by tests/engine/oracle.py, rounded to f32",
            ",".join(map(str, ids))]
    for position in positions:
        bits = logits[position].astype(np.float32).view(np.uint32)
        rows.append(" ".join([str(position), *(f"{b:08x}" for b in bits)]))
    pathlib.Path(path).write_text("\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("ids")
    parser.add_argument("--write")
    parser.add_argument("--positions", default="0", help="those to write, separated by commas")
    parser.add_argument("--compare")
    parser.add_argument("--limit", type=float, default=1e-4,
                        help="largest difference, of the largest absolute logit")
    arguments = parser.parse_args()
    ids = [int(word) for word in arguments.ids.split(",")]
    config, tensors = read_model(arguments.model)
    logits = logits_of(config, tensors, ids)
    if arguments.write:
        positions = [int(word) for word in arguments.positions.split(",")]
        write_golden(arguments.write, ids, logits, positions, pathlib.Path(arguments.model).name)
    if arguments.compare:
        ours = read_safetensors(arguments.compare)["logits"]
        difference = np.abs(ours - logits).max() / np.abs(logits).max()
        print(f"largest difference {difference:.3g} of the largest logit, limit {arguments.limit:g}")
        return 0 if difference <= arguments.limit else 1
    print("argmax", logits.argmax(axis=-1).tolist()[-8:], "largest", np.abs(logits).max())
    return 0


if __name__ == "__main__":
    sys.exit(main())
