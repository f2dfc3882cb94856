import { StrKey } from '@stellar/stellar-sdk/base';
import type { Order } from '../store/history-query.ts';
import { beforeHistory, invalidField } from './problem.ts';
import type { HorizonRequest } from './request.ts';
import { lastToidOf, MAX_TOID, toid } from './toid.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;

/** Where a page begins, its direction and its size. */
export type PageQuery = {
  /** The cursor of the client, with `now` resolved; empty for the beginning. */
  cursor: string;
  /** The number in the cursor; in the cursor of an effect (`123-4`) the number of the operation. */
  id: bigint;
  /** The second number in the cursor of an effect. Without it, the whole operation is before the cursor. */
  effect: bigint;
  order: Order;
  limit: number;
};

/** The first value when a parameter is given more than once, '' when it is absent. */
function queryParam({ url }: HorizonRequest, name: string): string {
  const value = url.searchParams.get(name) ?? '';
  // Decoding the URL replaces bytes that are not UTF-8 by this character.
  if (value.includes('\ufffd')) throw invalidField(name, 'invalid value');
  return value;
}

/** @throws Problem 400 naming the first wrong parameter, 410 when the page is older than the history */
export function pageQueryOf(request: HorizonRequest): PageQuery {
  const cursor = cursorOf(request);
  const order = queryParam(request, 'order') || 'asc';
  const limit = limitOf(request);
  if (order !== 'asc' && order !== 'desc') throw invalidField('order', 'order: invalid value');
  const page = { ...moved({ order, limit }, cursor) };
  // An ascending page from before the history starts at the oldest record. A descending one can never find a
  // record.
  if (order === 'desc' && page.id <= toid(request.node.oldest.sequence)) throw beforeHistory();
  return page;
}

/** The page after this cursor. */
export function moved(page: { order: Order; limit: number }, cursor: string): PageQuery {
  const { order, limit } = page;
  if (cursor === '') {
    const end = order === 'asc' ? 0n : MAX_TOID;
    return { cursor, id: end, effect: end, order, limit };
  }
  const [, id, effect] = /^\+?(\d+)(?:-\+?(\d+))?$/.exec(cursor) ?? [];
  const numbers = [BigInt(id ?? -1), BigInt(effect ?? MAX_TOID)] as const;
  if (numbers[0] < 0n || numbers.some((number) => number > MAX_TOID)) {
    throw invalidField('cursor', 'cursor: invalid value');
  }
  return { cursor, id: numbers[0], effect: numbers[1], order, limit };
}

function cursorOf(request: HorizonRequest): string {
  const asked = queryParam(request, 'cursor');
  const resolved = asked === 'now' ? `${lastToidOf(request.node.latest.header.ledgerSeq)}` : asked;
  const cursor = request.last_event_id || resolved;
  if (/^-\d+$/.test(cursor)) throw invalidField('cursor', `the cursor ${cursor} is a negative number: `);
  return cursor;
}

function limitOf(request: HorizonRequest): number {
  const text = queryParam(request, 'limit');
  if (text === '') return DEFAULT_LIMIT;
  if (!/^[+-]?\d{1,19}$/.test(text)) throw invalidField('limit', 'unparseable value');
  const limit = Number(text);
  if (limit <= 0) throw invalidField('limit', 'invalid limit: non-positive value provided');
  if (limit > MAX_LIMIT) {
    throw invalidField('limit', `invalid limit: value provided that is over limit max of ${MAX_LIMIT}`);
  }
  return limit;
}

/** `join=transactions` puts the transaction into each of its operations. */
export function joinsTransactions(request: HorizonRequest): boolean {
  const join = queryParam(request, 'join');
  if (join !== '' && join !== 'transactions') throw invalidField('join', 'Accepted values: transactions');
  return join !== '';
}

/** The spellings that strconv.ParseBool of Go accepts. */
export function includesFailed(request: HorizonRequest): boolean {
  const text = queryParam(request, 'include_failed');
  if (['1', 't', 'T', 'TRUE', 'true', 'True', 'on'].includes(text)) return true;
  if (['', '0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw invalidField('include_failed', 'Filter should be true or false');
}

export function accountParam({ params }: HorizonRequest): Uint8Array {
  const address = params.account_id ?? '';
  if (!StrKey.isValidEd25519PublicKey(address)) {
    throw invalidField('account_id', 'Account ID must start with `G` and contain 56 alphanum characters');
  }
  return StrKey.decodeEd25519PublicKey(address);
}

export function hashParam({ params }: HorizonRequest): string {
  const hash = params.tx_id ?? '';
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw invalidField('tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash');
  }
  return hash;
}

export function ledgerParam({ params }: HorizonRequest): number {
  const text = params.ledger_id ?? '';
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffffffff) {
    throw invalidField('ledger_id', 'Ledger ID must be an integer higher than 0');
  }
  return Number(text);
}

/** @throws Problem 410 for an operation that is older than the history */
export function operationParam({ node, params }: HorizonRequest): bigint {
  const text = params.op_id ?? '';
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > MAX_TOID) {
    throw invalidField('op_id', 'Operation ID must be an integer higher than 0');
  }
  const id = BigInt(text);
  if (id < toid(node.oldest.sequence)) throw beforeHistory();
  return id;
}
