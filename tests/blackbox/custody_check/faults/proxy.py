"""A proxy of TCP that cuts, delays and loses what passes between a client and a service."""
import random
import socket
import threading
import time


class Proxy:
    """Passes connections on to a port; `mode` says what becomes of their bytes.

    `pass` passes them; `cut` breaks every connection and refuses more; `stall` passes nothing
    until it is healed; `deaf` passes requests and drops answers; `delay` holds each piece;
    `trickle` passes a few bytes at a time.
    """

    def __init__(self, target: int, seed: int = 1):
        self.target, self.mode, self.delay = target, "pass", 0.05
        self.dice = random.Random(seed)
        self.pairs: list[tuple[socket.socket, socket.socket, int]] = []
        self.lock, self.closed = threading.Lock(), False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Returns where the proxy listens."""
        return f"http://127.0.0.1:{self.port}"

    def choose(self) -> int | None:
        """Returns the port that the next connection leads to; none refuses it."""
        return self.target

    def accept(self) -> None:
        """Takes connections and pairs each with one to the service."""
        while not self.closed:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            target = self.choose()
            if self.mode == "cut" or target is None:
                client.close()
                continue
            try:
                service = socket.create_connection(("127.0.0.1", target), timeout=5)
            except OSError:
                client.close()
                continue
            service.settimeout(None)
            for link in (client, service):
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.pairs.append((client, service, target))
            for source, sink, answers in ((client, service, False), (service, client, True)):
                threading.Thread(target=self.pump, args=(source, sink, answers), daemon=True).start()

    def pump(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        """Passes bytes one way until either side ends."""
        try:
            while data := source.recv(65_536):
                while self.mode == "stall" and not self.closed:
                    time.sleep(0.02)
                if self.mode == "deaf" and answers:
                    break
                if self.mode == "delay":
                    time.sleep(self.dice.uniform(0, 2 * self.delay))
                while self.mode == "trickle" and len(data) > 40 and not self.closed:
                    sink.sendall(data[:40])
                    data = data[40:]
                    time.sleep(0.002)
                sink.sendall(data)
        except OSError:
            pass
        for link in (source, sink):
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def set(self, mode: str) -> None:
        """Changes what becomes of the bytes; `cut` breaks what is open."""
        self.mode = mode
        if mode == "cut":
            self.drop()

    def drop(self, port: int | None = None) -> None:
        """Breaks what is open, or what leads to one port."""
        with self.lock:
            chosen = [pair for pair in self.pairs if port in (None, pair[2])]
            self.pairs = [pair for pair in self.pairs if port not in (None, pair[2])]
        for client, service, _ in chosen:
            for link in (client, service):
                try:
                    link.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self) -> None:
        """Ends the proxy."""
        self.set("cut")
        self.closed = True
        self.listener.close()
