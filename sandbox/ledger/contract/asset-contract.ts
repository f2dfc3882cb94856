import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import type { IssuedAsset } from '../asset.ts';
import { contractDataKey } from '../entry.ts';
import type { AssetContracts, EventSink, Party } from '../events.ts';
import type { ScAddress, ScVal } from '../sc-val.ts';
import { i128Of } from '../sc-val.ts';
import type { Holder } from './asset-balance.ts';
import { receive, spend } from './asset-balance.ts';
import type { Authorization } from './authorization.ts';
import type { ContractStorage } from './contract-storage.ts';
import { HostError } from './host-error.ts';

/** Key of the entry with a contract's own code and settings. */
const INSTANCE: ScVal = { type: 20 };

export type InvocationContext = {
  contracts: AssetContracts;
  /** Every issued asset of the network: the called contract may belong to any of them. */
  assets: Iterable<IssuedAsset>;
  header: Header;
  storage: ContractStorage;
  authorization: Authorization;
  events: EventSink;
};

/** Whether the sandbox supports this call. Others are refused at submission. */
export function isTransfer(hostFunction: xdr.HostFunctionWire): boolean {
  return hostFunction.type === 0 && hostFunction.invokeContract.functionName.toString() === 'transfer';
}

/**
 * `transfer(from: Address, to: MuxedAddress, amount: i128)` of a Stellar Asset Contract (CAP-46-6, CAP-67). The
 * contract of every asset counts as deployed.
 * @throws HostError with the error of the host
 */
export function callTransfer(call: xdr.InvokeContractArgsWire, context: InvocationContext): void {
  const { contracts, header, storage, authorization, events } = context;
  const contract = call.contractAddress;
  storage.get(contractDataKey(contract, INSTANCE, 'persistent'));
  const asset = contract.type === 1 ? contracts.assetOf(contract.contractId, context.assets) : undefined;
  if (asset === undefined) {
    throw HostError.ofHost('Storage', 'MissingValue', 'contract instance is missing');
  }
  const { from, to, amount } = argumentsOf(call.args);
  if (amount < 0n) throw HostError.ofAsset('negativeAmount', 'negative amount is not allowed');
  authorization.require(from);
  const balances = { asset, contract, header, storage };
  spend(balances, from, amount);
  receive(balances, holderOf(to), amount);
  events.transfer(asset, partyOf(from), partyOf(to), amount, 'with_muxed_id');
}

type Arguments = { from: Holder; to: MuxedHolder; amount: bigint };
type MuxedHolder = Extract<ScAddress, { type: 0 | 1 | 2 }>;

function argumentsOf([from, to, amountValue, ...more]: ScVal[]): Arguments {
  const amount = i128Of(amountValue);
  const isCall = from?.type === 18 && to?.type === 18 && amount !== undefined && more.length === 0;
  if (!isCall || from.address.type > 1 || to.address.type > 2) {
    throw HostError.ofHost('Context', 'InvalidAction', 'transfer takes (Address, MuxedAddress, i128)');
  }
  return { from: from.address as Holder, to: to.address as MuxedHolder, amount };
}

function holderOf(address: MuxedHolder): Holder {
  if (address.type !== 2) return address;
  return { type: 0, accountId: { type: 0, ed25519: address.muxedAccount.ed25519 } };
}

function partyOf(address: MuxedHolder): Party {
  if (address.type === 0) return { type: 0, ed25519: address.accountId.ed25519 };
  return address.type === 2 ? { type: 256, med25519: address.muxedAccount } : { address };
}
