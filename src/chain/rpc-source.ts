import { Agent, request } from 'undici';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;

/** The server answered with a JSON-RPC error: it was reached, and did not do what was asked. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** No usable answer: whether the request took effect is unknown. */
export class NoAnswer extends Error {}

const Answer = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
]);

export type RpcSource = {
  url: string;
  /** @throws RpcError | NoAnswer */
  call<T extends z.ZodType>(method: string, params: object | undefined, result: T): Promise<z.output<T>>;
};

/** A Stellar RPC server (JSON-RPC 2.0 over POST). Every field that we use is checked: a node is not trusted to be sane. */
export function rpcSource(url: string, agent: Agent): RpcSource {
  return {
    url,
    async call(method, params, result) {
      const answer = await post(url, agent, { jsonrpc: '2.0', id: 1, method, params });
      const parsed = Answer.safeParse(answer);
      if (!parsed.success) throw new NoAnswer(`${method}: not a JSON-RPC answer`);
      if ('error' in parsed.data) throw new RpcError(parsed.data.error.code, parsed.data.error.message);
      const value = result.safeParse(parsed.data.result);
      if (!value.success) throw new NoAnswer(`${method}: ${z.prettifyError(value.error)}`);
      return value.data;
    },
  };
}

async function post(url: string, agent: Agent, body: object): Promise<unknown> {
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new NoAnswer(`HTTP ${response.statusCode}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer((error as Error).message, { cause: error });
  }
}

export function rpcAgent(): Agent {
  return new Agent({ connect: { timeout: 5_000 }, connections: 32 });
}

/** XDR that does not decode is no answer. */
export function decoding<T>(method: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new NoAnswer(`${method}: ${(error as Error).message}`, { cause: error });
  }
}
