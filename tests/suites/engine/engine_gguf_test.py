# SPDX-License-Identifier: Apache-2.0
"""engine_gguf.py against a reader written from the format's description, and engine_llama.py with
stand-ins for both programs.

usage: engine_gguf_test.py SOURCE_FOLDER PERFGATE
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE, PERFGATE = sys.argv.pop(1), sys.argv.pop(1)
PEERS = os.path.join(SOURCE, "suites", "peers")
sys.dont_write_bytecode = True
sys.path.insert(0, PEERS)
import engine_gguf  # noqa: E402

CONFIG = {
    "architectures": ["LlamaForCausalLM"], "hidden_size": 32, "intermediate_size": 64,
    "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
    "vocab_size": 3, "max_position_embeddings": 128, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "rope_scaling": None, "tie_word_embeddings": False,
}
CODES = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
CODES += [-value for value in CODES]


def bf16(values):
    return b"".join(struct.pack("<f", value)[2:] for value in values)


def f32(values):
    return struct.pack(f"<{len(values)}f", *values)


def write_model(folder, config, tensors):
    """tensors: name -> (dtype, shape, bytes)."""
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_gguf(path):
    """Metadata, and name -> (type, dimensions from the innermost out, offset), data."""
    with open(path, "rb") as file:
        content = file.read()
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, content, at)
        at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def string():
        nonlocal at
        size = take("Q")
        at += size
        return content[at - size:at].decode()

    assert content[:4] == b"GGUF"
    at = 4
    version, tensors, keys = take("IQQ")
    assert version == 3
    metadata = {}
    for _ in range(keys):
        key = string()
        metadata[key] = {4: lambda: take("I"), 6: lambda: take("f"), 8: string}[take("I")]()
    infos = {}
    for _ in range(tensors):
        name = string()
        dimensions = [take("Q") for _ in range(take("I"))]
        infos[name] = (take("I"), dimensions, take("Q"))
    at += -at % metadata["general.alignment"]
    return metadata, infos, content[at:]


def projections(dtype, make):
    """A layer's matrices; make(rows, cols) gives their bytes."""
    shapes = {"self_attn.q_proj": (32, 32), "self_attn.k_proj": (16, 32),
              "self_attn.v_proj": (16, 32), "self_attn.o_proj": (32, 32),
              "mlp.gate_proj": (64, 32), "mlp.up_proj": (64, 32), "mlp.down_proj": (32, 64)}
    return {f"model.layers.0.{name}.weight": (dtype, list(shape), make(*shape))
            for name, shape in shapes.items()}


def model(dtype="BF16", make=None):
    make = make or (lambda rows, cols: bf16(range(rows * cols)))
    norm = [1.0 + i / 128 for i in range(32)]
    return {"model.embed_tokens.weight": ("BF16", [3, 32], bf16(range(96))),
            "lm_head.weight": ("BF16", [3, 32], bf16(range(96, 192))),
            "model.norm.weight": ("BF16", [32], bf16(norm)),
            "model.layers.0.input_layernorm.weight": ("F32", [32], f32(norm)),
            "model.layers.0.post_attention_layernorm.weight": ("BF16", [32], bf16(norm)),
            **projections(dtype, make)}


