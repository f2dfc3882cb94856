import { Keypair } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import { newAccount } from './account.ts';
import { sha256 } from './bytes.ts';
import { accountKey } from './entry.ts';
import type { EntryChange } from './ledger-txn.ts';
import { NEWEST_PROTOCOL } from './protocols.ts';
import type { ValueSigner } from './stellar-value.ts';
import { valueSigner } from './stellar-value.ts';
import { networkId } from './transaction.ts';

/** 100 billion units in stroops: the total supply. */
const TOTAL_COINS = 1_000_000_000_000_000_000n;

/** Parameters at the start of a network, which upgrades may change. */
export type GenesisParameters = {
  ledgerVersion: number;
  /** In stroops. */
  baseFee: number;
  /** In stroops. */
  baseReserve: number;
  /** Most operations in one ledger; before protocol 11, most transactions. */
  maxTxSetSize: number;
};

/** As on the public network. */
export const MAX_OPERATIONS_PER_LEDGER = 1000;

const SANDBOX: GenesisParameters = {
  ledgerVersion: NEWEST_PROTOCOL,
  baseFee: 100,
  baseReserve: 5_000_000,
  maxTxSetSize: MAX_OPERATIONS_PER_LEDGER,
};

/** @param protocol of the network; that of today when absent */
export function parametersAt(protocol = SANDBOX.ledgerVersion): GenesisParameters {
  return { ...SANDBOX, ledgerVersion: protocol };
}

/**
 * Key pair of the root account: its seed is the SHA-256 of the passphrase (stellar-core, getRoot). Everybody knows
 * it.
 */
export function rootKeypair(passphrase: string): Keypair {
  return Keypair.fromRawEd25519Seed(networkId(passphrase));
}

/** The node that signs headers. Like that of the root account, its key follows from the passphrase. */
export function validatorOf(passphrase: string): ValueSigner {
  const keys = Keypair.fromRawEd25519Seed(sha256(Buffer.from(`${passphrase} validator`)));
  const publicKey = keys.rawPublicKey();
  const secretKey = Buffer.concat([keys.rawSecretKey(), publicKey]);
  return valueSigner(networkId(passphrase), { publicKey, secretKey });
}

/** Ledger 1: one account that owns everything. The parameters are those that a real network reaches by upgrades. */
export function genesis(
  passphrase: string,
  parameters: GenesisParameters = SANDBOX,
): { header: Header; changes: EntryChange[] } {
  const nothing = new Uint8Array(32);
  const header: Header = {
    ...parameters,
    previousLedgerHash: nothing,
    scpValue: { txSetHash: nothing, closeTime: 0n, upgrades: [], ext: { v: 0 } },
    txSetResultHash: nothing,
    bucketListHash: sha256(nothing),
    ledgerSeq: 1,
    totalCoins: TOTAL_COINS,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    skipList: [nothing, nothing, nothing, nothing],
    ext: { v: 0 },
  };
  const root = rootKeypair(passphrase).rawPublicKey();
  const account = { ...newAccount(root, header), seqNum: 0n, balance: TOTAL_COINS };
  const after = { lastModifiedLedgerSeq: 1, data: { type: 0, account } as const, ext: { v: 0 } as const };
  return { header, changes: [{ key: accountKey(root), before: undefined, after }] };
}
