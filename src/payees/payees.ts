/**
 * Payees: whom a team pays, by name. The destination of a payee, its memo and its asset never change: another destination is another
 * payee. So who approved a payee, or put it on an allow list, has approved exactly what is paid.
 *
 * | a crash | leaves |
 * |---|---|
 * | before the commit | nothing changed |
 * | after it, before the answer | the change; the same request with the same Idempotency-Key gives the same answer |
 */
import { type AwaitsApproval, awaitInLockedTeam, lockAsAsker } from '../access/changes/access-changes.ts';
import { audited, type Deed } from '../audit/audit.ts';
import type { Requester } from '../auth/callers/authenticate.ts';
import type { Membership } from '../auth/teams/team-store.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { readDestination } from '../http/destination.ts';
import { DAY_MS } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { type AssetFields, assetText } from '../stellar/asset.ts';
import { parseContractAddress } from '../stellar/contract-address.ts';
import { recipientOf } from '../stellar/recipient.ts';
import {
  clashOf,
  countPayees,
  insertPayee,
  lastPaidTo,
  lockPayee,
  type Payee,
  updatePayee,
  walletsThatAllow,
} from './payee-store.ts';

export { foldName, PAYEE_ID } from './payee-name.ts';
export { everyPayee, findPayee, findPayees, type Payee } from './payee-store.ts';

/** More than people can oversee in a list. */
const MAX_PAYEES = 2_000;

/** How long a payee is marked as new: an invoice with a false account is often paid on its first day. */
const NEW_MS = DAY_MS;

export type NewPayee = Pick<
  Payee,
  'name' | 'destination' | 'memo_id' | 'asset_code' | 'asset_issuer' | 'note'
>;

type Changing = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;

/**
 * Makes an order that names a payee one that names whom it pays: its destination, and its memo.
 * @throws AppError `ambiguous_destination` for another memo than that of the payee, and for any with a C…, which would be another
 * recipient; `invalid_request` for another asset
 */
export function orderTo(
  { name, destination, memo_id, asset_code, asset_issuer }: Payee,
  order: AssetFields & { memo_id: bigint | null },
): { destination: string; memo_id: bigint | null } {
  if (memo_id === null && order.memo_id !== null && parseContractAddress(destination)?.muxed_id === null)
    throw new AppError('ambiguous_destination', `The payee ${name} is a contract without an id.`, {
      details: [{ path: '/memo_id', message: 'would make another recipient of the contract' }],
    });
  if (memo_id !== null && order.memo_id !== null && order.memo_id !== memo_id)
    throw new AppError('ambiguous_destination', `The payee ${name} is paid with the memo ${memo_id}.`, {
      details: [{ path: '/memo_id', message: `differs from the memo of the payee, ${memo_id}` }],
    });
  if (asset_code !== null && assetText({ asset_code, asset_issuer }) !== assetText(order)) {
    const asset = assetText({ asset_code, asset_issuer });
    throw new AppError('invalid_request', `The payee ${name} is paid in ${asset} only.`, {
      details: [{ path: '/asset_code', message: `must name ${asset}, the only asset of the payee` }],
    });
  }
  return { destination, memo_id: memo_id ?? order.memo_id };
}

/** Returns the error 422 `payee_deleted`. */
export function payeeDeleted({ name }: Pick<Payee, 'name'>): AppError {
  return new AppError('payee_deleted', `The payee ${name} was deleted.`, {
    details: [{ path: '/payee_id', message: 'is of a payee that was deleted' }],
  });
}

/** Returns until when the payee is marked as new: for a day since it has its name. */
export function newUntil({ named_at }: Pick<Payee, 'named_at'>): Date {
  return new Date(named_at.getTime() + NEW_MS);
}

/**
 * Adds a payee, or asks for the approvals that this needs.
 * @throws AppError `invalid_request`, `ambiguous_destination`, `payee_exists`, `too_many_payees`; those of `lockAsAsker` and
 * `awaitInLockedTeam`
 */
export async function createPayee(
  deps: Changing,
  by: Requester,
  order: NewPayee,
): Promise<Payee | AwaitsApproval> {
  readDestination(order); // refuses what is no address, and a memo that the address forbids
  const { team_id } = by.login.member;
  return audited(deps, by.actor, async (trx, note) => {
    const now = deps.clock.now();
    const payee: Payee = {
      ...order,
      ...recipientOf(order),
      id: newId('pye', now),
      team_id,
      created_by: by.login.user.id,
      created_at: now,
      named_at: now,
      paid_before: null,
      deleted_at: null,
    };
    await lockAsAsker(trx, by, OF_THE_TEAM); // of two at once, the second one sees the first
    await requireNoClash(trx, payee);
    if ((await countPayees(trx, team_id)) >= MAX_PAYEES)
      throw new AppError('too_many_payees', `A team has at most ${MAX_PAYEES} payees.`);
    const wanted = { operation: 'createPayee', target_id: null, change: factsOf(payee) };
    const awaiting = await awaitInLockedTeam(trx, { by, note, now }, { ...OF_THE_TEAM, ...wanted });
    if (awaiting) return awaiting;
    const added = { ...payee, paid_before: await lastPaidTo(trx, payee) };
    await insertPayee(trx, added);
    note({ ...deedOf(payee), action: 'payee.created', after: factsOf(payee) });
    return added;
  });
}

