import type { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../../ledger/asset.ts';
import { hex, sameBytes } from '../../ledger/bytes.ts';
import { accountAddress, accountFields, balanceIdHex, signerAddress } from '../addresses.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import type { EntryChange } from '../entry-changes.ts';
import { entryChanges, signerSponsors, sponsorOf } from '../entry-changes.ts';

/** The account that began the sponsorship that this operation ends. In a failed transaction there may be none. */
export function endSponsoringFields({ transaction, index, source, successful }: AppliedOperation) {
  if (!successful) return {};
  const sponsored = accountAddress(source);
  const begin = transaction.operations
    .slice(0, index)
    .findLast(
      ({ body }) =>
        body.type === 16 && accountAddress(body.beginSponsoringFutureReservesOp.sponsoredId) === sponsored,
    );
  return begin === undefined
    ? {}
    : accountFields('begin_sponsor', begin.sourceAccount ?? transaction.sourceAccount);
}

export function revokeSponsorshipFields(op: xdr.RevokeSponsorshipOpWire): Record<string, string> {
  if (op.type === 0) return ledgerKeyFields(op.ledgerKey);
  const { accountId, signerKey } = op.signer;
  return { signer_account_id: accountAddress(accountId), signer_key: signerAddress(signerKey) };
}

function ledgerKeyFields(key: xdr.LedgerKeyWire): Record<string, string> {
  if (key.type === 0) return { account_id: accountAddress(key.account.accountId) };
  if (key.type === 1) return trustLineKeyFields(key.trustLine);
  if (key.type === 2) return { offer_id: `${key.offer.offerId}` };
  if (key.type === 3) {
    return { data_account_id: accountAddress(key.data.accountId), data_name: key.data.dataName.toString() };
  }
  return key.type === 4 ? { claimable_balance_id: balanceIdHex(key.claimableBalance.balanceId) } : {};
}

function trustLineKeyFields({ accountId, asset }: xdr.LedgerKeyTrustLineWire): Record<string, string> {
  const account = { trustline_account_id: accountAddress(accountId) };
  if (asset.type === 3) return { ...account, trustline_liquidity_pool_id: hex(asset.liquidityPoolId) };
  return { ...account, trustline_asset: assetText(asset) };
}

/** `sponsor` of the entry that the operation created, or of the signer that it set. */
export function sponsorField(at: AppliedOperation): { sponsor?: string } {
  const { body } = at.operation;
  const signer = body.type === 5 ? body.setOptionsOp.signer : null;
  for (const change of entryChanges(at)) {
    const sponsor =
      (signer === null ? null : newSignerSponsor(change, signerAddress(signer.key))) ??
      (change.before === null ? sponsorOf(change.after) : null);
    if (sponsor !== null) return { sponsor: accountAddress(sponsor) };
  }
  return {};
}

function newSignerSponsor({ before, after }: EntryChange, signer: string): xdr.PublicKeyWire | null {
  const sponsor = signerSponsors(after).get(signer) ?? null;
  const former = signerSponsors(before).get(signer) ?? null;
  if (sponsor === null || former === null) return sponsor;
  return sameBytes(sponsor.ed25519, former.ed25519) ? null : sponsor;
}
