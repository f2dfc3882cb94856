import { Keypair, xdr } from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';

/** Null when the ledger has no such account. The SDK's own function says so of a node that is away, too. */
export async function findAccount(server: Server, address: string): Promise<xdr.AccountEntry | null> {
  const { entries } = await server.getLedgerEntries(accountKey(address));
  const [entry] = entries;
  return entry?.val.type === 'account' ? entry.val.value : null;
}

export function accountKey(address: string): xdr.LedgerKey {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
}
