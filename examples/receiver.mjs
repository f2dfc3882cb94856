// A webhook receiver in plain Node: `node examples/receiver.mjs SIGNING_SECRET [PORT]`.
// It trusts a delivery only if the HMAC over the exact bytes that arrived is the one in X-Svc-Signature.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret) throw new Error('usage: node examples/receiver.mjs SIGNING_SECRET [PORT]');

function isGenuine(bytes, signature = '') {
  const expected = createHmac('sha256', secret).update(bytes).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks); // never a parsed and re-serialised object
  if (!isGenuine(bytes, request.headers['x-svc-signature'])) {
    console.log('refused: the signature is wrong');
    return response.writeHead(401).end();
  }
  // A delivery may come twice: the header webhook-id is that of the event, to know it by.
  console.log(bytes.toString());
  response.writeHead(200).end();
}).listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
