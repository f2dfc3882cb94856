/** A Stellar RPC server between the service and the network that passes calls on, holds them, or lies. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type RpcCall = {
  method: string;
  params: any;
  /** Asks the network; its whole answer, not yet passed on. */
  forward(): Promise<any>;
  /** What the service hears: the network's answer or another one. */
  reply(answer: unknown): void;
  /** A JSON-RPC result of our own making. */
  result(result: object): void;
  /** Anything at all. */
  raw(status: number, body: string): void;
  /** The connection breaks without an answer. */
  reset(): void;
};

export type Treatment = (call: RpcCall) => Promise<void> | void;

export type RpcProxy = {
  url: string;
  /** Every call that came in, in order. */
  calls: { method: string; params: any }[];
  /** From now on, for every call of this method. */
  treat(method: string, treatment: Treatment): void;
  /**
   * Resolves when the first call that `when` accepts has come, and never answers it. At `request` the network has not
   * seen it; at `answer` the network has carried it out.
   */
  hold(
    method: string,
    at: 'request' | 'answer',
    when?: (call: RpcCall, answer: any) => boolean | Promise<boolean>,
  ): Promise<void>;
  /** Passes everything on again. */
  honest(): void;
  close(): Promise<void>;
};

export async function startRpcProxy(upstream: string): Promise<RpcProxy> {
  const calls: RpcProxy['calls'] = [];
  const treatments = new Map<string, Treatment>();
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    // A killed service breaks its connections: whatever happens to a response then is of no interest.
    response.on('error', () => undefined);
    try {
      const call = await readCall(upstream, message, response);
      calls.push({ method: call.method, params: call.params });
      await (treatments.get(call.method) ?? passOn)(call);
    } catch {
      response.socket?.resetAndDestroy();
    }
  };
  const server = createServer((message, response) => void handle(message, response)); // it handles every error
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/rpc`,
    calls,
    treat: (method, treatment) => void treatments.set(method, treatment),
    hold: (method, at, when = () => true) =>
      new Promise((resolve) => {
        treatments.set(method, async (call) => {
          const answer = at === 'answer' ? await call.forward() : undefined;
          if (await when(call, answer)) resolve();
          else call.reply(answer ?? (await call.forward()));
        });
      }),
    honest: () => treatments.clear(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const passOn: Treatment = async (call) => call.reply(await call.forward());

async function readCall(
  upstream: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<RpcCall> {
  const body = await text(message);
  const { id, method, params } = JSON.parse(body);
  const raw = (status: number, content: string) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(content);
  const reply = (answer: unknown) => raw(200, JSON.stringify(answer));
  return {
    method,
    params,
    raw,
    reply,
    result: (result) => reply({ jsonrpc: '2.0', id, result }),
    reset: () => void response.socket?.resetAndDestroy(),
    async forward() {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(upstream, { method: 'POST', headers, body });
      return answer.json();
    },
  };
}

const ACCOUNT_ENTRY = 0;

/**
 * Whether it asks for entries of accounts and nothing else: sequence numbers are read so, with the accounts of payees. A preflight
 * asks for data entries too.
 */
export function asksAccounts({ params }: RpcCall): boolean {
  return params.keys.every((key: string) => Buffer.from(key, 'base64').readInt32BE(0) === ACCOUNT_ENTRY);
}
