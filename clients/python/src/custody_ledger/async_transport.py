"""Requests over streams of asyncio: HTTP/1.1 with connections that are kept for a few seconds."""

import asyncio
import http.client
import io
import ssl
import time

from .attempts import Request, Response
from .errors import NoAnswer
from .transport import IDLE, Address

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncTransport:
    """Sends requests of one event loop."""

    def __init__(self, base_url: str, context: ssl.SSLContext | None = None) -> None:
        self._address = Address(base_url)
        # Reading the system's certificates takes long, so plain HTTP does without.
        self._context = context or (ssl.create_default_context() if self._address.tls else None)
        self._idle: list[tuple[float, Streams]] = []

    async def send(self, request: Request, timeout: float) -> Response | NoAnswer:
        """Sends one request, and returns the whole answer or why there is none."""
        try:
            async with asyncio.timeout(timeout):
                return await self._exchange(request)
        except (OSError, EOFError, ValueError, http.client.HTTPException) as error:
            return self._address.no_answer(request, error)

    async def _exchange(self, request: Request) -> Response:
        reader, writer = await self._streams(request.repeatable)
        keep = False
        try:
            writer.write(self._head(request) + (request.body or b""))
            await writer.drain()
            response = await receive(reader)
            keep = response.headers.get("connection", "").lower() != "close" and framed(response)
            return response
        finally:
            if keep:
                self._idle.append((time.monotonic(), (reader, writer)))
            else:
                writer.close()

    def _head(self, request: Request) -> bytes:
        """The request line and the headers."""
        address = self._address
        lines = [f"{request.method} {address.prefix}{request.target} HTTP/1.1"]
        host = f"[{address.host}]" if ":" in address.host else address.host
        lines.append(f"Host: {host}:{address.port}")
        lines += [f"{name}: {value}" for name, value in request.headers.items()]
        if request.body is not None or request.method != "GET":
            lines.append(f"Content-Length: {len(request.body or b'')}")
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("a header holds a line break")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    async def _streams(self, reuse: bool) -> Streams:
        """An idle connection, or a new one."""
        while reuse and self._idle:
            since, (reader, writer) = self._idle.pop()
            if time.monotonic() - since < IDLE and not reader.at_eof():
                return reader, writer
            writer.close()
        address = self._address
        return await asyncio.open_connection(address.host, address.port, ssl=self._context)

    async def close(self) -> None:
        """Closes idle connections."""
        idle, self._idle = self._idle, []
        for _, (_, writer) in idle:
            writer.close()


def framed(response: Response) -> bool:
    """Whether an answer says where it ends, so that another may follow."""
    headers = response.headers
    return "content-length" in headers or "transfer-encoding" in headers or response.status == 204


async def receive(reader: asyncio.StreamReader) -> Response:
    """Reads one whole answer; interim answers are passed over."""
    while True:
        version, status, *_ = (await line(reader)).split(maxsplit=2)
        if not version.startswith(b"HTTP/1."):
            raise http.client.BadStatusLine(repr(version))
        block = io.BytesIO(await head(reader))
        headers = {name.lower(): text for name, text in http.client.parse_headers(block).items()}
        if int(status) >= 200:
            return Response(int(status), headers, await body(reader, int(status), headers))


async def line(reader: asyncio.StreamReader) -> bytes:
    """A line that ended."""
    text = await reader.readline()
    if not text.endswith(b"\n"):
        raise EOFError("the connection was closed")
    return text


async def head(reader: asyncio.StreamReader) -> bytes:
    """The lines of headers, up to the empty one."""
    lines: list[bytes] = []
    while not lines or lines[-1] not in (b"\r\n", b"\n"):
        lines.append(await line(reader))
    return b"".join(lines)


async def body(reader: asyncio.StreamReader, status: int, headers: dict[str, str]) -> bytes:
    """The body of an answer."""
    if status in (204, 304):
        return b""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await chunks(reader)
    length = headers.get("content-length")
    return await (reader.read() if length is None else reader.readexactly(int(length)))


async def chunks(reader: asyncio.StreamReader) -> bytes:
    """A body that comes in chunks."""
    parts = []
    while size := int((await line(reader)).split(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await line(reader)
    while (await line(reader)) not in (b"\r\n", b"\n"):
        pass
    return b"".join(parts)
