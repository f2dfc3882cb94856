/** What an event tells of, so that lists of deliveries can name it. */
import { parseBody, RawJson } from '../../http/read-json.ts';
import type { EventType } from './event-types.ts';

export type EventSubject = {
  type: 'deposit' | 'withdrawal' | 'payout' | 'asset' | 'endpoint';
  /** As in the paths of the API. */
  id: string;
  /** What people call the subject. Of a deposit, null here: the label of its address is not in the event. */
  name: string | null;
  asset_code: string | null;
  asset_issuer: string | null;
  amount_stroops: bigint | null;
  /** The deposit address that was paid. */
  address_id: string | null;
};

const DEPOSIT = { type: 'deposit', named_by: null } as const;
const WITHDRAWAL = { type: 'withdrawal', named_by: 'destination' } as const;
/** `named_by`: the field of the data that is the name. */
const SUBJECTS: Record<EventType, { type: EventSubject['type']; named_by: string | null }> = {
  'deposit.created': DEPOSIT,
  'deposit.unattributed': DEPOSIT,
  'withdrawal.confirmed': WITHDRAWAL,
  'withdrawal.failed': WITHDRAWAL,
  'withdrawal.awaiting_approval': WITHDRAWAL,
  'payout.completed': { type: 'payout', named_by: 'name' },
  'asset.changed': { type: 'asset', named_by: null },
  'endpoint.disabled': { type: 'endpoint', named_by: 'url' },
};

/**
 * Returns what the event tells of. Null for a test event, which tells of nothing that exists, and for a body without an id: a
 * list of deliveries must be readable whatever another version has written. `body`: the bytes that are sent.
 */
export function subjectOf(event: string, body: Buffer): EventSubject | null {
  if (!isEventType(event)) return null;
  const { data } = parseBody(body.toString());
  if (!(data instanceof RawJson) || data.kind !== 'object') return null;
  const { type, named_by } = SUBJECTS[event];
  const fields = parseBody(data.text);
  const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : null);
  const [asset_code, asset_issuer] = [text('asset_code'), text('asset_issuer')];
  const id = type === 'asset' ? asset_code && asset_issuer && `${asset_code}:${asset_issuer}` : text('id');
  if (id === null) return null;
  const amount_stroops = typeof fields.amount_stroops === 'bigint' ? fields.amount_stroops : null;
  const name = named_by === null ? null : text(named_by);
  return { type, id, name, asset_code, asset_issuer, amount_stroops, address_id: text('address_id') };
}

function isEventType(event: string): event is EventType {
  return Object.hasOwn(SUBJECTS, event);
}
