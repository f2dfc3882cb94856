/** Pure: what the issuer of an asset can do to the wallet, in words. */
import type { WalletAsset } from '../../api/contract.ts';

type Facts = Pick<WalletAsset, 'issuer_flags' | 'clawback_enabled' | 'status'>;

/** A sentence for each. Whether a balance can be taken back follows from the wallet's own trust line, if there is one. */
export function issuerPowers({ issuer_flags, clawback_enabled, status }: Facts): string[] {
  if (issuer_flags === null) return ['The issuer is no account of this network.'];
  const has = status !== 'absent' && status !== 'failed';
  const powers = [
    ...(issuer_flags.auth_required
      ? [
          has
            ? 'The issuer must approve each holder.'
            : 'The issuer must approve each holder: until then the wallet can neither take nor pay the asset.',
        ]
      : []),
    ...(issuer_flags.auth_revocable
      ? ['The issuer can withdraw its approval: the balance is then stuck.']
      : []),
    ...(clawback_enabled ? ['The issuer can take back what the wallet holds (clawback).'] : []),
  ];
  return powers.length > 0 ? powers : ['The issuer can neither block nor take back what the wallet holds.'];
}
