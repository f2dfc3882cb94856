/** Who is in the transactions of paying.ts, and what `creditsOf` may never say of one. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Keypair, StrKey } from '@stellar/stellar-sdk';
import { creditsOf } from '../../src/stellar/credits/credits.ts';
import type { LedgerTransaction } from '../../src/stellar/stellar.ts';
import { ledgerTransaction, type Made, NETWORK } from './paying.ts';

export const wallet = Keypair.random().publicKey();
export const other = Keypair.random().publicKey();
export const issuer = Keypair.random().publicKey();
export const usd = new Asset('USD', issuer);
/** A contract of somebody else. */
export const evil = StrKey.encodeContract(Buffer.alloc(32, 0x66));

export const creditsIn = (made: Made) => creditsOf(NETWORK, ledgerTransaction(made));

/** The wallet gets nothing by these. */
export function neverCredited(cases: Record<string, Made>): void {
  for (const [name, made] of Object.entries(cases)) {
    test(`never credited: ${name}`, () => {
      const credits = creditsIn(made);
      assert.deepEqual(
        credits.filter(({ account }) => account === wallet),
        [],
      );
    });
  }
}

/** Nothing can be said of these: a person has to look. */
export function neverPassedOver(cases: Record<string, LedgerTransaction>): void {
  for (const [name, transaction] of Object.entries(cases)) {
    test(`never credited, and never passed over: ${name}`, () => {
      assert.throws(() => creditsOf(NETWORK, transaction), Error);
    });
  }
}
