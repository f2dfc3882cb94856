import { z } from 'zod';
import { ask, checked, NoAnswer, parseJson, type Wire } from '../answers/answers.ts';

/** The server answered with a JSON-RPC error: it was reached, and refused the call. */
export class RpcError extends NoAnswer {}

/**
 * The server could not ask its stellar-core for entries: for up to 80 ms after a ledger has closed, and for half a minute after its
 * restart, while getHealth says "healthy". Measured with stellar-rpc 27.1: "could not query captive core".
 */
export class CoreBusy extends RpcError {}

/** JSON-RPC 2.0, section 5.1. */
const INTERNAL_ERROR = -32603;

const Answer = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
]);

/** Unix seconds. Some methods and server versions send a string, others a number. At most eleven digits. */
export const seconds = z
  .union([z.string().regex(/^\d{1,11}$/), z.int().min(0).max(99_999_999_999)])
  .transform(BigInt);

/** Methods with long answers. */
const PAGED = new Set(['getLedgers', 'getTransactions', 'getLatestLedger', 'getLedgerEntries']);

export type RpcClient = {
  /** @throws RpcError | NoAnswer */
  call<T extends z.ZodType>(method: string, params: object | undefined, result: T): Promise<z.output<T>>;
  /** Returns the time since which the server refuses entries because its stellar-core is busy; null if it has given some since. */
  busySince(): Date | null;
};

/** Makes the client of a Stellar RPC server (JSON-RPC 2.0 over POST). */
export function rpcClient(url: string, wire: Wire): RpcClient {
  let busy_since: Date | null = null;
  return {
    async call(method, params, result) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const body = { type: 'application/json', text };
      const paged = PAGED.has(method);
      const response = await ask(wire, method, { url, method: 'POST', body }, { paged });
      if (response.status !== 200) throw new NoAnswer(`${method}: HTTP ${response.status}`);
      const answer = checked(method, parseJson(method, response.text), Answer);
      if ('error' in answer) {
        const refusal = refusalOf(method, answer.error);
        if (refusal instanceof CoreBusy) busy_since ??= wire.clock.now();
        throw refusal;
      }
      const usable = checked(method, answer.result, result);
      if (method === 'getLedgerEntries') busy_since = null;
      return usable;
    },
    busySince: () => busy_since,
  };
}

function refusalOf(method: string, { code, message }: { code: number; message: string }): RpcError {
  const text = `${method}: ${code} ${message}`;
  const isBusy = code === INTERNAL_ERROR && method === 'getLedgerEntries';
  return isBusy ? new CoreBusy(text) : new RpcError(text);
}
