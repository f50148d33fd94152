# SPDX-License-Identifier: Apache-2.0
"""What one run of engine_load.py measured."""

import dataclasses
import hashlib


@dataclasses.dataclass
class Run:
    answers: list
    seconds: float  # until the last token

    @property
    def values(self):
        """Seconds by metric."""
        return {"ttft": [a.ttft for a in self.answers], "full": [a.full for a in self.answers],
                "tpot": [a.tpot for a in self.answers if a.tpot is not None],
                "itl": [gap for a in self.answers for gap in a.itl]}

    @property
    def digest(self):
        """Of all tokens."""
        return hashlib.sha256(repr([a.tokens for a in self.answers]).encode()).hexdigest()[:16]

    def document(self, model, requests, rate):
        """Every request, as `vllm bench serve --save-result --save-detailed` would write it: from
        that `perfgate import` takes percentiles. requests: what was asked for, in order."""
        tokens_in = sum(len(request.prompt) for request in requests)
        tokens_out = sum(len(answer.tokens) for answer in self.answers)
        count = len(self.answers)
        return {"backend": "engine", "model_id": model, "tokenizer_id": model, "num_prompts": count,
                "request_rate": rate, "burstiness": 1.0, "duration": self.seconds, "completed": count,
                "failed": 0, "total_input_tokens": tokens_in, "total_output_tokens": tokens_out,
                "request_throughput": count / self.seconds,
                "output_throughput": tokens_out / self.seconds,
                "input_lens": [len(request.prompt) for request in requests],
                "output_lens": [len(answer.tokens) for answer in self.answers],
                "ttfts": [answer.ttft for answer in self.answers],
                # Tokens that came in one piece have no gap between them.
                "itls": [[gap for gap in answer.itl if gap > 0] for answer in self.answers],
                "latencies": [answer.full for answer in self.answers],
                "errors": [""] * count, "generated_texts": [""] * count}
