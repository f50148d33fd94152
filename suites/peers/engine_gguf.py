#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a model folder of the engine as a GGUF file that llama.cpp loads: the same weights, bit for
bit, so that both can be timed on them.

usage: engine_gguf.py MODEL_FOLDER FILE.gguf

Matrices keep their type, BF16, F32 or MXFP4; vectors (norms, biases) become F32, as llama.cpp wants
them. Of Llama models the rows of q and k are put in another order: llama.cpp turns neighbours there,
Hugging Face elements half a head apart. MXFP4 blocks keep their codes and scales, in ggml's layout:
the scale, then 16 bytes whose low nibbles are elements 0 to 15 and whose high ones are 16 to 31.

The file has no tokenizer, only the size of the vocabulary: llama-bench needs no more. What llama.cpp
would compute differently, or the writer does not know, is refused. Python's standard library is
enough. Layout of the file: ggml's docs/gguf.md, version 3.
"""
import json
import math
import mmap
import os
import re
import struct
import sys

ALIGNMENT = 32
U32, F32, STRING = 4, 6, 8  # types of metadata
TYPES = {"F32": 0, "BF16": 30, "MXFP4": 39}  # of tensors
FILE_TYPES = {"F32": 0, "BF16": 32, "MXFP4": 38}
MXFP4_BLOCK = 32

ARCHITECTURES = {"LlamaForCausalLM": "llama", "Qwen2ForCausalLM": "qwen2"}
NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
LOW = bytes(byte & 15 for byte in range(256))
HIGH = bytes(byte >> 4 for byte in range(256))
TO_HIGH = bytes((byte & 15) << 4 for byte in range(256))


class Refused(Exception):
    """The model cannot be written so that llama.cpp computes the same."""


def gguf_name(name):
    """blk.3.attn_q.weight for model.layers.3.self_attn.q_proj.weight."""
    stem, _, kind = name.rpartition(".")
    layer = re.fullmatch(r"model\.layers\.(\d+)\.(.+)", stem)
    if kind in ("weight", "bias"):
        if layer and layer[2] in NAMES:
            return f"blk.{layer[1]}.{NAMES[layer[2]]}.{kind}"
        if stem in NAMES:
            return f"{NAMES[stem]}.{kind}"
    raise Refused(f'tensor "{name}" has no name in GGUF')


class Source:
    """The tensors of a model folder: name -> (dtype, shape, memory)."""

    def __init__(self, folder):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            self.config = json.load(file)
        self.tensors = {}
        names = sorted(name for name in os.listdir(folder) if name.endswith(".safetensors"))
        if not names:
            raise Refused(f"{folder}: no .safetensors file")
        for name in names:
            self._open(os.path.join(folder, name))

    def _open(self, path):
        with open(path, "rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        (size,) = struct.unpack_from("<Q", data)
        if size > len(data) - 8:
            raise Refused(f"{path}: the header says {size} bytes, the file has {len(data)}")
        for name, entry in json.loads(bytes(data[8:8 + size])).items():
            if name != "__metadata__":
                begin, end = entry["data_offsets"]
                memory = data[8 + size + begin:8 + size + end]
                self.tensors[name] = (entry["dtype"], entry["shape"], memory)


def widened(memory):
    """BF16 as F32: the same upper half."""
    out = bytearray(2 * len(memory))
    out[2::4], out[3::4] = memory[0::2], memory[1::2]
    return out


def neighbours(memory, rows, heads):
    """Rows of q or k in llama.cpp's order: elements half a head apart become neighbours."""
    width, half = len(memory) // rows, rows // heads // 2
    out = bytearray(len(memory))
    for head in range(heads):
        for i in range(2 * half):
            to = (head * 2 * half + i) * width
            row = (head * 2 + i % 2) * half + i // 2
            out[to:to + width] = memory[row * width:(row + 1) * width]
    return out


