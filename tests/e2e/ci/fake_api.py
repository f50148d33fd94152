#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the API of GitHub and GitLab: keeps comments, records calls, and answers with trouble when told to."""
import http.server
import json
import re
import socket
import ssl
import threading
import time

GITHUB = re.compile(r"^/repos/o/r/(?:issues/(\d+)/comments|issues/comments/(\d+)|pulls/(\d+))$")
GITLAB = re.compile(r"^/api/v4/projects/(?:7|g%2Fp)/merge_requests/(\d+)(/notes(?:/(\d+))?)?$")


class FakeApi:
    """calls: [{method, path, headers, body}]; troubles: answers for the next calls, before any real one.

    A trouble is (status, headers), or "hang up" and "silence" for a host that gives no answer.
    """

    def __init__(self, login="github-actions[bot]", knows_user=False, certificate=None):
        self.calls, self.troubles, self.comments = [], [], []
        self.head, self.login, self.knows_user, self.next_id = "a" * 40, login, knows_user, 100
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length).decode()
                path, _, query = self.path.partition("?")
                api.calls.append({"method": self.command, "path": path, "query": query, "body": body,
                                  "headers": dict(self.headers)})
                if api.troubles and (trouble := api.troubles.pop(0)) is not None:
                    if trouble in ("hang up", "silence"):
                        time.sleep(0 if trouble == "hang up" else 3)
                        self.connection.shutdown(socket.SHUT_RDWR)
                        self.close_connection = True
                        return
                    self.answer(trouble[0], {"message": "told to"}, trouble[1])
                    return
                self.answer(*api.respond(self.command, path, query, body))

            def answer(self, status, content, headers=None):
                data = json.dumps(content).encode()
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_PUT = handle_any

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def add(self, login, body):
        self.next_id += 1
        self.comments.append({"id": self.next_id, "body": body, "user": {"login": login}, "author": {"username": login}})
        return self.comments[-1]

    def respond(self, method, path, query, body):
        if path.endswith("/user"):
            return (200, {"login": self.login, "username": self.login}) if self.knows_user else (403, {"message": "no user"})
        found, lab = GITHUB.match(path), GITLAB.match(path)
        if not found and not lab:
            return 404, {"message": "Not Found"}
        number, comment, pull = found.groups() if found else (lab[1] if lab[2] else None, lab[3], None if lab[2] else lab[1])
        if pull:
            return 200, {"head": {"sha": self.head}, "sha": self.head}
        if comment and method in ("PATCH", "PUT"):
            for known in self.comments:
                if str(known["id"]) == comment:
                    known["body"] = json.loads(body)["body"]
                    return 200, known
            return 404, {"message": "Not Found"}
        if method == "GET":
            page = int(re.search(r"page=(\d+)$", query)[1])
            return 200, self.comments[100 * (page - 1):100 * page]
        return 201, self.add(self.login, json.loads(body)["body"])

    def methods(self):
        return [call["method"] for call in self.calls if not call["path"].endswith("/user")]

    def forget(self):
        self.calls.clear()
        self.troubles.clear()
