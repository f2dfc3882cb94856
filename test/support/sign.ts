import type { SeedOwner, Vault } from '../../src/vault/vault.ts';

/** One signature, as code of the service gets it. */
export function signWith(vault: Vault, sealed_seed: Buffer, owner: SeedOwner, hash: Buffer): Promise<Buffer> {
  return vault.withSigner([{ sealed_seed, owner }], async (signer) =>
    signer.signWith(sealed_seed, owner, hash),
  );
}
