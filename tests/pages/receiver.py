"""receiver.py: takes webhooks on a port that it tells; it is gone, and answers 410, until a GET has it back."""

import http.server


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Answers one webhook, or comes back."""

    is_back = False

    def do_GET(self) -> None:
        Endpoint.is_back = True
        self.do_POST()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204 if Endpoint.is_back else 410)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing of what it takes."""


with http.server.HTTPServer(("127.0.0.1", 0), Endpoint) as server:
    print("port", server.server_address[1])
    server.serve_forever()
