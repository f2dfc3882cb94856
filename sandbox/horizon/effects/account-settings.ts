import type { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../../ledger/bytes.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { changesTo } from '../entry-changes.ts';
import { thresholdsOf } from '../fields/account-settings.ts';
import { AUTH_REQUIRED } from '../flags.ts';
import type { Effect } from './effect.ts';
import { effect } from './effect.ts';
import { signerEffects } from './signers.ts';

export function setOptionsEffects(op: xdr.SetOptionsOpWire, at: AppliedOperation): Effect[] {
  const { source } = at;
  const effects: Effect[] = [];
  if (op.homeDomain !== null) {
    effects.push(effect('account_home_domain_updated', source, { home_domain: op.homeDomain.toString() }));
  }
  if (op.lowThreshold !== null || op.medThreshold !== null || op.highThreshold !== null) {
    effects.push(effect('account_thresholds_updated', source, { ...NO_THRESHOLDS, ...thresholdsOf(op) }));
  }
  if (op.setFlags || op.clearFlags) effects.push(effect('account_flags_updated', source, changedFlags(op)));
  if (op.inflationDest !== null) effects.push(effect('account_inflation_destination_updated', source));
  return [...effects, ...signerEffects(at)];
}

/** A threshold that the operation does not change is shown as 0, because Horizon's record cannot leave it out. */
const NO_THRESHOLDS = { low_threshold: 0, med_threshold: 0, high_threshold: 0 };

/**
 * Only the first flag is ever shown. Horizon stores the second as `auth_revocable_flag` and reads
 * `auth_revokable_flag`, and its record has no field for the others.
 */
function changedFlags({ setFlags, clearFlags }: xdr.SetOptionsOpWire) {
  if (((clearFlags ?? 0) & AUTH_REQUIRED) !== 0) return { auth_required_flag: false };
  return ((setFlags ?? 0) & AUTH_REQUIRED) !== 0 ? { auth_required_flag: true } : {};
}

export function manageDataEffects(op: xdr.ManageDataOpWire, at: AppliedOperation): Effect[] {
  const name = op.dataName.toString();
  return changesTo(at, 3).map(({ before, after }) => {
    if (after === null) return effect('data_removed', at.source, { name });
    const type = before === null ? 'data_created' : 'data_updated';
    return effect(type, at.source, { name, value: base64(after.data.dataValue) });
  });
}

/** None when the number does not change: bumping to a lower number is no error. */
export function bumpSequenceEffects(at: AppliedOperation): Effect[] {
  return changesTo(at, 0).flatMap(({ before, after }) => {
    if (before === null || after === null || before.account.seqNum === after.account.seqNum) return [];
    return effect('sequence_bumped', at.source, { new_seq: `${after.account.seqNum}` });
  });
}
