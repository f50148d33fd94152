#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes corpus/safetensors: one file for each rule that the reader enforces, and a few good ones."""
import json
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent / "corpus" / "safetensors"


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def write(name, header, size, length=None):
    text = header if isinstance(header, str) else json.dumps(header, separators=(",", ":"))
    data = text.encode()
    prefix = struct.pack("<Q", len(data) if length is None else length)
    (FOLDER / name).write_bytes(prefix + data + bytes(i % 251 for i in range(size)))


FOLDER.mkdir(parents=True, exist_ok=True)
write("good", {"__metadata__": {"format": "pt"}, "a": tensor("F32", [2, 3], 0, 24),
               "b": tensor("BF16", [4], 24, 32), "c": tensor("U8", [], 32, 33)}, 33)
write("good_empty", {}, 0)
write("good_padded", '{"a":{"dtype":"I64","shape":[0,7],"data_offsets":[0,0]}}       ', 0)
write("good_f4", {"a": tensor("F4", [2, 32], 0, 32), "s": tensor("F8_E8M0", [2, 1], 32, 34)}, 34)
write("duplicate", '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
                   '"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 1)
write("duplicate_inside", '{"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}}', 1)
write("metadata_number", {"__metadata__": {"n": 1}}, 0)
write("unknown_dtype", {"a": tensor("F31", [1], 0, 4)}, 4)
write("backwards", {"a": tensor("U8", [1], 1, 0)}, 1)
write("past_end", {"a": tensor("U8", [2], 0, 2)}, 1)
write("overflow", {"a": tensor("F64", [2**32, 2**32], 0, 8)}, 8)
write("mismatch", {"a": tensor("F32", [2], 0, 4)}, 4)
write("overlap", {"a": tensor("U8", [2], 0, 2), "b": tensor("U8", [2], 1, 3)}, 3)
write("hole", {"a": tensor("U8", [1], 0, 1), "b": tensor("U8", [1], 2, 3)}, 3)
write("tail", {"a": tensor("U8", [1], 0, 1)}, 2)
write("negative", {"a": tensor("U8", [-1], 0, 1)}, 1)
write("not_object", "[1]", 0)
write("deep", '{"a":' + "[" * 70 + "]" * 70 + "}", 0)
write("long_header", {}, 0, length=2**40)
write("half_byte", {"a": tensor("F4", [1], 0, 1)}, 1)
