import type { xdr } from '@stellar/stellar-sdk/base';
import { accountAddress, signerAddress } from '../addresses.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { changesTo } from '../entry-changes.ts';
import type { Effect } from './effect.ts';
import { effect } from './effect.ts';

/** The key of a new account, with weight 1. */
export function masterKeyCreated(account: xdr.PublicKeyWire): Effect {
  return effect('signer_created', account, signerFields(accountAddress(account), 1));
}

/**
 * First signers that were removed or got another weight, then new ones, each sorted by address. The master key is
 * one of them.
 */
export function signerEffects(at: AppliedOperation): Effect[] {
  return changesTo(at, 0).flatMap(({ before, after }) => {
    const old = weightsOf(before?.account);
    const now = weightsOf(after?.account);
    return [...lostOrReweighted(at.source, old, now), ...added(at.source, old, now)];
  });
}

type Weights = Map<string, number>;

function lostOrReweighted(source: xdr.MuxedAccountWire, old: Weights, now: Weights): Effect[] {
  return sorted(old).flatMap(([address, weight]) => {
    const newWeight = now.get(address);
    if (newWeight === undefined) return effect('signer_removed', source, signerFields(address, 0));
    return newWeight === weight ? [] : effect('signer_updated', source, signerFields(address, newWeight));
  });
}

function added(source: xdr.MuxedAccountWire, old: Weights, now: Weights): Effect[] {
  return sorted(now)
    .filter(([address]) => !old.has(address))
    .map(([address, weight]) => effect('signer_created', source, signerFields(address, weight)));
}

function weightsOf(account: xdr.AccountEntryWire | undefined): Weights {
  const weights: Weights = new Map();
  const masterWeight = account?.thresholds[0] ?? 0;
  if (account !== undefined && masterWeight > 0) weights.set(accountAddress(account.accountId), masterWeight);
  for (const { key, weight } of account?.signers ?? []) weights.set(signerAddress(key), weight);
  return weights;
}

/** Compares code units, as Go sorts strings, and never by locale. */
function sorted(weights: Weights): [string, number][] {
  return [...weights].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `key` is an obsolete field that Horizon still shows, empty. */
function signerFields(address: string, weight: number) {
  return { weight, public_key: address, key: '' };
}
