/**
 * The issued assets of a wallet: what the ledger says of their trust lines, and what this service is doing to them.
 *
 * | newest change of the trust line | trust line on the ledger | status                                               |
 * |---------------------------------|--------------------------|------------------------------------------------------|
 * | an addition without outcome     | any                      | pending                                              |
 * | a removal without outcome       | any                      | removing                                             |
 * | any other, or none              | there is one             | active, maintain_liabilities or unauthorized, by its |
 * |                                 |                          | flags                                                |
 * | an addition that failed         | none                     | failed, with the network's code                      |
 * | any other, or none              | none                     | absent: no list has it                               |
 */
import type { Deps } from '../../deps.ts';
import { type AssetFields, issuedAsset } from '../../stellar/asset.ts';
import type { HomeDomainCheck } from '../../stellar/home-domains/home-domains.ts';
import { type AccountState, lineKey, type TrustLine } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import type { Withdrawal } from '../engine/store.ts';
import { checkAsset } from './known-assets.ts';
import { changesOf, newestChanges } from './trust-line-store.ts';

export type AssetStatus =
  | 'pending'
  | 'active'
  | 'unauthorized'
  | 'maintain_liabilities'
  | 'removing'
  | 'failed'
  | 'absent';

export type IssuedFields = AssetFields & { asset_issuer: string };

export type WalletAsset = IssuedFields & {
  status: AssetStatus;
  failure: { code: string; message: string } | null;
  /** Null when the issuer is not an account of the network (any more). */
  issuer_flags: AccountState['flags'] | null;
  home_domain: string | null;
  /** What the stellar.toml of the domain says; null when nobody asked the domain. */
  home_domain_check: HomeDomainCheck | null;
  verified: boolean;
  warning: string | null;
  /** Whether the issuer can take this wallet's balance back. It follows from the trust line; before there is one, from the issuer. */
  clawback_enabled: boolean;
  created_at: Date | null;
};

/** What the ledger knows of a wallet and one asset. */
export type LedgerFacts = {
  own: AccountState | null;
  issuer: AccountState | null;
  line: TrustLine | null;
  base_reserve_stroops: bigint;
};

type Reading = Pick<Deps, 'stellar' | 'home_domains' | 'config' | 'reads'>;

/** Returns the wallet's assets, by code and issuer. @throws NetworkUnavailable */
export async function listAssets(deps: Reading, wallet: Wallet): Promise<WalletAsset[]> {
  const changes = await newestChanges(deps.reads, wallet.id);
  const assets = changes.map(({ asset_code, asset_issuer }) => {
    return { asset_code, asset_issuer: asset_issuer ?? '' };
  });
  const facts = await readFacts(deps, wallet, assets);
  const listed = changes
    .map((change, index) => assetOf(deps, assets[index] as IssuedFields, facts[index] as LedgerFacts, change))
    .filter(({ status }) => status !== 'absent');
  return Promise.all(listed.map((each) => withDomainCheck(deps, each)));
}

/**
 * Returns one asset, whether or not the wallet has it: what its issuer can do is shown before it is added.
 * @throws NetworkUnavailable
 */
export async function findAsset(deps: Reading, wallet: Wallet, asset: IssuedFields): Promise<WalletAsset> {
  const [change] = await changesOf(deps.reads, wallet.id, asset);
  const [facts] = await readFacts(deps, wallet, [asset]);
  return withDomainCheck(deps, assetOf(deps, asset, facts as LedgerFacts, change));
}

/** Returns the asset with what its domain says. The domains of several assets are asked at once; none takes longer than 5 s. */
async function withDomainCheck({ home_domains }: Reading, asset: WalletAsset): Promise<WalletAsset> {
  const { home_domain, asset_code: code, asset_issuer: issuer } = asset;
  if (home_domain === null) return asset;
  return { ...asset, home_domain_check: await home_domains.check(home_domain, { code, issuer }) };
}

/** Reads the facts from one source at one time, in the order of `assets`. @throws NetworkUnavailable */
export async function readFacts(
  { stellar }: Pick<Deps, 'stellar'>,
  wallet: Wallet,
  assets: IssuedFields[],
): Promise<LedgerFacts[]> {
  if (assets.length === 0) return [];
  const names = assets.flatMap((fields) => {
    const asset = issuedAsset(fields);
    return asset ? [{ account: wallet.account, asset }] : [];
  });
  const issuers = assets.map(({ asset_issuer }) => asset_issuer);
  const { latest, accounts, lines } = await stellar.readAccounts(
    [wallet.account, ...new Set(issuers)],
    names,
  );
  const { base_reserve_stroops } = latest;
  return names.map((name) => ({
    own: accounts.get(wallet.account) ?? null,
    issuer: accounts.get(name.asset.issuer) ?? null,
    line: lines.get(lineKey(name)) ?? null,
    base_reserve_stroops,
  }));
}

/**
 * Builds the asset as callers see it. `change`: the newest change of the trust line. `status`: what is known of it where the
 * trust line was not read.
 */
export function assetOf(
  { config }: Pick<Deps, 'config'>,
  asset: IssuedFields,
  { issuer, line }: Pick<LedgerFacts, 'issuer' | 'line'>,
  change: Withdrawal | undefined,
  status = statusOf(line, change),
): WalletAsset {
  return {
    ...asset,
    status,
    failure:
      status === 'failed' && change?.failure_code
        ? { code: change.failure_code, message: change.failure_message ?? '' }
        : null,
    issuer_flags: issuer?.flags ?? null,
    home_domain: issuer?.home_domain ?? null,
    home_domain_check: null,
    ...checkAsset(config.passphrase, asset),
    clawback_enabled: line?.clawback_enabled ?? issuer?.flags.clawback_enabled ?? false,
    created_at: change?.created_at ?? null,
  };
}

function statusOf(line: TrustLine | null, change: Withdrawal | undefined): AssetStatus {
  if (change && change.settled_at === null)
    return change.operation === 'add_trust_line' ? 'pending' : 'removing';
  if (line) return STATUS_OF_AUTHORIZATION[line.authorization];
  return change?.operation === 'add_trust_line' && change.status === 'failed' ? 'failed' : 'absent';
}

export const STATUS_OF_AUTHORIZATION = {
  full: 'active',
  maintain_liabilities: 'maintain_liabilities',
  none: 'unauthorized',
} as const satisfies Record<TrustLine['authorization'], AssetStatus>;
