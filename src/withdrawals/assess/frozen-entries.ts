/** Whether a withdrawal names an account or a trust line that the network has frozen (CAP-77). Such a transaction is never included. */
import type { Deps } from '../../deps.ts';
import { trustLineKey } from '../../stellar/accounts/account-balances.ts';
import { accountKey } from '../../stellar/accounts/account-state.ts';
import { type AssetFields, issuedAsset } from '../../stellar/asset.ts';
import type { ContractTransfer } from '../../stellar/stellar.ts';
import { transferKeys } from '../../stellar/transactions/asset-contract.ts';

/**
 * Says whether one of these ledger keys is frozen. False while no source tells what is frozen: then the network says so when
 * the payment is sent.
 */
export async function touchesFrozen(
  { stellar }: Pick<Deps, 'stellar'>,
  named: readonly string[],
): Promise<boolean> {
  const frozen = await stellar.frozenKeys();
  return frozen !== null && named.some((key) => frozen.has(key));
}

/** Returns the ledger keys (base64) that a payment names: the wallet, and what holds the asset on both sides. */
export function keysOfPayment(from: string, to: string, fields: AssetFields): string[] {
  return [accountKey(from), ...[from, to].flatMap((account) => keysOfHolder(account, fields))];
}

/**
 * Returns the ledger keys (base64) of what holds the asset for an account. An issuer has no trust line in its own asset
 * (stellar-core, TransactionFrame::accessesFrozenKey).
 */
export function keysOfHolder(account: string, fields: AssetFields): string[] {
  const asset = issuedAsset(fields);
  if (!asset) return [accountKey(account)];
  return account === asset.issuer ? [] : [trustLineKey(account, asset)];
}

/** Returns the ledger keys (base64) that a transfer to a contract names: the wallet, and the entries that it declares. */
export function keysOfTransfer(passphrase: string, transfer: ContractTransfer): string[] {
  const { instance, issuer, paying, paid } = transferKeys(passphrase, transfer);
  return [accountKey(transfer.from), instance, paying, paid, ...(issuer ? [issuer] : [])];
}
