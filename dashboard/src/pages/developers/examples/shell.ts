import { type Examples, eventsAfter, nextEvents } from './example.ts';

export const SHELL: Examples = {
  address: ({ origin, walletId }) => `curl --fail-with-body ${origin}/v1/wallets/${walletId}/addresses \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"label":"Customer 42","metadata":{"customer_id":42}}'
`,
  withdraw: ({
    origin,
    walletId,
  }) => `# CLIENT_ID and CLIENT_SECRET are those of a service user with the role Operator.
TOKEN=$(curl --fail-with-body --silent ${origin}/v1/auth/token \\
  -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
# Idempotency-Key is the id of your order. The same key never pays twice: send it again after a lost answer.
curl --fail-with-body ${origin}/v1/wallets/${walletId}/withdraw \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $ORDER" \\
  -d '{"destination":"'"$DESTINATION"'","amount_stroops":10000000,"reference":"Customer 42"}'
`,
  deposits: ({
    origin,
    walletId,
  }) => `# Newest first. For the next page add &cursor= with next_cursor of the response.
curl --fail-with-body "${origin}/v1/wallets/${walletId}/deposits?limit=50" \\
  -H "Authorization: Bearer $API_KEY"
`,
  webhook: ({ origin, walletId }) => `# Store signing_secret of the response: it is not shown again.
curl --fail-with-body ${origin}/v1/wallets/${walletId}/webhooks \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://example.com/stellar-teller","description":"Production"}'
`,
  verify:
    () => `# To find out why two signatures differ. body.json has the exact bytes, without a line break at the end.
printf %s "$BODY" > body.json
openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json | cut -d ' ' -f 1
# The result must equal the header X-Svc-Signature. In a receiver, compare in constant time.
`,
  standard: () => `# ID and TIMESTAMP are the headers webhook-id and webhook-timestamp.
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
printf %s "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64
# The result with "v1," in front must be one of the signatures in the header webhook-signature.
`,
  poll: (
    place,
  ) => `# AFTER is next_after of the last response that you have handled, 0 for none. The answer comes with the next event.
AFTER=0
curl --fail-with-body "${nextEvents(place)}$AFTER" \\
  -H "Authorization: Bearer $API_KEY"
`,
  missed: (place) => `# LAST is next_after of the last response that you have handled, 0 for none.
LAST=0
curl --fail-with-body "${eventsAfter(place)}$LAST" \\
  -H "Authorization: Bearer $API_KEY"
`,
};
