"""Links by mail, from a service to a real server of SMTP: who gets one, what it opens, and how often.

mailed.py BASE PORT: the service at BASE mails by 127.0.0.1:PORT, where a server starts here, late.
"""

import email
import email.policy
import http.client
import json
import re
import sys
import time
import urllib.parse
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

BASE, PORT = sys.argv[1], int(sys.argv[2])
KNOWN, UNKNOWN = "ana@exemplo.com.br", "bia@exemplo.com.br"


class Mailbox:
    """Takes every mail."""

    def __init__(self) -> None:
        self.taken: list[tuple[list[str], EmailMessage]] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        message = email.message_from_bytes(content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.taken.append((envelope.rcpt_tos, message))
        return "250 taken"

    def wait(self, count: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while len(self.taken) < count:
            assert time.monotonic() < end, f"{len(self.taken)} mails of {count}"
            time.sleep(0.05)


def ask(
    method: str, path: str, body: str = "", headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """Asks once and follows nothing."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE).netloc, timeout=30)
    connection.request(method, path, body or None, headers or {})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def links(address: str) -> tuple[int, bytes]:
    json_body = {"content-type": "application/json"}
    status, _, body = ask("POST", "/keys/painel-link", json.dumps({"email": address}), json_body)
    return status, body


body = json.dumps({"name": "Loja", "email": KNOWN})
status, headers, made = ask("POST", "/keys", body, {"content-type": "application/json"})
assert status == 200, made
key = json.loads(made)
account, monitor = key["key"]["account"], key["monitor_url"]

# Nothing takes mail yet: the answer is the same, and the mail comes later.
known = links(KNOWN)
unknown = links(UNKNOWN)
assert known == unknown and known[0] == 200, (known, unknown)
# The first attempt finds nobody.
time.sleep(2)
mailbox = Mailbox()
controller = Controller(mailbox, hostname="127.0.0.1", port=PORT)
controller.start()
mailbox.wait(1, 60)
time.sleep(1)
assert len(mailbox.taken) == 1, "nobody else is written to"
recipients, message = mailbox.taken[0]
assert recipients == [KNOWN], recipients
for kind in ["plain", "html"]:
    part = message.get_body((kind,))
    assert part is not None
    assert monitor in part.get_content(), "the private monitor's link is recovered"
text = message.get_body(("plain",))
assert text is not None
found = re.search(rf"{re.escape(BASE)}(/painel/enter/[0-9a-f]{{64}})\s", text.get_content())
assert found, text.get_content()
link = found.group(1)

for _ in range(2):
    assert ask("GET", link)[0] == 200, "who only opens it does not use it up"
assert ask("POST", link, headers={"origin": "https://evil.example"})[0] == 403
status, headers, page = ask("POST", link, headers={"origin": BASE})
assert (status, headers["location"]) == (303, "/painel"), headers
cookie = headers["set-cookie"].split(";")[0]
assert "HttpOnly" in headers["set-cookie"], headers
assert ask("POST", link, headers={"origin": BASE})[0] == 404, "it works once"

for path, shown in [("/painel", account), (f"/painel/live/{account}/", "R$")]:
    status, headers, page = ask("GET", path, headers={"cookie": cookie})
    assert status == 200 and shown in page.decode(), page
    forged = ask("GET", path, headers={"cookie": "painel=" + "0" * 64})
    assert account not in forged[2].decode(), forged
controller.stop()
print("one mail, one session, one account")