class Writer(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)
        self.path = os.path.join(self.folder, "model.gguf")

    def written(self, tensors, **changes):
        write_model(self.folder, {**CONFIG, **changes}, tensors)
        engine_gguf.write(self.folder, self.path)
        return read_gguf(self.path)

    def refusal(self, tensors, **changes):
        with self.assertRaises(engine_gguf.Refused) as caught:
            self.written(tensors, **changes)
        self.assertEqual([name for name in os.listdir(self.folder) if "gguf" in name], [])
        return str(caught.exception)

    def test_metadata_names_shapes_and_alignment(self):
        metadata, infos, data = self.written(model())
        self.assertEqual(metadata["general.architecture"], "llama")
        self.assertEqual(metadata["llama.attention.head_count_kv"], 2)
        self.assertEqual(metadata["llama.attention.key_length"], 8)
        self.assertEqual(metadata["llama.vocab_size"], 3)
        self.assertEqual(metadata["tokenizer.ggml.model"], "none")
        self.assertAlmostEqual(metadata["llama.attention.layer_norm_rms_epsilon"], 1e-5)
        self.assertEqual(len(infos), 12)
        self.assertEqual(infos["blk.0.ffn_gate.weight"][:2], (30, [32, 64]))
        self.assertEqual(infos["output.weight"][1], [32, 3])
        end = 0
        for kind, dimensions, offset in infos.values():
            self.assertEqual(offset, end)
            count = dimensions[0] * (dimensions[1] if len(dimensions) > 1 else 1)
            end = offset + count * {0: 4, 30: 2}[kind]
            end += -end % 32
        self.assertEqual(len(data), end)

    def test_vectors_become_f32_and_matrices_keep_their_bits(self):
        _, infos, data = self.written(model())
        norm = f32([1.0 + i / 128 for i in range(32)])
        for name in ("output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"):
            kind, dimensions, offset = infos[name]
            self.assertEqual((kind, dimensions), (0, [32]))
            self.assertEqual(data[offset:offset + 128], norm)
        offset = infos["blk.0.attn_v.weight"][2]
        self.assertEqual(data[offset:offset + 1024], bf16(range(512)))

    def test_llama_turns_neighbours_and_qwen_halves(self):
        def rows_of(name, infos, data):
            offset = infos[name][2]
            first = [data[offset + 64 * row:offset + 64 * row + 2] for row in range(16)]
            return [round(struct.unpack("<f", b"\0\0" + value)[0]) // 32 for value in first]

        def numbered(rows, cols):
            return bf16([row * cols for row in range(rows) for _ in range(cols)])
        _, infos, data = self.written(model(make=numbered))
        self.assertEqual(rows_of("blk.0.attn_k.weight", infos, data),
                         [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15])
        self.assertEqual(rows_of("blk.0.attn_v.weight", infos, data), list(range(16)))
        metadata, infos, data = self.written(model(make=numbered),
                                             architectures=["Qwen2ForCausalLM"])
        self.assertEqual(rows_of("blk.0.attn_k.weight", infos, data), list(range(16)))
        self.assertEqual(metadata["qwen2.rope.dimension_count"], 8)

    def test_mxfp4_blocks_hold_the_same_numbers(self):
        tensors = model()
        tensors.pop("model.layers.0.self_attn.v_proj.weight")
        codes = bytes((37 * i + 11) % 256 for i in range(16 * 16))
        scales = bytes(120 + i for i in range(16))
        name = "model.layers.0.self_attn.v_proj.weight"
        tensors[name + "_blocks"] = ("U8", [16, 1, 16], codes)
        tensors[name + "_scales"] = ("U8", [16, 1], scales)
        metadata, infos, data = self.written(
            tensors, quantization_config={"quant_method": "perfgate_mxfp4"})
        self.assertEqual(metadata["general.file_type"], 38)
        kind, dimensions, offset = infos["blk.0.attn_v.weight"]
        self.assertEqual((kind, dimensions), (39, [32, 16]))
        for block in range(16):
            ours = codes[16 * block:16 * block + 16]
            theirs = data[offset + 17 * block:offset + 17 * block + 17]
            self.assertEqual(theirs[0], scales[block])
            for i in range(32):
                value = CODES[(ours[i // 2] >> (4 * (i % 2))) & 15]
                self.assertEqual(CODES[(theirs[1 + i % 16] >> (4 * (i // 16))) & 15], value)

    def test_a_tied_head_is_left_to_the_embedding(self):
        _, infos, _ = self.written(model(), tie_word_embeddings=True)
        self.assertNotIn("output.weight", infos)

    def test_llama3_frequencies(self):
        rope = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
        _, infos, data = self.written(model(), rope_scaling=rope)
        kind, dimensions, offset = infos["rope_freqs.weight"]
        self.assertEqual((kind, dimensions), (0, [4]))
        # Turns within 64 positions: 10.2, 1.02, 0.1 and 0.01, of which 1 to 4 are between.
        first, second, third, fourth = struct.unpack("<4f", data[offset:offset + 16])
        self.assertEqual((first, third, fourth), (1, 8, 8))
        self.assertAlmostEqual(second, 1 / (0.0061971 + (1 - 0.0061971) / 8), places=3)

    def test_what_is_not_known_is_refused(self):
        self.assertIn("architectures", self.refusal(model(), architectures=["GPT2LMHeadModel"]))
        self.assertIn('"yarn"', self.refusal(model(), rope_scaling={"rope_type": "yarn"}))
        self.assertIn('"gptq"', self.refusal(model(),
                                             quantization_config={"quant_method": "gptq"}))
        self.assertIn("no name in GGUF", self.refusal(
            {**model(), "model.layers.0.mlp.router.weight": ("F32", [1], f32([1]))}))
        self.assertIn("is F16", self.refusal(
            {**model(), "model.norm.weight": ("F16", [32], bytes(64))}))
        self.assertIn("_scales", self.refusal({"model.layers.0.mlp.up_proj.weight_blocks":
                                               ("U8", [1, 1, 16], bytes(16))}))


# Like times, no two files have the same bytes.
ENGINE = """import json, random, sys
late = 1e-6 * random.random()
count = int(sys.argv[sys.argv.index("--max-tokens") + 1])
prompts = sys.argv.count("--prompt-ids")
print(json.dumps({"requests": [
    {"tokens": count, "ttft_s": 0.5 + (0.25 + late) * i, "full_s": 0.5 + 0.25 * i + 0.01 * (count - 1) + late}
    for i in range(prompts)]}))
"""
LLAMA_BENCH = """import json, random, sys
value = lambda name: int(sys.argv[sys.argv.index(name) + 1])
print(json.dumps([{"n_gen": value("-n"), "n_prompt": value("-p"), "build_number": 7,
                   "samples_ns": [int(2e7 + 1e3 * random.random()) * (value("-n") + value("-p"))]}]))
"""


class SideBySide(unittest.TestCase):
    def run_with(self, folder, bench, *extra):
        write_model(folder, CONFIG, model())
        stand_ins = {}
        for name, text in (("engine", ENGINE), ("llama-bench", LLAMA_BENCH)):
            stand_ins[name] = os.path.join(folder, name)
            with open(stand_ins[name], "w", encoding="utf-8") as file:
                file.write(f"#!{sys.executable}\n{text}")
            os.chmod(stand_ins[name], 0o755)
        return subprocess.run(
            [sys.executable, "-B", os.path.join(PEERS, "engine_llama.py"), "--engine",
             stand_ins["engine"], "--llama-bench", stand_ins.get(bench, bench), "--model", folder,
             "--output", os.path.join(folder, "out"), "--threads", "2", "--rounds", "6", *extra],
            capture_output=True, text=True, check=False)

    def test_rounds_become_two_sessions_with_the_same_cases(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_with(folder, "llama-bench", "--tests", "tg4", "pp8",
                                 "--perfgate", PERFGATE)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            out = os.path.join(folder, "out")
            with open(os.path.join(out, "engine", "round_00.json"), encoding="utf-8") as file:
                rows = {row["name"]: row["real_time"] for row in json.load(file)["benchmarks"]}
            name = os.path.basename(folder)
            self.assertAlmostEqual(rows[f"engine/test:tg4/model:{name}/threads:2"], 0.04e9, delta=2e3)
            self.assertAlmostEqual(rows[f"engine/test:pp8/model:{name}/threads:2"], 0.25e9, delta=2e3)
            for arm in ("engine", "llama_cpp"):
                report = subprocess.run([PERFGATE, "report", os.path.join(out, arm +
                                                                          ".session.json")],
                                        capture_output=True, text=True, check=False)
                self.assertEqual(report.returncode, 0, report.stdout + report.stderr)
                self.assertIn("test:tg4", report.stdout)

    def test_without_llama_bench_it_is_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_with(folder, os.path.join(folder, "absent"))
            self.assertEqual(done.returncode, 77)
            self.assertIn("skipped", done.stdout)

    def test_an_unknown_test_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_with(folder, "llama-bench", "--tests", "tg")
            self.assertEqual(done.returncode, 2)
            self.assertIn("expected tgN or ppN", done.stderr)


if __name__ == "__main__":
    unittest.main()
