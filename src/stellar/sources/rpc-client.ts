import { z } from 'zod';
import { ask, checked, NoAnswer, parseJson, type Wire } from './answers.ts';

/** The server answered with a JSON-RPC error: it was reached, and did not do what was asked. */
export class RpcError extends NoAnswer {}

const Answer = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
]);

/** A time in an answer: a string or a number, by method and version of the server; at most eleven digits, or it is none. */
export const seconds = z
  .union([z.string().regex(/^\d{1,11}$/), z.int().min(0).max(99_999_999_999)])
  .transform(BigInt);

/** Methods whose answers hold many ledgers or transactions. */
const PAGED = new Set(['getLedgers', 'getLatestLedger', 'getLedgerEntries']);

export type RpcClient = {
  /** @throws RpcError | NoAnswer */
  call<T extends z.ZodType>(method: string, params: object | undefined, result: T): Promise<z.output<T>>;
};

/** A Stellar RPC server (JSON-RPC 2.0 over POST). */
export function rpcClient(url: string, wire: Wire): RpcClient {
  return {
    async call(method, params, result) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const body = { type: 'application/json', text };
      const paged = PAGED.has(method);
      const response = await ask(wire, method, { url, method: 'POST', body }, { paged });
      if (response.status !== 200) throw new NoAnswer(`${method}: HTTP ${response.status}`);
      const answer = checked(method, parseJson(method, response.text), Answer);
      if ('error' in answer) throw new RpcError(`${method}: ${answer.error.code} ${answer.error.message}`);
      return checked(method, answer.result, result);
    },
  };
}
