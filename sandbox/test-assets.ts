/** The test assets of a sandbox. Like the root account, their issuers follow from the network: everybody knows the keys. */
import {
  Asset,
  AuthClawbackEnabledFlag,
  AuthRequiredFlag,
  AuthRevocableFlag,
  Keypair,
} from '@stellar/stellar-sdk/base';
import type { IssuedAsset } from './ledger/asset.ts';
import { sha256 } from './ledger/bytes.ts';

export type TestAsset = {
  asset_code: string;
  /** G… address. */
  asset_issuer: string;
  /** What the issuer can do, in words. */
  note: string;
};

/** By code: the flags of the issuer's account, and what they mean for holders. */
const ISSUERS: Record<string, { flags: number; note: string }> = {
  USDC: { flags: 0, note: 'anybody with a trust line may hold it' },
  AUTHUSD: {
    flags: AuthRequiredFlag | AuthRevocableFlag,
    note: 'its issuer must authorize each trust line, and can revoke that',
  },
  CLAWUSD: {
    flags: AuthRevocableFlag | AuthClawbackEnabledFlag,
    note: 'its issuer can claw it back, and can revoke trust lines',
  },
};

export function testAssets(passphrase: string): TestAsset[] {
  return Object.entries(ISSUERS).map(([asset_code, { note }]) => ({
    asset_code,
    asset_issuer: issuerKeypair(passphrase, asset_code).publicKey(),
    note,
  }));
}

/** The asset that a text like `USDC` or `USDC:G…` names; undefined when it is not in the list. */
export function findTestAsset(assets: TestAsset[], text: string): TestAsset | undefined {
  return assets.find(
    ({ asset_code, asset_issuer }) => text === asset_code || text === `${asset_code}:${asset_issuer}`,
  );
}

/** The test assets as the rules of the ledger name them. */
export function issuedTestAssets(passphrase: string): IssuedAsset[] {
  return testAssets(passphrase).flatMap(({ asset_code, asset_issuer }) => {
    const asset = new Asset(asset_code, asset_issuer).toXDRObject().toXdrObject();
    return asset.type === 0 ? [] : [asset];
  });
}

/** Key pair of the issuer: its seed is the SHA-256 of the passphrase and the code. */
export function issuerKeypair(passphrase: string, asset_code: string): Keypair {
  return Keypair.fromRawEd25519Seed(sha256(Buffer.from(`${passphrase} issuer of ${asset_code}`)));
}

/** Flags of the issuer's account. */
export function issuerFlags(asset_code: string): number {
  return ISSUERS[asset_code]?.flags ?? 0;
}
