#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve_test.py ENGINE: `engine serve` as its clients see it.

Needs the standard library; curl and the `openai` package are used where they are installed. Nothing
depends on speed: what has to happen is waited for, up to a limit after which something is broken.
"""

import asyncio
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from serving import ENGINE, LONG, PATIENCE, Serving, blocks, make_model, post, storm

try:
    import openai
except ImportError:
    openai = None


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


if __name__ == "__main__":
    unittest.main()
