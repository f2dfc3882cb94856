import { Asset, Keypair, xdr } from '@stellar/stellar-sdk/base';
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

const AUTHORIZATIONS = ['none', 'full', 'maintain_liabilities'] as const;

/** What an account holds of these assets (CODE:ISSUER); `authorization` is null where it has no trust line. */
export async function linesOf(server: Server, address: string, assets: string[]) {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  const keyOf = (asset: string) => {
    const [code = '', issuer] = asset.split(':');
    const line = new Asset(code, issuer).toTrustLineXdrObject();
    return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset: line }));
  };
  return Promise.all(
    assets.map(async (asset) => {
      const [entry] = (await server.getLedgerEntries(keyOf(asset))).entries;
      const line = entry?.val.type === 'trustline' ? entry.val.trustLine : null;
      const authorization = line ? (AUTHORIZATIONS[line.flags & 3] ?? 'none') : null;
      return { asset, balance_stroops: BigInt(`${line?.balance ?? 0}`), authorization };
    }),
  );
}