def mxfp4_blocks(codes, scales):
    """ggml's blocks of 17 bytes from ours. Strides over all blocks at once keep Python fast."""
    out = bytearray(len(codes) // 16 * 17)
    out[0::17] = scales
    for i in range(16):
        nibble = LOW if i % 2 == 0 else HIGH
        first = bytes(codes[i // 2::16]).translate(nibble)
        second = bytes(codes[8 + i // 2::16]).translate(nibble).translate(TO_HIGH)
        both = int.from_bytes(first, "little") | int.from_bytes(second, "little")
        out[1 + i::17] = both.to_bytes(len(first), "little")
    return out


def rope_factors(config, dim):
    """What llama.cpp divides the frequencies by, None for plain rotary embeddings."""
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "default":
        return None
    if kind != "llama3":
        raise Refused(f'rotary embeddings of type "{kind}"')
    context = rope["original_max_position_embeddings"]
    low, high, factor = rope["low_freq_factor"], rope["high_freq_factor"], rope["factor"]
    factors = []
    for i in range(0, dim, 2):
        turns = context / (2 * math.pi * theta_of(config) ** (i / dim))  # within the context
        share = min(1, max(0, (turns - low) / (high - low)))
        factors.append(1 / ((1 - share) / factor + share))
    return factors


def theta_of(config):
    return (config.get("rope_parameters") or {}).get("rope_theta", config.get("rope_theta", 10000.0))


class Model:
    """metadata: (key, type, value); tensors: (name, type, shape, size in bytes, function that gives
    the bytes)."""

    def __init__(self, folder):
        source = Source(folder)
        config = source.config
        self.architecture = ARCHITECTURES.get((config.get("architectures") or [""])[0])
        if self.architecture is None:
            raise Refused(f"{folder}: architectures {config.get('architectures')}; expected one of "
                          f"{', '.join(ARCHITECTURES)}")
        method = (config.get("quantization_config") or {}).get("quant_method")
        if method not in (None, "perfgate_mxfp4"):
            raise Refused(f'{folder}: quantisation "{method}"')
        self.heads = config["num_attention_heads"]
        self.kv_heads = config.get("num_key_value_heads") or self.heads
        self.dim = config.get("head_dim") or config["hidden_size"] // self.heads
        self.tensors = []
        for name, tensor in source.tensors.items():
            if name.endswith("_blocks"):
                self._add_mxfp4(name.removesuffix("_blocks"), source.tensors)
            elif not (name.endswith("_scales") and tensor[0] == "U8"):
                # A tied lm_head is the embedding, which llama.cpp takes where there is no other.
                if name != "lm_head.weight" or not config.get("tie_word_embeddings"):
                    self._add(name, *tensor)
        factors = rope_factors(config, self.dim)
        if factors:
            data = struct.pack(f"<{len(factors)}f", *factors)
            self.tensors.append(("rope_freqs.weight", "F32", [len(factors)], len(data),
                                 lambda: data))
        self.metadata = self._metadata(config, os.path.basename(os.path.normpath(folder)))

    def _metadata(self, config, name):
        arch = self.architecture
        types = {kind for _, kind, _, _, _ in self.tensors}
        kind = next(kind for kind in ("MXFP4", "BF16", "F32") if kind in types)
        return [
            ("general.architecture", STRING, arch),
            ("general.name", STRING, name),
            ("general.alignment", U32, ALIGNMENT),
            ("general.file_type", U32, FILE_TYPES[kind]),
            (f"{arch}.vocab_size", U32, config["vocab_size"]),
            (f"{arch}.context_length", U32, config["max_position_embeddings"]),
            (f"{arch}.embedding_length", U32, config["hidden_size"]),
            (f"{arch}.block_count", U32, config["num_hidden_layers"]),
            (f"{arch}.feed_forward_length", U32, config["intermediate_size"]),
            (f"{arch}.attention.head_count", U32, self.heads),
            (f"{arch}.attention.head_count_kv", U32, self.kv_heads),
            (f"{arch}.attention.key_length", U32, self.dim),
            (f"{arch}.attention.value_length", U32, self.dim),
            (f"{arch}.attention.layer_norm_rms_epsilon", F32, config["rms_norm_eps"]),
            (f"{arch}.rope.dimension_count", U32, self.dim),
            (f"{arch}.rope.freq_base", F32, theta_of(config)),
            ("tokenizer.ggml.model", STRING, "none"),
        ]

    def _ordered(self, name, rows):
        """A function that puts a tensor's rows in llama.cpp's order."""
        heads = {"q_proj": self.heads, "k_proj": self.kv_heads}.get(name.split(".")[-2])
        if self.architecture != "llama" or heads is None:
            return lambda memory: memory
        return lambda memory: neighbours(memory, rows, heads)

    def _add(self, name, dtype, shape, memory):
        if dtype not in ("F32", "BF16"):
            raise Refused(f'tensor "{name}" is {dtype}; expected BF16 or F32')
        order = self._ordered(name, shape[0])
        if dtype == "BF16" and len(shape) == 1:
            self.tensors.append((gguf_name(name), "F32", shape, 2 * len(memory),
                                 lambda: widened(order(memory))))
        else:
            self.tensors.append((gguf_name(name), dtype, shape, len(memory),
                                 lambda: order(memory)))

    def _add_mxfp4(self, name, tensors):
        _, (rows, blocks, _), codes = tensors[name + "_blocks"]
        if name + "_scales" not in tensors:
            raise Refused(f'tensor "{name}_scales" is missing')
        scales = tensors[name + "_scales"][2]
        order = self._ordered(name, rows)
        self.tensors.append((gguf_name(name), "MXFP4", [rows, blocks * MXFP4_BLOCK],
                             rows * blocks * 17,
                             lambda: mxfp4_blocks(order(codes), order(scales))))


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def header(model):
    parts = [b"GGUF", struct.pack("<IQQ", 3, len(model.tensors), len(model.metadata))]
    for key, kind, value in model.metadata:
        parts.append(text(key) + struct.pack("<I", kind))
        parts.append(text(value) if kind == STRING else
                     struct.pack("<I" if kind == U32 else "<f", value))
    offset = 0
    for name, kind, shape, size, _ in model.tensors:
        # Dimensions go from the innermost one out.
        parts.append(text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape)))
        parts.append(struct.pack("<IQ", TYPES[kind], offset))
        offset += size + -size % ALIGNMENT
    return b"".join(parts)


def write(folder, path):
    """The whole file or none of it."""
    model = Model(folder)
    part = path + ".part"
    try:
        with open(part, "wb") as out:
            out.write(header(model))
            out.write(bytes(-out.tell() % ALIGNMENT))
            for name, _, _, size, data in model.tensors:
                written = out.write(data())
                if written != size:
                    raise Refused(f'tensor "{name}": {written} bytes, its shape says {size}')
                out.write(bytes(-size % ALIGNMENT))
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__ if sys.argv[1:] == ["--help"] else "usage: engine_gguf.py MODEL FILE.gguf")
    try:
        write(sys.argv[1], sys.argv[2])
    except (Refused, OSError, KeyError, ValueError) as error:
        what = f"no {error} in config.json" if isinstance(error, KeyError) else error
        sys.exit(f"engine_gguf: {what}")


if __name__ == "__main__":
    main()
