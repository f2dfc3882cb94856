/** The audit log as comma-separated values (RFC 4180), for people and their spreadsheets. */
import { RawJson } from '../http/read-json.ts';
import { showEntry } from './audit-schema.ts';
import type { Appended } from './audit-store.ts';

const COLUMNS = [
  ...(['seq', 'id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'session_id', 'ip', 'action'] as const),
  ...(['target_kind', 'target_id', 'wallet_id', 'before', 'after', 'hash'] as const),
];
const LINE_END = '\r\n';
const BATCH = 500;

/** `list` gives up to `limit` entries below `before_seq`, newest first. */
type List = (page: { limit: number; before_seq: bigint | undefined }) => Promise<Appended[]>;

/** Yields the CSV text in parts. Each part is read when it is needed, so a long log does not fill the memory. */
export async function* csvOf(list: List): AsyncGenerator<string> {
  yield COLUMNS.join(',') + LINE_END;
  let before_seq: bigint | undefined;
  for (;;) {
    const entries = await list({ limit: BATCH, before_seq });
    if (entries.length > 0) yield entries.map(lineOf).join('');
    if (entries.length < BATCH) return;
    before_seq = entries.at(-1)?.seq;
  }
}

function lineOf(entry: Appended): string {
  const { actor, target, ...shown } = showEntry(entry);
  const values = {
    ...shown,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    target_kind: target.kind,
    target_id: target.id,
  };
  return COLUMNS.map((column) => fieldOf(values[column])).join(',') + LINE_END;
}

/** A spreadsheet would run a text that begins with one of these characters as a formula: it gets an apostrophe in front. */
const FORMULA = /^[=+\-@\t\r]/;

function fieldOf(value: string | number | RawJson | null): string {
  const text = value instanceof RawJson ? value.text : `${value ?? ''}`;
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
