/** Issuers of a test's own on the sandbox's ledger, and what they do to the trust lines of wallets. */
import assert from 'node:assert/strict';
import {
  Asset,
  AuthClawbackEnabledFlag,
  type AuthFlag,
  AuthRequiredFlag,
  AuthRevocableFlag,
  type Keypair,
  Operation,
} from '@stellar/stellar-sdk/base';
import { type Ledger, toUnits } from './ledger.ts';

export const REQUIRED = AuthRequiredFlag | AuthRevocableFlag;
export const CLAWBACK = AuthRevocableFlag | AuthClawbackEnabledFlag;

export type Issuer = {
  key: Keypair;
  asset: Asset;
  /** As the API writes it. */
  fields: { asset_code: string; asset_issuer: string };
  /** `CODE:ISSUER` */
  text: string;
  /** Pays new units of the asset. */
  pay(destination: string, stroops: bigint): Promise<string>;
  /** A new account that holds so much of the asset, with room for `limit_stroops`. */
  holder(stroops: bigint, limit_stroops?: bigint): Promise<Keypair>;
  authorize(account: string, to: 'full' | 'maintain_liabilities' | 'none'): Promise<string>;
  clawBack(account: string, stroops: bigint): Promise<string>;
  /** Null without a trust line. */
  balanceOf(account: string): Promise<bigint | null>;
};

/** A new issuer of the code, whose account has these flags. */
export async function newIssuer(ledger: Ledger, code = 'USDC', flags = 0): Promise<Issuer> {
  const key = await ledger.fund();
  const asset = new Asset(code, key.publicKey());
  const sent = async (...args: Parameters<Ledger['apply']>): Promise<string> => {
    const { hash, successful } = await ledger.apply(...args);
    assert.ok(successful, 'the issuer’s transaction succeeds');
    return hash;
  };
  if (flags !== 0) await sent(key, [Operation.setOptions({ setFlags: flags as AuthFlag })]);
  const fields = { asset_code: code, asset_issuer: key.publicKey() };
  const pay: Issuer['pay'] = (destination, stroops) =>
    sent(key, [Operation.payment({ destination, asset, amount: toUnits(stroops) })]);
  const issuer: Issuer = {
    key,
    asset,
    fields,
    text: `${code}:${key.publicKey()}`,
    pay,
    async holder(stroops, limit_stroops) {
      const holder = await ledger.fund();
      const limit = limit_stroops === undefined ? {} : { limit: toUnits(limit_stroops) };
      await sent(holder, [Operation.changeTrust({ asset, ...limit })]);
      if ((flags & AuthRequiredFlag) !== 0) await issuer.authorize(holder.publicKey(), 'full');
      if (stroops > 0n) await pay(holder.publicKey(), stroops);
      return holder;
    },
    authorize: (trustor, to) =>
      sent(key, [
        Operation.setTrustLineFlags({
          trustor,
          asset,
          flags: {
            authorized: to === 'full',
            authorizedToMaintainLiabilities: to === 'maintain_liabilities',
          },
        }),
      ]),
    clawBack: (from, stroops) => sent(key, [Operation.clawback({ asset, from, amount: toUnits(stroops) })]),
    async balanceOf(account) {
      try {
        const line = await ledger.server.getTrustline(account, asset);
        return BigInt(`${line.balance}`);
      } catch {
        return null;
      }
    },
  };
  return issuer;
}
