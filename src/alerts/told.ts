/** Pure: an entry of the audit log, as the rules of alerts read it. Other versions may write other facts into entries. */
import type { showEntry } from '../audit/audit-schema.ts';
import type { RawJson } from '../http/read-json.ts';
import { stroopsInUnits } from '../lib/stroops.ts';

export type Entry = ReturnType<typeof showEntry>;

/** `target_email`: of the user whom the entry is about, as it is now. */
export type NamedEntry = { entry: Entry; target_email?: string | undefined };

/** What `before` or `after` of an entry holds. Members that are null are absent; integers are bigints. */
export type Facts = Readonly<Record<string, unknown>>;

/** `who`, `target`, `wallet`: who acted on what, in words. */
export type Told = { before: Facts; after: Facts; who: string; target: string; wallet: string };

export function toldOf({ entry, target_email }: NamedEntry): Told {
  const { actor, target, wallet_id, before, after } = entry;
  return {
    before: factsOf(before),
    after: factsOf(after),
    who: whoIs(actor),
    target: target_email ?? target.id ?? 'unknown',
    wallet: `the wallet ${wallet_id ?? 'unknown'}`,
  };
}

function factsOf(shown: RawJson | null): Facts {
  return shown === null ? {} : (shown.read() as Facts);
}

export function whoIs({ kind, id, name }: Entry['actor']): string {
  switch (kind) {
    case 'operator':
      return `The operator of the service (${name ?? 'unknown'})`;
    case 'service':
      return 'The service';
    case 'stranger':
      return 'Somebody who was not signed in';
    case 'api_key':
      return name === null ? `The API key of the wallet ${id}` : `The API key ${name}`;
    default:
      return name ?? id ?? 'Somebody';
  }
}

/** Returns true when a target of this kind is a user. */
export function isUser(kind: string): boolean {
  return kind === 'user' || kind === 'member';
}

/** Returns the id of the user whom an entry is about: the target, or else the actor. Null when neither is a user. */
export function userOf({ actor, target }: Entry): string | null {
  if (isUser(target.kind)) return target.id;
  return actor.kind === 'user' ? actor.id : null;
}

/** Returns a value of an entry when it is a text, or else `otherwise`. */
export function textOf(value: unknown, otherwise = 'unknown'): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Returns an amount with its asset, in units: `12.5 XLM`. */
export function amountOf({ amount_stroops, asset_code, asset_issuer }: Facts): string {
  const asset = asset_code === 'native' ? 'XLM' : `${textOf(asset_code)} of ${textOf(asset_issuer)}`;
  if (typeof amount_stroops !== 'bigint') return `an unknown amount of ${asset}`;
  return `${stroopsInUnits(amount_stroops)} ${asset}`;
}
