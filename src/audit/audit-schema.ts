import { z } from 'zod';
import { parseBody, RawJson } from '../http/read-json.ts';
import { Id, Time } from '../http/schemas.ts';
import { ACTIONS, type Action } from './actions.ts';
import type { Appended } from './audit-store.ts';

const ACTION_NAMES = Object.keys(ACTIONS) as [Action, ...Action[]];
export const ActionName = z.enum(ACTION_NAMES).meta({ id: 'AuditAction' });

/** As the entry has it: names of members, numbers and their order are those of the text that was hashed. */
const Shown = z.custom<RawJson>((value) => value instanceof RawJson).meta({ type: 'object' });

export const AuditEntryResource = z
  .object({
    seq: z.int().meta({ description: 'Counts the entries of the team: 1, 2, 3, … without a gap' }),
    id: Id,
    at: Time,
    actor: z
      .object({
        kind: z.enum(['user', 'service_user', 'api_key', 'operator', 'service', 'stranger']),
        id: z.string().nullable(),
        name: z.string().nullable(),
      })
      .meta({
        description:
          'A stranger has not signed in. The id of an API key is the id that the list of API keys shows.',
      }),
    session_id: z.string().nullable(),
    ip: z.string().nullable(),
    action: z.string().meta({ description: 'See AuditAction; later versions have more' }),
    target: z.object({ kind: z.string(), id: z.string().nullable() }),
    wallet_id: z.string().nullable(),
    before: Shown.nullable().meta({ description: 'What the change replaced, without secrets' }),
    after: Shown.nullable(),
    hash: z.string().meta({ description: 'SHA-256 of the hash before, seq and the entry, in hex' }),
  })
  .meta({ id: 'AuditEntry' });

type Shown = z.output<typeof AuditEntryResource>;

/** Returns the entry as the API shows it, from the text that its hash is over. */
export function showEntry({ seq, entry, hash }: Appended): Shown {
  const { id, at, actor, session_id, ip, action, target, wallet_id, before, after } = parseBody(entry);
  const { kind, id: actor_id = null, name = null } = membersOf(actor);
  const { kind: target_kind, id: target_id = null } = membersOf(target);
  return {
    seq: Number(seq),
    id,
    at,
    actor: { kind, id: actor_id, name },
    session_id: session_id ?? null,
    ip: ip ?? null,
    action,
    target: { kind: target_kind, id: target_id },
    wallet_id: wallet_id ?? null,
    before: before ?? null,
    after: after ?? null,
    hash: hash.toString('hex'),
  } as Shown;
}

function membersOf(value: unknown): Record<string, unknown> {
  return value instanceof RawJson ? (value.read() as Record<string, unknown>) : {};
}
