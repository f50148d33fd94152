#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the engine's logits with those of Hugging Face transformers, on models `engine synth` writes.

    hf_parity.py ENGINE [--presets tiny,odd,gqa7] [--dtypes f32,bf16] [--device cpu|cuda]
                 [--engine-options=--device=cuda,...] [--numerics fast] [--folder FOLDER]
                 [--positions 160]

Needs torch and transformers, no network. Weights are loaded in float32 on the CPU, which is the
truth, and for bf16 models also in bf16 on --device with eager attention. Each is fed teacher-forced
as one prompt and token by token through its cache, and so is the engine.

  f32    largest difference to transformers f32 <= 1e-4 of the largest logit
  bf16   relative L2 error to transformers f32 <= 2 x that of transformers bf16 + 1e-3;
         KL divergence <= 1e-3;
         the same likeliest token wherever the f32 margin is above 4 x the engine's largest error;
         numerics=hf_exact is closer to transformers bf16 than numerics=fast is; device=cuda has
         none, so there --numerics fast

A model that transformers has saved itself, in shards and with its own spelling of config.json, must
give the engine the bits of the original.

Exit code 0: all hold; 1: one does not; 77: torch or transformers is missing.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def read_logits(path):
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8:8 + length])["logits"]
    begin, end = (8 + length + offset for offset in entry["data_offsets"])
    return np.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"]).astype(np.float64)


def engine_logits(arguments, model, ids, incremental, *options):
    out = pathlib.Path(model) / "logits.safetensors"
    command = [arguments.engine, "logits", "--model", str(model), "--prompt-ids",
               ",".join(map(str, ids)), "--out", str(out), *options]
    command += [word for word in arguments.engine_options.split(",") if word]
    if incremental:
        command.append("--incremental")
    subprocess.run(command, check=True)
    logits = read_logits(out)
    out.unlink()
    return logits


def hf_logits(model, ids, dtype, device, incremental):
    net = transformers.AutoModelForCausalLM.from_pretrained(
        model, dtype=dtype, attn_implementation="eager").to(device).eval()
    tokens = torch.tensor([ids], device=device)
    with torch.no_grad():
        if not incremental:
            return net(tokens).logits[0].double().cpu().numpy()
        cache, rows = None, []
        for i in range(len(ids)):
            out = net(tokens[:, i:i + 1], past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            rows.append(out.logits[0, -1].double().cpu().numpy())
        return np.stack(rows)


def relative_l2(x, truth):
    return np.linalg.norm(x - truth) / np.linalg.norm(truth)


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def divergence(truth, x):
    p = log_softmax(truth)
    return float((np.exp(p) * (p - log_softmax(x))).sum(axis=-1).mean())


class Checks:
    def __init__(self):
        self.checked = self.failed = 0

    def at_most(self, what, value, limit):
        good = value <= limit
        self.checked += 1
        self.failed += not good
        print(f"  {'ok  ' if good else 'FAIL'} {what}: {value:.3g}, limit {limit:.3g}")


def check_f32(checks, arguments, model, ids):
    truth = {mode: hf_logits(model, ids, torch.float32, "cpu", mode) for mode in (False, True)}
    for incremental in (False, True):
        how = "incremental" if incremental else "prompt"
        for numerics in arguments.numerics.split(","):
            ours = engine_logits(arguments, model, ids, incremental, f"--numerics={numerics}")
            scale = np.abs(truth[incremental]).max()
            checks.at_most(f"f32 {numerics} {how}", np.abs(ours - truth[incremental]).max() / scale,
                           1e-4)
    checks.at_most("transformers f32, incremental to prompt",
                   np.abs(truth[True] - truth[False]).max() / np.abs(truth[False]).max(), 1e-4)


def check_bf16(checks, arguments, model, ids):
    truth = hf_logits(model, ids, torch.float32, "cpu", False)
    for incremental in (False, True):
        how = "incremental" if incremental else "prompt"
        peer = hf_logits(model, ids, torch.bfloat16, arguments.device, incremental)
        distance = {}
        for numerics in arguments.numerics.split(","):
            ours = engine_logits(arguments, model, ids, incremental, f"--numerics={numerics}")
            name = f"bf16 {numerics} {how}"
            checks.at_most(f"{name} error to f32", relative_l2(ours, truth),
                           2 * relative_l2(peer, truth) + 1e-3)
            checks.at_most(f"{name} KL", divergence(truth, ours), 1e-3)
            order = np.sort(truth, axis=-1)
            clear = order[:, -1] - order[:, -2] > 4 * np.abs(ours - truth).max(axis=-1)
            wrong = (ours.argmax(-1) != truth.argmax(-1)) & clear
            checks.at_most(f"{name} other likeliest token, of {clear.sum()} clear ones",
                           int(wrong.sum()), 0)
            distance[numerics] = relative_l2(ours, peer)
        if len(distance) == 2:
            checks.at_most(f"bf16 {how} distance of hf_exact to transformers, against fast",
                           distance["hf_exact"], distance["fast"])


def use_llama3_rope(model):
    """Scaling that leaves some waves, stretches some and blends some, already within 160 positions."""
    path = model / "config.json"
    config = json.loads(path.read_text())
    config["rope_scaling"] = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                              "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
    path.write_text(json.dumps(config))


def check_saved(checks, arguments, model, ids):
    saved = pathlib.Path(str(model) + "-saved")
    net = transformers.AutoModelForCausalLM.from_pretrained(model)
    net.save_pretrained(saved, max_shard_size="300KB")
    ours = engine_logits(arguments, model, ids, False)
    again = engine_logits(arguments, saved, ids, False)
    shards = len(list(saved.glob("*.safetensors")))
    checks.at_most(f"saved by transformers in {shards} file(s), logits that differ",
                   int((ours != again).sum()), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--presets", default="tiny,odd,gqa7")
    parser.add_argument("--dtypes", default="f32,bf16")
    parser.add_argument("--device", default="cpu", help="of transformers in bf16")
    parser.add_argument("--engine-options", default="")
    parser.add_argument("--numerics", default="fast,hf_exact")
    parser.add_argument("--folder", help="keep the models here")
    parser.add_argument("--positions", type=int, default=160)
    arguments = parser.parse_args()
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, "
          f"bf16 on {arguments.device}")
    transformers.utils.logging.disable_progress_bar()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        for preset in arguments.presets.split(","):
            for dtype in arguments.dtypes.split(","):
                model = pathlib.Path(arguments.folder or scratch) / f"{preset}-{dtype}"
                subprocess.run([arguments.engine, "synth", "--force", "--preset", preset,
                                "--dtype", dtype, "--out", str(model)], check=True)
                vocab = json.loads((model / "config.json").read_text())["vocab_size"]
                ids = [(i * 7919 + 11) % vocab for i in range(arguments.positions)]
                (check_f32 if dtype == "f32" else check_bf16)(checks, arguments, model, ids)
                check_saved(checks, arguments, model, ids)
                if preset == "tiny" and dtype == "f32":
                    print("with rope_scaling llama3:")
                    use_llama3_rope(model)
                    check_f32(checks, arguments, model, ids)
                    check_saved(checks, arguments, model, ids)
    print(f"{checks.checked} checked, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
