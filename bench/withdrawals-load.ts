/** Requests many withdrawals of one wallet at once over HTTP, and collects their outcomes. */
import { Pool } from 'undici';
import { fromJson } from '../test/support/api.ts';

/** `ledger` is null unless the withdrawal is `confirmed`. */
export type Outcome = { ledger: number | null; seconds: number };

export type Round = { from_ledger: number; outcomes: Outcome[]; refusals: Map<string, number> };

/** JSON-RPC directly, not through the proxy that counts requests. */
export async function latestLedger(rpc_url: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getLatestLedger' });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpc_url, { method: 'POST', headers, body });
  return ((await response.json()) as { result: { sequence: number } }).result.sequence;
}

/** Each round begins just after a ledger has closed: otherwise rounds cannot be compared. */
export async function nextLedger(rpc_url: string): Promise<number> {
  const before = await latestLedger(rpc_url);
  for (;;) {
    const now = await latestLedger(rpc_url);
    if (now > before) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let serial = 0;

export async function withdrawAtOnce(options: {
  url: string;
  rpc_url: string;
  token: string;
  wallet_id: string;
  destination: string;
  count: number;
  /** The native asset when absent. */
  asset?: { asset_code: string; asset_issuer: string };
}): Promise<Round> {
  const pool = new Pool(options.url, { connections: options.count, headersTimeout: 0 });
  const refusals = new Map<string, number>();
  const from_ledger = await nextLedger(options.rpc_url);
  const withdraw = async (): Promise<Outcome> => {
    const began = performance.now();
    const response = await pool.request({
      method: 'POST',
      path: `/v1/wallets/${options.wallet_id}/withdraw`,
      headers: {
        authorization: `Bearer ${options.token}`,
        'idempotency-key': `bench-${++serial}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ destination: options.destination, amount_stroops: 1000, ...options.asset }),
    });
    const body = fromJson(await response.body.text()) as any;
    const seconds = (performance.now() - began) / 1000;
    if (body.data?.status === 'confirmed') return { ledger: Number(body.data.ledger), seconds };
    const why = `${response.statusCode} ${body.error?.code ?? body.data?.failure?.code}`;
    refusals.set(why, (refusals.get(why) ?? 0) + 1);
    return { ledger: null, seconds };
  };
  const outcomes = await Promise.all(Array.from({ length: options.count }, withdraw));
  await pool.close();
  return { from_ledger, outcomes, refusals };
}
