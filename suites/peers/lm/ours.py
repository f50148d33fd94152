# SPDX-License-Identifier: Apache-2.0
"""The engine as an arm: a server that stays for all rounds and tells the times of its requests."""

import http.client
import json

from load import server

MOST_REQUESTS = 1024  # that /metrics tells of; older ones leave its means


class WrongAnswer(Exception):
    """The text says what came instead."""


class Engine:
    name = "engine"

    def __init__(self, executable, model, options, patience=600):
        self._patience, self._options = patience, options
        self._server = server.Server(executable, model, options, patience)
        self.startup = self._server.startup  # seconds until it was healthy
        self._sums, self._answered = {}, 0

    def describe(self):
        return {"engine_options": " ".join(self._options)}

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection(*self._server.address, timeout=self._patience)
        try:
            connection.request(method, path, None if body is None else json.dumps(body),
                               {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            end = self._server.obituary()
            raise WrongAnswer(f"engine: connection lost: {error}; {end}".rstrip("; ")) from error
        finally:
            connection.close()
        if response.status != 200:
            raise WrongAnswer(f"engine: {path}: refused with {response.status}: "
                              f"{text.decode(errors='replace')}")
        return json.loads(text)

    def ask(self, prompt, max_tokens):
        """Tokens, and the request's ttft, tpot and full as the engine took them."""
        answer = self._call("POST", "/v1/completions", {
            "prompt": prompt, "max_tokens": max_tokens, "temperature": 0, "ignore_eos": True,
            "return_token_ids": True})
        return answer["choices"][0]["token_ids"], self._last()

    def _last(self):
        """Of the newest request: what it added to the sums behind the means of /metrics, which are
        exact to 1e-13 of a sum of 1000 requests."""
        recent = self._call("GET", "/metrics")["recent"]
        self._answered += 1
        times = {}
        for metric in ("ttft", "tpot", "full"):
            told = recent[f"{metric}_s"]
            if told["n"] != self._answered or self._answered > MOST_REQUESTS:
                raise WrongAnswer(f"engine: {self._answered} requests were sent, {metric}_s of "
                                  f"/metrics is of {told['n']}")
            total = told["mean"] * told["n"]
            times[metric] = total - self._sums.get(metric, 0.0)
            self._sums[metric] = total
        return times

    def close(self):
        self._server.close()
