# SPDX-License-Identifier: Apache-2.0
"""`engine serve` as a test starts it, and clients that misbehave.

The first argument of the program is the engine. The model has room for 65536 tokens, so that a
stream is still running whenever a test ends it.
"""

import asyncio
import http.client
import json
import os
import random
import socket
import struct
import subprocess
import sys
import time

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