export type PayeeChange = { name?: string; note?: string };

/**
 * Changes the name or the note. Another name asks for the approvals of a new payee: members who approve a payment go by the name.
 * @throws AppError `not_found`, `payee_exists`; those of `lockAsAsker` and `awaitInLockedTeam`
 */
export async function changePayee(
  deps: Changing,
  by: Requester,
  { id, ...change }: PayeeChange & { id: string },
): Promise<Payee | AwaitsApproval> {
  return changeLocked(deps, by, id, async ({ trx, note, before, now }) => {
    const name = change.name ?? before.name;
    const is_renamed = name !== before.name;
    const noted = change.note === undefined ? before.note : change.note || null;
    const after = { ...before, name, note: noted, named_at: is_renamed ? now : before.named_at };
    if (is_renamed) {
      await requireNoClash(trx, after);
      const wanted = {
        operation: 'changePayee',
        target_id: id,
        // Without the note, which may change while the name awaits approvals.
        change: { ...factsOf({ ...after, note: null }), before: { name: before.name } },
      };
      const awaiting = await awaitInLockedTeam(trx, { by, note, now }, { ...OF_THE_TEAM, ...wanted });
      if (awaiting) return awaiting;
    }
    await updatePayee(trx, after);
    const entry = { before: factsOf(before), after: factsOf(after) };
    note({ ...deedOf(after), action: 'payee.changed', ...entry });
    return after;
  });
}

/**
 * Deletes a payee: nobody can be paid by its id any more. Its payments keep it.
 * @throws AppError `not_found`; `payee_in_use` while an allow list has it
 */
export async function deletePayee(deps: Changing, by: Requester, id: string): Promise<Payee> {
  return changeLocked(deps, by, id, async ({ trx, note, before, now }) => {
    const wallet_ids = await walletsThatAllow(trx, before);
    if (wallet_ids.length > 0) throw inUse(wallet_ids, by.login.member);
    const after = { ...before, deleted_at: now };
    await updatePayee(trx, after);
    note({ ...deedOf(after), action: 'payee.deleted', before: factsOf(before) });
    return after;
  });
}

type Changed<T> = (known: { trx: Trx; note: (deed: Deed) => void; before: Payee; now: Date }) => Promise<T>;

/** Runs the change with the team and then the payee locked. @throws AppError `not_found` */
async function changeLocked<T>(deps: Changing, by: Requester, id: string, change: Changed<T>): Promise<T> {
  return audited(deps, by.actor, async (trx, note) => {
    const now = deps.clock.now();
    const team_id = await lockAsAsker(trx, by, OF_THE_TEAM);
    const before = await lockPayee(trx, team_id, id);
    if (!before) throw new AppError('not_found', 'There is no such payee.');
    return change({ trx, note, before, now });
  });
}

/** A payee is of the whole team: the policies of all its wallets decide. */
const OF_THE_TEAM = { kind: 'payees', wallet_id: null, wallet_ids: null } as const;

async function requireNoClash(db: Db, payee: Payee): Promise<void> {
  const clash = await clashOf(db, payee);
  if (clash === null) return;
  const what = clash === 'name' ? 'this name' : 'this destination and memo';
  throw new AppError('payee_exists', `Another payee of the team has ${what}.`, {
    details: [{ path: `/${clash}`, message: 'is of another payee' }],
  });
}

/** Returns the error 409 `payee_in_use`. It names the wallets that the caller may use. */
function inUse(wallet_ids: string[], member: Membership): AppError {
  const own = wallet_ids.filter((id) => member.wallet_ids?.includes(id) ?? true);
  const whose = own.length === 0 ? 'another wallet of the team' : own.join(', ');
  const message = `The allow list of ${whose} has the payee. Take the payee off the list first.`;
  return new AppError('payee_in_use', message);
}

function deedOf({ team_id, id }: Payee) {
  return { team_id, target: { kind: 'payee', id } };
}

/** Returns what members approve, and what the audit log has. The empty members are left out. */
function factsOf({ name, destination, memo_id, asset_code, asset_issuer, note }: Payee) {
  const facts = {
    name,
    destination,
    memo_id: memo_id === null ? null : `${memo_id}`,
    asset_code,
    asset_issuer,
    note,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
