/**
 * Pure: the contract of an asset (Stellar Asset Contract, CAP-46-6) and the ledger entries that a transfer by it uses.
 * Every asset has one contract id, whether the contract is deployed or not.
 */
import { trustLineKey } from '../accounts/account-balances.ts';
import { accountKey } from '../accounts/account-state.ts';
import { Address, Asset as SdkAsset, StrKey, xdr } from '../protocol/sdk.ts';
import type { Asset, ContractTransfer } from '../stellar.ts';

/** Returns the C… of the asset's contract on the network with this passphrase. Null: the native asset. */
export function assetContract(passphrase: string, asset: Asset | null): string {
  return sdkAsset(asset).contractId(passphrase);
}

function sdkAsset(asset: Asset | null): SdkAsset {
  return asset ? new SdkAsset(asset.code, asset.issuer) : SdkAsset.native();
}

/** Returns the 32 bytes of a C… address that is known to be valid. */
export function contractIdOf(contract: string): Buffer {
  return Buffer.from(StrKey.decodeContract(contract));
}

/** Returns the ledger key (base64) of the entry that a contract has for as long as it exists. */
export function instanceKey(contract: string): string {
  return dataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance());
}

/** Returns the ledger key (base64) of the balance that `holder` (C…) has in the asset of `asset_contract`. */
export function contractBalanceKey(asset_contract: string, holder: string): string {
  const owner = xdr.ScVal.scvAddress(new Address(holder).toScAddress());
  return dataKey(asset_contract, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), owner]));
}

function dataKey(contract: string, key: xdr.ScVal): string {
  const durability = xdr.ContractDataDurability.persistent;
  const address = new Address(contract).toScAddress();
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: address, key, durability }),
  ).toXdr('base64');
}

/**
 * Returns the ledger keys (base64) of the only entries that a transfer from an account to a contract reads and writes. The transfer does
 * not depend on a node, so a node cannot name others. All muxed contracts of a contract have its one balance.
 */
export function transferKeys(passphrase: string, { asset, from, to }: ContractTransfer) {
  const contract = assetContract(passphrase, asset);
  return {
    /** What is only read. */
    instance: instanceKey(contract),
    issuer: asset ? accountKey(asset.issuer) : null,
    /** What is written. */
    paying: asset ? trustLineKey(from, asset) : accountKey(from),
    paid: contractBalanceKey(contract, to),
  };
}

/** Writes `native` or `CODE:ISSUER`, as the events of the asset's contract name it. */
function eventName(asset: Asset | null): string {
  return asset ? `${asset.code}:${asset.issuer}` : 'native';
}

/**
 * Returns the bytes whose SHA-256 is the result of a successful transfer: its return value and its one event (CAP-67). The ledger proves
 * the result, so a result with this hash proves that exactly this amount went from and to these addresses. The event names the
 * plain contract. The id of a muxed contract is in its data, which without an id are the amount alone.
 */
export function transferPreimage(passphrase: string, transfer: ContractTransfer): Buffer {
  const { asset, from, to, to_muxed_id, amount_stroops } = transfer;
  const contractId = new xdr.ContractId(contractIdOf(assetContract(passphrase, asset)));
  const address = (text: string) => xdr.ScVal.scvAddress(new Address(text).toScAddress());
  const body = xdr.ContractEventBody.v0(
    new xdr.ContractEventV0({
      topics: [
        xdr.ScVal.scvSymbol('transfer'),
        address(from),
        address(to),
        xdr.ScVal.scvString(eventName(asset)),
      ],
      data: to_muxed_id === null ? i128(amount_stroops) : withId(amount_stroops, to_muxed_id),
    }),
  );
  const event = new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId,
    type: xdr.ContractEventType.contract,
    body,
  });
  const returnValue = xdr.ScVal.scvVoid();
  return Buffer.from(new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events: [event] }).toXdr());
}

/** Makes the data of an event with an id (CAP-67, for muxed contracts CAP-84). */
function withId(amount_stroops: bigint, id: bigint): xdr.ScVal {
  const field = (name: string, val: xdr.ScVal) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val });
  return xdr.ScVal.scvMap([
    field('amount', i128(amount_stroops)),
    field('to_muxed_id', xdr.ScVal.scvU64(id)),
  ]);
}

/** Encodes a positive amount of at most 64 bits. */
function i128(amount: bigint): xdr.ScVal {
  return xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: amount }));
}
