/** Runs one way of catching up in its own process, so that its CPU time and memory can be measured. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { connect } from '../src/cli/connect.ts';
import { readConfig } from '../src/config.ts';
import { startIngester } from '../src/deposits/ingest/ingest-deposits.ts';
import { createLog } from '../src/lib/log.ts';
import { catchUpPlainly } from './catch-up-plain.ts';

export type Way = 'getTransactions' | 'getLedgers' | 'ingester' | 'plain';
export type ReaderOrder = {
  way: Way;
  rpc_url: string;
  passphrase: string;
  database_url: string;
  first: number;
};
/** Order of one round: read through this ledger. */
export type ReadThrough = { through: number };
export type ReadRound = { ledgers: number; seconds: number; cpu_ms: number; peak_mib: number };

const { way, rpc_url, passphrase, database_url, first } = JSON.parse(process.argv[2] ?? '{}') as ReaderOrder;
const POLL_MS = 5;

type Read = (through: number) => Promise<unknown>;
const PREPARE: Record<Way, () => Promise<Read> | Read> = {
  getTransactions: () => fetchTransactions,
  getLedgers: () => fetchLedgers,
  ingester: prepareIngester,
  plain: () => (through) => catchUpPlainly({ rpc_url, passphrase, database_url, first, through }),
};

const read = await PREPARE[way]();
async function answer({ through }: ReadThrough): Promise<void> {
  process.send?.(await round(through));
}
process.on('message', (order: ReadThrough) => void answer(order)); // a failure ends the process and the benchmark
process.send?.('ready');

async function round(through: number): Promise<ReadRound> {
  const before = process.cpuUsage();
  const began = performance.now();
  await read(through);
  const { user, system } = process.cpuUsage(before);
  return {
    ledgers: through - first + 1,
    seconds: (performance.now() - began) / 1000,
    cpu_ms: (user + system) / 1000,
    peak_mib: process.resourceUsage().maxRSS / 1024,
  };
}

// Fetching alone is the lower limit of the time that any reader needs.

const MAX_TRANSACTIONS = 200;
/** The service asks for this many at once. */
const LEDGERS_AT_ONCE = 6;
const CURSOR = /"cursor":"(\d+)"/;

async function fetchTransactions(through: number): Promise<void> {
  const dispatcher = new Agent();
  for (let cursor = ''; ; ) {
    const from = cursor === '' ? { startLedger: first } : {};
    const pagination = { limit: MAX_TRANSACTIONS, ...(cursor && { cursor }) };
    const tail = await fetchAndDiscard(dispatcher, 'getTransactions', { ...from, pagination });
    const [, next = ''] = CURSOR.exec(tail) ?? [];
    if (next === cursor || Number(BigInt(next) >> 32n) > through) break;
    cursor = next;
  }
  await dispatcher.close();
}

async function fetchLedgers(through: number): Promise<void> {
  const dispatcher = new Agent();
  for (let startLedger = first; startLedger <= through; startLedger += LEDGERS_AT_ONCE) {
    const limit = Math.min(LEDGERS_AT_ONCE, through - startLedger + 1);
    await fetchAndDiscard(dispatcher, 'getLedgers', { startLedger, pagination: { limit } });
  }
  await dispatcher.close();
}

/** Reads the answer and gives its last bytes. */
async function fetchAndDiscard(dispatcher: Agent, method: string, params: object): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await request(rpc_url, { method: 'POST', dispatcher, body });
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of response.body as AsyncIterable<Buffer>)
    tail = chunk.length >= 256 ? chunk.subarray(-256) : Buffer.concat([tail, chunk]).subarray(-256);
  return tail.toString('latin1');
}

/** The service's own ingester. It starts at the deposit cursor. */
async function prepareIngester(): Promise<Read> {
  const folder = mkdtempSync(join(tmpdir(), 'catch-up-'));
  const MASTER_KEY_FILE = join(folder, 'master-key'); // this process has no variable of its own for it
  writeFileSync(MASTER_KEY_FILE, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
  const config = readConfig({
    DATABASE_URL: database_url,
    MASTER_KEY_FILE,
    STELLAR_RPC_URL: rpc_url,
    NETWORK_PASSPHRASE: passphrase,
  });
  const at = { url: database_url, rpc_urls: config.rpc_urls };
  const { deps } = await connect(config, at, { log: createLog('warn', false), stops: [] });
  rmSync(folder, { recursive: true });
  return async (through) => {
    const ingester = startIngester(deps);
    for (let ledger = 0; ledger < through; ) {
      await setTimeout(POLL_MS);
      ({ ledger } = (await deps.pool.query('select ledger from deposit_cursor')).rows[0]);
    }
    await ingester.stop();
  };
}
