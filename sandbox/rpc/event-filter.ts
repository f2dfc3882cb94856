import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import type { z } from 'zod';
import { base64 } from '../ledger/bytes.ts';
import { invalidParams } from './errors.ts';
import type { getEventsParams } from './params.ts';

/** The parts of an event that filters compare. Topics are base64 XDR. */
export type FilteredEvent = {
  type: 'system' | 'contract' | 'diagnostic';
  contractId: string;
  topic: string[];
};

export type EventFilter = (event: FilteredEvent) => boolean;

type FilterParams = NonNullable<z.infer<typeof getEventsParams>['filters']>[number];

const MAX_FILTERS = 5;
const MAX_CONTRACT_IDS = 5;
const MAX_TOPICS = 5;
const MAX_SEGMENTS = 4;

/** Matches exactly one segment. */
const ANY = '*';
/** Matches any number of segments. Allowed only at the end. */
const REST = '**';

/**
 * One filter that accepts an event if any of the given filters does. Without filters it accepts every event.
 * @throws RpcError -32602
 */
export function eventFilter(filters: FilterParams[]): EventFilter {
  if (filters.length > MAX_FILTERS) throw invalidParams('maximum 5 filters per request');
  const each = filters.map((filter, index) => parseFilter(filter, `filter ${index + 1} invalid`));
  return (event) => each.length === 0 || each.some((passes) => passes(event));
}

function parseFilter({ type, contractIds, topics }: FilterParams, where: string): EventFilter {
  const types = new Set((type || '').split(',').filter((one) => one !== ''));
  if (![...types].every((one) => one === 'system' || one === 'contract')) {
    throw invalidParams(`${where}: filter type invalid: if set, type must be either 'system' or 'contract'`);
  }
  const ids = contractIds ?? [];
  if (ids.length > MAX_CONTRACT_IDS) throw invalidParams(`${where}: maximum 5 contract IDs per filter`);
  if ((topics ?? []).length > MAX_TOPICS) throw invalidParams(`${where}: maximum 5 topics per filter`);
  const wrongId = ids.findIndex((id) => !StrKey.isValidContract(id));
  if (wrongId >= 0) throw invalidParams(`${where}: contract ID ${wrongId + 1} invalid`);
  const patterns = (topics ?? []).map((topic, index) =>
    parseTopic(topic, `${where}: topic ${index + 1} invalid`),
  );
  return (event) =>
    (types.size === 0 || types.has(event.type)) &&
    (ids.length === 0 || ids.includes(event.contractId)) &&
    (patterns.length === 0 || patterns.some((matches) => matches(event.topic)));
}

function parseTopic(segments: string[], where: string): (topic: string[]) => boolean {
  if (segments.length === 0) throw invalidParams(`${where}: topic must have at least 1 segment`);
  const open = segments.at(-1) === REST;
  const fixed = open ? segments.slice(0, -1) : segments;
  const misplaced = fixed.indexOf(REST);
  if (misplaced >= 0) {
    const rule = "wildcard '**' is only allowed as the last segment";
    throw invalidParams(`${where}: segment ${misplaced + 1} invalid: ${rule}`);
  }
  if (fixed.length > MAX_SEGMENTS) throw invalidParams(`${where}: topic cannot have more than 4 segments`);
  const wanted = fixed.map((segment) => (segment === ANY ? ANY : canonicalScVal(segment)));
  return (topic) =>
    (open ? topic.length >= wanted.length : topic.length === wanted.length) &&
    wanted.every((segment, index) => segment === ANY || segment === topic[index]);
}

function canonicalScVal(text: string): string {
  try {
    return base64(xdr.ScVal.schema.encode(xdr.ScVal.schema.decode(xdr.decodeBytes(text, 'base64'))));
  } catch {
    throw invalidParams(`invalid parameters: cannot decode topic segment ${JSON.stringify(text)}`);
  }
}
