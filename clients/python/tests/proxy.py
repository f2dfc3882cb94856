"""A TCP proxy before the real service that follows a script: one step for each connection (see retries.json)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

_PATIENCE_SECONDS = 60


class Proxy:
    """`steps`: what happens to each connection, in order. Later ones pass."""

    def __init__(self, target: str, steps: Sequence[Any]) -> None:
        parts = urlsplit(target)
        assert parts.port is not None
        self._target = (parts.hostname, parts.port)
        self._steps = list(steps)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self.connections = 0
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._start(self._accept)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for thread in self._threads:
            thread.join(_PATIENCE_SECONDS)
            assert not thread.is_alive(), "a connection of the proxy does not end"

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, work: Any, *args: Any) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            client.settimeout(_PATIENCE_SECONDS)
            step = self._steps[self.connections] if self.connections < len(self._steps) else "pass"
            self.connections += 1
            self._start(self._serve, client, step)

    def _serve(self, client: socket.socket, step: Any) -> None:
        with client:
            if step == "close":
                return
            if step == "pass":
                self._pass(client)
                return
            request = read_message(client)
            if request is None or step == "cut_request":
                return
            if isinstance(step, dict) and "answer" in step:
                client.sendall(_answer_of(step["answer"]))
                return
            if isinstance(step, dict) and "raw" in step:
                client.sendall(step["raw"].encode())
                return
            with self._connect() as service:
                service.sendall(request)
                if isinstance(step, dict) and "forward_then_answer" in step:
                    client.sendall(_answer_of(step["forward_then_answer"]))
                    _end(client)
                elif step == "cut_after_forward":
                    _end(client)
                # The service finishes what it has read, whatever becomes of the client.
                answer = read_message(service) or b""
                if isinstance(step, dict) and "cut_answer_after_bytes" in step:
                    client.sendall(answer[: step["cut_answer_after_bytes"]])

    def _pass(self, client: socket.socket) -> None:
        with self._connect() as service:
            there = threading.Thread(target=_pump, args=(client, service), daemon=True)
            there.start()
            _pump(service, client)
            there.join()

    def _connect(self) -> socket.socket:
        return socket.create_connection(self._target, timeout=_PATIENCE_SECONDS)


def read_message(source: socket.socket) -> bytes | None:
    """One HTTP request or answer with its body; None when the connection ends before."""
    content = b""
    while b"\r\n\r\n" not in content:
        more = source.recv(65536)
        if not more:
            return None
        content += more
    head, _, body = content.partition(b"\r\n\r\n")
    length = 0
    is_chunked = False
    for line in head.decode("latin-1").lower().split("\r\n"):
        name, _, value = line.partition(":")
        if name == "content-length":
            length = int(value)
        is_chunked = is_chunked or name == "transfer-encoding"
    while len(body) < length or (is_chunked and not body.endswith(b"0\r\n\r\n")):
        more = source.recv(65536)
        if not more:
            return None
        body += more
    return head + b"\r\n\r\n" + body


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while more := source.recv(65536):
            target.sendall(more)
    except OSError:
        pass
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def _answer_of(answer: Any) -> bytes:
    body: bytes = answer["body"].encode()
    headers = {**answer["headers"], "content-length": len(body), "connection": "close"}
    lines = [f"HTTP/1.1 {answer['status']} X", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
