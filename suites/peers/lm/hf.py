# SPDX-License-Identifier: Apache-2.0
"""transformers as arms: model.generate() as it comes, and with a static cache and torch.compile."""

import time

import torch
import transformers


class TimedStreamer(transformers.generation.streamers.BaseStreamer):
    """Tokens with the time at which the host could read each; generate() sends the prompt first."""

    def __init__(self):
        self.tokens, self.times, self._prompt = [], [], True

    def put(self, value):
        now = time.perf_counter()
        if self._prompt:
            self._prompt = False
            return
        for token in value.reshape(-1).tolist():
            self.tokens.append(token)
            self.times.append(now)

    def end(self):
        pass


def load(folder, device):
    """The model in the type that its config.json names, without end tokens: what generate() is not
    told it would take from generation_config.json."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
    model.generation_config = transformers.GenerationConfig()
    return model.to(device).eval()


class Transformers:
    """compiled: a static cache, and forward compiled with mode "reduce-overhead" as generate()
    compiles it by itself on a GPU; on a CPU it is asked to."""

    def __init__(self, model, compiled):
        self.name = "transformers_compile" if compiled else "transformers_eager"
        self._model = model
        settings = {"do_sample": False, "use_cache": True, "pad_token_id": 0}
        if compiled:
            self._how = transformers.CompileConfig()
            self._how._compile_all_devices = True
            settings |= {"cache_implementation": "static", "compile_config": self._how}
        self._settings, self._compiled = settings, compiled

    def describe(self):
        device = self._model.device
        gpu = torch.cuda.get_device_name(device) if device.type == "cuda" else "none"
        return {"torch": torch.__version__, "transformers": transformers.__version__,
                "cuda": str(torch.version.cuda), "gpu": gpu, "dtype": str(self._model.dtype),
                "attention": self._model.config._attn_implementation,
                "peer_threads": str(torch.get_num_threads()),
                "compile": f"{self._how.backend}, {self._how.mode}" if self._compiled else "no"}

    def ask(self, prompt, max_tokens):
        """Tokens, and the request's ttft, tpot and full; max_tokens > 1."""
        streamer = TimedStreamer()
        config = transformers.GenerationConfig(max_new_tokens=max_tokens, **self._settings)
        start = time.perf_counter()
        with torch.no_grad():
            tokens = torch.tensor([prompt], device=self._model.device)
            self._model.generate(tokens, attention_mask=torch.ones_like(tokens), streamer=streamer,
                                 generation_config=config)
        first, last = streamer.times[0], streamer.times[-1]
        return streamer.tokens, {"ttft": first - start, "full": last - start,
                                 "tpot": (last - first) / (max_tokens - 1)}

    def close(self):
        pass
