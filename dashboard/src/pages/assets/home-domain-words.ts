import type { WalletAsset } from '../../api/contract.ts';
import { isolated } from '../../text/isolate.ts';

/** What is known of the domain that the issuer's account names; null when it names none. */
export function homeDomainWords({
  home_domain,
  home_domain_check,
}: Pick<WalletAsset, 'home_domain' | 'home_domain_check'>): string | null {
  if (home_domain === null) return null;
  const domain = isolated(home_domain);
  switch (home_domain_check) {
    case 'confirmed':
      return `${domain} confirms this asset.`;
    case 'not_confirmed':
      return `The issuer’s account names ${domain}, which does not name this asset. Anybody can name any domain.`;
    case 'unreachable':
      return `The issuer’s account names ${domain}, whose stellar.toml could not be read. Anybody can name any domain.`;
    case null:
      return `The issuer’s account names ${domain}. Anybody can name any domain.`;
  }
}
