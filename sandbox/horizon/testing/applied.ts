import { Keypair, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { ledgerKeyOf, publicKey } from '../../ledger/entry.ts';
import { int64 } from '../../ledger/wire.ts';
import { SANDBOX_PASSPHRASE } from '../../passphrase.ts';
import type { AppliedOperation } from '../applied-operation.ts';

/** Invented accounts, operations and entries, as far as records need them. */
export type Party = {
  address: string;
  ed25519: Uint8Array;
  id: xdr.PublicKeyWire;
  muxed(id: bigint): string;
};

export function party(seed: number): Party {
  const keypair = Keypair.fromRawEd25519Seed(Buffer.alloc(32, seed));
  const ed25519 = keypair.rawPublicKey();
  return {
    address: keypair.publicKey(),
    ed25519,
    id: publicKey(ed25519),
    muxed: (id) => StrKey.encodeMed25519PublicKey(Buffer.concat([ed25519, int64(BigInt.asIntN(64, id))])),
  };
}

type Outcome = {
  source: Party;
  muxedId?: bigint;
  tr?: xdr.OperationResultTrWire;
  changes?: xdr.LedgerEntryChangeWire[];
  events?: xdr.ContractEventWire[];
  failed?: boolean;
};

/** The operation, alone in its transaction, with this outcome. */
export function applied(operation: xdr.Operation, outcome: Outcome): AppliedOperation {
  const { source, muxedId, tr, changes = [], events = [], failed = false } = outcome;
  const wire = operation.toXdrObject();
  const account: xdr.MuxedAccountWire =
    muxedId === undefined ? source.id : { type: 256, med25519: { id: muxedId, ed25519: source.ed25519 } };
  return {
    transaction: {
      sourceAccount: account,
      fee: 100,
      seqNum: 1n,
      cond: { type: 0 },
      memo: { type: 0 },
      operations: [wire],
      ext: { v: 0 },
    },
    index: 0,
    operation: wire,
    source: account,
    result: tr === undefined ? { code: -1 } : { code: 0, tr },
    successful: !failed,
    meta: failed ? null : { ext: { v: 0 }, changes, events },
    ledger: 2,
    passphrase: SANDBOX_PASSPHRASE,
  };
}

/** A change as stellar-core reports it: the old version, then the new one. */
export function change(
  before: xdr.LedgerEntryWire | null,
  after: xdr.LedgerEntryWire | null,
): xdr.LedgerEntryChangeWire[] {
  if (before === null) return after === null ? [] : [{ type: 0, created: after }];
  if (after !== null)
    return [
      { type: 3, state: before },
      { type: 1, updated: after },
    ];
  return [
    { type: 3, state: before },
    { type: 2, removed: ledgerKeyOf(before) },
  ];
}

export function entry(data: xdr.LedgerEntryDataWire, sponsor: Party | null = null): xdr.LedgerEntryWire {
  const ext: xdr.LedgerEntryExtWire = { v: 1, v1: { sponsoringId: sponsor?.id ?? null, ext: { v: 0 } } };
  return { lastModifiedLedgerSeq: 2, data, ext };
}

type AccountParts = {
  masterWeight?: number;
  signers?: [signer: Party, weight: number][];
  homeDomain?: string;
  seqNum?: bigint;
};

/** @param signerSponsors for each of the signers */
export function accountEntry(
  owner: Party,
  { masterWeight = 1, signers = [], homeDomain = '', seqNum = 1n }: AccountParts,
  sponsor: Party | null = null,
  signerSponsors: (Party | null)[] = [],
): xdr.LedgerEntryWire {
  const v2: xdr.AccountEntryExtensionV2Wire = {
    numSponsored: 0,
    numSponsoring: 0,
    signerSponsoringIDs: signers.map((_, index) => signerSponsors[index]?.id ?? null),
    ext: { v: 0 },
  };
  const account: xdr.AccountEntryWire = {
    accountId: owner.id,
    balance: 0n,
    seqNum,
    numSubEntries: signers.length,
    inflationDest: null,
    flags: 0,
    homeDomain: new xdr.XdrString(homeDomain),
    thresholds: new Uint8Array([masterWeight, 0, 0, 0]),
    signers: signers.map(([signer, weight]) => ({ key: { type: 0, ed25519: signer.ed25519 }, weight })),
    ext: { v: 1, v1: { liabilities: { buying: 0n, selling: 0n }, ext: { v: 2, v2 } } },
  };
  return entry({ type: 0, account }, sponsor);
}

export function trustLineEntry(
  owner: Party,
  asset: xdr.AssetWire,
  sponsor: Party | null = null,
): xdr.LedgerEntryWire {
  const trustLine: xdr.TrustLineEntryWire = {
    accountId: owner.id,
    asset,
    balance: 0n,
    limit: 100n,
    flags: 1,
    ext: { v: 0 },
  };
  return entry({ type: 1, trustLine }, sponsor);
}

export function dataEntry(owner: Party, name: string, value: string, sponsor: Party | null = null) {
  const data: xdr.DataEntryWire = {
    accountId: owner.id,
    dataName: new xdr.XdrString(name),
    dataValue: Buffer.from(value),
    ext: { v: 0 },
  };
  return entry({ type: 3, data }, sponsor);
}
