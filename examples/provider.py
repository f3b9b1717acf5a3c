"""A whole provider for `custody-ledger serve`, as docs/provider.md describes one. What it does
stands in its SQLite file, with the facts that it owes for it, before it answers: killed at any
point, it loses nothing and does nothing twice. Bank and networks are PLAYED: put yours there.

POST /play {"qr_copypaste"} pays a code, POST /play {"address", "amount"} sends crypto, each once;
the bank refuses a PIX of so many reais and 13 centavos.
Its arguments are PORT WORLD STORE SECRET-FILE TOKEN-FILE, or none for those at the end."""
import base64, binascii, hashlib, hmac, json, sqlite3, sys, threading, time
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

TABLES = """PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, what TEXT, subject TEXT, said TEXT);
CREATE TABLE IF NOT EXISTS facts (number INTEGER PRIMARY KEY, name TEXT, body TEXT, answer TEXT);"""
STEPS = {  # The facts that tell what came of an instruction, each with its fields.
    "payout": "payout.paid e2e", "payout refused": "payout.refused id",
    "cashout": "cashout.paid e2e", "cashout refused": "cashout.pix_impossible id",
    "crypto.deliver": "delivery.sent id tx_hash attempt",
    "crypto.sell": "sale.filled id asset=usdt network=polygon amount, payment.started id",
    "crypto.refund": "refund.sent id tx_hash",
    "wallet.withdraw": "wallet.withdrawal.funded id, wallet.withdrawal.sent id tx_hash received",
    "wallet.pay": "wallet.payment.started id step=accepted address, wallet.payment.started id "
                  "step=started, wallet.payment.sent id tx_hash, wallet.payment.confirmed id, "
                  "wallet.payment.paid e2e",
}
LOCK, OWING = threading.Lock(), threading.Event()

def signed(headers, body):
    """Tells whether whoever knows the secret sent this within five minutes."""
    name, stamp, given = (headers.get("webhook-" + n, "") for n in ("id", "timestamp", "signature"))
    mac = hmac.new(base64.b64decode(SECRET[6:]), f"{name}.{stamp}.".encode() + body, "sha256")
    fits = hmac.compare_digest(b"v1," + base64.b64encode(mac.digest()), given.encode())
    return fits and abs(time.time() - int(stamp)) < 300

mark = lambda key: hashlib.sha256(key.encode()).hexdigest()
e2e = lambda key: time.strftime("E90400888%Y%m%d%H%M", time.gmtime()) + mark(key)[:11].upper()

def code(key, cents):
    """PLAYED: a BR Code of this amount, the same for the same key."""
    url, reais = "pix.example/" + key, f"{cents // 100}.{cents % 100:02}"
    fields = {"00": "01", "01": "12", "26": f"0014br.gov.bcb.pix25{len(url):02}{url}",
              "52": "0000", "53": "986", "54": reais, "58": "BR", "59": "PROVIDER",
              "60": "SAO PAULO", "62": "0503***"}
    text = "".join(f"{tag}{len(value):02}{value}" for tag, value in fields.items()) + "6304"
    return text + f"{binascii.crc_hqx(text.encode(), 0xFFFF):04X}"

def once(key, what, subject, said, facts=()):
    """Writes what a key stands for, with the facts that are owed for it, unless it stands."""
    row = [key, what, subject, json.dumps(said)]
    if STORE.execute("INSERT OR IGNORE INTO done VALUES (?, ?, ?, ?)", row).rowcount:
        STORE.executemany("INSERT INTO facts (name, body) VALUES (?, ?)",
                          [(name, json.dumps(body)) for name, body in facts])

def supply(asked):
    """PLAYED: answers a question; what is issued is the same for the same key."""
    key, name, body = asked["idempotency_key"], asked["question"], asked["body"]
    if name == "qr_code":
        answer = {"qr_copypaste": code(key, body["amount_cents"])}
    elif body.get("network") in ("polygon", "arbitrum"):
        answer = {"address": "0x" + mark(key)[:40]}
    else:
        holder = {"found": True, "name": "Ana Exemplo", "document": "52998224725"}
        return holder if name == "key_holder" else {"unknown": True}
    once(key, "issued", *answer.values(), body)
    return answer

