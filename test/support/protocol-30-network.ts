/**
 * An HTTP server in front of a network of an earlier protocol that shows its ledgers as those of protocol 30 (CAP-88): from
 * the ledger of the upgrade on, every header has another hash. Transactions, results and metas stay as they are. The network
 * must have Stellar RPC, whose ledgers are read in order; Horizon is in front of the same ledgers.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ask } from '../oracle/read-ledger.ts';
import { asProtocol30, type Ledger30, latestMinTime, readLedger } from './protocol-30-ledger.ts';

export type Protocol30Network = {
  rpc_url: string;
  horizon_url: string;
  /** Every method of RPC and path of Horizon that the network has answered. */
  answered: string[];
  /** The next ledger that nobody has seen applies the upgrade; gives its number. */
  upgrade(): Promise<number>;
  close(): Promise<void>;
};

export type Protocol30Options = {
  /** The ledger that applies the upgrade, where it is known before. */
  upgrade_at?: number;
  /** Two ledgers close in one second, where no transaction of the second one asks for a later time. */
  two_a_second?: boolean;
};

const PROTOCOL = 30;
/** Horizon's names, and RPC's, for a ledger and the time at which it closed, beside each other in an answer. */
const TIMES: [ledger: string, time: string][] = [
  ['latestLedger', 'latestLedgerCloseTime'],
  ['latestLedger', 'latestLedgerCloseTimestamp'],
  ['oldestLedger', 'oldestLedgerCloseTime'],
  ['sequence', 'closeTime'],
  ['sequence', 'ledgerCloseTime'],
  ['ledger', 'createdAt'],
  ['sequence', 'closed_at'],
  ['ledger', 'created_at'],
  ['history_latest_ledger', 'history_latest_ledger_closed_at'],
];

