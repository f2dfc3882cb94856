import { type Examples, eventsAfter, nextEvents } from './example.ts';

const bearer = '{"Authorization": f"Bearer {os.environ[\'API_KEY\']}"}';

const post = (url: string, body: string) => `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(${body}).encode(),
)
with urllib.request.urlopen(request) as response:
    data = json.load(response)["data"]
`;

const receiver = (genuine: string, credit: string) => `${genuine}

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(body, self.headers)
        if genuine:
            event = json.loads(body)
            ${credit}
        self.send_response(204 if genuine else 401)
        self.end_headers()


HTTPServer(("127.0.0.1", 4000), Receiver).serve_forever()
`;

export const PYTHON: Examples = {
  address: ({ origin, walletId }) =>
    `${post(
      `${origin}/v1/wallets/${walletId}/addresses`,
      '{"label": "Customer 42", "metadata": {"customer_id": 42}}',
    )}print("Pay", data["address"], "or", data["account"], "with memo id", data["memo_id"])
`,
  withdraw: ({ origin, walletId }) => `import json, os, urllib.error, urllib.parse, urllib.request

# A service user with the role Operator. Its token is valid for 15 minutes: use it again until then.
form = {
    "grant_type": "client_credentials",
    "client_id": os.environ["CLIENT_ID"],
    "client_secret": os.environ["CLIENT_SECRET"],
}
login = urllib.request.Request("${origin}/v1/auth/token", data=urllib.parse.urlencode(form).encode())
with urllib.request.urlopen(login) as response:
    token = json.load(response)["access_token"]

request = urllib.request.Request(
    "${origin}/v1/wallets/${walletId}/withdraw",
    method="POST",
    headers={
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        # The id of your order. It never pays twice: after a lost answer send the same request again.
        "Idempotency-Key": os.environ.get("ORDER", "order-4711"),
    },
    data=json.dumps(
        {"destination": os.environ["DESTINATION"], "amount_stroops": 10_000_000, "reference": "Customer 42"}
    ).encode(),
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as refusal:
    response = refusal
answer = json.load(response)
# 201: confirmed or failed. 202: members must approve it. 409: the order was sent before. 504: no outcome yet.
if not answer.get("data"):
    raise SystemExit(answer["message"])  # nothing was accepted
print(response.status, *map(answer["data"].get, ("id", "status", "stellar_tx_hash")))
`,
  deposits: ({ origin, walletId }) => `import json, os, urllib.parse, urllib.request

headers = ${bearer}
cursor = None
while True:
    query = urllib.parse.urlencode({"limit": 50} | ({"cursor": cursor} if cursor else {}))
    url = f"${origin}/v1/wallets/${walletId}/deposits?{query}"
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
        data = json.load(response)["data"]
    for deposit in data["items"]:
        # XLM is native, without an issuer. Anybody can issue an asset of any code: compare the issuer too.
        print(deposit["id"], deposit["amount_stroops"], deposit["asset_code"], deposit["asset_issuer"], deposit["metadata"])
    cursor = data["next_cursor"]
    if cursor is None:
        break
`,
  webhook: ({ origin, walletId }) =>
    `${post(
      `${origin}/v1/wallets/${walletId}/webhooks`,
      '{"url": "https://example.com/stellar-teller", "description": "Production"}',
    )}print(data["id"], data["signing_secret"])  # store the secret: it is not shown again
`,
  verify: () =>
    receiver(
      `import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


def is_genuine(body, headers):
    """Checks the raw bytes: JSON that was parsed and serialized again may differ."""
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("X-Svc-Signature", "").encode())
`,
      `data = event["data"]
            # It can arrive twice, and webhook-id is not signed here: credit each hash, operation and event index once.
            print(event["event"], *map(data.get, ("id", "stellar_tx_hash", "operation_index", "event_index")), flush=True)`,
    ),
  standard: () =>
    receiver(
      `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(body, headers):
    """Checks the headers of Standard Webhooks: the time is signed too, and old secrets sign for 24 hours."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) >= 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, signature) for signature in given)
`,
      `# It can arrive twice: credit each webhook-id once, and remember it in the same transaction.
            print(self.headers["webhook-id"], event["event"], event["data"].get("id"), flush=True)`,
    ),
  poll: (place) => `import json, os, urllib.request

headers = ${bearer}
after = int(os.environ.get("AFTER", "0"))  # next_after of the last response: store it with your bookings
while True:
    url = f"${nextEvents(place)}{after}"
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
        data = json.load(response)["data"]
    for item in data["items"]:
        event = json.loads(item["body"])
        print(item["sequence"], item["id"], event["event"], event["data"].get("id"), flush=True)  # credit each id once
    after = data["next_after"]
`,
  missed: (place) => `import json, os, urllib.request

headers = ${bearer}
last = 0  # next_after of the last response: store it with your bookings
while True:
    url = f"${eventsAfter(place)}{last}"
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
        data = json.load(response)["data"]
    if not data["items"]:
        break
    for item in data["items"]:
        event = json.loads(item["body"])
        # id is the webhook-id of its delivery: credit each once
        print(item["sequence"], item["id"], event["event"], event["data"].get("id"))
    last = data["next_after"]
`,
};
