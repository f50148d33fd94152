#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve_test.py ENGINE: `engine serve` as its clients see it.

Needs the standard library; curl and the `openai` package are used where they are installed. Nothing
depends on speed: what has to happen is waited for, up to a limit after which something is broken.
The model has room for 65536 tokens, so that a stream is still running whenever a test ends it.
"""

import asyncio
import http.client
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import openai
except ImportError:
    openai = None

ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else "engine"
PATIENCE = 60  # seconds, of any one wait
LONG = 60000  # tokens: minutes


def make_model(folder):
    subprocess.run([ENGINE, "synth", "--preset", "tiny", "--peaked", "--out", folder],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(folder, "config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    config["max_position_embeddings"] = 65536
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)


def blocks(pid, number):
    """Whether the first thread of the process has blocked the signal."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        mask = next(line for line in status if line.startswith("SigBlk:"))
    return bool(int(mask.split()[1], 16) >> (number - 1) & 1)


class Serving:
    """A server on a port of its own; ends with the test."""

    def __init__(self, model, *options):
        self.process = subprocess.Popen(
            [ENGINE, "serve", "--model", model, "--port", "0", "--threads", "1",
             "--max_seq", "65536", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert "healthy at http://127.0.0.1:" in line, (line, self.process.stderr.read())
        self.url = line.split()[3].rstrip(",")
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def request(self, method, path, body=None, headers=None):
        """Status, headers, and the body as JSON where it is some."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if headers is None:
            headers = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        is_json = response.getheader("Content-Type") == "application/json" and text
        return response.status, response.headers, json.loads(text) if is_json else text

    def complete(self, **fields):
        status, _, body = self.request("POST", "/v1/completions", {"temperature": 0, **fields})
        assert status == 200, body
        return body

    def open_stream(self, **fields):
        """A connection whose stream has begun: its first event was read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/v1/completions",
                           json.dumps({"prompt": "a", "temperature": 0, "stream": True, **fields}),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        first = response.readline()
        assert first.startswith(b"data: {"), first
        return connection, response, first

    def stream(self, **fields):
        """The events of a whole stream."""
        connection, response, first = self.open_stream(**fields)
        lines = (first + response.read()).decode().split("\n\n")
        connection.close()
        assert lines[-2:] == ["data: [DONE]", ""], lines[-2:]
        return [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]

    def metrics(self):
        return self.request("GET", "/metrics")[2]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def wait_until(self, what, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"{what}: not within {PATIENCE} s"
            time.sleep(0.02)

    def wait_until_idle(self):
        def idle():
            metrics = self.metrics()
            return metrics["waiting"] == 0 and metrics["running"] == 0
        self.wait_until("every place is free", idle)


class ServeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.scratch.name, "tiny")
        make_model(cls.model)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def expected(self, prompt, tokens):
        """What `engine run` answers."""
        run = subprocess.run(
            [ENGINE, "run", "--model", self.model, "--prompt", prompt, "--max-tokens",
             str(tokens), "--threads", "1", "--json", "-"], check=True, capture_output=True)
        return json.loads(run.stdout)["requests"][0]

    def test_answers(self):
        with Serving(self.model, "--batch", "2", "--uncertainty=on") as server:
            status, headers, body = server.request("GET", "/health")
            self.assertEqual((status, body), (200, {"status": "ok"}))
            self.assertEqual(headers["Connection"], "close")
            self.assertEqual(server.request("HEAD", "/health")[0], 200)
            self.assertEqual(server.request("GET", "/v1/models")[2]["data"][0]["id"], "tiny")

            expected = self.expected("Hi", 40)
            body = server.complete(prompt=[72, 105], max_tokens=40, return_token_ids=True)
            self.assertEqual(body["choices"][0]["token_ids"], expected["ids"])
            text = body["choices"][0]["text"]
            self.assertEqual(text, expected["text"])
            self.assertEqual(server.complete(prompt="Hi", max_tokens=40)["choices"][0]["text"],
                             text)
            self.assertEqual(body["choices"][0]["finish_reason"], "length")
            self.assertEqual(body["usage"], {"prompt_tokens": 2, "completion_tokens": 40,
                                             "total_tokens": 42})

            events = server.stream(prompt="Hi", max_tokens=40, logprobs=0,
                                   stream_options={"include_usage": True})
            usage = events.pop()
            self.assertEqual((usage["choices"], usage["usage"]), ([], body["usage"]))
            self.assertEqual("".join(e["choices"][0]["text"] for e in events), text)
            self.assertEqual(events[-1]["choices"][0]["finish_reason"], "length")
            self.assertEqual(sum(len(e["choices"][0]["logprobs"]["tokens"]) for e in events), 40)

            both = server.complete(prompt=["Hi", "yo"], max_tokens=40)["choices"]
            self.assertEqual(both[0]["text"], text)
            self.assertEqual(both[1]["text"],
                             server.complete(prompt="yo", max_tokens=40)["choices"][0]["text"])
            sampled = [server.complete(prompt="a", temperature=2, seed=s)["choices"][0]["text"]
                       for s in (1, 2, 1)]
            self.assertEqual(sampled[0], sampled[2])

            metrics = server.metrics()
            self.assertEqual(metrics["recent"]["queue_s"]["n"], metrics["recent"]["ttft_s"]["n"])

    def test_refuses(self):
        with Serving(self.model) as server:
            def refused(status, param, body, headers=None, method="POST", path="/v1/completions"):
                got, _, answer = server.request(method, path, body, headers)
                self.assertIn(got, status if isinstance(status, tuple) else (status,), answer)
                self.assertEqual(set(answer["error"]), {"message", "type", "param", "code"})
                self.assertEqual(answer["error"]["param"], param, answer)

            refused(400, "max_tokens", {"prompt": "a", "max_tokens": -1})
            refused(400, "max_tokens", {"prompt": "a", "max_tokens": 10**30})
            refused(400, "prompt", {"prompt": ""})
            refused(400, "prompt", {"prompt": [256]})
            refused(400, "prompt", {"prompt": "a" * 65536})
            refused(400, "temperature", '{"prompt": "a", "temperature": "hot"}')
            refused(400, "n", {"prompt": "a", "n": 2})
            refused(400, "logprobs", {"prompt": "a", "logprobs": 0})
            refused(400, "max_token", {"prompt": "a", "max_token": 5})
            refused(400, None, '{"prompt": "a"')
            refused(400, None, b'{"prompt": "\xff"}')
            refused(400, None, "")
            refused(404, "model", {"prompt": "a", "model": "gpt"})
            refused(415, None, '{"prompt": "a"}', {"Content-Type": "text/plain"})
            refused(413, None, b"x" * 4_000_000)
            chunked = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
            refused(400, None, b"ffffffffffffffff\r\nx", chunked)
            # Which of the two depends on the version of the library.
            refused((400, 413), None, b"300000\r\n" + b"x" * 0x300000 + b"\r\n0\r\n\r\n", chunked)
            refused(415, None, b"x", {"Content-Type": "multipart/form-data; boundary=x"})
            refused(415, None, b"x", {"Content-Type": "application/json",
                                      "Content-Encoding": "gzip"})
            refused(404, None, {}, path="/v1/chat/completions")
            refused(404, None, None, method="GET", path="/nothing")
            refused(405, None, None, method="GET")
            refused(405, None, None, method="DELETE", path="/health")
            server.complete(prompt="a")

    def test_a_full_queue_and_a_client_that_leaves(self):
        with Serving(self.model, "--queue", "0") as server:
            connection, response, _ = server.open_stream(max_tokens=LONG)
            status, headers, body = server.request("POST", "/v1/completions", {"prompt": "a"})
            self.assertEqual((status, headers["Retry-After"]), (503, "1"), body)
            response.close()
            connection.close()
            server.wait_until_idle()
            server.complete(prompt="a")
            metrics = server.metrics()["requests"]
            self.assertEqual((metrics["client_gone"], metrics["queue_full"]), (1, 1))

    def test_a_client_that_leaves_while_it_waits_frees_its_place(self):
        with Serving(self.model, "--queue", "1") as server:
            connection, response, _ = server.open_stream(max_tokens=LONG)
            waiting = socket.create_connection(("127.0.0.1", server.port))
            waiting.sendall(post(b'{"prompt": "a"}'))
            server.wait_until("it waits", lambda: server.metrics()["waiting"] == 1)
            self.assertEqual(server.request("POST", "/v1/completions", {"prompt": "a"})[0], 503)
            waiting.close()
            server.wait_until("it left", lambda: server.metrics()["waiting"] == 0)
            response.close()
            connection.close()

    def test_a_slow_client_is_cut_off(self):
        with Serving(self.model, "--timeout", "1", "--connections", "1") as server:
            with socket.create_connection(("127.0.0.1", server.port)) as slow:
                slow.settimeout(0.1)
                deadline = time.monotonic() + PATIENCE
                answer = None
                slow.sendall(b"GET /health HTTP/1.1\r\nX: ")
                while answer is None:
                    self.assertLess(time.monotonic(), deadline, "it dripped on unharmed")
                    try:
                        slow.sendall(b"x")
                        answer = slow.recv(65536)
                    except socket.timeout:
                        continue
                    except ConnectionError:
                        answer = b""
            # The one place for a connection is free again.
            self.assertEqual(server.request("GET", "/health")[0], 200)

    def test_port_in_use(self):
        with Serving(self.model) as server:
            second = subprocess.run([ENGINE, "serve", "--model", self.model, "--port",
                                     str(server.port)], capture_output=True, text=True,
                                    timeout=PATIENCE, check=False)
            self.assertEqual(second.returncode, 64)
            self.assertIn("Address already in use", second.stderr)
            self.assertEqual(server.request("GET", "/health")[0], 200)

    def test_a_signal_ends_streams_and_waiting_requests(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Serving(self.model) as server:
                connection, response, _ = server.open_stream(max_tokens=LONG)
                waiting = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
                waiting.sendall(post(b'{"prompt": "a"}'))
                idle = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
                server.wait_until("it waits", lambda: server.metrics()["waiting"] == 1)
                server.process.send_signal(number)
                events = response.read().decode().split("\n\n")  # whole, or http.client throws
                self.assertEqual(events[-2:], ["data: [DONE]", ""])
                self.assertIn("the server is stopping", events[-3])
                self.assertTrue(waiting.recv(64).startswith(b"HTTP/1.1 503"))
                self.assertEqual(server.process.wait(PATIENCE), 0)
                connection.close()
                waiting.close()
                idle.close()

    def test_a_signal_ends_a_start(self):
        with tempfile.TemporaryDirectory() as folder:
            # Takes the reader far longer than it takes to see that signals are waited for.
            with open(os.path.join(folder, "tokenizer.json"), "wb") as file:
                file.write(b" " * (200 << 20))
            process = subprocess.Popen([ENGINE, "serve", "--model", folder, "--port", "0"])
            while not blocks(process.pid, signal.SIGTERM):
                self.assertIsNone(process.poll())
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0)

    def test_a_thousand_bad_clients(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        with Serving(self.model, "--batch", "4") as server:
            before = server.complete(prompt="Hi", max_tokens=20)["choices"]
            descriptors = server.descriptors()
            kinds = asyncio.run(storm(server.port, 1000))
            self.assertEqual(sum(kinds.values()), 1000, kinds)
            self.assertEqual(kinds.get("400", 0), 100, kinds)
            self.assertEqual(server.request("GET", "/health")[0], 200)
            server.wait_until_idle()
            server.wait_until("every descriptor is closed",
                              lambda: server.descriptors() <= descriptors)
            self.assertEqual(server.complete(prompt="Hi", max_tokens=20)["choices"], before)
            self.assertIsNone(server.process.poll())
            server.process.terminate()
            self.assertEqual(server.process.wait(PATIENCE), 0)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl(self):
        with Serving(self.model) as server:
            def curl(body):
                return subprocess.run(
                    ["curl", "-sSN", "--max-time", str(PATIENCE), server.url + "/v1/completions",
                     "-H", "Content-Type: application/json", "-d", json.dumps(body)],
                    check=True, capture_output=True, text=True).stdout
            body = {"model": "tiny", "prompt": "Hi", "max_tokens": 8, "temperature": 0}
            text = json.loads(curl(body))["choices"][0]["text"]
            events = curl({**body, "stream": True}).split("\n\n")
            self.assertEqual(events[-2:], ["data: [DONE]", ""])
            self.assertEqual("".join(json.loads(e.removeprefix("data: "))["choices"][0]["text"]
                                     for e in events[:-2]), text)

    @unittest.skipUnless(openai, "the openai package is not installed")
    def test_openai_client(self):
        with Serving(self.model, "--uncertainty=on") as server:
            client = openai.OpenAI(base_url=server.url + "/v1", api_key="none", max_retries=0,
                                   timeout=PATIENCE)
            self.assertEqual([model.id for model in client.models.list()], ["tiny"])
            self.assertEqual(client.models.retrieve("tiny").id, "tiny")
            ask = {"model": "tiny", "prompt": "Hi", "max_tokens": 12, "temperature": 0}
            whole = client.completions.create(**ask, logprobs=0)
            choice = whole.choices[0]
            self.assertEqual(choice.finish_reason, "length")
            self.assertEqual(len(choice.logprobs.token_logprobs), 12)
            self.assertEqual(whole.usage.completion_tokens, 12)
            chunks = list(client.completions.create(**ask, stream=True,
                                                    stream_options={"include_usage": True}))
            self.assertEqual(chunks[-1].usage, whole.usage)
            self.assertEqual("".join(c.choices[0].text for c in chunks[:-1]), choice.text)
            with self.assertRaises(openai.BadRequestError) as refused:
                client.completions.create(**{**ask, "max_tokens": -1})
            self.assertEqual(refused.exception.param, "max_tokens")
            with self.assertRaises(openai.NotFoundError):
                client.chat.completions.create(model="tiny", messages=[])
            extended = client.completions.create(**ask, extra_body={"return_token_ids": True})
            self.assertEqual(len(extended.choices[0].token_ids), 12)


def post(body, length=None):
    return (b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length)) + body


LONG_BODY = json.dumps({"prompt": "a", "max_tokens": LONG}).encode()
LONG_STREAM = json.dumps({"prompt": "a", "max_tokens": LONG, "stream": True}).encode()


async def bad_client(port, number):
    """One of ten kinds. Returns what became of it."""
    kind = number % 10
    noise = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    outcome = "left"
    try:
        if kind == 0:
            writer.write(noise.randbytes(noise.randrange(1, 5000)))
        elif kind == 1:
            writer.write(post(b"")[:noise.randrange(1, 80)])
        elif kind == 2:
            writer.write(post(LONG_BODY[:noise.randrange(len(LONG_BODY))], len(LONG_BODY)))
        elif kind == 3:
            wrong = bytearray(LONG_BODY)
            wrong[0] = noise.randrange(ord("{"))
            writer.write(post(bytes(wrong)))
            outcome = (await reader.read()).split(b" ")[1].decode()
        elif kind in (4, 5):
            writer.write(post(LONG_STREAM))
            await reader.read(noise.randrange(1, 400))
        elif kind == 6:
            writer.write(post(LONG_BODY))
        elif kind == 7:
            writer.write(b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * noise.randrange(5000))
        elif kind == 8:
            writer.write(post(b"", noise.randrange(2**63)))
        await writer.drain()
        if noise.random() < 0.5:  # a reset, not an orderly end
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except ConnectionError:
        outcome = "cut off"
    writer.close()
    return outcome


async def storm(port, count):
    kinds = {}
    outcomes = await asyncio.wait_for(
        asyncio.gather(*(bad_client(port, i) for i in range(count))), PATIENCE)
    for outcome in outcomes:
        kinds[outcome] = kinds.get(outcome, 0) + 1
    return kinds


if __name__ == "__main__":
    unittest.main()