def instruct(item):
    """PLAYED: carries an instruction out, and owes what tells of it."""
    key, what, about, body = (item[n] for n in ("idempotency_key", "topic", "operation", "body"))
    named = next(name for name in body if body[name] == about)
    refused = " refused" if body.get("amount_cents", 0) % 100 == 13 else ""
    steps = STEPS[named.removesuffix("_id") + refused if what == "pix.send" else what].split(", ")
    known = {**body, "e2e": e2e(key), "tx_hash": "0x" + mark(key),
             "address": "0x" + mark(key)[:40], "received": body.get("amount_estimated")}
    facts = []
    for place, (name, *fields) in enumerate(map(str.split, steps)):
        known["id"] = f"{item['id']}:{place}"
        pairs = (f.split("=") if "=" in f else (f, known[f]) for f in fields)
        facts.append((name, {named: about, **dict(pairs)}))
    once(key, what, about, item, facts)

def play(said):
    """PLAYED: somebody pays a code, or sends crypto to an address."""
    value, amount = said.get("qr_copypaste") or said["address"], said.get("amount")
    row = STORE.execute("SELECT said FROM done WHERE what = 'issued' AND subject = ?", [value])
    asked, key = json.loads(row.fetchone()[0]), f"{value} {amount}"
    sent = {"tx_hash": "0x" + mark(key), "network": asked.get("network"), "amount": amount}
    name, fact = "wallet.deposit.seen", {"address": value, "asset": "USDT", **sent}
    if "cashout_id" in asked:
        name, fact = "deposit.confirmed", {f: asked[f] for f in ("cashout_id", "asset")} | sent
    elif "amount_cents" in asked:
        charge = {f: asked.get(f, "") for f in ("account", "external_id")} | {"qr_copypaste": value}
        paid = {"e2e": e2e(key), "amount_cents": asked["amount_cents"]}
        name, fact = "pix.received", {"charge": charge, **paid}
    once(key, name, value, said, [(name, fact)])

def world(method, path, body=None):
    """Asks the world's listener; raises where asking again may help."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    asked = HTTPConnection(WORLD, timeout=20)
    asked.request(method, path, body and json.dumps(body), headers)
    answered = asked.getresponse()
    if answered.status not in (200, 400, 404, 409, 422):
        raise OSError(f"it answered {answered.status}")
    return answered.status, json.load(answered)

def report(number, name, body):
    """Reports a fact that is owed: one that was reported before is known."""
    if "charge" in body:
        found, charge = world("GET", "/charges?" + urlencode(body.pop("charge")))
        body.update(charge if found == 200 else {})
    status, said = world("POST", "/facts/" + name, body)
    if status != 200 or said["outcome"] == "set_aside":
        print("a person looks at", name, status, said, file=sys.stderr)
    with LOCK, STORE:
        STORE.execute("UPDATE facts SET answer = ? WHERE number = ?", [json.dumps(said), number])
        if name == "wallet.deposit.seen" and "deposit_id" in said:
            more = {"id": "seen:" + body["tx_hash"], "deposit_id": said["deposit_id"]}
            more["tx_hash"], name = body["tx_hash"], "wallet.deposit.confirmed"
            once(more["id"], name, more["deposit_id"], said, [(name, more)])

def reports():
    """Reports what is owed, in order, until each fact was answered."""
    owed = "SELECT number, name, body FROM facts WHERE answer IS NULL ORDER BY number LIMIT 1"
    while True:
        OWING.clear()
        with LOCK:
            found = STORE.execute(owed).fetchone()
        try:
            report(*found[:2], json.loads(found[2])) if found else OWING.wait()
        except (OSError, HTTPException, ValueError) as why:
            print("the world is asked again:", why, file=sys.stderr)
            time.sleep(0.5)

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        work = {"/supply": supply, "/instructions": instruct, "/play": play}[self.path]
        if work is not play and not signed(self.headers, body):
            return self.send_error(401)
        with LOCK, STORE:  # All of it is written before it is answered, or nothing is.
            said = work(json.loads(body))
        OWING.set()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

if __name__ == "__main__":
    port, WORLD, store, secret, token = sys.argv[1:] or [
        "9000", "127.0.0.1:8081", "provider.db", "provider.secret", "world.token"]
    SECRET, TOKEN = (open(path).read().strip() for path in (secret, token))
    STORE = sqlite3.connect(store, check_same_thread=False)
    STORE.executescript(TABLES)
    threading.Thread(target=reports, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    print(f"the provider listens on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
