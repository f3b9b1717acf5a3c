"""A proxy between clients and a service that loses, cuts, delays, replaces and doubles.

Run as `proxy.py PORT SEED`, it prints its own address, and on SIGTERM what it did.
"""

import asyncio
import json
import random
import signal
import sys
import time
from collections import Counter

# How often, of a thousand requests, each fault is played; the rest are let through.
FAULTS = {
    "request lost": 100,
    "answer lost": 70,
    "answer cut": 40,
    "no answer": 20,
    "request late": 60,
    "gateway's page after": 40,
    "gateway's page before": 60,
    "request twice": 30,
}
# The longest that a request is on its way, in seconds: longer than clients wait.
LATEST = 1.5
PAGE = b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """Forwards each request over a connection of its own to the service."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.random = random.Random(seed)
        self.played: Counter[str] = Counter()
        self.idle: list[tuple[float, Streams]] = []
        self.background: set[asyncio.Task[bytes]] = set()
        # The event loop itself forgets tasks that nobody holds.
        self.connections: set[asyncio.Task[None] | None] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes the requests of one connection."""
        self.connections.add(asyncio.current_task())
        try:
            while request := await message(reader):
                if not await self.play(self.fault(), request, writer):
                    break
                await writer.drain()
        except (OSError, EOFError, asyncio.CancelledError):
            pass
        finally:
            self.connections.discard(asyncio.current_task())
            writer.close()

    def fault(self) -> str:
        """Chooses what happens to a request."""
        drawn = self.random.randrange(1000)
        for fault, often in FAULTS.items():
            if drawn < often:
                self.played[fault] += 1
                return fault
            drawn -= often
        self.played["let through"] += 1
        return "let through"

    async def play(self, fault: str, request: bytes, writer: asyncio.StreamWriter) -> bool:
        """Carries a fault out; returns whether the connection stays."""
        if fault == "request lost":
            return False
        if fault == "request late":
            await self.late(request, writer)
            return False
        if fault == "gateway's page before":
            writer.write(PAGE)
            return True
        answer = await self.forward(request)
        if fault == "request twice":
            answer = await self.forward(request)
        if fault == "gateway's page after":
            answer = PAGE
        if fault == "no answer":
            await asyncio.sleep(LATEST)
        if fault in ("answer lost", "no answer"):
            return False
        if fault == "answer cut":
            writer.write(answer[: self.random.randrange(1, len(answer))])
            return False
        writer.write(answer)
        return True

    async def late(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        """Forwards a request after its client has gone, or has been told that it failed."""
        wait = self.random.uniform(0.0, LATEST)
        task = asyncio.create_task(self.after(wait, request))
        self.background.add(task)
        task.add_done_callback(self.background.discard)
        if self.random.random() < 0.5:
            writer.write(PAGE)
            return
        answer = await task
        writer.write(answer)

    async def after(self, wait: float, request: bytes) -> bytes:
        await asyncio.sleep(wait)
        try:
            return await self.forward(request)
        except (OSError, EOFError):
            return b""

    async def forward(self, request: bytes) -> bytes:
        """Asks the service, and returns its whole answer."""
        reader, writer = await self.streams()
        writer.write(request)
        answer = await message(reader)
        if not answer:
            raise EOFError("the service closed an idle connection")
        self.idle.append((time.monotonic(), (reader, writer)))
        return answer

    async def streams(self) -> Streams:
        """A connection to the service, which closes those that are idle for ten seconds."""
        while self.idle:
            since, streams = self.idle.pop()
            if time.monotonic() - since < 5.0:
                return streams
            streams[1].close()
        return await asyncio.open_connection("127.0.0.1", self.port)


async def message(reader: asyncio.StreamReader) -> bytes:
    """A request or an answer with its body, or nothing where the connection ended."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return b""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return head + await reader.readexactly(int(value))
    assert b"transfer-encoding" not in head.lower(), head
    return head


async def main(port: int, seed: int) -> None:
    """Serves until SIGTERM."""
    proxy = Proxy(port, seed)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await ended.wait()
    # A request on its way still arrives; no client may be surprised by it.
    await asyncio.gather(*proxy.background)
    print(json.dumps(dict(proxy.played)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
