/** Pure: reads a transfer by an asset's contract back from a transaction. */
import { INT64_MAX } from '../../lib/stroops.ts';
import { issuedAssetOf } from '../accounts/account-balances.ts';
import { accountOf, addressOf } from '../address.ts';
import { readMuxedContract } from '../protocol/missing-arms.ts';
import { Address, StrKey, type xdr } from '../protocol/sdk.ts';
import type { Asset, ContractTransfer } from '../stellar.ts';
import { assetContract } from './asset-contract.ts';

/**
 * Reads the transfer that a transaction of our form makes (build-contract-transfer.ts); null for any other. The call names the
 * contract of the asset, not the asset. The ledger entry of the payer names the asset, and its contract must be the called one.
 */
export function contractTransferIn(
  passphrase: string,
  transaction: xdr.Transaction,
): ContractTransfer | null {
  const [operation, ...more] = transaction.operations;
  if (operation?.body.type !== 'invokeHostFunction' || more.length > 0) return null;
  if (transaction.memo.type !== 'memoNone' || transaction.ext.type !== 'sorobanData') return null;
  const { hostFunction, auth } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return null;
  if (auth.length !== 1 || auth[0]?.credentials.type !== 'sorobanCredentialsSourceAccount') return null;
  const { account, muxed_id } = addressOf(operation.sourceAccount ?? transaction.sourceAccount);
  const moved = movedBy(hostFunction.invokeContract);
  if (!moved || muxed_id !== null || moved.from !== account) return null;
  for (const key of transaction.ext.sorobanData.resources.footprint.readWrite) {
    const asset = assetOfEntry(key, account);
    if (asset !== undefined && assetContract(passphrase, asset) === moved.contract)
      return { asset, from: account, ...moved.received };
  }
  return null;
}

function movedBy({ contractAddress, functionName, args }: xdr.InvokeContractArgs) {
  const [from, to, amount] = args;
  if (functionName.toString() !== 'transfer' || args.length !== 3) return null;
  if (from?.type !== 'scvAddress' || to?.type !== 'scvAddress' || amount?.type !== 'scvI128') return null;
  const receiver = receiverIn(to.address);
  if (from.address.type !== 'scAddressTypeAccount' || !receiver) return null;
  const { hi, lo } = amount.i128;
  if (hi !== 0n || lo === 0n || lo > INT64_MAX) return null;
  return {
    contract: Address.fromScAddress(contractAddress).toString(),
    from: Address.fromScAddress(from.address).toString(),
    received: { ...receiver, amount_stroops: lo },
  };
}

/** Reads the receiver; null for an address of another kind than a contract, plain or muxed. */
function receiverIn(address: xdr.ScAddress): Pick<ContractTransfer, 'to' | 'to_muxed_id'> | null {
  const muxed = readMuxedContract(address);
  if (muxed)
    return { to: StrKey.encodeContract(Buffer.from(muxed.contract_id)), to_muxed_id: muxed.muxed_id };
  if (address.type !== 'scAddressTypeContract') return null;
  return { to: Address.fromScAddress(address).toString(), to_muxed_id: null };
}

/** Returns the asset whose balance of this account the entry holds: null is the native one. Undefined: it holds none. */
function assetOfEntry(key: xdr.LedgerKey, account: string): Asset | null | undefined {
  if (key.type === 'account')
    return accountOf(key.account.accountId.ed25519.value) === account ? null : undefined;
  if (key.type !== 'trustline' || accountOf(key.trustLine.accountId.ed25519.value) !== account)
    return undefined;
  return issuedAssetOf(key.trustLine.asset) ?? undefined;
}
