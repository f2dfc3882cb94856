import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../../ledger/asset.ts';
import { hex } from '../../ledger/bytes.ts';
import type { Entry } from '../../ledger/entry.ts';
import { accountAddress, balanceIdHex } from '../addresses.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetFields } from '../assets.ts';
import type { EntryChange } from '../entry-changes.ts';
import { entryChanges, signerSponsors, sponsorOf } from '../entry-changes.ts';
import type { Effect } from './effect.ts';
import { effect } from './effect.ts';

/**
 * Changes of who pays which reserve, read from the entries. So sponsorships that a merge, a claim or a removal ends
 * are included. Offers have no such effects.
 */
export function sponsorshipEffects(at: AppliedOperation): Effect[] {
  return entryChanges(at).flatMap((change) => [...entryEffects(change, at), ...signerEffects(change)]);
}

function entryEffects({ before, after }: EntryChange, { source }: AppliedOperation): Effect[] {
  const entry = after ?? before;
  const subject = entry === null ? null : subjectOf(entry, source);
  if (subject === null) return [];
  const move = moveOf(sponsorOf(before), sponsorOf(after));
  if (move === null) return [];
  return [
    effect(`${subject.kind}_sponsorship_${move.verb}`, subject.account, {
      ...subject.fields,
      ...move.fields,
    }),
  ];
}

function signerEffects({ before, after }: EntryChange): Effect[] {
  const entry = after ?? before;
  if (entry?.data.type !== 0) return [];
  const { accountId } = entry.data.account;
  const old = signerSponsors(before);
  const now = signerSponsors(after);
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((signer) => {
    const move = moveOf(old.get(signer) ?? null, now.get(signer) ?? null);
    return move === null
      ? []
      : effect(`signer_sponsorship_${move.verb}`, accountId, { signer, ...move.fields });
  });
}

type Subject = {
  kind: 'account' | 'trustline' | 'data' | 'claimable_balance';
  account: xdr.MuxedAccountWire;
  fields: Record<string, string>;
};

/** Horizon shows data and claimable balances under the source of the operation, whoever owns them. */
function subjectOf({ data }: Entry, source: xdr.MuxedAccountWire): Subject | null {
  if (data.type === 0) return { kind: 'account', account: data.account.accountId, fields: {} };
  if (data.type === 1) {
    return { kind: 'trustline', account: data.trustLine.accountId, fields: lineFields(data.trustLine.asset) };
  }
  if (data.type === 3) {
    return { kind: 'data', account: source, fields: { data_name: data.data.dataName.toString() } };
  }
  if (data.type !== 4) return null;
  const balance_id = balanceIdHex(data.claimableBalance.balanceId);
  return { kind: 'claimable_balance', account: source, fields: { balance_id } };
}

function lineFields(asset: xdr.TrustLineAssetWire): Record<string, string> {
  if (asset.type === 3) {
    return { asset_type: 'liquidity_pool', liquidity_pool_id: hex(asset.liquidityPoolId) };
  }
  const { asset_type = '' } = assetFields(asset);
  return { asset_type, asset: assetText(asset) };
}

type Sponsor = xdr.PublicKeyWire | null;

function moveOf(before: Sponsor, after: Sponsor) {
  const former = before === null ? null : accountAddress(before);
  const now = after === null ? null : accountAddress(after);
  if (former === now) return null;
  if (former === null) return { verb: 'created', fields: { sponsor: now } } as const;
  if (now === null) return { verb: 'removed', fields: { former_sponsor: former } } as const;
  return { verb: 'updated', fields: { former_sponsor: former, new_sponsor: now } } as const;
}
