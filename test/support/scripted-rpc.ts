/** Stellar RPC nodes that say what the test wants them to say, true or not. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import { PASSPHRASE } from './ledger-xdr.ts';

const log = createLog('silent', false);

/** What the node answers to a method: a result, a JSON-RPC error, or bytes as they are. */
export type Reply =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; text: string };
export type Script = Record<string, (params: any, call: number) => Reply>;

async function node(script: Script) {
  const calls: { method: string; params: any }[] = [];
  const network: Script = { getNetwork: () => ({ result: { passphrase: PASSPHRASE, protocolVersion: 23 } }) };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, params, id } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    calls.push({ method, params });
    const seen = calls.filter((call) => call.method === method).length;
    const reply = (script[method] ?? network[method])?.(params, seen) ?? {
      error: { code: -32601, message: 'unknown' },
    };
    if ('text' in reply) response.writeHead(reply.status).end(reply.text);
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  };
  const server = createServer((request, response) => void handle(request, response)); // a failure ends the test run
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** Our chain over nodes that answer by these scripts. */
export async function chainOfNodes(...scripts: Script[]) {
  const nodes = await Promise.all(scripts.map(node));
  const metrics = createMetrics();
  const stellar = createStellar({
    rpc_urls: nodes.map(({ url }) => url),
    horizon_urls: [],
    passphrase: PASSPHRASE,
    clock: systemClock,
    log,
    metrics,
  });
  after(() => stellar.close());
  return { stellar, nodes, metrics };
}