export async function startProtocol30Network(
  upstream: { rpc_url: string; horizon_url: string },
  options: Protocol30Options = {},
): Promise<Protocol30Network> {
  const ledgers = rewrittenLedgers(upstream.rpc_url, options);
  const answered: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // A killed service breaks its connections: whatever happens to a response then is of no interest.
    response.on('error', () => undefined);
    try {
      const { pathname, search } = new URL(request.url ?? '/', upstream.horizon_url);
      const isRpc = pathname === '/rpc';
      const url = isRpc ? upstream.rpc_url : new URL(pathname + search, upstream.horizon_url);
      const body = request.method === 'POST' ? await text(request) : null;
      const type = request.headers['content-type'];
      const headers = { accept: request.headers.accept ?? '*/*', ...(type && { 'content-type': type }) };
      const answer = await fetch(url, { method: request.method ?? 'GET', headers, body });
      const given = await answer.text();
      const method: string | null = isRpc ? JSON.parse(body ?? '').method : null;
      answered.push(method ?? pathname);
      const rewritten = answer.ok ? await rewrite(ledgers, method, given) : given;
      const content_type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': content_type }).end(rewritten);
    } catch {
      response.socket?.resetAndDestroy();
    }
  };
  const server = createServer((request, response) => void handle(request, response)); // it handles every error
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const horizon_url = `http://127.0.0.1:${port}`;
  return {
    rpc_url: `${horizon_url}/rpc`,
    horizon_url,
    answered,
    upgrade: () => ledgers.upgrade(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// the answers

/** The network's answer, as of protocol 30. */
async function rewrite(ledgers: Rewritten, method: string | null, answer: string): Promise<string> {
  const parsed = JSON.parse(answer);
  const result = method ? parsed.result : parsed;
  if (!result) return answer;
  if (method === 'getVersionInfo') result.protocolVersion = PROTOCOL;
  if (method === 'getNetwork' && (await ledgers.isUpgraded())) result.protocolVersion = PROTOCOL;
  if ('current_protocol_version' in result) {
    if (await ledgers.ledger(result.history_latest_ledger)) result.current_protocol_version = PROTOCOL;
    result.supported_protocol_version = result.core_supported_protocol_version = PROTOCOL;
  }
  const lists = [result.ledgers, result.transactions, result._embedded?.records];
  const parts = [result, ...lists.filter(Array.isArray).flat()];
  for (const part of parts) {
    await rewriteLedger(ledgers, part);
    await rewriteTimes(ledgers, part);
  }
  return JSON.stringify(parsed);
}

/** A ledger as getLedgers, getLatestLedger or Horizon gives it. */
async function rewriteLedger(ledgers: Rewritten, part: any): Promise<void> {
  const ledger = typeof part.sequence === 'number' ? await ledgers.ledger(part.sequence) : null;
  if (!ledger) return;
  const { hash, previous_hash, header, entry, meta } = ledger;
  if ('hash' in part) part.hash = hash.toString('hex');
  if ('id' in part) part.id = hash.toString('hex');
  if ('prev_hash' in part) part.prev_hash = previous_hash.toString('hex');
  if ('protocolVersion' in part) part.protocolVersion = PROTOCOL;
  if ('protocol_version' in part) part.protocol_version = PROTOCOL;
  if ('header_xdr' in part) part.header_xdr = header.toString('base64');
  // getLedgers gives a LedgerHeaderHistoryEntry, getLatestLedger a LedgerHeader.
  if ('headerXdr' in part) part.headerXdr = ('hash' in part ? entry : header).toString('base64');
  if ('metadataXdr' in part) part.metadataXdr = meta.toString('base64');
}

async function rewriteTimes(ledgers: Rewritten, part: any): Promise<void> {
  for (const [ledger_name, time_name] of TIMES) {
    const [sequence, time] = [part[ledger_name], part[time_name]];
    if (typeof sequence !== 'number' || time === undefined) continue;
    const ledger = await ledgers.ledger(sequence);
    if (!ledger) continue;
    const { close_time } = ledger;
    if (typeof time === 'number') part[time_name] = Number(close_time);
    else if (time.endsWith('Z')) part[time_name] = timeText(close_time);
    else part[time_name] = `${close_time}`;
  }
}

const timeText = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

// the ledgers

type Rewritten = {
  /** Null for a ledger before the upgrade, which stays as it is. */
  ledger(sequence: number): Promise<Ledger30 | null>;
  isUpgraded(): Promise<boolean>;
  upgrade(): Promise<number>;
};

function rewrittenLedgers(
  rpc_url: string,
  { upgrade_at, two_a_second = false }: Protocol30Options,
): Rewritten {
  let first = upgrade_at ?? Number.POSITIVE_INFINITY;
  /** The newest ledger that an answer had before the upgrade was ordered. */
  let seen = 0;
  const ledgers = new Map<number, Ledger30>();
  let reading: Promise<unknown> = Promise.resolve();

  const newest = async () => (await ask(rpc_url, 'getLatestLedger', {})).sequence as number;

  function append(meta_xdr: string): void {
    const { body } = readLedger(meta_xdr);
    const { header } = body.ledgerHeader;
    assert(header.ledgerVersion < PROTOCOL, 'the network is at protocol 30 already');
    const sequence = header.ledgerSeq;
    const before = ledgers.get(sequence - 1);
    if (!before) {
      const previous_hash = Buffer.from(header.previousLedgerHash);
      ledgers.set(sequence, asProtocol30(meta_xdr, { previous_hash, close_time_ms: null }));
      return;
    }
    const own = header.scpValue.closeTime;
    const joins = two_a_second && before.close_time_ms !== null && before.close_time_ms % 1000n === 0n;
    const shares = joins && own > before.close_time && latestMinTime(body.txSet) <= before.close_time;
    const close_time_ms = shares ? before.close_time * 1000n + 400n : own * 1000n;
    assert(close_time_ms > (before.close_time_ms ?? 0n));
    ledgers.set(sequence, asProtocol30(meta_xdr, { previous_hash: before.hash, close_time_ms }));
  }

  /** Reads on to this ledger, one reading at a time. */
  function readThrough(sequence: number): Promise<unknown> {
    const next = async () => {
      while (first + ledgers.size <= sequence) {
        const startLedger = first + ledgers.size;
        const page = await ask(rpc_url, 'getLedgers', { startLedger, pagination: { limit: 100 } });
        for (const { metadataXdr } of page.ledgers) append(metadataXdr);
      }
    };
    const turn = reading.then(next);
    reading = turn.catch(() => undefined);
    return turn;
  }

  return {
    async ledger(sequence) {
      if (sequence < first) {
        seen = Math.max(seen, sequence);
        return null;
      }
      if (!ledgers.has(sequence)) await readThrough(sequence);
      const ledger = ledgers.get(sequence);
      assert(ledger);
      return ledger;
    },
    isUpgraded: async () => (await newest()) >= first,
    async upgrade() {
      const latest = await newest();
      first = Math.max(seen, latest) + 1; // an answer may have had a later one since
      return first;
    },
  };
}
