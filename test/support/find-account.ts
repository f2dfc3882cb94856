import { Keypair, xdr } from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';

/** Null when the ledger has no such account. The SDK's own function says so of a node that is away, too. */
export async function findAccount(server: Server, address: string): Promise<xdr.AccountEntry | null> {
  const accountId = Keypair.fromPublicKey(address).xdrPublicKey();
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  const { entries } = await server.getLedgerEntries(key);
  const [entry] = entries;
  return entry?.val.type === 'account' ? entry.val.value : null;
}
