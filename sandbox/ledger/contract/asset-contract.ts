import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../account.ts';
import type { IssuedAsset } from '../asset.ts';
import { contractDataKey } from '../entry.ts';
import type { AssetContracts, EventSink, Party } from '../events.ts';
import type { MuxedContract } from '../muxed-contract.ts';
import { muxedContractOf } from '../muxed-contract.ts';
import type { ScAddress, ScVal } from '../sc-val.ts';
import { accountAddress, i128Of } from '../sc-val.ts';
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
 * `transfer(from: Address, to: MuxedAddress, amount: i128)` of a Stellar Asset Contract (CAP-46-6, CAP-67, CAP-84).
 * The contract of every asset counts as deployed.
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
  receive(balances, to.holder, amount);
  events.transfer(asset, partyOf(from), to.party, amount, 'with_muxed_id');
}

type Arguments = { from: Holder; to: Destination; amount: bigint };
/** The balance that rises, and the destination as the event names it. */
type Destination = { holder: Holder; party: Party };

function argumentsOf([from, to, amountValue, ...more]: ScVal[]): Arguments {
  const amount = i128Of(amountValue);
  const source = from?.type === 18 && from.address.type <= 1 ? (from.address as Holder) : null;
  const destination = to?.type === 18 ? destinationOf(to.address) : null;
  if (source === null || destination === null || amount === undefined || more.length > 0) {
    throw HostError.ofHost('Context', 'InvalidAction', 'transfer takes (Address, MuxedAddress, i128)');
  }
  return { from: source, to: destination, amount };
}

/** A muxed id does not matter for the balance; the event has it. Null for an address that holds no asset. */
function destinationOf(address: ScAddress): Destination | null {
  if (address.type === 0 || address.type === 1) return { holder: address, party: partyOf(address) };
  if (address.type === 2) {
    const { ed25519 } = address.muxedAccount;
    return { holder: accountAddress(ed25519), party: { type: 256, med25519: address.muxedAccount } };
  }
  const muxed = muxedContractOf(address);
  return muxed && { holder: contractOf(muxed), party: { address: contractOf(muxed), id: muxed.muxed_id } };
}

function contractOf({ contract_id }: MuxedContract): Holder {
  return { type: 1, contractId: contract_id };
}

function partyOf(address: Holder): Party {
  return address.type === 0 ? { type: 0, ed25519: address.accountId.ed25519 } : { address };
}
