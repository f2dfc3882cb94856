import { StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { publicKey } from '../../ledger/entry.ts';
import { muxedContractAddress } from '../../ledger/muxed-contract.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import { assetEvents } from '../asset-events.ts';
import { assetFields } from '../assets.ts';
import { changesTo } from '../entry-changes.ts';
import type { Effect } from './effect.ts';
import { effect } from './effect.ts';
import { masterKeyCreated } from './signers.ts';

/** From the events of asset contracts, then from entries that contracts create without an event (CAP-73). */
export function hostFunctionEffects(at: AppliedOperation): Effect[] {
  return [...movementEffects(at), ...newTrustLines(at), ...newAccounts(at)];
}

function movementEffects(at: AppliedOperation): Effect[] {
  return assetEvents(at).flatMap(({ asset, from, to, amount, toMuxedId }) => {
    const fields = { ...assetFields(asset), amount: amountText(amount) };
    return [
      ...(from === null ? [] : [movement('debited', holderOf(from, null), fields, at)]),
      ...(to === null ? [] : [movement('credited', holderOf(to, toMuxedId), fields, at)]),
    ];
  });
}

type Holder = xdr.MuxedAccountWire | ContractFields;
/** Horizon 30 shows a muxed contract like a muxed account: `contract_muxed_id` is a decimal string, absent for 0. */
type ContractFields = { contract: string; contract_muxed?: string; contract_muxed_id?: string };

function holderOf(address: string, muxedId: bigint | null): Holder {
  if (!StrKey.isValidEd25519PublicKey(address)) return contractFields(address, muxedId);
  const ed25519 = StrKey.decodeEd25519PublicKey(address);
  return muxedId === null ? publicKey(ed25519) : { type: 256, med25519: { id: muxedId, ed25519 } };
}

function contractFields(contract: string, muxed_id: bigint | null): ContractFields {
  if (muxed_id === null) return { contract };
  const contract_muxed = muxedContractAddress({ contract_id: StrKey.decodeContract(contract), muxed_id });
  return { contract, contract_muxed, ...(muxed_id !== 0n && { contract_muxed_id: `${muxed_id}` }) };
}

/** A contract is not an account, so Horizon shows its movements under the account that invoked it. */
function movement(
  verb: 'credited' | 'debited',
  holder: Holder,
  fields: Record<string, string>,
  { source }: AppliedOperation,
): Effect {
  if ('contract' in holder) return effect(`contract_${verb}`, source, { ...fields, ...holder });
  return effect(`account_${verb}`, holder, fields);
}

function newTrustLines(at: AppliedOperation): Effect[] {
  return changesTo(at, 1).flatMap(({ before, after }) => {
    if (before !== null || after === null || after.trustLine.asset.type === 3) return [];
    const { accountId, asset, limit } = after.trustLine;
    return effect('trustline_created', accountId, { ...assetFields(asset), limit: amountText(limit) });
  });
}

function newAccounts(at: AppliedOperation): Effect[] {
  return changesTo(at, 0).flatMap(({ before, after }) => {
    if (before !== null || after === null) return [];
    const { accountId, balance } = after.account;
    const created = effect('account_created', accountId, { starting_balance: amountText(balance) });
    return [created, masterKeyCreated(accountId)];
  });
}
