# SPDX-License-Identifier: Apache-2.0
"""Streamed completions over many connections, in one thread that sleeps between events.

What arrives is kept with its time and taken apart when all is over: no thread waits for another,
and no parsing delays a time stamp.
"""

import dataclasses
import errno
import json
import selectors
import socket
import time


class Refused(Exception):
    """The answer is not what was asked for; the text says how."""


@dataclasses.dataclass
class Request:
    due: float  # seconds after the start of the run
    prompt: list
    max_tokens: int


@dataclasses.dataclass
class Answer:
    """Times in seconds from `due`: a request that was sent late has waited all the same."""

    tokens: list
    times: list  # when token i could be read

    @property
    def ttft(self):
        return self.times[0]

    @property
    def full(self):
        return self.times[-1]

    @property
    def itl(self):
        return [after - before for before, after in zip(self.times, self.times[1:])]

    @property
    def tpot(self):
        """None of one token."""
        return (self.full - self.ttft) / (len(self.times) - 1) if len(self.times) > 1 else None


class Exchange:
    """One connection: the request on its way out, what came in with its times."""

    def __init__(self, address, request):
        body = json.dumps({"prompt": request.prompt, "max_tokens": request.max_tokens,
                           "temperature": 0, "ignore_eos": True, "stream": True,
                           "return_token_ids": True,
                           "stream_options": {"include_usage": True}}).encode()
        self._out = (f"POST /v1/completions HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
                     "Content-Type: application/json\r\nConnection: close\r\n"
                     f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        self.request, self.pieces, self.error = request, [], ""
        self.sent_at = None
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = self.socket.connect_ex(address)
        if code not in (0, errno.EINPROGRESS):
            raise OSError(code, errno.errorcode.get(code, "?"))

    def write(self):
        """True when all is sent."""
        code = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise OSError(code, f"cannot connect, {errno.errorcode.get(code, code)}")
        self._out = self._out[self.socket.send(self._out):]
        return not self._out

    def read(self, now):
        """False at the end."""
        data = self.socket.recv(1 << 16)
        if data:
            self.pieces.append((now, data))
        return bool(data)


def drive(address, requests, patience, alive, clock=time.perf_counter):
    """Sends each request when it is due and waits for all answers: Exchanges in that order, and the
    clock's time of the start. Ends early, with an error in what is open and without what was not
    due, when nothing has come for `patience` seconds or alive() says no.
    """
    exchanges, selector = [], selectors.DefaultSelector()
    start = heard = clock()
    open_now = set()

    def end(exchange, error=""):
        exchange.error = error
        open_now.discard(exchange)
        selector.unregister(exchange.socket)
        exchange.socket.close()

    while len(exchanges) < len(requests) or open_now:
        now = clock()
        if len(exchanges) < len(requests):
            wait = start + requests[len(exchanges)].due - now
            if wait <= 0:
                if not alive():
                    break
                exchange = Exchange(address, requests[len(exchanges)])
                exchange.sent_at = now - start
                heard = heard if open_now else now
                exchanges.append(exchange)
                open_now.add(exchange)
                selector.register(exchange.socket, selectors.EVENT_WRITE, exchange)
                continue
        else:
            wait = patience
        ready = selector.select(min(wait, 0.5))
        now = clock()
        for key, mask in ready:
            exchange, heard = key.data, now
            try:
                if mask & selectors.EVENT_WRITE:
                    if exchange.write():
                        selector.modify(exchange.socket, selectors.EVENT_READ, exchange)
                elif not exchange.read(now):
                    end(exchange)
            except OSError as error:
                end(exchange, f"connection lost: {error.strerror or error}")
        if not ready and open_now and (now - heard > patience or not alive()):
            break
    for exchange in list(open_now):
        end(exchange, f"no answer within {patience:g} s" if alive() else "the server is gone")
    selector.close()
    return exchanges, start


def _body(pieces):
    """Status line and the body as (time, bytes), with chunks of HTTP taken apart."""
    head, rest = b"", []
    for index, (when, data) in enumerate(pieces):
        head += data
        if b"\r\n\r\n" in head:
            head, _, first = head.partition(b"\r\n\r\n")
            rest = [(when, first)] + pieces[index + 1:]
            break
    else:
        raise Refused("the connection ended before an answer")
    status = head.split(b"\r\n", 1)[0].decode(errors="replace")
    if b"transfer-encoding: chunked" not in head.lower():
        return status, rest
    body, waiting = [], b""
    for when, data in rest:
        waiting += data
        while b"\r\n" in waiting:
            size_text, _, after = waiting.partition(b"\r\n")
            size = int(size_text.split(b";")[0], 16)
            if len(after) < size + 2:
                break
            body.append((when, after[:size]))
            waiting = after[size + 2:]
    return status, body


def events_of(pieces):
    """(time, JSON) of each event of a stream, without its end; Refused where that is missing."""
    status, body = _body(pieces)
    code = (status.split() + ["", ""])[1]
    if code != "200":
        text = b"".join(data for _, data in body)
        try:
            text = json.loads(text)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            text = text.decode(errors="replace")
        raise Refused(f"refused with {code}: {text}")
    events, waiting = [], b""
    for when, data in body:
        waiting += data
        while b"\n\n" in waiting:
            line, _, waiting = waiting.partition(b"\n\n")
            data_text = line.removeprefix(b"data: ")
            if data_text == b"[DONE]":
                return events
            event = json.loads(data_text)
            if "error" in event:
                raise Refused(f"error in the stream: {event['error'].get('message')}")
            events.append((when, event))
    tokens = sum(len(c.get("token_ids", ())) for _, e in events for c in e["choices"])
    raise Refused(f"the stream ended after {tokens} tokens without [DONE]")


def answer_of(exchange, start):
    """What an exchange was answered; Refused unless it is exactly what was asked for."""
    if exchange.error:
        raise Refused(exchange.error)
    tokens, times, usage = [], [], None
    try:
        for when, event in events_of(exchange.pieces):
            usage = event.get("usage") or usage
            for choice in event["choices"]:
                tokens += choice["token_ids"]
                times += [when - start - exchange.request.due] * len(choice["token_ids"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"not a stream of completions: {type(error).__name__}: {error}") from error
    wanted = exchange.request.max_tokens
    if len(tokens) != wanted:
        raise Refused(f"{len(tokens)} tokens instead of {wanted}")
    if usage is None or usage.get("completion_tokens") != wanted:
        raise Refused(f"{wanted} tokens came, the server counts "
                      f"{(usage or {}).get('completion_tokens')}")
    if usage.get("prompt_tokens") != len(exchange.request.prompt):
        raise Refused(f"a prompt of {len(exchange.request.prompt)} tokens was sent, the server "
                      f"counts {usage.get('prompt_tokens')}")
    return Answer(tokens, times)
